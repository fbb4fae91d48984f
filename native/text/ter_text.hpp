// Text as tercom and sacreBLEU's TER see it: case, normalization, punctuation, then split at blanks.

#pragma once

#include <cstddef>
#include <span>
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
        if (!is_cut_only() || tokens.keep_words || !take_keys(text, cut(), !case_sensitive, {}, tokens))
            split_odd(text, scratch, tokens);
    }
    // Of several texts, which `tokens` keep; `keys` says which are whose. Returns how many: up to one that is not
    // simple, and that one too.
    std::size_t operator()(std::span<const std::string_view> texts, Tokenizer::Scratch& scratch, Tokens& tokens,
                           std::span<const Key>* keys) const {
        const std::size_t simple = is_cut_only() ? take_keys(texts, cut(), !case_sensitive, {}, tokens, keys) : 0;
        if (simple > 0) tokens.keep();
        if (simple == texts.size()) return simple;
        split_odd(texts[simple], scratch, tokens);
        keys[simple] = tokens.keys();
        tokens.keep();
        return simple + 1;
    }

private:
    bool is_cut_only() const { return normalization == Normalization::none && !normalized && !no_punct; }
    Cut cut() const { return style == Style::tercom ? Cut::ascii : Cut::unicode; }
    void split_odd(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
    void rewrite_and_split(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
    void rewrite(std::string& line, std::string& spare) const;
};

}  // namespace tertium
