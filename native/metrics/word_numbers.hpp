// Words as numbers, in the order in which they come in a corpus, and how often each comes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/large_pages.hpp"
#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct CountedWord {
    Key key;
    std::uint64_t count;
};

// So many words are too many, with what follows each text.
inline constexpr std::size_t kTooManyWords = static_cast<std::uint32_t>(-1);
[[noreturn]] void refuse_too_many_words();

// Appends the numbers of the words of the chosen texts, with 0 behind each text, and where the next one starts. Words
// are numbered a few texts at a time, so that their keys need not be stored.
std::vector<CountedWord> number_words(const TokenSource& texts, std::span<const std::uint32_t> chosen, unsigned threads,
                                      Watch& watch, LargeList<std::uint32_t>& words_of,
                                      std::vector<std::size_t>& starts);

}  // namespace tertium
