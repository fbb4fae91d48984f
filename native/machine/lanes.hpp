// Several numbers that are worked on together, of 64 bits unless another kind is named: two, four or eight, as many as
// the processor's vectors hold (see multiversion.hpp). Where the compiler knows no vector types, a loop.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/multiversion.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tertium {

#if defined(__GNUC__) || defined(__clang__)

template <std::size_t kCount, class Number>
struct LanesOf {
    typedef Number Type __attribute__((vector_size(sizeof(Number) * kCount)));
};
template <class Number>
struct LanesOf<1, Number> {
    typedef Number Type;
};
template <std::size_t kCount, class Number = std::uint64_t>
using Lanes = typename LanesOf<kCount, Number>::Type;

// All bits where the lane holds the value; no bit where it does not.
template <class Vector>
TERTIUM_INLINE Vector equal(Vector lanes, std::uint64_t value) {
    return reinterpret_cast<Vector>(lanes == value);
}
TERTIUM_INLINE std::uint64_t equal(std::uint64_t lane, std::uint64_t value) {
    return std::uint64_t{0} - std::uint64_t{lane == value};
}

// Bit i says whether lane i holds the value.
TERTIUM_INLINE std::uint64_t equal_bits(const Lanes<2>& lanes, std::uint64_t value) {
    return std::uint64_t{lanes[0] == value} | std::uint64_t{lanes[1] == value} << 1;
}
// The first `count` numbers, if that is fewer than there are lanes, and `filler` in the other lanes.
template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount> load_some(const std::uint64_t* from, std::size_t count, std::uint64_t filler) {
    Lanes<kCount> lanes = Lanes<kCount>{} + filler;
    if (count >= kCount)
        std::memcpy(&lanes, from, sizeof lanes);
    else
        for (std::size_t i = 0; i < count; ++i) lanes[i] = from[i];
    return lanes;
}

// Exchanges the two lanes of each pair.
TERTIUM_INLINE Lanes<2> swapped_pairs(Lanes<2> lanes) { return __builtin_shufflevector(lanes, lanes, 1, 0); }
TERTIUM_INLINE Lanes<4> swapped_pairs(Lanes<4> lanes) {
    typedef std::uint32_t Halves __attribute__((vector_size(32)));  // so written, it takes one cycle and not three
    const auto halves = reinterpret_cast<Halves>(lanes);
    return reinterpret_cast<Lanes<4>>(__builtin_shufflevector(halves, halves, 2, 3, 0, 1, 6, 7, 4, 5));
}

// The last lane of `before`, then all but the last of `lanes`.
TERTIUM_INLINE Lanes<2> moved_up(Lanes<2> before, Lanes<2> lanes) {
    return __builtin_shufflevector(before, lanes, 1, 2);
}
TERTIUM_INLINE Lanes<4> moved_up(Lanes<4> before, Lanes<4> lanes) {
    return __builtin_shufflevector(before, lanes, 3, 4, 5, 6);
}
// The number, then all but the last of `lanes`.
TERTIUM_INLINE Lanes<4, double> moved_up(double first, Lanes<4, double> lanes) {
    return __builtin_shufflevector(lanes, Lanes<4, double>{first}, 4, 0, 1, 2);
}

// Adds numbers where all bits of a lane are set, and 0 where none is.
TERTIUM_INLINE void add_where(Lanes<4> set, Lanes<4, double> numbers, Lanes<4, double>& sums) {
    sums += reinterpret_cast<Lanes<4, double>>(reinterpret_cast<Lanes<4>>(numbers) & set);
}

// All bits in lanes with nothing but zero before them; no bit in the others.
TERTIUM_INLINE Lanes<2> zero_before(Lanes<2> lanes) {
    return __builtin_shufflevector(~Lanes<2>{}, equal(lanes, 0), 0, 2);
}
TERTIUM_INLINE Lanes<4> zero_before(Lanes<4> lanes) {
    const Lanes<4> ones = ~Lanes<4>{}, zero = equal(lanes, 0), pairs = zero & swapped_pairs(zero);
    return __builtin_shufflevector(ones, zero, 0, 4, 2, 6) & __builtin_shufflevector(ones, pairs, 0, 1, 4, 5);
}

