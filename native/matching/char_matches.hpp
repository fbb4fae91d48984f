// Clipped character n-gram matches of one hypothesis against one reference, for all orders 1 … N at once.
//
// Each character has a mask of the places where it stands in the hypothesis. Going through the reference from its
// end, the hypothesis places of the n-gram that begins at p follow from those of the shorter one at p + 1:
//
//     X(n, p) = mask(p) & X(n - 1, p + 1) >> 1
//
// Clipping: each n-gram of the reference takes one place of X(n, p) that none took before, if there is one. The
// places taken are the matches.
//
//     hypothesis   b a n a n a      mask(a) = {1, 3, 5}, mask(n) = {2, 4}
//     reference        a n a s      X(1) of a = {1, 3, 5}, X(2) of na = {2, 4}, X(3) of ana = {1, 3}
//
// A mask is cut into words that overlap by N - 1 places, so that no shift has to carry into the next word. A few
// words make one vector, and no step depends on what the text holds, so nothing is mispredicted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/parallel.hpp"

namespace tertium {

using Symbol = std::uint8_t;

// The characters of a text, as UTF-8. ASCII text, the usual case, need not be decoded.
class Characters {
public:
    // Room for `most` bytes and for kMargin more, which may hold anything; the caller writes there and then says
    // how many it wrote.
    static constexpr std::size_t kMargin = 16;
    char* replace(std::size_t most);
    void finish(std::size_t bytes);

    std::size_t size() const { return size_; }
    bool is_ascii() const { return size_ == byte_count_; }
    std::string_view bytes() const { return {bytes_.data(), byte_count_}; }

private:
    std::vector<char> bytes_;
    std::size_t byte_count_ = 0, size_ = 0;
};

// Gives the characters of a reference small numbers; what the reference lacks is 0.
class Alphabet {
public:
    // Numbers both texts. False if the reference has more than 255 different characters.
    bool number(const Characters& hypothesis, const Characters& reference, Symbol* hypothesis_symbols,
                Symbol* reference_symbols);
    // Symbols are below this.
    std::size_t end() const { return end_; }

private:
    Symbol& number_of(char32_t c);
    bool learn(const Characters& reference, Symbol* symbols);
    void forget();

    std::vector<Symbol> first_plane_, other_planes_;  // per character, its number; zero between uses
    std::vector<char32_t> learnt_;                    // per number, its character
    std::size_t end_ = 1;
};

// Counts matches; keeps its scratch space between segments.
class CharMatches {
public:
    // Writes one count per order 1 … max_order.
    void count(const Characters& hypothesis, const Characters& reference, std::size_t max_order, double* matches,
               Watch& watch);

    struct Space {
        std::vector<Symbol> hypothesis, reference;
        std::vector<std::uint64_t> table;  // per symbol, the words of its mask
    };

private:
    Alphabet alphabet_;
    Space space_;
};

}  // namespace tertium
