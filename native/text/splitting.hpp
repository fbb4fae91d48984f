// Where the words of a text begin and end, sixty-four bytes at a time, by the masks of cuts.hpp.
//
// Text that needs rewriting first (entities, <skipped>, line feeds in 13a) is reported as not ordinary; tokenizers.cpp
// does it literally. Where only keys are wanted, keyed_words.hpp is faster.

#pragma once

#include <string_view>

#include "text/cuts.hpp"
#include "text/tokenizers.hpp"

namespace tertium {

// Replaces scratch.starts and scratch.ends (the last byte of each word) and returns how many there are, or
// kNotOrdinary.
inline constexpr std::size_t kNotOrdinary = static_cast<std::size_t>(-1);
std::size_t split(std::string_view text, Cut cut, Tokenizer::Scratch& scratch);

// Makes tokens of the words found.
void take_words(std::string_view text, std::size_t count, Tokenizer::Scratch& scratch, Tokens& tokens);

}  // namespace tertium
