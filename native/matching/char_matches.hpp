// Clipped character n-gram matches of one hypothesis against one reference, for all orders 1 … N at once.
//
// Each character has a mask of the places where it stands in the hypothesis. Going through the reference, the
// hypothesis places where the n-gram that ends at p ends follow from those of the shorter one that ends at p - 1:
//
//     X(n, p) = mask(p) & X(n - 1, p - 1) << 1
//
// Clipping: each n-gram of the reference takes one place of X(n, p) that none took before, if there is one. The
// places taken are the matches.
//
//     hypothesis   b a n a n a      mask(a) = {1, 3, 5}, mask(n) = {2, 4}
//     reference    s a n a          X(1) of a = {1, 3, 5}, X(2) of an = {2, 4}, X(3) of ana = {3, 5}
//
// A mask is cut into words that overlap by N - 1 places, so that no shift has to carry into the next word, and no step
// depends on what the text holds, so nothing is mispredicted. A vector holds either the same word for several orders,
// each lane taking its place by itself, or several words for one order, where the lanes have to agree on one place.
// The former is faster for few words:
//
//     word 0   X(1) X(2) X(3) X(4) X(5) X(6)         order 1   word 0  word 1  word 2 ...
//     word 1   X(1) X(2) X(3) X(4) X(5) X(6)         order 2   word 0  word 1  word 2 ...

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
    static constexpr std::size_t kMargin = 32;
    char* replace(std::size_t most);
    void finish(std::size_t bytes);

    std::size_t size() const { return size_; }
    bool is_ascii() const { return size_ == byte_count_; }
    std::string_view bytes() const { return {bytes_.data(), byte_count_}; }

private:
    std::vector<char> bytes_;
    std::size_t byte_count_ = 0, size_ = 0;
};

// Gives characters numbers below 256. ASCII keeps its own, and so most of a text is only copied; what the reference
// lacks has a number that nothing else has.
class Alphabet {
public:
    // Numbers both texts, and may write kMargin symbols more. False if there are not enough numbers.
    bool number(const Characters& hypothesis, const Characters& reference, Symbol* hypothesis_symbols,
                Symbol* reference_symbols);
    // Symbols are below this.
    std::size_t end() const { return end_; }

private:
    Symbol& number_of(char32_t c);

    std::vector<Symbol> first_plane_, other_planes_;  // per character, its number; zero between uses
    std::vector<char32_t> learnt_;                    // the characters that have one
    std::size_t end_ = 0;
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
