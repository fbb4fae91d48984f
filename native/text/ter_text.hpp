// Text as tercom and sacreBLEU's TER see it: case, normalization, punctuation, then split at blanks.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/keyed_words.hpp"
#include "text/tokenizers.hpp"

namespace tertium {

struct TerText {
    // Java splits at ASCII blanks and keeps an empty word before a leading one; Python splits at Unicode's blanks.
    enum class Style { tercom, sacrebleu } style = Style::tercom;
    bool release_0_7 = false;  // tercom before 0.8: other rules for dots and commas
    bool normalized = false, no_punct = false, asian_support = false, case_sensitive = false;
    bool twice = false;  // sacreBLEU rewrites a reference, and then what came of that
    Normalization normalization = Normalization::none;

    // Replaces `tokens`. Kept words point into `text` or `scratch`, so they live until the next call.
    void operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
        const bool as_it_is = normalization == Normalization::none && !normalized && !no_punct && !tokens.keep_words;
        const Cut cut = style == Style::tercom ? Cut::ascii : Cut::unicode;
        if (as_it_is && take_keys(text, cut, !case_sensitive, {}, tokens)) return;
        split_odd(text, scratch, tokens);
    }

private:
    void split_odd(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
    void rewrite_and_split(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
    void rewrite(std::string& line, std::string& spare) const;
};

}  // namespace tertium
