// One column of the table of edit distances as two masks: where it goes up from cell to cell, and where down.
//
// Distances change by at most one from cell to cell. So for the first j hypothesis words against 0, 1, … R reference
// words two bits per cell suffice, and the next column follows by a dozen operations on whole words (Hyyrö 2003):
//
//     reference      a b c d
//     after "a"    1 0 1 2 3       up . 1 1 1   down 1 . . .     distance = 1 + 3 - 1

#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/multiversion.hpp"

namespace tertium {

// Word is a number, or a vector of them with a hypothesis in each lane.
template <std::size_t kWords, class Word>
struct Column {
    Word up[kWords], down[kWords];

    struct Ways {
        Word diagonal[kWords], insertion[kWords];
    };

    // Goes on by one hypothesis word, which the reference has at the bits of `eq`. Each column waits for the one
    // before, so what counts is the longest chain of operations from `up` to `up`. It has seven, for instead of where
    // rows go up it finds where they do not: twice such a mask is the complement of the usual one shifted, its first
    // bit set.
    TERTIUM_INLINE void advance(const Word* eq, Ways* ways = nullptr) {
        Word carry = Word{}, not_up_before = Word{}, down_before = Word{};
        for (std::size_t w = 0; w < kWords; ++w) {
            const Word first = eq[w] & up[w];
            const Word sum = first + up[w] + carry;
            if (w + 1 < kWords) carry = ((first & up[w]) | ((first | up[w]) & ~sum)) >> 63;
            const Word same = ((sum | up[w]) & ~(sum & up[w])) | eq[w] | down[w];  // as the cell one up and left
            const Word not_right_up = (eq[w] | up[w] | sum) & ~down[w], right_down = same & up[w];
            if (ways) {
                ways->diagonal[w] = eq[w] | ~same;
                ways->insertion[w] = ~not_right_up;
            }
            const Word not_shifted_up = not_right_up + not_right_up + not_up_before,
                       shifted_down = right_down + right_down + down_before;
            if (w + 1 < kWords) {
                not_up_before = not_right_up >> 63;
                down_before = right_down >> 63;
            }
            up[w] = shifted_down | (not_shifted_up & ~same);
            down[w] = same & ~not_shifted_up;
        }
    }
};

}  // namespace tertium
