// Thirty-two bytes of numbers, or as many as one asks for, that are worked on together. Where the compiler knows no
// vector types, a loop.
//
// Every x86-64 and arm64 processor has the instructions for sixteen bytes, some for all at once. (lanes.hpp has
// as many as the processor at hand takes at once.)

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
// Eight numbers that change places: number k goes where number k ^ kStep is.
template <int kStep>
TERTIUM_INLINE Vector<std::int32_t> across(Vector<std::int32_t> a) {
    return __builtin_shufflevector(a, a, kStep, 1 ^ kStep, 2 ^ kStep, 3 ^ kStep, 4 ^ kStep, 5 ^ kStep, 6 ^ kStep,
                                   7 ^ kStep);
}
// Of two numbers each, the higher at the places that have the bit and the lower at the others.
template <int kBit>
TERTIUM_INLINE Vector<std::int32_t> parted(Vector<std::int32_t> a, Vector<std::int32_t> b) {
    constexpr int one = kBit == 1 ? 9 : 1, two = kBit == 2 ? 10 : 2, three = kBit == 4 ? 3 : 11,
                  four = kBit == 4 ? 12 : 4, five = kBit == 2 ? 5 : 13, six = kBit == 1 ? 6 : 14;
    return __builtin_shufflevector(lower(a, b), higher(a, b), 0, one, two, three, four, five, six, 15);
}
// Eight numbers in two vectors of sixteen bytes, for processors that have no wider ones: there, compilers take the
// shuffles of a wider vector apart into single numbers.
struct HalvesOfEight {
    Vector<std::int32_t, 16> a, b;
};
TERTIUM_INLINE HalvesOfEight lower(HalvesOfEight x, HalvesOfEight y) { return {lower(x.a, y.a), lower(x.b, y.b)}; }
TERTIUM_INLINE HalvesOfEight higher(HalvesOfEight x, HalvesOfEight y) { return {higher(x.a, y.a), higher(x.b, y.b)}; }
template <int kStep>
TERTIUM_INLINE HalvesOfEight across(HalvesOfEight x) {
    constexpr int k = kStep & 3;
    const HalvesOfEight moved{__builtin_shufflevector(x.a, x.a, k, 1 ^ k, 2 ^ k, 3 ^ k),
                              __builtin_shufflevector(x.b, x.b, k, 1 ^ k, 2 ^ k, 3 ^ k)};
    return kStep & 4 ? HalvesOfEight{moved.b, moved.a} : moved;
}
template <int kBit>
TERTIUM_INLINE HalvesOfEight parted(HalvesOfEight x, HalvesOfEight y) {
    if constexpr (kBit == 4) {
        return {lower(x.a, y.a), higher(x.b, y.b)};
    } else {
        constexpr int one = kBit == 1 ? 5 : 1, two = kBit == 2 ? 6 : 2;
        const HalvesOfEight low = lower(x, y), high = higher(x, y);
        return {__builtin_shufflevector(low.a, high.a, 0, one, two, 7),
                __builtin_shufflevector(low.b, high.b, 0, one, two, 7)};
    }
}
// The last number of `before`, then all but the last of `numbers`.
TERTIUM_INLINE Vector<double> moved_up(Vector<double> before, Vector<double> numbers) {
    return __builtin_shufflevector(before, numbers, 3, 4, 5, 6);
}
// Four numbers likewise in two vectors of sixteen bytes.
struct HalvesOfFour {
    Vector<double, 16> a, b;

