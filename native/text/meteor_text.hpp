// Text as METEOR sees it: its normaliser, lower case, then split at blanks.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "text/tokenizers.hpp"
#include "text/tokens.hpp"

namespace tertium {

// Words that keep the full stop behind them: abbreviations, initials; some only before a number ("No. 7").
struct DottedPrefixes {
    std::unordered_set<Key> always, before_number;

    // Whether a word keeps its dot before a word that begins with `next`.
    bool keep_dot(Key word, char32_t next) const {
        return (next >= 'a' && next <= 'z') || always.contains(word) ||
               (next >= '0' && next <= '9' && before_number.contains(word));
    }
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

private:
    void normalize(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
};

}  // namespace tertium
