// The forty smallest of up to 128 different numbers, in order, without a branch that cannot be foretold.
//
// Numbers stand in rows of eight. Each column is put in order first: of two rows, the lower of the two numbers in each
// column goes to the one and the higher to the other, eight at a time. Then two columns become one list, which goes
// down the first and then down the second: turn the second round, and of each two numbers that then stand beside each
// other the lower goes to the first. After that all of the first are lower than all of the second, and each column
// rises and falls (or the other way round), so a few more steps between rows put it in order. So four columns become
// one list, and eight.
//
//     2 1          2 8          2 8          1 6
//     3 4          3 6          3 6          2 7
//     7 6  turned  7 4  parted  4 7          3 8
//     9 8          9 1          1 9          4 9   each column in order
//
// So most steps need nothing to be moved inside of a row.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "machine/vectors.hpp"

namespace tertium {

inline constexpr std::size_t kBeam = 40, kMostRanks = 128;
inline constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

// Lower numbers to the first row, higher ones to the second.
template <class Eight>
TERTIUM_INLINE void part_rows(Eight& a, Eight& b) {
    const Eight low = lower(a, b);
    b = higher(a, b);
    a = low;
}

// Of rows that are kStep apart, from kFirst on; rows are taken in blocks of twice as many.
template <std::size_t kRows, std::size_t kStep, std::size_t kFirst, class Eight>
TERTIUM_INLINE void part_blocks(Eight* v) {
    for (std::size_t k = 0; k < (kRows - 2 * kFirst) / 2; ++k) {
        const std::size_t at = kFirst + k / kStep * 2 * kStep + k % kStep;
        part_rows(v[at], v[at + kStep]);
    }
}

// Puts columns in order that rise and fall, or fall and rise.
template <std::size_t kRows, std::size_t kStep = kRows / 2, class Eight>
TERTIUM_INLINE void merge_columns(Eight* v) {
    part_blocks<kRows, kStep, 0>(v);
    if constexpr (kStep > 1) merge_columns<kRows, kStep / 2>(v);
}

// Puts columns in order both halves of which are, by Batcher's odd-even network.
template <std::size_t kRows, std::size_t kStep = kRows / 2, class Eight>
TERTIUM_INLINE void merge_halves(Eight* v) {
    part_blocks<kRows, kStep, kStep == kRows / 2 ? 0 : kStep>(v);
    if constexpr (kStep > 1) merge_halves<kRows, kStep / 2>(v);
}

template <std::size_t kRows, class Eight>
TERTIUM_INLINE void sort_columns(Eight* v) {
    if constexpr (kRows > 1) {
        sort_columns<kRows / 2>(v);
        sort_columns<kRows / 2>(v + kRows / 2);
        merge_halves<kRows>(v);
    }
}

// Puts lists in order, of 2 * kStep columns each, that rise and fall.
template <std::size_t kRows, int kStep, class Eight>
TERTIUM_INLINE void merge_lists(Eight* v) {
    if constexpr (kStep == 0) {
        merge_columns<kRows>(v);
    } else {
        for (std::size_t k = 0; k < kRows; ++k) v[k] = parted<kStep>(v[k], across<kStep>(v[k]));
        merge_lists<kRows, kStep / 2>(v);
    }
}

// Of two lists of kStep columns each, which are in order, makes one.
template <std::size_t kRows, int kStep, class Eight>
TERTIUM_INLINE void join_lists(Eight* v) {
    for (std::size_t k = 0; k < kRows / 2; ++k) {
        const Eight above = v[k], below = v[kRows - 1 - k];
        v[k] = parted<kStep>(above, across<2 * kStep - 1>(below));
        v[kRows - 1 - k] = parted<kStep>(below, across<2 * kStep - 1>(above));
    }
    merge_lists<kRows, kStep / 2>(v);
}

template <std::size_t kRows, class Eight>
TERTIUM_INLINE void sort_rows(Eight* v) {
    sort_columns<kRows>(v);
    join_lists<kRows, 1>(v);
    join_lists<kRows, 2>(v);
    join_lists<kRows, 4>(v);
}

template <std::size_t kRows, class Eight>
TERTIUM_INLINE void load_rows(const std::int32_t* numbers, Eight* v) {
    for (std::size_t k = 0; k < kRows; ++k) std::memcpy(v + k, numbers + 8 * k, sizeof *v);
}

// Puts the lowest kRows * 8 in order, down one column after the other; those from `count` on are kFar.
template <class Eight, std::size_t kRows>
TERTIUM_INLINE void sort_numbers(std::int32_t* numbers, std::size_t count) {
    Eight v[kRows];
    load_rows<kRows>(numbers, v);
    sort_rows<kRows>(v);
    if constexpr (kRows == 8) {
        if (count > 64) {
            Eight w[kRows];
            load_rows<kRows>(numbers + 64, w);
            sort_rows<kRows>(w);
            for (std::size_t k = 0; k < kRows; ++k) v[k] = lower(v[k], across<7>(w[kRows - 1 - k]));
            merge_lists<kRows, 4>(v);
        }
    }
    for (std::size_t k = 0; k < kRows; ++k) put(v[k], numbers + 8 * k);
}

// Of numbers that stand in that many rows, the place of the first forty once they are in order.
template <std::size_t kRows>
inline constexpr auto kPlaces = [] {
    std::array<std::uint8_t, kBeam> places{};
    for (std::size_t k = 0; k < kBeam; ++k) places[k] = static_cast<std::uint8_t>(k % kRows * 8 + k / kRows % 8);
    return places;
}();

// Puts the smallest of at most kMostRanks numbers in order, down the columns of that many rows, and returns the places
// of the first forty. None is negative, and there is room for kMostRanks.
template <class Eight>
TERTIUM_INLINE const std::uint8_t* sort_best(std::int32_t* numbers, std::size_t count) {
    std::fill(numbers + count, numbers + (count <= 16 ? 16 : count <= 32 ? 32 : count <= 64 ? 64 : kMostRanks), kFar);
    if (count <= 16) {
        sort_numbers<Eight, 2>(numbers, count);
        return kPlaces<2>.data();
    }
    if (count <= 32) {
        sort_numbers<Eight, 4>(numbers, count);
        return kPlaces<4>.data();
    }
    sort_numbers<Eight, 8>(numbers, count);
    return kPlaces<8>.data();
}

}  // namespace tertium
