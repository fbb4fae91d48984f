#include "text/splitting.hpp"

#include <algorithm>
#include <bit>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"

namespace tertium {
namespace {

// So many bytes are looked at together; AVX-512 serves to write down what was found.
template <std::size_t kLanes>
constexpr std::size_t kBytes = kLanes < 4 ? 16 : 32;

// How many bytes the whitespace character at p takes, or 0 if it is none; p begins with C2, E1, E2 or E3.
std::size_t wide_space_length(const char* p, const char* end) {
    const auto byte = [p](int i) { return static_cast<unsigned>(static_cast<unsigned char>(p[i])); };
    if (byte(0) == 0xC2) return end - p >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0) ? 2 : 0;
    if (end - p < 3) return 0;
    const unsigned c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    const bool space = c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
                       c == 0x205F || c == 0x3000;
    return space ? 3 : 0;
}

bool begins(const char* p, const char* end, std::string_view with) {
    return static_cast<std::size_t>(end - p) >= with.size() && std::string_view(p, with.size()) == with;
}

// Whether 13a rewrites the line at p, which is & < or LF.
bool is_rewritten(const char* p, const char* end) {
    if (*p == '\n') return true;
    if (*p == '<') return begins(p, end, "<skipped>");
    return begins(p, end, "&quot;") || begins(p, end, "&amp;") || begins(p, end, "&lt;") || begins(p, end, "&gt;");
}

struct Specials {
    std::uint64_t wide_space = 0;       // bytes of non-ASCII whitespace
    std::uint64_t wide_space_next = 0;  // those that reach into the next block
    bool rewritten = false;
};

Specials look_at_specials(std::uint64_t special, const char* block, const char* end) {
    Specials found;
    for (; special; special &= special - 1) {
        const int at = std::countr_zero(special);
        const char* const p = block + at;
        if (static_cast<unsigned char>(*p) < 0x80) {
            found.rewritten = found.rewritten || is_rewritten(p, end);
            continue;
        }
        const std::size_t length = wide_space_length(p, end);
        const std::uint64_t bytes = (std::uint64_t{1} << length) - 1;
        found.wide_space |= bytes << at;
        if (static_cast<std::size_t>(at) + length > 64) found.wide_space_next = bytes >> (64 - at);
    }
    return found;
}

// Of the dots that end a run of two or more and stand before a digit: those that the original leaves attached to
// it. Its passes consume characters in pairs, so this depends on the length of the run.
std::uint64_t attached_run_ends(std::uint64_t run_ends, std::string_view text, std::size_t base) {
    const auto is_dot = [](char c) { return c == '.' || c == ','; };
    std::uint64_t attached = 0;
    for (; run_ends; run_ends &= run_ends - 1) {
        const std::size_t last = base + static_cast<std::size_t>(std::countr_zero(run_ends));
        std::size_t first = last;
        while (first > 0 && is_dot(text[first - 1])) --first;
        const bool after_digit = first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9';
        const bool odd = (last - first + 1) % 2 == 1;
        if (odd == after_digit) attached |= run_ends & (~run_ends + 1);
    }
    return attached;
}

#if defined(TERTIUM_V4)
// The positions of the bits that are set, and some numbers more.
TERTIUM_V4 inline void put_positions_v4(std::uint64_t bits, std::size_t base, std::uint32_t* out) {
    __m512i sixteen = _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                       _mm512_set1_epi32(static_cast<int>(base)));
    for (int quarter = 0; quarter < 4; ++quarter, bits >>= 16) {
        const auto here = static_cast<__mmask16>(bits);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(here, sixteen));
        out += std::popcount(here);
        sixteen = _mm512_add_epi32(sixteen, _mm512_set1_epi32(16));
    }
}
#endif

// Collects words from blocks in order.
template <std::size_t kLanes>
class Boundaries {
public:
    TERTIUM_INLINE Boundaries(std::string_view text, Tokenizer::Scratch& scratch) {
        const std::size_t most = (text.size() + 63) / 64 * 64 + 16;
        if (scratch.starts.size() < most) {
            scratch.starts.resize(most);
            scratch.ends.resize(most);
        }
        first_ = starts_ = scratch.starts.data();
        ends_ = scratch.ends.data();
    }

