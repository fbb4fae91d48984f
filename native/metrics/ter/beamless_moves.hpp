// What each of many moves does to a word edit distance that knows no beam, all edits costing 1.
//
// Without a beam a table can be read from both ends. F(i, j) is the distance of the first i reference words and the
// first j hypothesis words, B(i, j) that of all the others; a hypothesis has the distance min over i of F(i, j) + B(i,
// j), at any j. So a moved block needs new columns only between where it was and where it goes to:
//
//     a [b c] d e f   ->   a d e [b c] f        F of "a", then d, e, then b, c, and there B of "f"
//     a [b c] d e f   ->   a d [b c] e f        F of "a", then d,    then b, c, and there B of "e f"
//
// All places to the right that a block may go to share the columns without it ("a", "a d", "a d e"). Going to the left
// is going to the right in both texts read from the end, where F and B change places.
//
// A column is two sets of bits, where it rises and where it falls from one row to the next (Myers 1999), so that 64
// cells are a handful of instructions, and F + B is looked at 64 rows at a time: only where it can fall below what was
// found before.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "metrics/ter/beam_table.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

class BeamlessMoves {
public:
    BeamlessMoves(const NumberedWords& words, Watch& watch);

    // Takes in a hypothesis with all its columns.
    void read(std::span<const WordNumber> hypothesis);

    // The distance after each move if it is below `least`, else `least`; `distance` is that without a move. Moves are
    // of one length, those of a block side by side.
    void evaluate(std::span<const BlockMove> moves, std::int32_t distance, std::int32_t least,
                  std::vector<std::int32_t>& there);

private:
    // One way to read both texts.
    struct Side {
        std::vector<std::uint64_t> equal;  // of each word, where the reference has it; at the end, of one that it lacks
        std::vector<WordNumber> words;     // of the hypothesis
        std::vector<std::uint64_t> columns;  // rises, then falls
        std::vector<std::uint64_t> turned;   // the same, their rows in the order of the other side
    };
    struct Target {
        std::size_t over, move;
    };

    void follow(std::size_t side, std::size_t start, std::size_t length, std::int32_t least,
                std::vector<std::int32_t>& there);

    Watch& watch_;
    std::size_t reference_length_, length_ = 0, width_;  // width: of a set, in 64-bit words
    Side sides_[2];                                      // from the beginning, from the end
    std::vector<Target> targets_[2];
    std::vector<std::uint64_t> without_, with_;  // columns without the block, and with it
};

}  // namespace tertium
