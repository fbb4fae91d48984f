// The words of a text in lower case, straight from bytes to keys, as long as only A to Z have to be changed.
//
// Two masks of sixty-four bytes say where words start and where they stop; taking the lowest bit of both, again and
// again, gives one word after the other. Which of them are long, more than seven bytes, is a mask too: places where
// the next seven bytes are of the word as well.
//
//     text       T h e _ c a t _ h o u s e h o l d _
//     start      1       1       1
//     stop             1       1                 1
//     long                       1
//
// So keys of short words are made of the eight bytes at a start, one like the other; those of long ones are then
// put right.

#pragma once

#include <string_view>

#include "text/tokenizers.hpp"

namespace tertium {

enum class Blanks { python, java };  // Unicode's as Python's str.split knows them, or U+0020 and U+0009 to U+000D

// Replaces `tokens`; false, and nothing is said of them, if there are other capitals, or other blanks than ASCII's.
bool take_lowered_words(std::string_view text, Blanks blanks, Tokenizer::Scratch& scratch, Tokens& tokens);

}  // namespace tertium