    double operator[](std::size_t k) const { return k < 2 ? a[k] : b[k - 2]; }
};
TERTIUM_INLINE HalvesOfFour operator+(HalvesOfFour x, HalvesOfFour y) { return {x.a + y.a, x.b + y.b}; }
TERTIUM_INLINE HalvesOfFour lower(HalvesOfFour x, HalvesOfFour y) { return {lower(x.a, y.a), lower(x.b, y.b)}; }
TERTIUM_INLINE HalvesOfFour moved_up(HalvesOfFour before, HalvesOfFour numbers) {
    return {__builtin_shufflevector(before.b, numbers.a, 1, 2), __builtin_shufflevector(numbers.a, numbers.b, 1, 2)};
}
// Sixteen bytes as numbers of sixteen bits.
TERTIUM_INLINE void put_wider(const void* bytes, std::uint16_t* to) {
    Vector<std::uint8_t, 16> narrow;
    std::memcpy(&narrow, bytes, 16);
    const auto wide = __builtin_convertvector(narrow, Vector<std::uint16_t>);
    std::memcpy(to, &wide, 32);
}
// All bits where the numbers are equal, none where they are not; for whole numbers. Processors without wider vectors
// than sixteen bytes may compare no more than 32 bits, and both halves of a longer number are equal, or it is not.
template <class V>
TERTIUM_INLINE V where_equal(V a, V b) {
    if constexpr (sizeof(V) == 16 && sizeof a[0] == 8) {
        using Halves = Vector<std::int32_t, 16>;
        const Halves equal = reinterpret_cast<Halves>(a) == reinterpret_cast<Halves>(b);
        return reinterpret_cast<V>(equal & __builtin_shufflevector(equal, equal, 1, 0, 3, 2));
    } else {
        return reinterpret_cast<V>(a == b);
    }
}
// Without a sign: GCC 12 makes wrong sums of bytes with one once it is asked to look for overflows.
template <class Number, std::size_t kBytes = kVectorBytes>
TERTIUM_INLINE Vector<Number, kBytes> sum(Vector<Number, kBytes> a, Vector<Number, kBytes> b) {
    using Unsigned = Vector<std::make_unsigned_t<Number>, kBytes>;
    return reinterpret_cast<Vector<Number, kBytes>>(reinterpret_cast<Unsigned>(a) + reinterpret_cast<Unsigned>(b));
}
template <class Number>
TERTIUM_INLINE Vector<Number> difference(Vector<Number> a, Vector<Number> b) {
    using Unsigned = Vector<std::make_unsigned_t<Number>>;
    return reinterpret_cast<Vector<Number>>(reinterpret_cast<Unsigned>(a) - reinterpret_cast<Unsigned>(b));
}
// By way of 64-bit words: compilers put a small number into a vector once for each place instead.
template <class Number, std::size_t kBytes = kVectorBytes>
TERTIUM_INLINE Vector<Number, kBytes> all(Number value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    if constexpr (sizeof(Number) == 1) word *= 0x0101010101010101u;
    if constexpr (sizeof(Number) == 2) word *= 0x0001000100010001u;
    if constexpr (sizeof(Number) == 4) word *= 0x0000000100000001u;
    if constexpr (kBytes == 16)
        return reinterpret_cast<Vector<Number, kBytes>>(Vector<std::uint64_t, kBytes>{word, word});
    else
        return reinterpret_cast<Vector<Number, kBytes>>(Vector<std::uint64_t, kBytes>{word, word, word, word});
}

#else

template <class Number, std::size_t kBytes = kVectorBytes>
struct Vector {
    static constexpr std::size_t kLanes = kBytes / sizeof(Number);
    Number lane[kLanes]{};

    Number operator[](std::size_t i) const { return lane[i]; }
    template <class Operation>
    Vector with(const Vector& other, Operation operation) const {
        Vector result;
        for (std::size_t i = 0; i < kLanes; ++i)
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
template <int kStep>
inline Vector<std::int32_t> across(const Vector<std::int32_t>& a) {
    Vector<std::int32_t> result;
    for (std::size_t k = 0; k < 8; ++k) result.lane[k] = a.lane[k ^ kStep];
    return result;
}
template <int kBit>
inline Vector<std::int32_t> parted(const Vector<std::int32_t>& a, const Vector<std::int32_t>& b) {
    Vector<std::int32_t> result;
    for (std::size_t k = 0; k < 8; ++k)
        result.lane[k] = (k & kBit ? b.lane[k] < a.lane[k] : a.lane[k] < b.lane[k]) ? a.lane[k] : b.lane[k];
    return result;
}
using HalvesOfEight = Vector<std::int32_t>;
inline Vector<std::int32_t> last_everywhere(const Vector<std::int32_t>& a) { return everywhere(a.lane[7]); }
using HalvesOfFour = Vector<double>;
inline Vector<double> moved_up(const Vector<double>& before, const Vector<double>& numbers) {
    return {{before.lane[3], numbers.lane[0], numbers.lane[1], numbers.lane[2]}};
}
inline void put_wider(const void* bytes, std::uint16_t* to) {
    for (std::size_t k = 0; k < 16; ++k) to[k] = static_cast<const std::uint8_t*>(bytes)[k];
}
template <class V>
inline V where_equal(const V& a, const V& b) {
    return a.with(b, [](auto x, auto y) { return x == y ? -1 : 0; });
}
template <class Number, std::size_t kBytes = kVectorBytes>
inline Vector<Number, kBytes> sum(const Vector<Number, kBytes>& a, const Vector<Number, kBytes>& b) {
    return a + b;
}
template <class Number>
inline Vector<Number> difference(const Vector<Number>& a, const Vector<Number>& b) {
    return a.with(b, [](auto x, auto y) { return x - y; });
}
template <class Number, std::size_t kBytes = kVectorBytes>
inline Vector<Number, kBytes> all(Number value) {
    Vector<Number, kBytes> result;
    for (Number& lane : result.lane) lane = value;
    return result;
}

#endif

template <class Number, std::size_t kBytes = kVectorBytes>
TERTIUM_INLINE Vector<Number, kBytes> vector_at(const void* from) {
    Vector<Number, kBytes> numbers;
    std::memcpy(&numbers, from, kBytes);
    return numbers;
}
// Four numbers of either kind.
template <class Four>
TERTIUM_INLINE Four four_at(const double* from) {
    Four numbers;
    std::memcpy(&numbers, from, sizeof numbers);
    return numbers;
}
template <class Four>
TERTIUM_INLINE Four all_four(double value) {
    if constexpr (std::is_same_v<Four, Vector<double>>) {
        return all(value);
    } else {
        const decltype(Four::a) two{value, value};
        return Four{two, two};
    }
}
template <class V>
TERTIUM_INLINE void put(const V& numbers, void* to) {
    std::memcpy(to, &numbers, sizeof numbers);
}

}  // namespace tertium
