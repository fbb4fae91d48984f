// One word against many at once: words lie side by side, as many as a vector has cells.
//
// Letter p of all of them is one vector, so that the table for one word against 32 is filled by a handful of
// instructions a cell:
//
//     cat      letters    c d l        Insertions and deletions gain nothing, so a cell is the highest of three: above,
//     dog                 a o i        left, and the diagonal with what the letter gains there (letter_costs.hpp).
//     lion                t g o        What a letter gains beside all others is the same for every word that has it,
//                         - - n        and is found once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "machine/vectors.hpp"
#include "matching/letter_costs.hpp"
#include "matching/spelling.hpp"

namespace tertium {

template <class Cell>
using Unsigned = std::make_unsigned_t<Cell>;
// Words side by side.
template <class Cell>
constexpr std::size_t kWordLanes = kVectorBytes / sizeof(Cell);

struct LaneBlock {
    std::size_t first, count, longest;  // first: of its places; longest: or one letter more, so that it is even
    std::size_t letters, lengths;       // where they begin
};
struct LaneBlocks {
    std::vector<std::uint32_t> places;  // of the words in their text
    std::vector<LaneBlock> blocks;
    void clear() { places.clear(), blocks.clear(); }
};
template <class Cell>
struct WordLanes {
    std::vector<Unsigned<Cell>> letters, lengths;
    void clear() { letters.clear(), lengths.clear(); }
};

// Appends to `lanes` the words at the places of `blocks`.
void lay_out(const std::vector<WordLetters>& words, const std::uint16_t* numbers, LaneBlocks& blocks,
             WordLanes<std::uint8_t>& lanes);
void lay_out(const std::vector<WordLetters>& words, const std::uint16_t* numbers, LaneBlocks& blocks,
             WordLanes<std::int16_t>& lanes);

// Some words against those of a block, and room for what is found.
template <class Cell>
struct Comparison {
    const std::uint16_t* numbers;  // of the words' letters
    std::span<const WordLetters> words;
    std::span<const std::uint16_t> different;  // letters of the words
    const std::uint16_t* gains_of;             // of each letter, which of the gains
    const Unsigned<Cell>*letters, *lengths;
    std::size_t longest;
    Cell *gains, *cells;
    Cell* found;  // per word, a cell for each lane: substitution * edits - matches
};
void find_edits(const Comparison<std::uint8_t>& pair);
void find_edits(const Comparison<std::int16_t>& pair);

// One word against those of a block.
template <class Letter>
struct Beginnings {
    const std::uint16_t* word;
    std::size_t length;
    const Letter *letters, *lengths;
    std::size_t longest;
};
// Writes the costs of those that begin alike; all others cost 1, as the row says already.
void put_prefixes(const Beginnings<std::uint8_t>& pair, const std::uint32_t* places, double* row);
void put_prefixes(const Beginnings<std::uint16_t>& pair, const std::uint32_t* places, double* row);
// Whole rows of `width` for words that fit into bytes, against blocks of `across` words; infinity behind them.
void put_rows_of_prefixes(std::span<const WordLetters> words, const std::uint16_t* numbers, const LaneBlocks& blocks,
                          const WordLanes<std::uint8_t>& lanes, std::size_t across, std::size_t width, double* rows);

}  // namespace tertium