    // `word` has the bytes of words, `alone` those that are words by themselves.
    TERTIUM_INLINE void add(std::uint64_t word, std::uint64_t alone, std::size_t base) {
        // A word that reached the end of the block before ended there, unless it goes on here.
        *ends_ = static_cast<std::uint32_t>(base - 1);
        ends_ += word_before_ & ~word & 1;
        std::uint64_t starts = alone | (word & ~(word << 1 | word_before_));
        std::uint64_t ends = alone | (word & ~(word >> 1 | std::uint64_t{1} << 63));
        word_before_ = word >> 63;
        const int start_count = std::popcount(starts), end_count = std::popcount(ends);
#if defined(TERTIUM_V4)
        if constexpr (kLanes == 8) {
            put_positions_v4(starts, base, starts_);
            put_positions_v4(ends, base, ends_);
        } else
#endif
            put_positions(starts, ends, std::max(start_count, end_count), base);
        starts_ += start_count;
        ends_ += end_count;
    }

    TERTIUM_INLINE std::size_t finish(std::string_view text) {
        if (word_before_) *ends_ = static_cast<std::uint32_t>(text.size() - 1);
        return static_cast<std::size_t>(starts_ - first_);
    }

private:
    // Steps of eight: some positions too many are written, and overwritten by the next block.
    TERTIUM_INLINE void put_positions(std::uint64_t starts, std::uint64_t ends, int count, std::size_t base) {
        const auto position = [base](std::uint64_t bits) {
            return static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(std::countr_zero(bits));
        };
        for (int i = 0; i < count; i += 8)
            for (int k = i; k < i + 8; ++k) {
                starts_[k] = position(starts);
                ends_[k] = position(ends);
                starts &= starts - 1;
                ends &= ends - 1;
            }
    }

    std::uint32_t *first_, *starts_, *ends_;
    std::uint64_t word_before_ = 0;
};

template <std::size_t kLanes>
TERTIUM_INLINE std::size_t split_13a_by_masks(std::string_view text, Tokenizer::Scratch& scratch) {
    const char* const end = text.data() + text.size();
    Boundaries<kLanes> boundaries(text, scratch);
    std::uint64_t digit_before = 0, dot_before = 0, wide_space = 0;  // what the block before says of this one
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const ByteMasks masks = byte_masks<kBytes<kLanes>>(text, base);
        std::uint64_t space = masks.space | wide_space;
        wide_space = 0;
        if (masks.special) {
            const Specials specials = look_at_specials(masks.special, text.data() + base, end);
            if (specials.rewritten) return kNotOrdinary;
            space |= specials.wide_space;
            wide_space = specials.wide_space_next;
        }
        const bool digit_next = base + 64 < text.size() && text[base + 64] >= '0' && text[base + 64] <= '9';
        const std::uint64_t after_digit = masks.digit << 1 | digit_before;
        const std::uint64_t before_digit = masks.digit >> 1 | static_cast<std::uint64_t>(digit_next) << 63;
        const std::uint64_t run_ends = masks.dot & (masks.dot << 1 | dot_before) & before_digit;
        std::uint64_t inside = masks.dot & after_digit & before_digit;
        if (run_ends) inside |= attached_run_ends(run_ends, text, base);
        const std::uint64_t alone = masks.symbol | (masks.dot & ~inside) | (masks.dash & after_digit);
        boundaries.add(~(space | alone), alone, base);
        digit_before = masks.digit >> 63;
        dot_before = masks.dot >> 63;
    }
    return boundaries.finish(text);
}
TERTIUM_BY_LANES(split_13a_here, split_13a_by_masks)

template <std::size_t kLanes>
TERTIUM_INLINE std::size_t split_space_by_masks(std::string_view text, Tokenizer::Scratch& scratch) {
    const char* const end = text.data() + text.size();
    Boundaries<kLanes> boundaries(text, scratch);
    std::uint64_t wide_space = 0;
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const ByteMasks masks = byte_masks<kBytes<kLanes>>(text, base);
        std::uint64_t space = masks.space | wide_space;
        wide_space = 0;
        if (masks.special) {
            const Specials specials = look_at_specials(masks.special, text.data() + base, end);
            space |= specials.wide_space;
            wide_space = specials.wide_space_next;
        }
        boundaries.add(~space, 0, base);
    }
    return boundaries.finish(text);
}
TERTIUM_BY_LANES(split_space_here, split_space_by_masks)

