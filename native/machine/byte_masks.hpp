// Bytes to bit masks: which of them are blanks, digits, dots …
//
// Comparisons are written on vectors of bytes, which compilers lower to what the processor has; only the last step,
// from a byte per position to a bit per position, has an instruction (movemask) that no compiler finds by itself.
// AVX2 also looks bytes up in tables. Intrinsics stand here and in lanes.hpp, nowhere else; the tokenizer is more
// than 2x faster for them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "machine/multiversion.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
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
// The same bytes with A to Z in lower case.
template <class Vector>
TERTIUM_INLINE Vector lower_case(Vector bytes) {
    return bytes | (within(bytes, 'A', 'Z') & std::uint8_t{0x20});
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
template <class Vector>
inline Vector lower_case(Vector bytes) {
    for (std::uint8_t& byte : bytes.byte)
        if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
    return bytes;
}

#endif

// Bit i of the result says whether flag i is set.
template <class Vector>
TERTIUM_INLINE std::uint64_t bits_of(const Vector& flags) {
    // The lowest bits of eight bytes come together by one multiplication.
    std::uint64_t bits = 0;
    for (std::size_t at = 0; at < sizeof flags; at += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, reinterpret_cast<const char*>(&flags) + at, 8);
        bits |= ((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56) << at;
    }
    return bits;
}
#if defined(__SSE2__)
TERTIUM_INLINE std::uint64_t bits_of(Bytes<16> flags) {
    return static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
}
#endif

struct ByteMasks {
    std::uint64_t space;    // ASCII whitespace, and everything beyond the end of the text
    std::uint64_t symbol;   // punctuation that 13a always makes a token of its own
    std::uint64_t dot;      // . and ,
    std::uint64_t digit;    // 0-9
    std::uint64_t dash;     // -
    std::uint64_t special;  // & < LF, and bytes that may begin a non-ASCII whitespace character
};

// The masks of kWidth bytes.
template <std::size_t kWidth>
TERTIUM_INLINE ByteMasks masks_of(const char* text) {
    Bytes<kWidth> c;
    std::memcpy(&c, text, kWidth);
    return {bits_of(equals(c, ' ') | within(c, 0x09, 0x0D) | within(c, 0x1C, 0x1F)),
            bits_of(within(c, '!', '&') | within(c, '(', '+') | equals(c, '/') | within(c, ':', '@') |
                    within(c, '[', '`') | within(c, '{', '~')),
            bits_of(equals(c, '.') | equals(c, ',')),
            bits_of(within(c, '0', '9')),
            bits_of(equals(c, '-')),
            bits_of(equals(c, '&') | equals(c, '<') | equals(c, '\n') | equals(c, 0xC2) | within(c, 0xE1, 0xE3))};
}

// Which are blanks of ASCII: U+0020 and U+0009 to U+000D.
template <std::size_t kWidth>
TERTIUM_INLINE std::uint64_t blanks_of(const char* text) {
    Bytes<kWidth> c;
    std::memcpy(&c, text, kWidth);
    return bits_of(equals(c, ' ') | within(c, 0x09, 0x0D));
}

#if defined(TERTIUM_V3)
// The same by two table lookups: a byte has a property if its upper and its lower half both have it.
struct HalfByteTables {
    std::uint8_t upper[16] = {}, lower[16] = {};

    // Gives `bit` to the bytes with this upper half and a lower half in [first, last].
    constexpr void add(int bit, int upper_half, int first, int last) {
        upper[upper_half] |= static_cast<std::uint8_t>(1 << bit);
        for (int half = first; half <= last; ++half) lower[half] |= static_cast<std::uint8_t>(1 << bit);
    }
};
// Bits 0-2: space; 3: digit; 4: dot; 5: dash; 6-7: special, beyond ASCII.
inline constexpr HalfByteTables kSpacesAndDigits = [] {
    HalfByteTables tables;
    tables.add(0, 0x2, 0x0, 0x0);
    tables.add(1, 0x0, 0x9, 0xD);
    tables.add(2, 0x1, 0xC, 0xF);
    tables.add(3, 0x3, 0x0, 0x9);
    tables.add(4, 0x2, 0xC, 0xC);
    tables.add(4, 0x2, 0xE, 0xE);
    tables.add(5, 0x2, 0xD, 0xD);
    tables.add(6, 0xC, 0x2, 0x2);
    tables.add(7, 0xE, 0x1, 0x3);
    return tables;
}();
// Bits 0-4: symbol; 5-7: & < LF.
inline constexpr HalfByteTables kSymbolTables = [] {
    HalfByteTables tables;
    tables.add(0, 0x2, 0x1, 0x6);
    tables.add(0, 0x2, 0x8, 0xB);
    tables.add(0, 0x2, 0xF, 0xF);
    tables.add(1, 0x3, 0xA, 0xF);
    tables.add(2, 0x4, 0x0, 0x0);
    tables.add(2, 0x6, 0x0, 0x0);
    tables.add(3, 0x5, 0xB, 0xF);
    tables.add(4, 0x7, 0xB, 0xE);
    tables.add(5, 0x2, 0x6, 0x6);
    tables.add(6, 0x3, 0xC, 0xC);
    tables.add(7, 0x0, 0xA, 0xA);
    return tables;
}();

TERTIUM_V3 inline __m256i both_halves(const std::uint8_t* sixteen) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen)));
}
TERTIUM_V3 inline __m256i look_up(const HalfByteTables& tables, __m256i upper, __m256i lower) {
    return _mm256_and_si256(_mm256_shuffle_epi8(both_halves(tables.upper), upper),
                            _mm256_shuffle_epi8(both_halves(tables.lower), lower));
}

