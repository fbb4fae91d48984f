// Text as tercom and sacreBLEU's TER see it: case, normalization, punctuation, then split at blanks.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "text/text.hpp"

namespace tertium {

struct TerText {
    // Java splits at ASCII blanks and keeps an empty word before a leading one; Python splits at Unicode's blanks.
    enum class Style { tercom, sacrebleu } style = Style::tercom;
    bool release_0_7 = false;  // tercom before 0.8: other rules for dots and commas
    bool normalized = false, no_punct = false, asian_support = false, case_sensitive = false;
    Normalization normalization = Normalization::none;

    // Replaces `tokens`. Kept words point into `text` or `scratch`, so they live until the next call.
    void operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const;
};

class TerTextSource final : public TokenSource {
public:
    TerTextSource(std::span<const std::string_view> texts, const TerText& rule) : texts_(texts), rule_(rule) {}

    std::size_t size() const override { return texts_.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override {
        rule_(texts_[index], scratch, space);
        return space.keys();
    }
    void prefetch(std::size_t index) const override {
#if defined(__GNUC__)
        if (index >= texts_.size()) return;
        __builtin_prefetch(texts_[index].data());
        __builtin_prefetch(texts_[index].data() + 64);
#endif
    }

private:
    std::span<const std::string_view> texts_;
    TerText rule_;
};

}  // namespace tertium
