// Bootstrap and randomization over a row matrix: sums of rows that were drawn at random.
//
// The random numbers are those of NumPy's default_rng(seed): Python hands over the state of its PCG64 generator, and
// what is drawn here is what NumPy would have drawn. So results can be checked against NumPy and against programs
// that use it, and the number of threads does not matter: the generator can jump to any place of its stream.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/parallel.hpp"

namespace tertium {

// 128 bits, of which the generator needs sums and products.
struct Wide {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

struct GeneratorState {
    Wide state;
    Wide increment;
};

// (segments x columns), row by row.
struct RowMatrix {
    std::span<const double> values;
    std::size_t columns;
    std::size_t segments() const { return columns == 0 ? 0 : values.size() / columns; }
};

// Sums of random subsets: a row joins with probability 1/2. Fills (columns x trials) sums, of the trials first,
// first + 1, …; the subsets are the rows of integers(2, size=(trials, segments), dtype=bool).
void subset_sums(RowMatrix rows, GeneratorState generator, std::uint64_t first, unsigned threads, Watch& watch,
                 std::span<double> sums);

// Sums of as many rows as there are, drawn with replacement: (columns x replicates). The indices are those of
// choice(segments, size=(replicates, segments)) once `skipped` 32-bit words of the stream are used up. Returns how many
// words are used up afterwards.
std::uint64_t bootstrap_sums(RowMatrix rows, GeneratorState generator, std::uint64_t skipped, unsigned threads,
                             Watch& watch, std::span<double> sums);

// Sums of rows as MultEval shuffles them. Rows come run by run, `runs` times the same segments. In each trial each
// row has a coin, and the runs of a segment are permuted; a row joins `sums` if the coin that the permutation brings it
// shows 1, and `turned` if the one that the inverse brings shows 0. Both are (columns x trials), of the trials first,
// first + 1, …. At most kMostRuns runs.
inline constexpr std::size_t kMostRuns = 64;
void shuffled_sums(RowMatrix rows, std::size_t runs, GeneratorState generator, std::uint64_t first, unsigned threads,
                   Watch& watch, std::span<double> sums, std::span<double> turned);

}  // namespace tertium