TERTIUM_V3 inline std::uint64_t top_bits(__m256i bytes) { return static_cast<unsigned>(_mm256_movemask_epi8(bytes)); }

TERTIUM_V3 inline ByteMasks masks_of_v3(const char* text) {
    const __m256i half = _mm256_set1_epi8(0x0F), zero = _mm256_setzero_si256();
    const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(c, 4), half), lower = _mm256_and_si256(c, half);
    const __m256i a = look_up(kSpacesAndDigits, upper, lower), b = look_up(kSymbolTables, upper, lower);
    const __m256i special = _mm256_or_si256(_mm256_and_si256(a, _mm256_set1_epi8(static_cast<char>(0xC0))),
                                            _mm256_and_si256(b, _mm256_set1_epi8(static_cast<char>(0xE0))));
    return {top_bits(_mm256_cmpgt_epi8(_mm256_and_si256(a, _mm256_set1_epi8(0x07)), zero)),
            top_bits(_mm256_cmpgt_epi8(_mm256_and_si256(b, _mm256_set1_epi8(0x1F)), zero)),
            top_bits(_mm256_slli_epi16(a, 3)),
            top_bits(_mm256_slli_epi16(a, 4)),
            top_bits(_mm256_slli_epi16(a, 2)),
            top_bits(_mm256_adds_epu8(special, _mm256_set1_epi8(0x60)))};
}

TERTIUM_V3 inline std::uint64_t blanks_of_v3(const char* text) {
    const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
    const __m256i from_tab = _mm256_sub_epi8(c, _mm256_set1_epi8(0x09));
    const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(from_tab, _mm256_set1_epi8(0x04)), from_tab);
    return top_bits(_mm256_or_si256(control, _mm256_cmpeq_epi8(c, _mm256_set1_epi8(' '))));
}
#endif

#if defined(TERTIUM_V4)
// AVX-512 takes sixty-four bytes at once, compares them into masks, and reads no further than it is told to.
TERTIUM_V4 inline std::uint64_t places_v4(std::size_t left) {
    return _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(left < 64 ? left : 64));
}
// Masked, with all bits set, since GCC 12 warns of a value that it leaves undefined itself otherwise.
TERTIUM_V4 inline __m512i four_times(const std::uint8_t* sixteen) {
    return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen)));
}
TERTIUM_V4 inline __m512i look_up_v4(const HalfByteTables& tables, __m512i upper, __m512i lower) {
    return _mm512_and_si512(_mm512_shuffle_epi8(four_times(tables.upper), upper),
                            _mm512_shuffle_epi8(four_times(tables.lower), lower));
}
TERTIUM_V4 inline std::uint64_t any_of_v4(__m512i bytes, int bits) {
    return _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(bits)));
}
TERTIUM_V4 inline std::uint64_t within_v4(__m512i bytes, char first, char last) {
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(first)),
                                  _mm512_set1_epi8(static_cast<char>(last - first)));
}

