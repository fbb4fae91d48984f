// The tables of several short pairs side by side: where every search for shifts begins, and most of them end.
//
// One column follows from the one before, so a single table keeps the processor waiting. Here each pair has a lane:
//
//     lane 0   the cat sat | sat the cat          row j of `eq`: where the references hold the hypotheses' word j
//     lane 1   a dog       | the dog is here      row j of `up` and `down`: the columns behind j words
//
// A hypothesis with fewer words is through earlier; its lane goes on with words that are nowhere, and nobody looks.
// All rows of `eq` are written before the first is read: a vector cannot be read while its lanes are on their way to
// memory one by one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "metrics/ter/shift_pair.hpp"

namespace tertium {

// Number has a bit per reference word; short pairs do with 32, so that twice as many of them go together.
template <class Number>
struct FirstColumns {
    static constexpr std::size_t kMost = 8 * sizeof(Number) - 2;  // words on either side, at least one
    static constexpr std::size_t kPairs = 128 / sizeof(Number);   // a row has so many numbers
    using Rows = Number[(kMost + 1) * kPairs];

    alignas(64) Rows eq, up, down, diagonal, insertion;  // see edit_column.hpp
    std::size_t distance[kPairs];
    std::size_t least[kPairs];  // no order of the hypothesis words is nearer to the reference

    void fill(std::span<const ShiftPair* const> pairs);
};

using ShortColumns = FirstColumns<std::uint32_t>;
using LongColumns = FirstColumns<std::uint64_t>;

// Where a pair's columns are: in a lane of one of the two.
struct FirstLane {
    const ShortColumns* shorter = nullptr;
    const LongColumns* longer = nullptr;
    std::size_t lane = 0;
};

}  // namespace tertium