template <std::size_t kLanes>
TERTIUM_INLINE std::size_t split_blanks_by_masks(std::string_view text, Tokenizer::Scratch& scratch) {
    Boundaries<kLanes> boundaries(text, scratch);
    for (std::size_t base = 0; base < text.size(); base += 64)
        boundaries.add(~blank_mask<kBytes<kLanes>>(text, base), 0, base);
    return boundaries.finish(text);
}
TERTIUM_BY_LANES(split_blanks_here, split_blanks_by_masks)

template <std::size_t kLanes>
TERTIUM_INLINE std::size_t split_u0020_by_masks(std::string_view text, Tokenizer::Scratch& scratch) {
    Boundaries<kLanes> boundaries(text, scratch);
    for (std::size_t base = 0; base < text.size(); base += 64)
        boundaries.add(~space_mask<kBytes<kLanes>>(text, base), 0, base);
    return boundaries.finish(text);
}
TERTIUM_BY_LANES(split_u0020_here, split_u0020_by_masks)

// The key of a word that begins less than eight bytes before the end: of the text's last eight bytes, the upper ones.
TERTIUM_INLINE Key last_key(std::string_view text, std::size_t start, std::size_t length) {
    if (text.size() < 8) [[unlikely]]
        return key_of(text.data() + start, length, text.data() + text.size());
    return short_key(eight_bytes(text.data() + text.size() - 8) >> 8 * (start + 8 - text.size()), length);
}

// Keys of short words first, all alike; long ones are noted on the way and hashed after, so that no branch hangs
// on the length of a word.
TERTIUM_INLINE void write_keys(std::string_view text, std::size_t count, Tokenizer::Scratch& scratch, Key* keys) {
    if (scratch.long_tokens.size() < count) scratch.long_tokens.resize(2 * count);
    const std::uint32_t *const starts = scratch.starts.data(), *const ends = scratch.ends.data();
    std::uint32_t* const long_tokens = scratch.long_tokens.data();
    std::size_t long_count = 0;
    std::size_t readable = count;  // words with eight bytes to read before the end of the text
    for (; readable > 0 && starts[readable - 1] + 8 > text.size(); --readable) {
        const std::size_t i = readable - 1;
        keys[i] = last_key(text, starts[i], ends[i] - starts[i] + 1);
    }
    for (std::size_t i = 0; i < readable; ++i) {
        const std::size_t length = ends[i] - starts[i] + 1;
        long_tokens[long_count] = static_cast<std::uint32_t>(i);
        long_count += length > 7;
        keys[i] = short_key(eight_bytes(text.data() + starts[i]), length);  // anything, if it is long
    }
    for (std::size_t k = 0; k < long_count; ++k) {
        const std::size_t i = long_tokens[k];
        keys[i] = hashed_key(text.data() + starts[i], ends[i] - starts[i] + 1);
    }
}
TERTIUM_BY_PROCESSOR(write_keys_here, write_keys)

}  // namespace

std::size_t split_13a(std::string_view text, Tokenizer::Scratch& scratch) { return split_13a_here(text, scratch); }

std::size_t split_space(std::string_view text, Tokenizer::Scratch& scratch) { return split_space_here(text, scratch); }

std::size_t split_blanks(std::string_view text, Tokenizer::Scratch& scratch) {
    return split_blanks_here(text, scratch);
}

std::size_t split_u0020(std::string_view text, Tokenizer::Scratch& scratch) { return split_u0020_here(text, scratch); }

void take_words(std::string_view text, std::size_t count, Tokenizer::Scratch& scratch, Tokens& tokens) {
    write_keys_here(text, count, scratch, tokens.replace(count));
    if (!tokens.keep_words) return;
    tokens.words.clear();
    for (std::size_t i = 0; i < count; ++i)
        tokens.words.push_back(text.substr(scratch.starts[i], scratch.ends[i] - scratch.starts[i] + 1));
}

}  // namespace tertium