TERTIUM_V4 inline ByteMasks masks_of_v4(const char* text, std::size_t left) {
    const std::uint64_t here = places_v4(left);
    const __m512i c = _mm512_maskz_loadu_epi8(here, text), half = _mm512_set1_epi8(0x0F);
    const __m512i upper = _mm512_and_si512(_mm512_srli_epi16(c, 4), half), lower = _mm512_and_si512(c, half);
    const __m512i a = look_up_v4(kSpacesAndDigits, upper, lower), b = look_up_v4(kSymbolTables, upper, lower);
    return {any_of_v4(a, 0x07) | ~here, any_of_v4(b, 0x1F), any_of_v4(a, 0x10),
            any_of_v4(a, 0x08),         any_of_v4(a, 0x20), any_of_v4(a, 0xC0) | any_of_v4(b, 0xE0)};
}
TERTIUM_V4 inline std::uint64_t blanks_of_v4(const char* text, std::size_t left) {
    const std::uint64_t here = places_v4(left);
    const __m512i c = _mm512_maskz_loadu_epi8(here, text);
    return within_v4(c, 0x09, 0x0D) | _mm512_cmpeq_epi8_mask(c, _mm512_set1_epi8(' ')) | ~here;
}
// Space and special alone; of the latter, what is beyond ASCII.
TERTIUM_V4 inline ByteMasks space_masks_of_v4(const char* text, std::size_t left) {
    const std::uint64_t here = places_v4(left);
    const __m512i c = _mm512_maskz_loadu_epi8(here, text);
    ByteMasks masks{};
    masks.space = within_v4(c, 0x09, 0x0D) | within_v4(c, 0x1C, 0x20) | ~here;
    if (_mm512_movepi8_mask(c))
        masks.special = _mm512_cmpeq_epi8_mask(c, _mm512_set1_epi8('\xC2')) | within_v4(c, '\xE1', '\xE3');
    return masks;
}
TERTIUM_V4 inline std::uint64_t spaces_of_v4(const char* text, std::size_t left) {
    const std::uint64_t here = places_v4(left);
    return _mm512_cmpeq_epi8_mask(_mm512_maskz_loadu_epi8(here, text), _mm512_set1_epi8(' ')) | ~here;
}
TERTIUM_V4 inline std::uint64_t wide_of_v4(const char* text, std::size_t left, bool all) {
    const __m512i c = _mm512_maskz_loadu_epi8(places_v4(left), text);
    if (all) return _mm512_movepi8_mask(c);
    return within_v4(c, '\xCC', '\xCF') | within_v4(c, '\xD2', '\xE3') | within_v4(c, '\xEA', '\xFF');
}
TERTIUM_V4 inline std::uint64_t copy_block_v4(const char* text, std::size_t left, bool lowercase, char* out) {
    const __m512i c = _mm512_maskz_loadu_epi8(places_v4(left), text);
    const std::uint64_t capital = lowercase ? within_v4(c, 'A', 'Z') : 0;
    _mm512_storeu_si512(out, _mm512_mask_add_epi8(c, capital, c, _mm512_set1_epi8(0x20)));
    return _mm512_movepi8_mask(c);
}
#endif

