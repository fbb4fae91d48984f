// The search for shifts on bit masks, for sentences: unit costs, at most 64 * kWords - 2 tokens.
//
// Everything starts from the masks of match_mask.hpp: bit r of eq(h) says that hypothesis word h is reference word r.
//
// Distance (edit_column.hpp). A column of the table (the first j hypothesis words against 0, 1, … R reference words)
// changes by at most one from cell to cell, so it is two masks: where it goes up and where it goes down. The next
// column follows by a dozen operations on whole words (Hyyrö 2003), and the distance is H + ups - downs of the last
// one.
//
// Trace. Two masks per column say how each of its cells is reached: DIAGONAL (match or substitution), else
// INSERTION, else it is a deletion; that order is tercom's and sacreBLEU's. Walking back, the cell a column is left
// from is the highest bit of (DIAGONAL | INSERTION) at or below the cell it was entered from.
//
//     reference   r  a b c d                the walk notes, for each r, the number of hypothesis words consumed up
//     hypothesis     a x c                  to it, its target:
//                      targets  1 2 3 3     d is missing; a block aimed at it goes behind the third word, as for c
//
// Candidates. The blocks of L words from s on stand in the reference at the bits of
//     X = eq(s) & eq(s+1) >> 1 & … & eq(s+L-1) >> (L-1)
// Those aligned with themselves are a range of bits, since targets only go up; so are those that are too far away.
// Targets of a block are the ones noted in a range of reference words: also a mask.
//
// Evaluation. A shift swaps two neighbouring blocks of the hypothesis, so only columns from there on change. It
// lowers the distance by at most twice the shorter block, and never below what the words' bags allow; shifts that
// cannot beat the best so far are skipped. The others go through the recurrence several at a time, one per lane.
//
// Beam. The programs fill only part of the table. Their distance and trace equal those of the whole table if the
// trace of the whole table lies in the part: then all its cells are reached at their true cost, and what is missing
// could only have been dearer. So a trace is checked where a bound does not settle it, for the hypothesis itself and
// for each shift that would win. Where one leaves the beam, the rest of the search reads traces from the programs' own
// table (beam_table.hpp), and takes a distance from there too whenever the whole table's, which is never larger, would
// win.

#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "machine/parallel.hpp"
#include "metrics/ter/first_columns.hpp"
#include "metrics/ter/shift_pair.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

// Searches one pair after the other, with masks of some number of words; keeps its scratch space.
struct AnyMaskSearch {
    virtual ~AnyMaskSearch() = default;
    // A search with masks of one word goes on from the columns in a lane; the others do without.
    virtual TerCounts operator()(const ShiftPair& pair, const FirstLane& first, const TerSettings& settings,
                                 Watch& watch) = 0;
};
std::unique_ptr<AnyMaskSearch> mask_search_1();
std::unique_ptr<AnyMaskSearch> mask_search_2();
std::unique_ptr<AnyMaskSearch> mask_search_4();

class MaskSearches {
public:
    static constexpr std::size_t kLongestBlock = 10;
    static bool serve(const TerSettings& settings);  // whether its costs and limits are such
    static bool serve(const ShiftPair& pair) { return !pair.has_empty_side() && pair.longest() <= 64 * 4 - 2; }

    // Finds the counts of those pairs that it serves; returns how many they are.
    std::size_t operator()(std::span<const ShiftPair> pairs, const TerSettings& settings, Watch& watch,
                           TerCounts* counts);

private:
    // Pairs that wait until there is one for each lane.
    template <class Number>
    struct Waiting {
        FirstColumns<Number> columns;
        const ShiftPair* pairs[FirstColumns<Number>::kPairs];
        std::size_t count;
    };

    std::unique_ptr<Waiting<std::uint32_t>> short_ = std::make_unique_for_overwrite<Waiting<std::uint32_t>>();
    std::unique_ptr<Waiting<std::uint64_t>> long_ = std::make_unique_for_overwrite<Waiting<std::uint64_t>>();
    std::unique_ptr<AnyMaskSearch> one_ = mask_search_1(), two_, four_;
};

}  // namespace tertium
