// What it costs to take one word for another, by their letters.
//
//     levenshtein   edits / steps of the alignment    usual, unusual   2 insertions, 5 matches    2/7
//     gld           2 edits / (lengths + edits)                                                   4/14
//     prefix        1 - common beginning / mean length                 u                          1 - 1/6
//     shared        0 if a table has an id for both (a stem, a synset), else 1
//
// Of several alignments with fewest edits `levenshtein` takes the longest, which is the one with most matches.
//
// A row holds the costs of one word against all words of the other text. Words of that text lie side by side, 32 of
// them: letter p of all 32 is one vector of bytes, so that the table for one word against 32 is filled by a handful of
// instructions a cell. A cell holds what matches and substitutions gain against deleting and inserting every letter;
// the most gained has the fewest edits and, of those, the most matches, if a substitution gains c and a match 2c + 1:
//
//     ab, axb    letters 2 + 3, c = 7      a and b match         2 * 15 = 30       edits 5 - 4 = 1
//                                          c * letters - gained = 35 - 30 = 5 = c * edits - matches
//
// What that is worth stands in a table for each length of the one word. Insertions and deletions gain nothing, so a
// cell is the highest of three: above, left, and the diagonal with its gain. What a letter gains beside all others is
// the same for every word that has it, and is found once.
//
// Gains fit into bytes if one of both words has at most 14 letters and the other at most 22; longer ones (up to 120)
// take 16 bits a cell, 16 words at a time; what is longer still is compared letter by letter.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lexicon/key_table.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

enum class CostKind { exact, levenshtein, gld, prefix, shared, custom };

// `custom` is asked for the cost of a hypothesis word and a reference word, from 0 to 2; equal words cost 0. With
// `shared`, words cost nothing if they share an id in `table`: the same stem, a synset.
struct Substitution {
    CostKind kind = CostKind::exact;
    const KeyTable* table = nullptr;
    std::function<double(std::string_view, std::string_view)> custom;
    bool is_exact() const { return kind == CostKind::exact; }
};

// Numbers for code points: ASCII as it is, others from 128 on in the order in which they come.
class LetterNumbers {
public:
    static constexpr std::uint16_t kNone = 0xFFFF;  // for the one that comes after 65,000 others

    LetterNumbers() : slots_(256) {}
    void clear();
    std::uint16_t operator()(char32_t code) { return code < 128 ? static_cast<std::uint16_t>(code) : other(code); }
    std::size_t others() const { return used_.size(); }

private:
    struct Slot {
        char32_t code = 0;
        std::uint16_t number = 0;
    };
    std::uint16_t other(char32_t code);
    std::size_t place(char32_t code) const { return code * 0x9E3779B9u >> 12 & (slots_.size() - 1); }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> used_;
};

// A word's letters, in a list of numbers.
struct WordLetters {
    std::size_t begin, length;
    std::uint64_t bytes[2];  // the first sixteen, if their numbers are bytes; behind the last, 0xFF
};

class WordCosts {
public:
    // Rows are filled up to a multiple of this with infinity.
    static constexpr std::size_t kPadding = 8;

    explicit WordCosts(const Substitution& substitution) : substitution_(substitution) {}

    // `down` has a row per word, `across` a column; `swapped`: the columns are reference words.
    void begin(const Words& across, const Words& down, bool swapped);

    // The costs of word `index` of `down` against all of `across`. Valid until the next row if there are very many
    // words, else (and always after keep_all) until begin().
    const double* row(std::size_t index) {
        const std::size_t word = ids_[index];
        return keeps_ && known_[word] ? rows_.data() + word * width_ : new_row(word);
    }
    void keep_all() { keeps_ = true; }
    bool keeps_all() const { return keeps_; }

private:
    struct Block {                          // words side by side
        std::size_t first, count, longest;  // first: of its places; longest: or one letter more, so that it is even
        std::size_t letters, lengths;       // where they begin
    };
    template <class Cell>
    struct Lanes {
        std::vector<std::make_unsigned_t<Cell>> letters, lengths;
        void clear() { letters.clear(), lengths.clear(); }
    };
    struct Blocks {
        std::vector<std::uint32_t> places;  // in `across`
        std::vector<Block> blocks;
        void clear() { places.clear(), blocks.clear(); }
    };

    const double* new_row(std::size_t word);
    void find_distinct(std::span<const Key> keys);
    void spell();
    WordLetters spelt(std::string_view word, const char* readable);
    template <class Cell>
    void lay_out(const std::vector<WordLetters>& words, Blocks& blocks, Lanes<Cell>& lanes);
    const Blocks& for_wide(Blocks& blocks, const Blocks& same);
    template <class Cell>
    void compare_prefixes(const Blocks& blocks, const Lanes<Cell>& lanes, const WordLetters& word, double* row);
    void compare_edits(std::size_t first, std::size_t last, double* rows);
    void compare_turned(double* rows);
    void find_letters(std::size_t begin, std::size_t end);
    template <class Cell, class Put>
    void compare_each(const Blocks& blocks, const Lanes<Cell>& lanes, Put put_found);
    template <class Cell>
    void compare_chosen(const Blocks& blocks, const Lanes<Cell>& lanes);
    void put_costs(const std::uint32_t* places, const std::uint8_t* lengths, std::size_t count, std::size_t length,
                   const std::uint8_t* found, double* row) const;
    void put_costs(const std::uint32_t* places, const std::uint16_t* lengths, std::size_t count, std::size_t length,
                   const std::int16_t* found, double* row) const;
    void fill_with_edits();
    void fill_with_prefixes();
    void compute(std::size_t distinct_word, double* row);
    void compute_one_by_one(std::size_t down_place, std::span<const std::uint32_t> places, double* row);
    void compute_custom(std::size_t down_place, double* row);
    void compute_shared(std::size_t down_place, double* row) const;

    const Substitution& substitution_;
    Words across_, down_;
    bool swapped_ = false, keeps_ = true, filled_ = false, narrow_letters_ = true;  // filled: all rows are, by edits
    std::vector<std::uint32_t> ids_, firsts_, table_;  // of `down`: which distinct word, and where it stands first

    LetterNumbers numbers_of_;
    std::vector<std::uint16_t> numbers_;  // of letters, word after word
    std::size_t spelt_ = 0;               // how many there are
    std::vector<WordLetters> across_letters_, down_letters_, compared_;
    Blocks narrow_, long_, wide_;         // short words, long ones, and those that take wide cells
    Blocks widened_, turned_;             // short words for wide ones to compare with; short words of `down`
    std::vector<std::uint32_t> endless_;  // words that are compared one by one
    Lanes<std::uint8_t> narrow_lanes_;
    Lanes<std::int16_t> wide_lanes_;
    std::vector<std::uint8_t> present_;
    std::vector<std::uint16_t> gains_of_, different_;
    std::vector<double*> compared_rows_;
    std::vector<std::uint64_t> gains_;

    std::vector<std::span<const std::uint64_t>> across_ids_;  // of a table

    std::size_t width_ = 0;
    std::vector<double> rows_;
    std::vector<char> known_;

    struct PairHash {
        std::size_t operator()(const std::pair<Key, Key>& pair) const {
            return static_cast<std::size_t>(folded_product(pair.first ^ 0x9E3779B97F4A7C15u, pair.second | 1));
        }
    };
    std::unordered_map<std::pair<Key, Key>, double, PairHash> asked_;
};

}  // namespace tertium
