// The tokens of one segment at a time: the hypothesis, and its references end to end.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "text/token_source.hpp"

namespace tertium {

// One segment's tokens; the references stand end to end.
struct SegmentView {
    std::span<const Key> hypothesis;
    std::span<const Key> reference_keys;
    std::span<const std::size_t> reference_ends;

    std::size_t references() const { return reference_ends.size(); }
    std::span<const Key> reference(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : reference_ends[i - 1];
        return reference_keys.subspan(begin, reference_ends[i] - begin);
    }
    std::size_t longest() const {
        std::size_t longest = hypothesis.size();
        for (std::size_t i = 0; i < references(); ++i) longest = std::max(longest, reference(i).size());
        return longest;
    }
};

class SegmentTokens {
public:
    // Valid until the next call.
    SegmentView load(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t i) {
        const std::span<const Key> hypothesis = hypotheses.tokens(i, text_, hypothesis_);
        reference_ends_.clear();
        if (references.count(i) == 1) {
            const auto reference = references.texts.tokens(references.first(i), text_, reference_);
            reference_ends_.push_back(reference.size());
            return {hypothesis, reference, reference_ends_};
        }
        reference_keys_.clear();
        for (std::size_t r = 0; r < references.count(i); ++r) {
            const auto reference = references.texts.tokens(references.first(i) + r, text_, reference_);
            reference_keys_.insert(reference_keys_.end(), reference.begin(), reference.end());
            reference_ends_.push_back(reference_keys_.size());
        }
        return {hypothesis, reference_keys_, reference_ends_};
    }

private:
    Tokenizer::Scratch text_;
    Tokens hypothesis_, reference_;
    std::vector<Key> reference_keys_;
    std::vector<std::size_t> reference_ends_;
};

}  // namespace tertium
