// How sure metrics are of pairs of systems, when the scores of two metrics are swapped at random: what soft pairwise
// accuracy needs of a permutation test.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/parallel.hpp"

namespace tertium {

// Scores that stand still (metrics x systems x items, 0 where nobody judged), and what is drawn. A system's item with
// `swapped` (trials x systems x items) changes sides; an item with `flips` (flips x items) adds to a sum, others are
// taken from it. An item counts for a pair of systems if both were `judged` (systems x items).
struct SwappedScores {
    std::span<const double> scores;
    std::span<const std::uint8_t> judged, swapped, flips;
    std::size_t metrics, systems, items, flip_count;
    double tolerance;  // of the sum of scores: as much as rounding can do

    std::size_t pairs() const { return systems * (systems - 1) / 2; }
    std::size_t trials() const { return swapped.size() / (systems * items); }
};

// For each trial and each two metrics a and b: take a's scores, but b's where they are swapped. For each pair of
// systems i < j, counts flips under which i is ahead of j by at least as much as without any. Fills (trials x a x b x
// pairs); nothing where a is b.
void swapped_sign_counts(const SwappedScores& given, unsigned threads, Watch& watch, std::span<std::uint16_t> counts);

}  // namespace tertium
