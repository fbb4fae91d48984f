// The long-jump distance: edits and jumps when every word of both sides is covered exactly once.

#pragma once

#include <cstddef>
#include <span>

#include "machine/parallel.hpp"
#include "matching/word_costs.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

// Whether the exact search is feasible: it takes 2^shorter * shorter * longer steps.
bool is_short_enough(std::size_t hypothesis, std::size_t reference);

// The exact distance, for texts that are short enough.
double long_jump_distance(const Words& hypothesis, const Words& reference, const Substitution& substitution,
                          Watch& watch);

}  // namespace tertium
