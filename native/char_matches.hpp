// Clipped character n-gram matches of one hypothesis against one reference, for all orders 1 … N at once.
//
// Each character of the reference has a mask of the places where it stands, in the hypothesis and in the
// reference itself. For the n-gram that begins at reference place p,
//
//     H(p) = mask(p) & mask(p+1) >> 1 & … & mask(p+n-1) >> n-1     over the hypothesis
//     R(p) = the same over the reference, p itself left out
//
// If no n-gram came twice, matches would simply be the number of p with H(p) != 0. In general that number
// counts, for each n-gram the two share, how often the reference has it: too much exactly where the reference
// has it more often than the hypothesis. So
//
//     matches = |{p : H(p) != 0}| - sum of (in reference - in hypothesis) where positive, over shared n-grams
//                                   that the reference repeats, each taken at its first place
//
// Repeated n-grams are few from order 3 on. The first term is the same arithmetic for every p, so it is done for
// several p at a time; words of masks overlap by N - 1 places, so that no shift has to carry into the next word.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parallel.hpp"

namespace tertium {

using Symbol = std::uint8_t;

// Gives the characters of a reference small numbers; what the reference lacks is 0.
class Alphabet {
public:
    Alphabet() : numbers_(0x10000, 0) {}

    // Numbers both texts. False if the reference has more than 255 different characters or one beyond the first
    // plane. Text with no character above U+00FF needs no table: the characters are the numbers.
    bool number(std::u32string_view hypothesis, std::u32string_view reference, Symbol* hypothesis_symbols,
                Symbol* reference_symbols);
    // Symbols are below this.
    std::size_t end() const { return end_; }

private:
    bool learn(std::u32string_view reference, Symbol* symbols);
    void forget(std::u32string_view reference);

    std::vector<Symbol> numbers_;
    std::size_t end_ = 0;
};

// Counts matches; keeps its scratch space between segments.
class CharMatches {
public:
    // Writes one count per order 1 … max_order.
    void count(std::u32string_view hypothesis, std::u32string_view reference, std::size_t max_order, double* matches,
               Watch& watch);

    struct Space {
        std::vector<Symbol> hypothesis, reference;
        std::vector<std::uint64_t> table;     // per word, per symbol: where it stands
        std::vector<std::uint64_t> masks;     // per word, per reference place: where its symbol stands
        std::vector<std::uint64_t> repeated;  // per reference place: bit n - 1 if its n-gram needs the correction
        std::vector<std::uint32_t> places;    // reference places with such a bit
    };

private:
    Alphabet alphabet_;
    Space space_;
};

}  // namespace tertium
