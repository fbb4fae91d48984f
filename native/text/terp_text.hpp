// Text as TERp sees it: case, normalization, punctuation, numbers, phrases that mean the same; then split at blanks.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizers.hpp"

namespace tertium {

struct TerpText {
    bool normalized = true, new_normalization = false, no_punct = false, normalize_numbers = false,
         case_sensitive = false;
    Normalization normalization = Normalization::none;
    // Phrases, with a blank at both ends, and what they are replaced by; in this order.
    std::vector<std::pair<std::string, std::string>> equivalences;
    // All other phrases of a list are replaced by its first.
    void add_equivalence(std::span<const std::string> phrases);

    // Replaces `tokens`. Kept words point into `scratch`, so they live until the next call.
    void operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
};

// The digits that a word stands for: "1,000" and "thousand" are 1000. Empty if it is no number.
std::string digits_of(std::string_view word);

}  // namespace tertium