// The lowest bit of all lanes together, the first lane being the lowest. Subtracting one, with the borrow that
// goes on through lanes that are zero, changes that bit and those below.
template <class Vector>
TERTIUM_INLINE Vector lowest_bit(Vector lanes) {
    return lanes & ~(lanes + zero_before(lanes));
}
TERTIUM_INLINE std::uint64_t lowest_bit(std::uint64_t word) { return word & (~word + 1); }

#if defined(TERTIUM_V4)
TERTIUM_V3 inline std::uint64_t equal_bits(const Lanes<4>& lanes, std::uint64_t value) {
    const __m256i same =
        _mm256_cmpeq_epi64(reinterpret_cast<__m256i>(lanes), _mm256_set1_epi64x(static_cast<long long>(value)));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(same)));
}
TERTIUM_V4 inline std::uint64_t equal_bits(const Lanes<8>& lanes, std::uint64_t value) {
    return _mm512_cmpeq_epi64_mask(reinterpret_cast<__m512i>(lanes), _mm512_set1_epi64(static_cast<long long>(value)));
}
// Of several vectors, one after the other.
template <std::size_t kBlocks>
TERTIUM_V4 inline std::uint64_t equal_bits(const Lanes<8> (&blocks)[kBlocks], std::uint64_t value) {
    static_assert(kBlocks <= 4);
    const auto with = _mm512_set1_epi64(static_cast<long long>(value));
    __mmask8 same[4] = {};
    for (std::size_t b = 0; b < kBlocks; ++b)
        same[b] = _mm512_cmpeq_epi64_mask(reinterpret_cast<__m512i>(blocks[b]), with);
    if constexpr (kBlocks == 1) return same[0];
    const __mmask16 low = _mm512_kunpackb(same[1], same[0]);
    if constexpr (kBlocks == 2) return low;
    return _mm512_kunpackw(kBlocks == 3 ? same[2] : _mm512_kunpackb(same[3], same[2]), low);
}
TERTIUM_V4 inline void load_masked(const std::uint64_t* from, std::size_t count, std::uint64_t filler,
                                   Lanes<8>& lanes) {
    const auto there = static_cast<__mmask8>(count < 8 ? (1u << count) - 1 : 0xFF);
    lanes = reinterpret_cast<Lanes<8>>(
        _mm512_mask_loadu_epi64(_mm512_set1_epi64(static_cast<long long>(filler)), there, from));
}
template <>
TERTIUM_INLINE Lanes<8> load_some<8>(const std::uint64_t* from, std::size_t count, std::uint64_t filler) {
    Lanes<8> lanes;
    load_masked(from, count, filler, lanes);
    return lanes;
}
// AVX-512 tells the first lane by an instruction of its own. (Code for one processor is neither forced inline nor
// handed vectors, since the callers in between are compiled for any.)
TERTIUM_V4 inline void find_lowest_bit(const Lanes<8>& lanes, Lanes<8>& lowest) {
    const auto all = reinterpret_cast<__m512i>(lanes);
    const unsigned nonzero = _mm512_test_epi64_mask(all, all);
    const auto first = static_cast<__mmask8>(nonzero & (~nonzero + 1));
    lowest = reinterpret_cast<Lanes<8>>(_mm512_maskz_and_epi64(first, all, _mm512_sub_epi64(__m512i{}, all)));
}
TERTIUM_INLINE Lanes<8> lowest_bit(Lanes<8> lanes) {
    Lanes<8> lowest;
    find_lowest_bit(lanes, lowest);
    return lowest;
}
TERTIUM_V4 inline void move_up(const Lanes<8>& before, const Lanes<8>& lanes, Lanes<8>& moved) {
    moved = reinterpret_cast<Lanes<8>>(
        _mm512_maskz_alignr_epi64(0xFF, reinterpret_cast<__m512i>(lanes), reinterpret_cast<__m512i>(before), 7));
}
TERTIUM_INLINE Lanes<8> moved_up(const Lanes<8>& before, const Lanes<8>& lanes) {
    Lanes<8> moved;
    move_up(before, lanes, moved);
    return moved;
}
// The products of the lower halves of lanes. (Plain `*` takes three times as long: it must mind the upper halves.)
TERTIUM_V4 inline void multiply_halves(const Lanes<8>& one, const Lanes<8>& two, Lanes<8>& product) {
    // Masked, with all bits set, since GCC 12 warns of a value that it leaves undefined itself otherwise.
    product = reinterpret_cast<Lanes<8>>(
        _mm512_maskz_mul_epu32(0xFF, reinterpret_cast<__m512i>(one), reinterpret_cast<__m512i>(two)));
}
TERTIUM_INLINE Lanes<8> product_of_halves(const Lanes<8>& one, const Lanes<8>& two) {
    Lanes<8> product;
    multiply_halves(one, two, product);
    return product;
}
#endif

