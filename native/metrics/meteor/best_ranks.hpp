// The forty smallest of up to 128 different numbers, in order, without a branch that cannot be foretold.
//
// Two lists in order become one if the second is turned round: of each two numbers that then stand above each other the
// lower goes to the front and the higher to the back; and so again by halves, by halves of halves, and so on. Vectors
// do that to many pairs at once, and numbers alone are lists of one.
//
//     1 4 6 9          1 4 3 2 | 8 7 6 9          1 2 3 4 | 6 7 8 9
//     8 7 3 2 turned        by two                     by one
//
// Ranks have 64 bits, but those that are close to the best differ in 31.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "machine/vectors.hpp"

namespace tertium {

inline constexpr std::size_t kBeam = 40, kMostRanks = 128;

// Lower numbers to the first vector, higher ones to the second.
template <class Eight>
TERTIUM_INLINE void part(Eight& a, Eight& b) {
    const Eight low = lower(a, b);
    b = higher(a, b);
    a = low;
}

// Puts numbers in order that rise and then fall.
template <std::size_t kVectors, class Eight>
TERTIUM_INLINE void merge_halves(Eight* v) {
    if constexpr (kVectors == 1) {
        v[0] = merged_halves(v[0]);
    } else {
        for (std::size_t k = 0; k < kVectors / 2; ++k) part(v[k], v[k + kVectors / 2]);
        merge_halves<kVectors / 2>(v);
        merge_halves<kVectors / 2>(v + kVectors / 2);
    }
}

template <std::size_t kVectors, class Eight>
TERTIUM_INLINE void turn_round(Eight* v) {
    for (std::size_t k = 0; k < kVectors / 2; ++k) {
        const Eight first = turned(v[k]);
        v[k] = turned(v[kVectors - 1 - k]);
        v[kVectors - 1 - k] = first;
    }
    if constexpr (kVectors == 1) v[0] = turned(v[0]);
}

template <std::size_t kVectors, class Eight>
TERTIUM_INLINE void sort_all(Eight* v) {
    if constexpr (kVectors == 1) {
        v[0] = in_order(v[0]);
    } else {
        sort_all<kVectors / 2>(v);
        sort_all<kVectors / 2>(v + kVectors / 2);
        turn_round<kVectors / 2>(v + kVectors / 2);
        merge_halves<kVectors>(v);
    }
}

template <class Eight>
TERTIUM_INLINE Eight eight_at(const std::int32_t* numbers) {
    Eight v;
    std::memcpy(&v, numbers, sizeof v);
    return v;
}

template <class Eight, std::size_t kVectors>
TERTIUM_INLINE void sort_numbers(std::int32_t* numbers) {
    Eight v[kVectors];
    for (std::size_t k = 0; k < kVectors; ++k) v[k] = eight_at<Eight>(numbers + 8 * k);
    sort_all<kVectors>(v);
    for (std::size_t k = 0; k < kVectors; ++k) put(v[k], numbers + 8 * k);
}

inline constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

// Of thirty-two numbers, those behind the first `count` are kFar.
template <class Eight>
TERTIUM_INLINE void sort_up_to_32(std::int32_t* numbers, std::size_t count) {
    if (count <= 16)
        sort_numbers<Eight, 2>(numbers);
    else
        sort_numbers<Eight, 4>(numbers);
}

// Two lists of thirty-two become one.
template <class Eight>
TERTIUM_INLINE void merge_both(std::int32_t* numbers) {
    Eight v[8];
    for (std::size_t k = 0; k < 8; ++k) v[k] = eight_at<Eight>(numbers + 8 * k);
    turn_round<4>(v + 4);
    merge_halves<8>(v);
    for (std::size_t k = 0; k < 8; ++k) put(v[k], numbers + 8 * k);
}

// The sixty-four lowest of two lists of as many, in order.
template <class Eight>
TERTIUM_INLINE void merge_lowest(std::int32_t* numbers, const std::int32_t* others) {
    Eight v[8];
    for (std::size_t k = 0; k < 8; ++k)
        v[k] = lower(eight_at<Eight>(numbers + 8 * k), turned(eight_at<Eight>(others + 56 - 8 * k)));
    merge_halves<8>(v);
    for (std::size_t k = 0; k < 8; ++k) put(v[k], numbers + 8 * k);
}

// Writes the forty smallest of at most kMostRanks, or all, into `best`, and returns how many. None is below `least`.
// Their order is lost.
template <class Eight, class Rank>
TERTIUM_INLINE std::size_t order_best(Rank* ranks, std::size_t count, Rank least, Rank* best) {
    const std::size_t wanted = std::min(count, kBeam);
    if constexpr (sizeof(Rank) == sizeof(std::uint64_t)) {
        std::int32_t numbers[kMostRanks];
        for (std::size_t k = 0; k < count; ++k) {
            const Rank difference = ranks[k] - least;
            numbers[k] = difference < static_cast<Rank>(kFar) ? static_cast<std::int32_t>(difference) : kFar;
        }
        std::fill(numbers + count, numbers + kMostRanks, kFar);
        for (std::size_t begin = 0; begin < count; begin += 32) sort_up_to_32<Eight>(numbers + begin, count - begin);
        for (std::size_t begin = 0; begin + 32 < count; begin += 64) merge_both<Eight>(numbers + begin);
        if (count > 64) merge_lowest<Eight>(numbers, numbers + 64);
        if (numbers[wanted - 1] < kFar) {
            for (std::size_t k = 0; k < wanted; ++k) best[k] = least + static_cast<Rank>(numbers[k]);
            return wanted;
        }
    }
    std::nth_element(ranks, ranks + (wanted - 1), ranks + count);
    std::sort(ranks, ranks + wanted);
    std::copy_n(ranks, wanted, best);
    return wanted;
}

}  // namespace tertium