#if defined(TERTIUM_V4B)
// Masked, as above.
TERTIUM_V4B inline __m512i moved_bytes(__m512i bytes, __m512i from) {
    return _mm512_maskz_permutexvar_epi8(~__mmask64{0}, from, bytes);
}
// Of the words that start and end at these bits of a block, one after the other: the lowest seven bytes hold the word,
// the eighth its length. (Of longer words they hold something.) Of nothing, up to seven of them follow.
TERTIUM_V4B inline void write_short_words(const char* block, std::uint64_t starts, std::uint64_t ends,
                                          std::size_t count, std::uint64_t* words) {
    struct Places {
        alignas(64) std::uint8_t here[64], word[64], within[64], last[64];
        constexpr Places() : here{}, word{}, within{}, last{} {
            for (std::uint8_t place = 0; place < 64; ++place) {
                here[place] = place;
                word[place] = place / 8;
                within[place] = place % 8;
                last[place] = place % 8 == 7 ? 0xFF : 0;
            }
        }
    };
    static constexpr Places kPlaces;
    constexpr int a_or_b_and_c = 0xF8;
    const __m512i text = _mm512_loadu_si512(block), here = _mm512_load_si512(kPlaces.here);
    const __m512i within = _mm512_load_si512(kPlaces.within), last = _mm512_load_si512(kPlaces.last);
    const __m512i first = _mm512_maskz_compress_epi8(starts, here), final = _mm512_maskz_compress_epi8(ends, here);
    const __m512i lengths = _mm512_add_epi8(_mm512_sub_epi8(final, first), _mm512_set1_epi8(1));
    __m512i word = _mm512_load_si512(kPlaces.word);  // which of the words each byte belongs to
    for (std::size_t at = 0; at < count; at += 8) {
        const __m512i start = moved_bytes(first, word), length = moved_bytes(lengths, word);
        const __m512i bytes =
            _mm512_maskz_permutexvar_epi8(_mm512_cmplt_epu8_mask(within, length), _mm512_add_epi8(start, within), text);
        _mm512_storeu_si512(words + at, _mm512_ternarylogic_epi64(bytes, length, last, a_or_b_and_c));
        word = _mm512_add_epi8(word, _mm512_set1_epi8(8));
    }
}
#endif

// Up to sixty-four bytes of `text` from `base` on, to be read in vectors without reading over its end. The last block
// of a text begins earlier, and its masks are moved down; in a text shorter than a block, vectors overlap instead:
//
//     text       t h e   c a t         in vectors of four bytes, a block being eight
//     vectors    t h e _               blank . . . 1
//                      _ c a t         blank       1 . . .    from place 3 on: the masks are joined there
//
// Only what is shorter than a vector is copied.
template <std::size_t kWidth>
class ReadableBlock {
public:
    TERTIUM_INLINE ReadableBlock(std::string_view text, std::size_t base) : bytes_(text.data() + base) {
        const std::size_t left = text.size() - base;
        if (left < 64) beyond_ = ~std::uint64_t{0} << left;
        if (text.size() >= 64) {
            gone_ = left < 64 ? 64 - left : 0;
            bytes_ -= gone_;
        } else if (text.size() >= kWidth) {
            last_ = text.size() - kWidth;
        } else {
            std::memset(padded_, ' ', kWidth);
            std::memcpy(padded_, text.data(), text.size());
            bytes_ = padded_;
            last_ = 0;
        }
    }
    // Where the vector that holds the bytes from `at` on begins.
    TERTIUM_INLINE std::size_t place(std::size_t at) const { return at < last_ ? at : last_; }
    TERTIUM_INLINE const char* vector(std::size_t at) const { return bytes_ + place(at); }
    // A mask of the block, from what its vectors gave.
    TERTIUM_INLINE std::uint64_t mask(std::uint64_t joined) const { return joined >> gone_; }
    TERTIUM_INLINE std::uint64_t beyond() const { return beyond_; }
    // How many bytes earlier than asked for the block begins.
    TERTIUM_INLINE std::size_t gone() const { return gone_; }

private:
    alignas(kWidth) char padded_[kWidth];
    const char* bytes_;
    std::size_t last_ = 64 - kWidth, gone_ = 0;
    std::uint64_t beyond_ = 0;  // the places behind the end of the text
};

// The masks of the up to sixty-four bytes of `text` from `base` on.
template <std::size_t kWidth>
TERTIUM_INLINE ByteMasks byte_masks(std::string_view text, std::size_t base) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return masks_of_v4(text.data() + base, text.size() - base);
#endif
    const ReadableBlock<kWidth> block(text, base);
    constexpr std::uint64_t ByteMasks::* all[] = {&ByteMasks::space, &ByteMasks::symbol, &ByteMasks::dot,
                                                  &ByteMasks::digit, &ByteMasks::dash,   &ByteMasks::special};
    ByteMasks masks{};
    for (std::size_t at = 0; at < 64; at += kWidth) {
        ByteMasks some;
#if defined(TERTIUM_V3)
        if constexpr (kWidth == 32)
            some = masks_of_v3(block.vector(at));
        else
#endif
            some = masks_of<kWidth>(block.vector(at));
        for (const auto mask : all) masks.*mask |= some.*mask << block.place(at);
    }
    for (const auto mask : all) masks.*mask = block.mask(masks.*mask);
    masks.space |= block.beyond();
    return masks;
}

