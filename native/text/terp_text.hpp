// Text as TERp sees it: case, normalization, punctuation, numbers, phrases that mean the same; then split at blanks.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace tertium {

struct TerpText {
    bool normalized = true, new_normalization = false, no_punct = false, normalize_numbers = false,
         case_sensitive = false;
    Normalization normalization = Normalization::none;
    // Phrases, with a blank at both ends, and what they are replaced by; in this order.
    std::vector<std::pair<std::string, std::string>> equivalences;

    // Replaces `tokens`. Kept words point into `scratch`, so they live until the next call.
    void operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
};

// The digits that a word stands for: "1,000" and "thousand" are 1000. Empty if it is no number.
std::string digits_of(std::string_view word);

class TerpTextSource final : public TokenSource {
public:
    TerpTextSource(std::span<const std::string_view> texts, TerpText rule) : texts_(texts), rule_(std::move(rule)) {}

    std::size_t size() const override { return texts_.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override {
        rule_(texts_[index], scratch, space);
        return space.keys();
    }
    void prefetch(std::size_t index) const override {
        if (index < texts_.size()) tertium::prefetch(texts_[index]);
    }

private:
    std::span<const std::string_view> texts_;
    TerpText rule_;
};

}  // namespace tertium
