// Clipped n-gram matches of very long sequences, where masks would be quadratic.
//
// All sequences are ranked together: equal symbols get equal numbers. Then n-grams get numbers by the same
// trick that builds suffix arrays: the pair (number of the (n-1)-gram, number of the next symbol) is sorted and
// numbered again. Equal numbers mean equal n-grams; nothing is hashed, so nothing can collide.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"

namespace tertium {

class RankedNgrams {
public:
    // sequences[0] is the hypothesis, the others are the references.
    RankedNgrams(std::vector<std::span<const std::uint64_t>> sequences, Watch& watch);

    // Matches of the current order, which begins at 1; an n-gram counts as often as in the reference that has
    // most of it.
    std::uint64_t matches() const;
    void next_order();

private:
    std::vector<std::size_t> begins_;    // where each sequence begins in symbols_; one more at the end
    std::vector<std::uint32_t> symbols_;  // all sequences, end to end
    std::vector<std::uint32_t> grams_;    // the n-gram that begins at each place
    std::size_t order_ = 1;
    Watch& watch_;
};

}  // namespace tertium
