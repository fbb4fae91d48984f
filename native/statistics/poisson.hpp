// A bootstrap for rows that are never all in one place: each row has weights of its own, drawn from what it is called.
//
// Drawing n rows out of n with replacement takes each row about as often as a Poisson variable of mean 1 says, and
// for more than some hundred rows nobody can tell the two apart. With the second, a row needs to know nothing of the
// others: how often it is in replicate b is a function of its key, of b and of the seed. So every shard adds up its
// own rows, sums of shards are added in any order, and the result does not depend on how the rows were dealt out.
// (Hanley and MacGibbon 2006; Chamandy et al. 2012.)

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/parallel.hpp"
#include "statistics/resampling.hpp"

namespace tertium {

// Adds weight x row to (columns x replicates) sums, for each row and each of the replicates 0, 1, ….
void add_poisson_sums(RowMatrix rows, std::span<const std::uint64_t> keys, std::uint64_t seed, unsigned threads,
                      Watch& watch, std::span<double> sums);

}  // namespace tertium
