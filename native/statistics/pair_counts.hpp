// How two lists of scores order the same points: concordant, discordant and tied pairs, and what is made of them.
//
// Points stand group by group: a group is one source sentence with the scores of all systems, one system with all its
// sentences, or everything. Only pairs within a group count.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/parallel.hpp"

namespace tertium {

// Group g holds the points offsets[g] to offsets[g + 1]; the last offset is the number of points.
using Offsets = std::span<const std::int64_t>;

// How many pairs there are.
std::size_t pairs_within(Offsets offsets);

// Concordant, discordant, tied in the human scores only, in the metric only, in both.
inline constexpr std::size_t kPairKinds = 5;

// How often each point was drawn: the product of how often its item and its system were. (replicates x items) and
// (replicates x systems).
struct Draws {
    std::span<const std::uint16_t> items, systems;
    std::span<const std::int32_t> item, system;  // of each point
    std::size_t item_count, system_count;
    std::size_t replicates() const { return item_count == 0 ? 0 : items.size() / item_count; }
};

// Counts pairs for several metrics (metrics x points) against one list of human scores: fills (metrics x groups x 5).
void pair_counts(std::span<const double> metrics, std::span<const double> human, Offsets offsets, unsigned threads,
                 Watch& watch, std::span<double> counts);

// The same for one metric and points that were drawn several times: a pair counts as often as the product of both, a
// point makes no pair with itself. Fills (replicates x groups x 5).
void drawn_pair_counts(std::span<const double> metric, std::span<const double> human, Offsets offsets,
                       const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts);

// Pairs that are far enough apart in `far` (difference >= gap; > gap if `above`): how many of them `other` orders the
// same way, the other way, not at all. Fills (replicates x groups x 3); without draws there is one replicate.
void gap_counts(std::span<const double> far, std::span<const double> other, Offsets offsets, double gap, bool above,
                const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts);

// Ranks within each group from 1, equal values sharing the mean of theirs: (lists x points), in and out.
void mid_ranks(std::span<const double> values, Offsets offsets, unsigned threads, Watch& watch,
               std::span<double> ranks);

// Spearman's coefficient of drawn points: (replicates x groups); NaN where one side is constant.
void drawn_spearman(std::span<const double> metric, std::span<const double> human, Offsets offsets, const Draws& draws,
                    unsigned threads, Watch& watch, std::span<double> values);

struct Calibration {
    double threshold;  // metric scores no farther apart than this are called equal
    double accuracy;   // mean over groups of the share of pairs ordered as people do, ties among them
};

// The smallest threshold that makes the accuracy greatest. `sampled` (one flag per pair: group by group, first point
// by first point), if it is not empty, says which pairs are looked at.
Calibration calibrated_ties(std::span<const double> metric, std::span<const double> human, Offsets offsets,
                            std::span<const std::uint8_t> sampled, Watch& watch);

}  // namespace tertium
