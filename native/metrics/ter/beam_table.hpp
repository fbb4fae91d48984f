// Word edit distances inside a beam, cell by cell, kept so that a changed hypothesis costs only what changed.
//
// A column belongs to the first j words of the hypothesis and has a cell per number of reference words. A cell is
// reached from three others, in this order of preference: diagonally (match or substitution), from the left
// (insertion: an extra hypothesis word), from above (deletion: a missing reference word).
//
//     j   0   1   2          two beams:
//   i 0   0   1   2            score      a cell offers nothing to others if it is much dearer than the best
//     1   1   0   1                       diagonal way into its column (tercom)
//     2   2   1   1            diagonal   a cell exists only near the line from corner to corner (sacreBLEU)
//
// Neither beam is exact, and both are part of the metric. But a column follows from the one before and the word
// between them, whatever was earlier: so a hypothesis whose words were moved within [begin, end) needs new columns
// from `begin` on, and when a column behind `end` is the old one plus a constant, all later ones are too.
//
// To know what a move does to the distance, less is enough. Going back from the last cell, and from the cell each
// column's best diagonal way comes from, the ways soon run together: a few cells of a column, its *ancestors*, decide
// about everything that follows. If a column behind `end` is the old one plus d at the ancestors, and at least that
// elsewhere, then (by induction, column by column) the best diagonal ways are the old ones plus d, so the beam drops
// whatever it dropped before; no cell becomes cheaper than its old cost plus d; and the distance is the old one plus d.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "machine/multiversion.hpp"
#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

using WordNumber = std::uint32_t;

// A move: the words [begin, begin + words.size()) become `words`.
struct MoveTask {
    std::size_t begin = 0;
    std::span<const WordNumber> words;
    std::size_t source = 0;   // the caller's own number for it
    std::int32_t change = 0;  // of the distance
    std::size_t reach = 0;    // the last column looked at

    std::size_t end() const { return begin + words.size(); }
};

// Words as small numbers: those of the reference from 0 on, by first occurrence; others are all kElsewhere.
struct NumberedWords {
    static constexpr WordNumber kElsewhere = ~WordNumber{0};

    std::vector<WordNumber> hypothesis, reference;
    std::vector<std::vector<std::uint32_t>> places;  // of each number in the reference, ascending

    NumberedWords(std::span<const Key> hypothesis_keys, std::span<const Key> reference_keys) {
        std::unordered_map<Key, WordNumber> numbers;
        for (const Key key : reference_keys) {
            const auto [found, is_new] = numbers.try_emplace(key, static_cast<WordNumber>(numbers.size()));
            if (is_new) places.emplace_back();
            places[found->second].push_back(static_cast<std::uint32_t>(reference.size()));
            reference.push_back(found->second);
        }
        for (const Key key : hypothesis_keys) {
            const auto found = numbers.find(key);
            hypothesis.push_back(found == numbers.end() ? kElsewhere : found->second);
        }
    }
};

template <class Cost>
struct EditCosts {
    Cost insertion = 1, deletion = 1, substitution = 1, match = 0;
};

struct Beam {
    enum class Kind { score, diagonal } kind = Kind::score;
    double width = 20;  // may be infinite
};

// The cells of a column that others are reached from; rows are numbers of reference words.
template <class Cost>
struct BeamColumn {
    // Far dearer than any path, and far from overflow.
    static constexpr Cost kUnset = static_cast<Cost>(std::is_integral_v<Cost> ? double{1 << 29} : 1e300);

    std::size_t first = 0, size = 0;  // rows [first, first + size)
    std::size_t skipped = 0;          // cells in front of them
    std::vector<Cost> cells;

    TERTIUM_INLINE Cost* data() { return cells.data() + skipped; }
    TERTIUM_INLINE const Cost* data() const { return cells.data() + skipped; }
    TERTIUM_INLINE Cost back() const { return data()[size - 1]; }
    TERTIUM_INLINE Cost at(std::size_t row) const {
        return row >= first && row - first < size ? data()[row - first] : kUnset;
    }
    void resize(std::size_t count) {
        skipped = 0;
        size = count;
        if (cells.size() < count) cells.resize(count + count / 2 + 8);
    }
    void push_back(Cost cell) {
        if (skipped + size == cells.size()) cells.resize(2 * cells.size() + 8);
        cells[skipped + size++] = cell;
    }
};

template <class Cost>
class BeamTable {
public:
    static constexpr Cost kUnset = BeamColumn<Cost>::kUnset;

    BeamTable(std::span<const WordNumber> reference, std::size_t hypothesis_length, const EditCosts<Cost>& costs,
              const Beam& beam, Watch& watch);

