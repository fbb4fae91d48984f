// What it costs to take one word for another, by their letters.
//
//     levenshtein   edits / steps of the alignment    usual, unusual   2 insertions, 5 matches    2/7
//     gld           2 edits / (lengths + edits)                                                   4/14
//     prefix        1 - common beginning / mean length                 u                          1 - 1/6
//
// Of several alignments with fewest edits `levenshtein` takes the longest, which is the one with most matches.
//
// A row holds the costs of one word against all words of the other text. The words of that text lie side by side,
// sixteen to a vector and sorted by length: then letter p of sixteen words is one vector, and the table of edit
// distances of one word against all sixteen is filled by a handful of instructions a cell. A cell holds
// 256 * edits - matches, so that the least value has the fewest edits and, of those, the most matches.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "word_pairs.hpp"

namespace tertium {

enum class CostKind { exact, levenshtein, gld, prefix, custom };

// `custom` is asked for the cost of a hypothesis word and a reference word, from 0 to 2; equal words cost 0.
struct Substitution {
    CostKind kind = CostKind::exact;
    std::function<double(std::string_view, std::string_view)> custom;
    bool is_exact() const { return kind == CostKind::exact; }
};

class WordCosts {
public:
    static constexpr std::size_t kLanes = 16;
    // Rows are filled up to a multiple of this with infinity.
    static constexpr std::size_t kPadding = 8;

    explicit WordCosts(const Substitution& substitution) : substitution_(substitution) {}

    // `down` has a row per word, `across` a column; `swapped`: the columns are reference words.
    void begin(const Words& across, const Words& down, bool swapped);

    // The costs of word `index` of `down` against all of `across`. Valid until the next row if there are very many
    // words, else (and always after keep_all) until begin().
    const double* row(std::size_t index);
    void keep_all() { keeps_ = true; }

    struct Letters {  // of one word: UTF-16 where that is enough, see word_costs.cpp
        std::size_t begin, length;
    };
    struct Group {  // up to sixteen words side by side
        std::size_t begin, count, longest;  // begin: of its letters in lanes_
    };

private:
    struct Distinct {
        std::vector<std::uint32_t> ids;     // per word, which distinct one it is
        std::vector<std::uint32_t> firsts;  // per distinct word, where it stands first
        std::vector<std::uint32_t> table;
        void find(std::span<const Key> keys);
        std::size_t size() const { return firsts.size(); }
    };

    void spell(const Words& words, const Distinct& distinct, std::vector<Letters>& spelt);
    std::uint16_t unit(char32_t code);
    void lay_side_by_side();
    void compute(std::size_t distinct_word, double* row);
    void compute_custom(std::size_t distinct_word);

    const Substitution& substitution_;
    Words across_, down_;
    bool swapped_ = false, keeps_ = true;
    Distinct across_distinct_, down_distinct_;
    std::vector<Letters> across_letters_, down_letters_;
    std::vector<std::uint16_t> units_;
    std::vector<char32_t> astral_;
    std::vector<std::uint32_t> order_;  // distinct words of `across` by length, side by side first
    std::vector<Group> groups_;
    std::vector<std::uint16_t> lanes_;
    std::vector<std::int16_t> cells_;
    std::vector<double> values_;  // per distinct word of `across`, by its place in order_
    std::vector<std::uint32_t> places_;
    std::vector<double> rows_;
    std::vector<char> known_;
    std::size_t width_ = 0;
    struct PairHash {
        std::size_t operator()(const std::pair<Key, Key>& pair) const {
            return static_cast<std::size_t>(folded_product(pair.first ^ 0x9E3779B97F4A7C15u, pair.second | 1));
        }
    };
    std::unordered_map<std::pair<Key, Key>, double, PairHash> asked_;
};

}  // namespace tertium
