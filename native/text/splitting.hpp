// Where the words of a text begin and end, sixty-four bytes at a time.
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
// the original matches pairs from left to right. Text that needs rewriting first (entities, <skipped>, line
// feeds) is reported as not ordinary; tokenizers.cpp does it literally.

#pragma once

#include <string_view>

#include "text/tokenizers.hpp"

namespace tertium {

// All replace scratch.starts and scratch.ends (the last byte of each word) and return how many there are.
inline constexpr std::size_t kNotOrdinary = static_cast<std::size_t>(-1);
std::size_t split_13a(std::string_view text, Tokenizer::Scratch& scratch);     // kNotOrdinary if it is not
std::size_t split_space(std::string_view text, Tokenizer::Scratch& scratch);   // at Unicode's whitespace
std::size_t split_blanks(std::string_view text, Tokenizer::Scratch& scratch);  // at ASCII's alone
std::size_t split_u0020(std::string_view text, Tokenizer::Scratch& scratch);   // at that alone

// Makes tokens of the words found.
void take_words(std::string_view text, std::size_t count, Tokenizer::Scratch& scratch, Tokens& tokens);

}  // namespace tertium
