// What it costs to take one word for another, by their letters (letter_costs.hpp) or by what somebody says of them.
//
// A row holds the costs of one word against all words of the other text, which lie side by side (letter_lanes.hpp).
// Words of more than 120 letters are compared letter by letter.

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
#include "matching/letter_costs.hpp"
#include "matching/letter_lanes.hpp"
#include "matching/spelling.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

// `custom` is asked for the cost of a hypothesis word and a reference word, from 0 to 2; equal words cost 0. With
// `shared`, words cost nothing if they share an id in `table`: the same stem, a synset.
struct Substitution {
    CostKind kind = CostKind::exact;
    const KeyTable* table = nullptr;
    std::function<double(std::string_view, std::string_view)> custom;
    bool is_exact() const { return kind == CostKind::exact; }
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
    const double* new_row(std::size_t word);
    void find_distinct(std::span<const Key> keys);
    void spell();
    const LaneBlocks& for_wide(LaneBlocks& blocks, const LaneBlocks& same);
    template <class Cell>
    void compare_prefixes(const LaneBlocks& blocks, const WordLanes<Cell>& lanes, const WordLetters& word, double* row);
    void compare_edits(std::size_t first, std::size_t last, double* rows);
    void compare_turned(double* rows);
    void find_letters(std::size_t begin, std::size_t end);
    template <class Cell, class Put>
    void compare_each(const LaneBlocks& blocks, const WordLanes<Cell>& lanes, Put put_found);
    template <class Cell>
    void compare_chosen(const LaneBlocks& blocks, const WordLanes<Cell>& lanes);
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

    Spelling spelling_;
    std::vector<std::string_view> different_words_;  // of `down`
    std::vector<WordLetters> across_letters_, down_letters_, compared_;
    LaneBlocks narrow_, long_, wide_;     // short words, long ones, and those that take wide cells
    LaneBlocks widened_, turned_;         // short words for wide ones to compare with; short words of `down`
    std::vector<std::uint32_t> endless_;  // words that are compared one by one
    WordLanes<std::uint8_t> narrow_lanes_;
    WordLanes<std::int16_t> wide_lanes_;
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
