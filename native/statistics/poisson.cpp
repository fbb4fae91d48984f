// Four weights out of one random word, and many rows for each sum that is fetched.
//
// A word of 64 bits is a hash of key and replicate (SplitMix64, whose words are as random as they come). Each quarter
// of it, a number u below 65536, becomes a weight: how many of the thresholds 65536 P(X <= k) it reaches.
//
//     k            0      1      2      3      4      5      6      7
//     threshold    24109  48219  60273  64292  65296  65497  65531  65535
//
// Rounded so, the mean of a weight is exactly 1 and its variance 0.99997; no row is in a replicate more than eight
// times, which by Poisson would happen once in a million. Weights of a few rows and some sixty replicates are made
// at once, as plain loops that compilers turn into vectors; then each sum is read and written once for all those rows.

#include "statistics/poisson.hpp"

#include <algorithm>
#include <array>

#include "machine/multiversion.hpp"

namespace tertium {
namespace {

constexpr std::array<std::uint16_t, 8> kThresholds{24109, 48219, 60273, 64292, 65296, 65497, 65531, 65535};
constexpr std::size_t kWords = 16, kReplicates = 4 * kWords;  // of a block
constexpr std::size_t kRows = 4;                              // whose weights are made together
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

TERTIUM_INLINE std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

using Weights = std::array<double, kReplicates>;

TERTIUM_INLINE void draw(std::uint64_t start, std::size_t block, Weights& weights) {
    std::array<std::uint64_t, kWords> words;
    for (std::size_t k = 0; k < kWords; ++k) words[k] = mixed(start + (block * kWords + k + 1) * kGolden);
    std::array<std::uint16_t, kReplicates> quarters, counts{};
    for (std::size_t k = 0; k < kWords; ++k)
        for (std::size_t q = 0; q < 4; ++q) quarters[4 * k + q] = static_cast<std::uint16_t>(words[k] >> (16 * q));
    for (const std::uint16_t threshold : kThresholds)
        for (std::size_t k = 0; k < kReplicates; ++k)
            counts[k] = static_cast<std::uint16_t>(counts[k] + (quarters[k] >= threshold ? 1 : 0));
    for (std::size_t k = 0; k < kReplicates; ++k) weights[k] = counts[k];
}

// Adds rows [begin, end) to one block of replicates; sums are (columns x kReplicates).
TERTIUM_INLINE void add_block(RowMatrix rows, std::span<const std::uint64_t> keys, std::uint64_t seed,
                              std::size_t begin, std::size_t end, std::size_t block, double* sums) {
    std::array<Weights, kRows> weights;
    for (std::size_t i = begin; i < end; i += kRows) {
        const std::size_t count = std::min(kRows, end - i);
        for (std::size_t r = 0; r < count; ++r) draw(mixed(keys[i + r] ^ seed), block, weights[r]);
        for (std::size_t r = count; r < kRows; ++r) weights[r].fill(0);
        for (std::size_t c = 0; c < rows.columns; ++c) {
            std::array<double, kRows> values{};
            for (std::size_t r = 0; r < count; ++r) values[r] = rows.values[(i + r) * rows.columns + c];
            double* const sum = sums + c * kReplicates;
            for (std::size_t k = 0; k < kReplicates; ++k)
                sum[k] += (values[0] * weights[0][k] + values[1] * weights[1][k]) +
                          (values[2] * weights[2][k] + values[3] * weights[3][k]);
        }
    }
}
TERTIUM_BY_PROCESSOR(add_block_here, add_block)

}  // namespace

void add_poisson_sums(RowMatrix rows, std::span<const std::uint64_t> keys, std::uint64_t seed, unsigned threads,
                      Watch& watch, std::span<double> sums) {
    constexpr std::size_t kPiece = 4096;  // rows between two looks at the watch
    const std::size_t replicates = rows.columns == 0 ? 0 : sums.size() / rows.columns;
    const std::size_t blocks = (replicates + kReplicates - 1) / kReplicates;
    const std::uint64_t start = mixed(seed + kGolden);
    const auto work = [&](std::size_t first, std::size_t last) {
        std::vector<double> own(rows.columns * kReplicates);
        for (std::size_t block = first; block < last; ++block) {
            std::fill(own.begin(), own.end(), 0.0);
            for (std::size_t begin = 0; begin < keys.size(); begin += kPiece) {
                watch.checkpoint();
                add_block_here(rows, keys, start, begin, std::min(begin + kPiece, keys.size()), block, own.data());
            }
            const std::size_t at = block * kReplicates, count = std::min(kReplicates, replicates - at);
            for (std::size_t c = 0; c < rows.columns; ++c)
                for (std::size_t k = 0; k < count; ++k) sums[c * replicates + at + k] += own[c * kReplicates + k];
        }
    };
    parallel_for(blocks, threads, watch, [&] { return work; }, 1, 1);
}

}  // namespace tertium
