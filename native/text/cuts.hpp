// Where ordinary text is cut into words: bit masks of sixty-four bytes, of those that belong to words and of those that
// are words by themselves.
//
// A tokenizer is a chain of regular expressions in the original. For ordinary text the chain comes down to
// questions about a character and its neighbours, so it becomes arithmetic on bit masks with one bit per byte. For
// mteval's default tokenization ("13a"):
//
//     text       a   b   c   .       1   .   5   -   6
//     dot                    1           1
//     digit                          1       1       1
//     dash                                       1
//     alone                  1                   1        dot without digits on both sides; dash after a digit
//     word       1   1   1           1   1   1       1
//     starts     1           1       1           1   1
//     ends               1   1               1   1   1
//
// In a run of dots and commas each is alone too, but for the last one before a digit: "1...2" is 1 . . .2, since
// the original matches pairs from left to right.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"

namespace tertium {

// mteval's 13a; blanks as Python's str.split knows them; U+0020 and U+0009 to U+000D; U+0020 alone.
enum class Cut { mteval_13a, unicode, ascii, u0020 };

// What a block holds that masks do not tell.
struct Specials {
    std::uint64_t wide_space = 0;       // bytes of non-ASCII whitespace
    std::uint64_t wide_space_next = 0;  // those that reach into the next block
    bool rewritten = false;             // 13a rewrites the line before it cuts: entities, <skipped>, line feeds
    bool marks = false;                 // there is an & or a <
};
// Looks at the places in `special`; `end` is that of the text.
Specials look_at_specials(std::uint64_t special, const char* block, const char* end);

// Of the dots that end a run of two or more and stand before a digit: those that the original leaves attached to
// it. Its passes consume characters in pairs, so this depends on the length of the run.
std::uint64_t attached_run_ends(std::uint64_t run_ends, std::string_view text, std::size_t base);

struct Cuts {
    std::uint64_t word, alone;
};

TERTIUM_INLINE Cuts cuts_13a(std::string_view text, std::size_t base, const ByteMasks& masks, std::uint64_t space) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const char before = base > 0 ? text[base - 1] : ' ';
    const std::uint64_t digit_before = is_digit(before), dot_before = before == '.' || before == ',';
    const std::uint64_t digit_next = base + 64 < text.size() && is_digit(text[base + 64]);
    const std::uint64_t after_digit = masks.digit << 1 | digit_before;
    const std::uint64_t before_digit = masks.digit >> 1 | digit_next << 63;
    const std::uint64_t run_ends = masks.dot & (masks.dot << 1 | dot_before) & before_digit;
    std::uint64_t inside = masks.dot & after_digit & before_digit;
    if (run_ends) inside |= attached_run_ends(run_ends, text, base);
    const std::uint64_t alone = masks.symbol | (masks.dot & ~inside) | (masks.dash & after_digit);
    return {~(space | alone), alone};
}

// The cuts of the block from `base` on. `specials` tells of the last block before that had any, and then of this one.
template <std::size_t kWidth>
TERTIUM_INLINE Cuts cuts_of(std::string_view text, std::size_t base, Cut cut, Specials& specials) {
    if (cut == Cut::ascii) return {~blank_mask<kWidth>(text, base), 0};
    if (cut == Cut::u0020) return {~space_mask<kWidth>(text, base), 0};
    const ByteMasks masks = cut == Cut::unicode ? space_masks<kWidth>(text, base) : byte_masks<kWidth>(text, base);
    std::uint64_t space = masks.space | specials.wide_space_next;
    specials.wide_space_next = 0;
    if (masks.special) {
        specials = look_at_specials(masks.special, text.data() + base, text.data() + text.size());
        space |= specials.wide_space;
    }
    return cut == Cut::unicode ? Cuts{~space, 0} : cuts_13a(text, base, masks, space);
}

}  // namespace tertium