#if !defined(TERTIUM_V4)
TERTIUM_INLINE Lanes<8> product_of_halves(const Lanes<8>& one, const Lanes<8>& two) {
    return (one & 0xFFFFFFFF) * (two & 0xFFFFFFFF);
}
#endif

#else

template <std::size_t kCount, class Number = std::uint64_t>
struct Lanes {
    Number lane[kCount]{};

    Number operator[](std::size_t i) const { return lane[i]; }
    template <class Operation>
    Lanes with(const Lanes& other, Operation operation) const {
        Lanes result;
        for (std::size_t i = 0; i < kCount; ++i)
            result.lane[i] = static_cast<Number>(operation(lane[i], other.lane[i]));
        return result;
    }
    // clang-format off
    Lanes operator&(const Lanes& o) const { return with(o, [](auto a, auto b) { return a & b; }); }
    Lanes operator|(const Lanes& o) const { return with(o, [](auto a, auto b) { return a | b; }); }
    Lanes operator+(const Lanes& o) const { return with(o, [](auto a, auto b) { return a + b; }); }
    Lanes operator-(const Lanes& o) const { return with(o, [](auto a, auto b) { return a - b; }); }
    Lanes operator&(Number b) const { return with(*this, [b](auto a, auto) { return a & b; }); }
    Lanes operator+(Number b) const { return with(*this, [b](auto a, auto) { return a + b; }); }
    Lanes operator-(Number b) const { return with(*this, [b](auto a, auto) { return a - b; }); }
    Lanes operator<<(int n) const { return with(*this, [n](auto a, auto) { return a << n; }); }
    Lanes operator>>(int n) const { return with(*this, [n](auto a, auto) { return a >> n; }); }
    Lanes operator~() const { return with(*this, [](auto a, auto) { return ~a; }); }
    // clang-format on
    Lanes& operator&=(const Lanes& o) { return *this = *this & o; }
    Lanes& operator|=(const Lanes& o) { return *this = *this | o; }
    Lanes& operator+=(const Lanes& o) { return *this = *this + o; }
    Lanes& operator-=(const Lanes& o) { return *this = *this - o; }
};
template <class Vector>
TERTIUM_INLINE Vector equal(const Vector& lanes, std::uint64_t value) {
    return lanes.with(lanes, [value](auto a, auto) { return a == value ? ~std::uint64_t{0} : 0; });
}
template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount> moved_up(const Lanes<kCount>& before, const Lanes<kCount>& lanes) {
    Lanes<kCount> moved;
    moved.lane[0] = before.lane[kCount - 1];
    for (std::size_t i = 1; i < kCount; ++i) moved.lane[i] = lanes.lane[i - 1];
    return moved;
}
template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount, double> moved_up(double first, const Lanes<kCount, double>& lanes) {
    Lanes<kCount, double> moved{{first}};
    for (std::size_t i = 1; i < kCount; ++i) moved.lane[i] = lanes.lane[i - 1];
    return moved;
}
template <std::size_t kCount>
TERTIUM_INLINE void add_where(const Lanes<kCount>& set, const Lanes<kCount, double>& numbers,
                              Lanes<kCount, double>& sums) {
    for (std::size_t i = 0; i < kCount; ++i) sums.lane[i] += set.lane[i] != 0 ? numbers.lane[i] : 0;
}
template <std::size_t kCount>
TERTIUM_INLINE std::uint64_t equal_bits(const Lanes<kCount>& lanes, std::uint64_t value) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kCount; ++i) bits |= std::uint64_t{lanes.lane[i] == value} << i;
    return bits;
}
template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount> load_some(const std::uint64_t* from, std::size_t count, std::uint64_t filler) {
    Lanes<kCount> lanes;
    for (std::size_t i = 0; i < kCount; ++i) lanes.lane[i] = i < count ? from[i] : filler;
    return lanes;
}
TERTIUM_INLINE std::uint64_t lowest_bit(std::uint64_t word) { return word & (~word + 1); }
template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount> lowest_bit(const Lanes<kCount>& lanes) {
    Lanes<kCount> result;
    for (std::size_t i = 0; i < kCount; ++i)
        if (lanes.lane[i] != 0) {
            result.lane[i] = lowest_bit(lanes.lane[i]);
            break;
        }
    return result;
}

