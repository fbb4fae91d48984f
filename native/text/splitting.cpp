#include "text/splitting.hpp"

#include <algorithm>
#include <bit>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"

namespace tertium {
namespace {

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
TERTIUM_INLINE std::size_t split_by_masks(std::string_view text, Cut cut, Tokenizer::Scratch& scratch) {
    Boundaries<kLanes> boundaries(text, scratch);
    Specials specials;
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const Cuts cuts = cuts_of<8 * kLanes>(text, base, cut, specials);
        if (specials.rewritten && cut == Cut::mteval_13a) return kNotOrdinary;
        boundaries.add(cuts.word, cuts.alone, base);
    }
    return boundaries.finish(text);
}
TERTIUM_BY_LANES(split_here, split_by_masks)

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

std::size_t split(std::string_view text, Cut cut, Tokenizer::Scratch& scratch) {
    return split_here(text, cut, scratch);
}

void take_words(std::string_view text, std::size_t count, Tokenizer::Scratch& scratch, Tokens& tokens) {
    write_keys_here(text, count, scratch, tokens.replace(count));
    if (!tokens.keep_words) return;
    tokens.words.clear();
    for (std::size_t i = 0; i < count; ++i)
        tokens.words.push_back(text.substr(scratch.starts[i], scratch.ends[i] - scratch.starts[i] + 1));
}

}  // namespace tertium
