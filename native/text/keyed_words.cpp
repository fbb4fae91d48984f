#include "text/keyed_words.hpp"

#include <bit>
#include <cstring>

#include "text/utf8.hpp"

namespace tertium {
namespace {

// Words are taken four at a time, though the last may be none: where a text's words end the processor cannot guess, and
// a wrong guess takes it longer than three words that nobody reads. Where bits are slow to count, one is taken; where
// bytes of a vector can be moved, eight.
constexpr std::size_t kFew = 4;
constexpr std::size_t kRoomBehind = 8;  // keys of nothing
constexpr std::size_t kNotSimple = static_cast<std::size_t>(-1);
constexpr std::size_t kLongest = 1 << 16;  // bytes of a text; there is room for a key for each of them, and some

// Takes the lowest bit away, and says where it was.
TERTIUM_INLINE std::size_t take_lowest(std::uint64_t& bits) {
    const auto place = static_cast<std::size_t>(std::countr_zero(bits));
    bits &= bits - 1;
    return place;
}

// The keys of the words of a block, made of eight bytes at a start, and a few keys of nothing; returns how many words
// there are.
template <std::size_t kAtOnce>
TERTIUM_INLINE std::size_t write_short_keys(const char* block, std::uint64_t starts, std::uint64_t ends, Key* keys) {
    // Behind the last word of a full block there is no bit, which is found at 64.
    std::uint64_t next_start = starts, next_stop = ends << 1;
    Key* key = keys;
    while (next_start)
        for (std::size_t k = 0; k < kAtOnce; ++k, ++key) {
            const std::size_t start = take_lowest(next_start), length = take_lowest(next_stop) - start;
            *key = short_key(eight_bytes(block + start), length);
        }
    return kAtOnce == 1 ? static_cast<std::size_t>(key - keys) : static_cast<std::size_t>(std::popcount(starts));
}

// The same, and then the keys of long words are put right. Eight bytes can be read from every start on, and the block.
template <std::size_t kLanes, bool kMovesBytes>
TERTIUM_INLINE std::size_t write_block_keys(const char* block, std::uint64_t word, std::uint64_t starts,
                                            std::uint64_t ends, Key* keys) {
    std::size_t count = 0;
#if defined(TERTIUM_V4B)
    if constexpr (kMovesBytes) {
        count = static_cast<std::size_t>(std::popcount(starts));
        write_short_words(block, starts, ends, count, keys);
    } else
#endif
        count = write_short_keys<(kLanes == 2 ? 1 : kFew)>(block, starts, ends, keys);
    const std::uint64_t two = word & word >> 1, four = two & two >> 2, eight = four & four >> 4;
    for (std::uint64_t long_starts = starts & eight; long_starts; long_starts &= long_starts - 1) {
        const auto start = static_cast<std::size_t>(std::countr_zero(long_starts));
        const std::uint64_t before = (std::uint64_t{1} << start) - 1;
        const auto length = static_cast<std::size_t>(std::countr_zero(ends & ~before)) - start + 1;
        keys[std::popcount(starts & before)] = hashed_key(block + start, length);
    }
    return count;
}

// Whether all characters that begin at these bytes stay as they are. (Bytes that go on with one begin by 10.)
template <class Stays>
bool all_stay(std::uint64_t wide, const char* block, Stays stays) {
    for (; wide; wide &= wide - 1) {
        const char* p = block + std::countr_zero(wide);
        if ((static_cast<unsigned char>(*p) & 0xC0) != 0x80 && !stays(utf8::decode(p))) return false;
    }
    return true;
}

// Returns how many words there are, or kNotSimple.
template <std::size_t kLanes, bool kMovesBytes = false>
TERTIUM_INLINE std::size_t write_text_keys(std::string_view text, Cut cut, bool lowercase,
                                           const std::optional<unicode::Form>& form, Key* keys) {
    alignas(64) char room[3 * 64], *const copied = room + 64;
    std::size_t count = 0;
    Specials specials;
    for (std::size_t base = 0; base < text.size();) {
        const std::size_t left = text.size() - base;
        const Cuts cuts = cuts_of<8 * kLanes>(text, base, cut, specials);
        // In lower case, &QUOT; is an entity.
        const bool rewritten = cut == Cut::mteval_13a && (specials.rewritten || (lowercase && specials.marks));
        if (specials.wide_space || rewritten) return kNotSimple;
        const char* block = text.data() + base;
        if (form) {
            const std::uint64_t wide = wide_mask<8 * kLanes>(text, base, *form != unicode::Form::nfc);
            if (wide && !all_stay(wide, block, [&](char32_t code) { return unicode::stays_in_form(code, *form); }))
                return kNotSimple;
        }
        if (lowercase || left < 72) {
            const std::uint64_t wide = copy_block<8 * kLanes>(text, base, lowercase, copied);
            if (lowercase && wide && !all_stay(wide, block, unicode::stays_in_lower_case)) return kNotSimple;
            block = copied;
        }
        std::uint64_t starts = cuts.alone | (cuts.word & ~(cuts.word << 1));
        std::uint64_t ends = cuts.alone | (cuts.word & ~(cuts.word >> 1));
        const std::uint64_t goes_on = cuts.word >> 63 & std::uint64_t{left > 64};
        const int last = 63 - std::countl_zero(starts | 1);
        if (goes_on && last == 0) return kNotSimple;
        starts &= ~(goes_on << last);
        ends &= ~(goes_on << 63);
        count += write_block_keys<kLanes, kMovesBytes>(block, cuts.word, starts, ends, keys + count);
        base += goes_on ? static_cast<std::size_t>(last) : 64;
    }
    return count;
}
TERTIUM_BY_LANES_AND_BYTES(write_text_keys_here, write_text_keys)

// Returns how many texts were taken, before one that is not simple.
template <std::size_t kLanes, bool kMovesBytes = false>
TERTIUM_INLINE std::size_t write_keys_of_texts(std::span<const std::string_view> texts, Cut cut, bool lowercase,
                                               const std::optional<unicode::Form>& form, Key* to,
                                               std::span<const Key>* keys) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
        if (k + 3 < texts.size()) prefetch_text(texts[k + 3]);
        const std::size_t count = write_text_keys<kLanes, kMovesBytes>(texts[k], cut, lowercase, form, to);
        if (count == kNotSimple) return k;
        keys[k] = {to, count};
        to += count;
    }
    return texts.size();
}
TERTIUM_BY_LANES_AND_BYTES(write_keys_of_texts_here, write_keys_of_texts)

}  // namespace

bool take_keys(std::string_view text, Cut cut, bool lowercase, const std::optional<unicode::Form>& form,
               Tokens& tokens) {
    if (text.size() > kLongest) return false;
    const std::size_t count =
        write_text_keys_here(text, cut, lowercase, form, tokens.replace(text.size() + kRoomBehind));
    tokens.shrink(count == kNotSimple ? 0 : count);
    return count != kNotSimple;
}

std::size_t take_keys(std::span<const std::string_view> texts, Cut cut, bool lowercase,
                      const std::optional<unicode::Form>& form, Tokens& tokens, std::span<const Key>* keys) {
    std::size_t count = 0, bytes = 0;
    for (; count < texts.size() && texts[count].size() <= kLongest; ++count) bytes += texts[count].size();
    Key* const to = tokens.replace(bytes + kRoomBehind);
    const std::size_t taken = write_keys_of_texts_here(texts.first(count), cut, lowercase, form, to, keys);
    tokens.shrink(taken == 0 ? 0 : static_cast<std::size_t>(keys[taken - 1].data() - to) + keys[taken - 1].size());
    return taken;
}

}  // namespace tertium
