// Several 64-bit numbers that are worked on together: two, four or eight, as many as the processor's vectors hold
// (see multiversion.hpp). Where the compiler knows no vector types, a loop.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "multiversion.hpp"

namespace tertium {

#if defined(__GNUC__) || defined(__clang__)

template <std::size_t kCount>
struct LanesOf {
    typedef std::uint64_t Type __attribute__((vector_size(8 * kCount)));
};
template <std::size_t kCount>
using Lanes = typename LanesOf<kCount>::Type;

// All bits where the lane is not zero, or holds the value; no bit where it does not.
template <class Vector>
TERTIUM_INLINE Vector nonzero(Vector lanes) {
    return reinterpret_cast<Vector>(lanes != Vector{});
}
template <class Vector>
TERTIUM_INLINE Vector equal(Vector lanes, std::uint64_t value) {
    return reinterpret_cast<Vector>(lanes == value);
}

#else

template <std::size_t kCount>
struct Lanes {
    std::uint64_t lane[kCount]{};

    std::uint64_t operator[](std::size_t i) const { return lane[i]; }
    template <class Operation>
    Lanes with(const Lanes& other, Operation operation) const {
        Lanes result;
        for (std::size_t i = 0; i < kCount; ++i) result.lane[i] = operation(lane[i], other.lane[i]);
        return result;
    }
    Lanes operator&(const Lanes& o) const { return with(o, [](auto a, auto b) { return a & b; }); }
    Lanes operator|(const Lanes& o) const { return with(o, [](auto a, auto b) { return a | b; }); }
    Lanes operator+(const Lanes& o) const { return with(o, [](auto a, auto b) { return a + b; }); }
    Lanes operator-(const Lanes& o) const { return with(o, [](auto a, auto b) { return a - b; }); }
    Lanes operator&(std::uint64_t b) const { return with(*this, [b](auto a, auto) { return a & b; }); }
    Lanes operator+(std::uint64_t b) const { return with(*this, [b](auto a, auto) { return a + b; }); }
    Lanes operator>>(int n) const { return with(*this, [n](auto a, auto) { return a >> n; }); }
    Lanes operator~() const { return with(*this, [](auto a, auto) { return ~a; }); }
    Lanes& operator&=(const Lanes& o) { return *this = *this & o; }
    Lanes& operator|=(const Lanes& o) { return *this = *this | o; }
    Lanes& operator+=(const Lanes& o) { return *this = *this + o; }
    Lanes& operator-=(const Lanes& o) { return *this = *this - o; }
};
template <class Vector>
TERTIUM_INLINE Vector nonzero(const Vector& lanes) {
    return lanes.with(lanes, [](auto a, auto) { return a != 0 ? ~std::uint64_t{0} : 0; });
}
template <class Vector>
TERTIUM_INLINE Vector equal(const Vector& lanes, std::uint64_t value) {
    return lanes.with(lanes, [value](auto a, auto) { return a == value ? ~std::uint64_t{0} : 0; });
}

#endif

template <std::size_t kCount>
TERTIUM_INLINE Lanes<kCount> load(const std::uint64_t* from) {
    Lanes<kCount> lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

template <class Vector>
TERTIUM_INLINE void store(const Vector& lanes, std::uint64_t* to) {
    std::memcpy(to, &lanes, sizeof lanes);
}

}  // namespace tertium