    // All columns.
    void fill(std::span<const WordNumber> words) { update(words, 0, length_); }

    // What is still true of columns after an update: those up to `first` are as they were, with their ancestors;
    // those from `last` on are so but for a constant.
    struct Kept {
        std::size_t first, last;
    };

    // Words in [begin, end) were moved about.
    Kept update(std::span<const WordNumber> words, std::size_t begin, std::size_t end);

    Cost distance() const { return columns_[length_].back(); }

    // The distance if the words in [begin, end) were these instead; `reach` is the last column looked at.
    Cost distance_with(std::span<const WordNumber> moved, std::span<const WordNumber> words, std::size_t begin,
                       std::size_t end, std::size_t& reach);

    // Whether `evaluate` can be used: unit costs, and a beam of the score that is neither infinite nor very wide.
    bool can_sweep() const;

    // Finds out what each of many moves would do.
    void evaluate(std::vector<MoveTask>& tasks, std::span<const WordNumber> words);

    // Calls visit(kind, i, j) from the end to the beginning; i and j are what was consumed before the operation.
    template <class Visit>
    void trace(std::span<const WordNumber> words, Visit visit) const {
        std::size_t i = reference_.size(), j = length_;
        while (i > 0 || j > 0) {
            const Cost here = columns_[j].at(i);
            if (i > 0 && j > 0 && columns_[j - 1].at(i - 1) + across(i - 1, words[j - 1]) == here) {
                --i, --j;
                visit(reference_[i] == words[j] ? ' ' : 'S', i, j);
            } else if (j > 0 && columns_[j - 1].at(i) + costs_.insertion == here) {
                visit('I', i, --j);
            } else {
                visit('D', --i, j);
            }
        }
    }

private:
    using Column = BeamColumn<Cost>;

    Cost across(std::size_t i, WordNumber word) const {
        return reference_[i] == word ? costs_.match : costs_.substitution;
    }

    bool prunes(std::size_t j) const {
        return beam_.kind == Beam::Kind::score && j < length_ && beam_.width < std::numeric_limits<double>::infinity();
    }

    // Costs that are no whole numbers round differently in another order, so for them the constant must be 0.
    bool decides_like(const Column& column, std::size_t j, Cost& constant) const;

    // Where the best diagonal way out of a column begins, or kNoRow.
    static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};
    std::uint32_t best_way_from(const Column& before, WordNumber word) const;

    // Columns up to `begin`, and their ancestors from `last` on, were there before. Returns up to which column
    // ancestors are as they were.
    std::size_t find_ancestors(std::span<const WordNumber> words, std::size_t begin, std::size_t last);

    // The row of the column before from which a cell is reached.
    std::uint32_t way_into(std::size_t row, std::size_t j, WordNumber word) const;

    void step(const Column& before, WordNumber word, std::size_t j, Column& column);

    std::span<const WordNumber> reference_;
    std::size_t length_;
    EditCosts<Cost> costs_;
    Beam beam_;
    Watch& watch_;
    std::size_t work_ = 0;
    double ratio_ = 1;
    std::vector<Column> columns_;
    std::vector<std::vector<std::uint32_t>> ancestors_;  // rows of each column
    std::vector<std::uint32_t> best_from_;               // the row where the best diagonal way into a column begins
    std::vector<std::uint32_t> spare_rows_;
    Column spare_, one_, other_;
};

// For whole costs and for others; compiled in beam_table.cpp.
extern template class BeamTable<std::int32_t>;
extern template class BeamTable<double>;

// The table of one pair with unit costs, for a search that did without until the beam mattered.
class BeamedPair {
public:
    BeamedPair(std::span<const Key> words, std::span<const Key> reference, Beam beam, Watch& watch);
    BeamedPair(const BeamedPair&) = delete;
    BeamedPair& operator=(const BeamedPair&) = delete;
    ~BeamedPair();

    std::size_t distance() const;
    // After [begin, middle) and [middle, end) have changed places.
    std::size_t distance_after(std::size_t begin, std::size_t middle, std::size_t end);
    void apply(std::size_t begin, std::size_t middle, std::size_t end);

    struct Step {
        char kind;         // ' ' match, S, I (extra hypothesis word), D
        std::size_t i, j;  // reference and hypothesis words before it
    };
    // From the end to the beginning.
    std::vector<Step> trace() const;

private:
    NumberedWords numbered_;
    std::vector<WordNumber> words_, moved_;
    BeamTable<std::int32_t> table_;
};

}  // namespace tertium
