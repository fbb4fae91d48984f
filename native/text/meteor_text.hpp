// Text as METEOR sees it: its normaliser, lower case, then split at blanks.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "text/text.hpp"

namespace tertium {

// Words that keep the full stop behind them: abbreviations, initials; some only before a number ("No. 7").
struct DottedPrefixes {
    std::unordered_set<std::u32string> always, before_number;
};

struct MeteorText {
    enum class Style { normalize, lower, none } style = Style::normalize;
    // METEOR's alphabet is Latin and Cyrillic; `any` takes letters, marks and numbers of all scripts.
    enum class Alphabet { meteor, any } alphabet = Alphabet::meteor;
    enum class Apostrophe { english, french, alone } apostrophe = Apostrophe::english;
    bool punctuation = true;  // false: without it, after normalising
    Normalization normalization = Normalization::none;
    std::shared_ptr<const DottedPrefixes> prefixes = std::make_shared<DottedPrefixes>();

    // Replaces `tokens`. Kept words point into `text` or `scratch`, so they live until the next call.
    void operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
};

class MeteorTextSource final : public TokenSource {
public:
    MeteorTextSource(std::span<const std::string_view> texts, const MeteorText& rule) : texts_(texts), rule_(rule) {}

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
    MeteorText rule_;
};

}  // namespace tertium