// The same where only whitespace matters: the rest may be missing, and of what is special the ASCII.
template <std::size_t kWidth>
TERTIUM_INLINE ByteMasks space_masks(std::string_view text, std::size_t base) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return space_masks_of_v4(text.data() + base, text.size() - base);
#endif
    return byte_masks<kWidth>(text, base);
}

// Which of the up to sixty-four bytes of `text` from `base` on are blanks of ASCII, or beyond its end.
template <std::size_t kWidth>
TERTIUM_INLINE std::uint64_t blank_mask(std::string_view text, std::size_t base) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return blanks_of_v4(text.data() + base, text.size() - base);
#endif
    const ReadableBlock<kWidth> block(text, base);
    std::uint64_t blanks = 0;
    for (std::size_t at = 0; at < 64; at += kWidth) {
#if defined(TERTIUM_V3)
        if constexpr (kWidth == 32)
            blanks |= blanks_of_v3(block.vector(at)) << block.place(at);
        else
#endif
            blanks |= blanks_of<kWidth>(block.vector(at)) << block.place(at);
    }
    return block.mask(blanks) | block.beyond();
}

// The same of U+0020 alone.
template <std::size_t kWidth>
TERTIUM_INLINE std::uint64_t space_mask(std::string_view text, std::size_t base) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return spaces_of_v4(text.data() + base, text.size() - base);
#endif
    const ReadableBlock<kWidth> block(text, base);
    std::uint64_t spaces = 0;
    for (std::size_t at = 0; at < 64; at += kWidth) {
        Bytes<kWidth> c;
        std::memcpy(&c, block.vector(at), kWidth);
        spaces |= bits_of(equals(c, ' ')) << block.place(at);
    }
    return block.mask(spaces) | block.beyond();
}

// Which of the up to sixty-four bytes of `text` from `base` on are not ASCII; if not `all`, without those that go on
// with a character or begin one below U+0300, from U+0400 to 047F or from U+4000 to 9FFF, none of which NFC changes.
template <std::size_t kWidth>
TERTIUM_INLINE std::uint64_t wide_mask(std::string_view text, std::size_t base, bool all) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return wide_of_v4(text.data() + base, text.size() - base, all);
#endif
    const ReadableBlock<kWidth> block(text, base);
    std::uint64_t wide = 0;
    for (std::size_t at = 0; at < 64; at += kWidth) {
        Bytes<kWidth> c;
        std::memcpy(&c, block.vector(at), kWidth);
        const std::uint64_t here = bits_of(all ? within(c, 0x80, 0xFF)
                                               : within(c, 0xCC, 0xCF) | within(c, 0xD2, 0xE3) | within(c, 0xEA, 0xFF));
        wide |= here << block.place(at);
    }
    return block.mask(wide);
}

// Copies the up to sixty-four bytes of `text` from `base` on, A to Z in lower case if that is wanted, and perhaps
// something before and behind them, less than sixty-four bytes away. In lower case, returns which of them are not
// ASCII.
template <std::size_t kWidth>
TERTIUM_INLINE std::uint64_t copy_block(std::string_view text, std::size_t base, bool lowercase, char* out) {
#if defined(TERTIUM_V4)
    if constexpr (kWidth == 64) return copy_block_v4(text.data() + base, text.size() - base, lowercase, out);
#endif
    const ReadableBlock<kWidth> block(text, base);
    std::uint64_t wide = 0;
    for (std::size_t at = 0; at < 64; at += kWidth) {
        Bytes<kWidth> c;
        std::memcpy(&c, block.vector(at), kWidth);
        if (lowercase) {
            wide |= bits_of(within(c, 0x80, 0xFF)) << block.place(at);
            c = lower_case(c);
        }
        std::memcpy(out + block.place(at) - block.gone(), &c, kWidth);
    }
    return block.mask(wide);
}

}  // namespace tertium
