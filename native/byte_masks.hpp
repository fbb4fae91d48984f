// Bytes to bit masks: which of them are blanks, digits, dots …
//
// This is the one header with intrinsics. Comparisons are written on vectors of bytes, which compilers lower to
// what the processor has; only the last step, from a byte per position to a bit per position, has an
// instruction (movemask) that no compiler finds by itself. The whole tokenizer is 2x faster for it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "multiversion.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tertium {

#if defined(__GNUC__) || defined(__clang__)

template <std::size_t kWidth>
struct BytesOf {
    typedef std::uint8_t Type __attribute__((vector_size(kWidth)));
};
template <std::size_t kWidth>
using Bytes = typename BytesOf<kWidth>::Type;

// All bits of a byte where it holds the value, or lies in the range; no bit elsewhere.
template <class Vector>
TERTIUM_INLINE Vector equals(Vector bytes, std::uint8_t value) {
    return reinterpret_cast<Vector>(bytes == value);
}
template <class Vector>
TERTIUM_INLINE Vector within(Vector bytes, std::uint8_t first, std::uint8_t last) {
    return reinterpret_cast<Vector>((bytes - first) <= static_cast<std::uint8_t>(last - first));
}

#else

template <std::size_t kWidth>
struct Bytes {
    std::uint8_t byte[kWidth];
    friend Bytes operator|(Bytes a, const Bytes& b) {
        for (std::size_t i = 0; i < kWidth; ++i) a.byte[i] |= b.byte[i];
        return a;
    }
};
template <class Vector>
inline Vector within(Vector bytes, std::uint8_t first, std::uint8_t last) {
    for (std::uint8_t& byte : bytes.byte) byte = byte >= first && byte <= last ? std::uint8_t{0xFF} : std::uint8_t{0};
    return bytes;
}
template <class Vector>
inline Vector equals(const Vector& bytes, std::uint8_t value) {
    return within(bytes, value, value);
}

#endif

// Bit i of the result says whether flag i is set.
template <class Vector>
TERTIUM_INLINE std::uint64_t bits_of(const Vector& flags) {
    std::uint64_t bits = 0;
    for (std::size_t at = 0; at < sizeof flags; at += 16) {
        const char* const part = reinterpret_cast<const char*>(&flags) + at;
#if defined(__SSE2__)
        __m128i sixteen;
        std::memcpy(&sixteen, part, 16);
        bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(sixteen))) << at;
#else
        // The lowest bits of eight bytes come together by one multiplication.
        for (std::size_t half = 0; half < 16; half += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, part + half, 8);
            bits |= ((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56) << (at + half);
        }
#endif
    }
    return bits;
}

struct ByteMasks {
    std::uint64_t space;    // ASCII whitespace, and everything beyond the end of the text
    std::uint64_t symbol;   // punctuation that 13a always makes a token of its own
    std::uint64_t dot;      // . and ,
    std::uint64_t digit;    // 0-9
    std::uint64_t dash;     // -
    std::uint64_t special;  // & < LF, and bytes that may begin a non-ASCII whitespace character
};

// The masks of sixty-four bytes.
template <std::size_t kWidth>
TERTIUM_INLINE ByteMasks whole_block_masks(const char* text) {
    ByteMasks masks{};
    for (std::size_t at = 0; at < 64; at += kWidth) {
        Bytes<kWidth> c;
        std::memcpy(&c, text + at, kWidth);
        masks.space |= bits_of(equals(c, ' ') | within(c, 0x09, 0x0D) | within(c, 0x1C, 0x1F)) << at;
        masks.symbol |= bits_of(within(c, '!', '&') | within(c, '(', '+') | equals(c, '/') | within(c, ':', '@') |
                                within(c, '[', '`') | within(c, '{', '~'))
                        << at;
        masks.dot |= bits_of(equals(c, '.') | equals(c, ',')) << at;
        masks.digit |= bits_of(within(c, '0', '9')) << at;
        masks.dash |= bits_of(equals(c, '-')) << at;
        masks.special |= bits_of(equals(c, '&') | equals(c, '<') | equals(c, '\n') | equals(c, 0xC2) |
                                 within(c, 0xE1, 0xE3))
                         << at;
    }
    return masks;
}

// The masks of the up to sixty-four bytes of `text` from `base` on.
template <std::size_t kWidth>
TERTIUM_INLINE ByteMasks byte_masks(std::string_view text, std::size_t base) {
    const std::size_t length = text.size() - base;
    if (length >= 64) return whole_block_masks<kWidth>(text.data() + base);
    if (text.size() < 64) {
        alignas(64) char padded[64];
        std::memset(padded, ' ', 64);
        std::memcpy(padded, text.data(), text.size());
        return whole_block_masks<kWidth>(padded);
    }
    // The last sixty-four bytes, moved down; what comes in from above is space.
    const std::size_t gone = 64 - length;
    ByteMasks masks = whole_block_masks<kWidth>(text.data() + text.size() - 64);
    for (std::uint64_t* mask : {&masks.space, &masks.symbol, &masks.dot, &masks.digit, &masks.dash, &masks.special})
        *mask >>= gone;
    masks.space |= ~(~std::uint64_t{0} >> gone);
    return masks;
}

}  // namespace tertium
