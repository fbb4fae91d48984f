#include "text/lowered_words.hpp"

#include <algorithm>
#include <bit>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

// Takes the lowest bit away; says where it was, or 64 if there is none.
TERTIUM_INLINE std::size_t take_lowest(std::uint64_t& bits) {
    const auto place = static_cast<std::size_t>(std::countr_zero(bits));
    bits &= bits - 1;
    return place;
}

// The keys of words that start and stop in one block; returns how many they are.
TERTIUM_INLINE std::size_t write_block_keys(const char* block, std::uint64_t word, std::uint64_t starts,
                                            std::uint64_t stops, Key* keys) {
    Key* key = keys;
    for (std::uint64_t next_start = starts, next_stop = stops; next_start; ++key) {
        const std::size_t start = take_lowest(next_start), length = take_lowest(next_stop) - start;
        *key = short_key(eight_bytes(block + start), length);
    }
    const std::uint64_t two = word & word >> 1, four = two & two >> 2, eight = four & four >> 4;
    for (std::uint64_t long_starts = starts & eight; long_starts; long_starts &= long_starts - 1) {
        const auto start = static_cast<std::size_t>(std::countr_zero(long_starts));
        const std::uint64_t before = (std::uint64_t{1} << start) - 1;
        const auto length = static_cast<std::size_t>(std::countr_zero(stops & ~before)) - start;
        keys[std::popcount(starts & before)] = hashed_key(block + start, length);
    }
    return static_cast<std::size_t>(key - keys);
}

// Whether the characters that begin at these bytes are blanks or capitals. (Bytes that go on with one begin by 10.)
bool change_anything(std::uint64_t wide, const char* block, Blanks blanks) {
    for (; wide; wide &= wide - 1) {
        const char* p = block + std::countr_zero(wide);
        if ((static_cast<unsigned char>(*p) & 0xC0) == 0x80) continue;
        const char32_t code = utf8::decode(p);
        if (!unicode::stays_in_lower_case(code)) return true;
        if (blanks == Blanks::python && unicode::properties(code) & unicode::kWhitespace) return true;
    }
    return false;
}

// Returns how many words there are, or kNotSimple.
constexpr std::size_t kNotSimple = static_cast<std::size_t>(-1);
template <std::size_t kLanes>
TERTIUM_INLINE std::size_t write_lowered_keys(std::string_view text, Blanks blanks, char* lowered, Key* keys) {
    const char* const end = lowered + text.size() + 8;
    std::size_t count = 0, open = 0;  // words so far; where the one that reaches into this block started
    std::uint64_t word_before = 0;
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const AsciiMasks masks = lower_ascii<8 * kLanes>(text, base, blanks == Blanks::python, lowered);
        if (masks.wide && change_anything(masks.wide, text.data() + base, blanks)) return kNotSimple;
        const std::uint64_t word = ~masks.blank, behind_word = word << 1 | word_before;
        std::uint64_t starts = word & ~behind_word, stops = ~word & behind_word;
        if (word_before && stops) {
            keys[count++] = key_of(lowered + open, base + take_lowest(stops) - open, end);
            word_before = 0;
        }
        const std::uint64_t goes_on = word >> 63;
        if (goes_on && starts) {
            const auto last = 63 - static_cast<std::size_t>(std::countl_zero(starts));
            open = base + last;
            starts ^= std::uint64_t{1} << last;
        }
        count += write_block_keys(lowered + base, word, starts, stops, keys + count);
        word_before = goes_on;
    }
    if (word_before) keys[count++] = key_of(lowered + open, text.size() - open, end);
    return count;
}
TERTIUM_BY_LANES(write_lowered_keys_here, write_lowered_keys)

}  // namespace

bool take_lowered_words(std::string_view text, Blanks blanks, Tokenizer::Scratch& scratch, Tokens& tokens) {
    const std::size_t room = text.size() + 64 + 8;
    if (scratch.lowered_bytes.size() < room) scratch.lowered_bytes.resize(2 * room);
    Key* const keys = tokens.replace(text.size() / 2 + 1);
    const std::size_t count = write_lowered_keys_here(text, blanks, scratch.lowered_bytes.data(), keys);
    tokens.shrink(count == kNotSimple ? 0 : count);
    return count != kNotSimple;
}

}  // namespace tertium