#endif

// The equal_bits of several vectors, one after the other.
template <std::size_t kLanes, std::size_t kBlocks>
TERTIUM_INLINE std::uint64_t equal_bits_of(const Lanes<kLanes> (&blocks)[kBlocks], std::uint64_t value) {
#if defined(TERTIUM_V4)
    if constexpr (kLanes == 8) return equal_bits(blocks, value);
#endif
    std::uint64_t bits = 0;
    for (std::size_t b = 0; b < kBlocks; ++b) bits |= equal_bits(blocks[b], value) << kLanes * b;
    return bits;
}

// The bits that any lane has.
template <class Vector>
TERTIUM_INLINE std::uint64_t any_bits(const Vector& lanes) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof lanes / sizeof bits; ++i) bits |= lanes[i];
    return bits;
}

// Lanes that are open, all of them at first. use_lowest(free, open, used) adds the lowest bit of each open lane of
// `free` to `used`, and closes the lanes that have one.
template <std::size_t kCount>
struct LaneSet {
    Lanes<kCount> lanes = ~Lanes<kCount>{};
};
template <std::size_t kCount>
TERTIUM_INLINE void use_lowest(const Lanes<kCount>& free, LaneSet<kCount>& open, Lanes<kCount>& used) {
    used |= free & (Lanes<kCount>{} - free) & open.lanes;
    open.lanes &= equal(free, 0);
}

// Adds the bits of `marks` to `lanes` where `keys` hold the key.
template <class Vector>
TERTIUM_INLINE void add_where_equal(const Vector& keys, std::uint64_t key, const Vector& marks, Vector& lanes) {
    lanes |= equal(keys, key) & marks;
}

#if defined(TERTIUM_V4)
// AVX-512 has sets of lanes.
TERTIUM_V4 inline void add_where_equal(const Lanes<8>& keys, std::uint64_t key, const Lanes<8>& marks,
                                       Lanes<8>& lanes) {
    const auto before = reinterpret_cast<__m512i>(lanes);
    const __mmask8 same =
        _mm512_cmpeq_epi64_mask(reinterpret_cast<__m512i>(keys), _mm512_set1_epi64(static_cast<long long>(key)));
    lanes = reinterpret_cast<Lanes<8>>(_mm512_mask_or_epi64(before, same, before, reinterpret_cast<__m512i>(marks)));
}
template <>
struct LaneSet<8> {
    std::uint8_t lanes = 0xFF;
};
TERTIUM_V4 inline void use_lowest(const Lanes<8>& free, LaneSet<8>& open, Lanes<8>& used) {
    constexpr int a_or_b_and_c = 0xF8;
    const auto all = reinterpret_cast<__m512i>(free), negative = _mm512_sub_epi64(__m512i{}, all);
    used = reinterpret_cast<Lanes<8>>(
        _mm512_mask_ternarylogic_epi64(reinterpret_cast<__m512i>(used), open.lanes, all, negative, a_or_b_and_c));
    open.lanes = _mm512_mask_testn_epi64_mask(open.lanes, all, all);
}
#endif

template <std::size_t kCount, class Number>
TERTIUM_INLINE Lanes<kCount, Number> load(const Number* from) {
    Lanes<kCount, Number> lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

template <class Vector, class Number>
TERTIUM_INLINE void store(const Vector& lanes, Number* to) {
    std::memcpy(to, &lanes, sizeof lanes);
}

}  // namespace tertium
