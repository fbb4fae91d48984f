// Clipped n-gram matches of very long sequences, where masks would be quadratic.
//
// Equal n-grams get equal numbers. An n-gram is the pair (number of the (n-1)-gram, number of its last symbol), so
// a table from pairs to numbers, which compares the pairs themselves, takes all sequences from one order to the
// next. Places whose n-gram only the hypothesis or only the references have can match in no higher order; they are
// left out from then on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/parallel.hpp"

namespace tertium {

class RankedNgrams {
public:
    // sequences[0] is the hypothesis, the others are the references.
    RankedNgrams(std::vector<std::span<const std::uint64_t>> sequences, Watch& watch);

    // Matches of the current order, which begins at 1; an n-gram counts as often as in the reference that has
    // most of it.
    std::uint64_t matches() const { return matches_; }
    void next_order();
    // Sets the bit of every hypothesis place whose n-gram matches; of equal ones, of the first.
    void mark(std::span<std::uint64_t> places) const;

private:
    struct Place {
        std::uint32_t at, ngram;  // where in symbols_, and the number of the n-gram that begins there
    };
    class Numbers;

    // `key(place)` tells n-grams of the current order apart.
    template <class KeyOf>
    void number(KeyOf key);
    void count();
    void drop_unshared();

    std::vector<std::uint32_t> symbols_;                        // all sequences, end to end
    std::vector<std::size_t> ends_;                             // where each sequence ends in symbols_
    std::vector<std::vector<Place>> places_;                    // per sequence, those that may still match
    std::vector<std::uint32_t> in_hypothesis_, in_references_;  // per number, how often
    std::size_t order_ = 1;
    std::uint64_t matches_ = 0;
    Watch& watch_;
};

}  // namespace tertium
