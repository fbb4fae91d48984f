// Clipped n-gram matches of one hypothesis against its references, for any set of orders and any length.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "matching/match_mask.hpp"
#include "text/segment_tokens.hpp"

namespace tertium {

// Counts matches; keeps its scratch space between segments.
class ClippedMatches {
public:
    // `orders` ascend. Writes one count per order.
    void count(const SegmentView& segment, std::span<const unsigned> orders, double* matches, Watch& watch);

    // Finds which n-grams of the orders 1 … max_order match: bit s of marks(n), 64 to a word, is the n-gram that
    // begins at place s of the tokens returned, those of the hypothesis or of the only reference. Of equal ones any
    // may be marked, but as many as count.
    std::span<const Key> mark(const SegmentView& segment, unsigned max_order, Watch& watch);
    std::span<const std::uint64_t> marks(unsigned order) const {
        return std::span(space_.matched).subspan((order - 1) * mark_words_, mark_words_);
    }

    struct Space {
        MatchMask masks;
        std::vector<std::uint64_t>
            matched;  // per order, a bit per place that matches, or that is taken in the reference
        std::vector<std::uint64_t> used, run;
    };

private:
    Space space_;
    std::size_t mark_words_ = 0;
};

}  // namespace tertium
