// Thirty-two bytes of numbers that are worked on together. Where the compiler knows no vector types, a loop.
//
// Every x86-64 and arm64 processor has the instructions, or those for two halves. (lanes.hpp has 64-bit numbers, as
// many as the processor at hand takes at once.)

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine/multiversion.hpp"

namespace tertium {

inline constexpr std::size_t kVectorBytes = 32;

#if defined(__GNUC__) || defined(__clang__)

template <class Number, std::size_t kBytes>
struct VectorOf {
    typedef Number Type __attribute__((vector_size(kBytes)));
};
template <class Number, std::size_t kBytes = kVectorBytes>
using Vector = typename VectorOf<Number, kBytes>::Type;

template <class V>
TERTIUM_INLINE V lower(V a, V b) {
    return a < b ? a : b;
}
template <class V>
TERTIUM_INLINE V higher(V a, V b) {
    return a < b ? b : a;
}
// For each of eight numbers the highest up to it, and no less than `least`: by one, two and four places.
TERTIUM_INLINE Vector<std::int32_t> running_highest(Vector<std::int32_t> a, Vector<std::int32_t> least) {
    a = higher(a, __builtin_shufflevector(a, a, 0, 0, 1, 2, 3, 4, 5, 6));
    a = higher(a, __builtin_shufflevector(a, a, 0, 1, 0, 1, 2, 3, 4, 5));
    a = higher(a, __builtin_shufflevector(a, a, 0, 1, 2, 3, 0, 1, 2, 3));
    return higher(a, least);
}
// The last of eight numbers, eight times.
TERTIUM_INLINE Vector<std::int32_t> last_everywhere(Vector<std::int32_t> a) {
    return __builtin_shufflevector(a, a, 7, 7, 7, 7, 7, 7, 7, 7);
}
TERTIUM_INLINE Vector<std::int32_t> everywhere(std::int32_t value) {
    return Vector<std::int32_t>{value, value, value, value, value, value, value, value};
}
// Eight numbers from the last to the first.
TERTIUM_INLINE Vector<std::int32_t> turned(Vector<std::int32_t> a) {
    return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
}
// Of two numbers each, the higher where the bit is set and the lower where it is not.
template <int kHigher>
TERTIUM_INLINE Vector<std::int32_t> exchanged(Vector<std::int32_t> a, Vector<std::int32_t> b) {
    const auto bit = [](int k) { return -(kHigher >> k & 1); };
    const Vector<std::int32_t> which{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7)};
    return which ? higher(a, b) : lower(a, b);
}
// Puts eight numbers in order that rise and then fall: by four, two and one places.
TERTIUM_INLINE Vector<std::int32_t> merged_halves(Vector<std::int32_t> a) {
    a = exchanged<0xF0>(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = exchanged<0xCC>(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return exchanged<0xAA>(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
}
TERTIUM_INLINE Vector<std::int32_t> in_order(Vector<std::int32_t> a) {
    a = exchanged<0xAA>(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
    a = exchanged<0xCC>(a, __builtin_shufflevector(a, a, 3, 2, 1, 0, 7, 6, 5, 4));
    a = exchanged<0xAA>(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
    a = exchanged<0xF0>(a, turned(a));
    a = exchanged<0xCC>(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return exchanged<0xAA>(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
}
// Eight numbers in two vectors of sixteen bytes, for processors that have no wider ones: there, compilers take the
// shuffles of a wider vector apart into single numbers.
struct HalvesOfEight {
    Vector<std::int32_t, 16> a, b;
};
TERTIUM_INLINE HalvesOfEight lower(HalvesOfEight x, HalvesOfEight y) { return {lower(x.a, y.a), lower(x.b, y.b)}; }
TERTIUM_INLINE HalvesOfEight higher(HalvesOfEight x, HalvesOfEight y) { return {higher(x.a, y.a), higher(x.b, y.b)}; }
TERTIUM_INLINE HalvesOfEight turned(HalvesOfEight x) {
    return {__builtin_shufflevector(x.b, x.b, 3, 2, 1, 0), __builtin_shufflevector(x.a, x.a, 3, 2, 1, 0)};
}
TERTIUM_INLINE HalvesOfEight parted(HalvesOfEight x) { return {lower(x.a, x.b), higher(x.a, x.b)}; }
// The last two steps to order, by two and by one places, of the numbers 0 1 4 5 and 2 3 6 7.
TERTIUM_INLINE HalvesOfEight merged_fours(HalvesOfEight x) {
    x = parted(x);
    x = parted({__builtin_shufflevector(x.a, x.b, 0, 2, 4, 6), __builtin_shufflevector(x.a, x.b, 1, 3, 5, 7)});
    x = {__builtin_shufflevector(x.a, x.b, 0, 4, 1, 5), __builtin_shufflevector(x.a, x.b, 2, 6, 3, 7)};
    return {__builtin_shufflevector(x.a, x.b, 0, 1, 4, 5), __builtin_shufflevector(x.a, x.b, 2, 3, 6, 7)};
}
TERTIUM_INLINE HalvesOfEight merged_halves(HalvesOfEight x) {
    x = parted(x);
    return merged_fours({__builtin_shufflevector(x.a, x.b, 0, 1, 4, 5), __builtin_shufflevector(x.a, x.b, 2, 3, 6, 7)});
}
TERTIUM_INLINE HalvesOfEight in_order(HalvesOfEight x) {
    x = parted(x);  // 0 2 4 6 and 1 3 5 7; then 0 4 1 5 and 3 7 2 6; 0 4 2 6 and 1 5 3 7; 0 2 1 3 and 7 5 6 4
    x = parted({__builtin_shufflevector(x.a, x.b, 0, 2, 4, 6), __builtin_shufflevector(x.a, x.b, 5, 7, 1, 3)});
    x = parted({__builtin_shufflevector(x.a, x.b, 0, 1, 6, 7), __builtin_shufflevector(x.a, x.b, 2, 3, 4, 5)});
    x = parted({__builtin_shufflevector(x.a, x.b, 0, 2, 4, 6), __builtin_shufflevector(x.a, x.b, 7, 5, 3, 1)});
    return merged_fours({__builtin_shufflevector(x.a, x.b, 0, 2, 7, 5), __builtin_shufflevector(x.a, x.b, 1, 3, 6, 4)});
}
// All bits where the numbers are equal, none where they are not; for whole numbers.
template <class V>
TERTIUM_INLINE V where_equal(V a, V b) {
    return reinterpret_cast<V>(a == b);
}
// Without a sign: GCC 12 makes wrong sums of bytes with one once it is asked to look for overflows.
template <class Number>
TERTIUM_INLINE Vector<Number> sum(Vector<Number> a, Vector<Number> b) {
    using Unsigned = Vector<std::make_unsigned_t<Number>>;
    return reinterpret_cast<Vector<Number>>(reinterpret_cast<Unsigned>(a) + reinterpret_cast<Unsigned>(b));
}
template <class Number>
TERTIUM_INLINE Vector<Number> difference(Vector<Number> a, Vector<Number> b) {
    using Unsigned = Vector<std::make_unsigned_t<Number>>;
    return reinterpret_cast<Vector<Number>>(reinterpret_cast<Unsigned>(a) - reinterpret_cast<Unsigned>(b));
}
// By way of 64-bit words: compilers put a small number into a vector once for each place instead.
template <class Number>
TERTIUM_INLINE Vector<Number> all(Number value) {
    static_assert(sizeof(Number) <= 2 || sizeof(Number) == 8);
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    if constexpr (sizeof(Number) == 1) word *= 0x0101010101010101u;
    if constexpr (sizeof(Number) == 2) word *= 0x0001000100010001u;
    return reinterpret_cast<Vector<Number>>(Vector<std::uint64_t>{word, word, word, word});
}

#else

template <class Number>
struct Vector {
    Number lane[kVectorBytes / sizeof(Number)]{};

    Number operator[](std::size_t i) const { return lane[i]; }
    template <class Operation>
    Vector with(const Vector& other, Operation operation) const {
        Vector result;
        for (std::size_t i = 0; i < kVectorBytes / sizeof(Number); ++i)
            result.lane[i] = static_cast<Number>(operation(lane[i], other.lane[i]));
        return result;
    }
    Vector operator+(const Vector& o) const {
        return with(o, [](auto a, auto b) { return a + b; });
    }
    Vector operator&(const Vector& o) const {
        return with(o, [](auto a, auto b) { return a & b; });
    }
    Vector operator|(const Vector& o) const {
        return with(o, [](auto a, auto b) { return a | b; });
    }
    Vector operator~() const {
        return with(*this, [](auto a, auto) { return ~a; });
    }
};
template <class V>
inline V lower(const V& a, const V& b) {
    return a.with(b, [](auto x, auto y) { return x < y ? x : y; });
}
template <class V>
inline V higher(const V& a, const V& b) {
    return a.with(b, [](auto x, auto y) { return x < y ? y : x; });
}
inline Vector<std::int32_t> running_highest(Vector<std::int32_t> a, const Vector<std::int32_t>& least) {
    std::int32_t highest = least.lane[0];
    for (std::int32_t& lane : a.lane) lane = highest = lane < highest ? highest : lane;
    return a;
}
inline Vector<std::int32_t> everywhere(std::int32_t value) {
    Vector<std::int32_t> result;
    for (std::int32_t& lane : result.lane) lane = value;
    return result;
}
inline Vector<std::int32_t> turned(Vector<std::int32_t> a) {
    std::reverse(a.lane, a.lane + 8);
    return a;
}
inline Vector<std::int32_t> in_order(Vector<std::int32_t> a) {
    std::sort(a.lane, a.lane + 8);
    return a;
}
inline Vector<std::int32_t> merged_halves(const Vector<std::int32_t>& a) { return in_order(a); }
using HalvesOfEight = Vector<std::int32_t>;
inline Vector<std::int32_t> last_everywhere(const Vector<std::int32_t>& a) { return everywhere(a.lane[7]); }
template <class V>
inline V where_equal(const V& a, const V& b) {
    return a.with(b, [](auto x, auto y) { return x == y ? -1 : 0; });
}
template <class Number>
inline Vector<Number> sum(const Vector<Number>& a, const Vector<Number>& b) {
    return a + b;
}
template <class Number>
inline Vector<Number> difference(const Vector<Number>& a, const Vector<Number>& b) {
    return a.with(b, [](auto x, auto y) { return x - y; });
}
template <class Number>
inline Vector<Number> all(Number value) {
    Vector<Number> result;
    for (Number& lane : result.lane) lane = value;
    return result;
}

#endif

template <class Number>
TERTIUM_INLINE Vector<Number> vector_at(const void* from) {
    Vector<Number> numbers;
    std::memcpy(&numbers, from, kVectorBytes);
    return numbers;
}
template <class V>
TERTIUM_INLINE void put(const V& numbers, void* to) {
    std::memcpy(to, &numbers, kVectorBytes);
}

}  // namespace tertium
