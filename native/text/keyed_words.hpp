// The words of a text straight from bytes to keys, in lower case if that is wanted, as long as nothing is odd about it.
//
// Each block of sixty-four bytes begins with a word, so that none is begun in one block and ended in another: a word
// that reaches behind the end of its block is left to the next one, which begins with it. Two masks say where words
// start and where they end; taking the lowest bit of both, again and again, gives one word after the other. Which of
// them are long, more than seven bytes, is a mask too: places where the next seven bytes are of the word as well.
//
//     text       T h e _ c a t _ h o u s e h o l d _
//     start      1       1       1
//     end            1       1                 1
//     long                       1
//
// So keys of short words are made of the eight bytes at a start, one like the other; those of long ones are then
// put right. Nothing is stored on the way but the keys.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "text/cuts.hpp"
#include "text/tokens.hpp"
#include "text/unicode.hpp"

namespace tertium {

// Replaces `tokens`, which keep no words. False, and nothing is said of them, if the text is longer than 64 KB, has
// whitespace beyond ASCII or a word of more than sixty-three bytes, or if 13a rewrites it. The same if a capital beyond
// A to Z is to be lowered, or if the text perhaps lacks the normal form that is wanted.
bool take_keys(std::string_view text, Cut cut, bool lowercase, const std::optional<unicode::Form>& form,
               Tokens& tokens);

// The same of text after text, up to one of which it would be false; returns how many were taken, and `keys` says which
// are whose.
std::size_t take_keys(std::span<const std::string_view> texts, Cut cut, bool lowercase,
                      const std::optional<unicode::Form>& form, Tokens& tokens, std::span<const Key>* keys);

}  // namespace tertium
