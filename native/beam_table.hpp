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

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "multiversion.hpp"
#include "parallel.hpp"
#include "text.hpp"

namespace tertium {

using WordNumber = std::uint32_t;

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

// The column after `before`. Cells dearer than the best diagonal way into the column plus `width` are left out, if it
// prunes. A cell below such a one is dearer still, so it does no harm to walk down the column first.
template <class Cost>
TERTIUM_INLINE void score_step(const BeamColumn<Cost>& before, WordNumber word, std::span<const WordNumber> reference,
                               const EditCosts<Cost>& costs, bool prunes, Cost width, BeamColumn<Cost>& column) {
    constexpr Cost kUnset = BeamColumn<Cost>::kUnset;
    const std::size_t rows = reference.size() + 1, from = before.size, size = std::min(from + 1, rows - before.first);
    column.first = before.first;
    column.resize(size);
    Cost* const cells = column.data();
    const Cost* const old = before.data();
    const WordNumber* const words = reference.data() + before.first;
    Cost best = kUnset;
    cells[0] = old[0] + costs.insertion;
    for (std::size_t k = 0; k + 1 < from; ++k) {
        const Cost across = old[k] + (words[k] == word ? costs.match : costs.substitution);
        best = std::min(best, across);
        cells[k + 1] = std::min(across, old[k + 1] + costs.insertion);
    }
    if (size > from) {
        cells[from] = old[from - 1] + (words[from - 1] == word ? costs.match : costs.substitution);
        best = std::min(best, cells[from]);
    }
    for (std::size_t k = 1; k < size; ++k) cells[k] = std::min(cells[k], cells[k - 1] + costs.deletion);
    const Cost most = prunes && best < kUnset ? best + width : kUnset - 1;
    for (Cost below = cells[size - 1] + costs.deletion; column.first + column.size < rows && below <= most;
         below += costs.deletion)
        column.push_back(below);
    Cost* const all = column.data();
    for (std::size_t k = 0; k < column.size; ++k) all[k] = all[k] > most ? kUnset : all[k];
    while (all[column.size - 1] == kUnset) --column.size;
    while (column.data()[0] == kUnset) ++column.skipped, ++column.first, --column.size;
}
TERTIUM_BY_PROCESSOR(score_step_here, score_step)

// The column after `before`, rows [low, high).
template <class Cost>
TERTIUM_INLINE void diagonal_step(const BeamColumn<Cost>& before, WordNumber word,
                                  std::span<const WordNumber> reference, const EditCosts<Cost>& costs, std::size_t low,
                                  std::size_t high, BeamColumn<Cost>& column) {
    constexpr Cost kUnset = BeamColumn<Cost>::kUnset;
    column.first = low;
    column.resize(high - low);
    Cost* const cells = column.data();
    const Cost* const old = before.data();
    std::fill(cells, cells + column.size, kUnset);
    const std::size_t end = before.first + before.size;
    for (std::size_t i = std::max(low, before.first); i < std::min(high, end); ++i)
        cells[i - low] = old[i - before.first] + costs.insertion;
    for (std::size_t i = std::max(low, before.first + 1); i < std::min(high, end + 1); ++i) {
        const Cost across = old[i - 1 - before.first] + (reference[i - 1] == word ? costs.match : costs.substitution);
        cells[i - low] = std::min(cells[i - low], across);
    }
    for (std::size_t k = 1; k < column.size; ++k) cells[k] = std::min(cells[k], cells[k - 1] + costs.deletion);
    for (std::size_t k = 0; k < column.size; ++k) cells[k] = std::min(cells[k], kUnset);
}
TERTIUM_BY_PROCESSOR(diagonal_step_here, diagonal_step)

// Costs that are no whole numbers round differently in another order, so only equal columns will do for them.
template <class Cost>
TERTIUM_INLINE bool differ_by_constant(const BeamColumn<Cost>& one, const BeamColumn<Cost>& two, Cost& constant) {
    constexpr Cost kUnset = BeamColumn<Cost>::kUnset;
    if (one.first != two.first || one.size != two.size) return false;
    const Cost *const a = one.data(), *const b = two.data();
    constant = a[0] - b[0];
    if (a[0] == kUnset || b[0] == kUnset || (!std::is_integral_v<Cost> && constant != 0)) return false;
    if (one.back() - two.back() != constant) return false;
    bool same = true;
    for (std::size_t k = 0; k < one.size; ++k) same &= (a[k] - b[k] == constant) | ((a[k] == kUnset) & (b[k] == kUnset));
    return same;
}
TERTIUM_BY_PROCESSOR(differ_by_constant_here, differ_by_constant)

template <class Cost>
class BeamTable {
public:
    static constexpr Cost kUnset = BeamColumn<Cost>::kUnset;

    BeamTable(std::span<const WordNumber> reference, std::size_t hypothesis_length, const EditCosts<Cost>& costs,
              const Beam& beam, Watch& watch)
        : reference_(reference), length_(hypothesis_length), costs_(costs), beam_(beam), watch_(watch),
          columns_(hypothesis_length + 1) {
        const std::size_t size = reference.size() + 1;
        columns_[0].resize(size);
        for (std::size_t i = 1; i < size; ++i) columns_[0].data()[i] = columns_[0].data()[i - 1] + costs.deletion;
        if (beam.kind == Beam::Kind::diagonal && length_ > 0) {
            ratio_ = static_cast<double>(reference.size()) / static_cast<double>(length_);
            if (beam_.width < ratio_ / 2) beam_.width = std::ceil(ratio_ / 2 + beam_.width);
        }
    }

    // All columns.
    void fill(std::span<const WordNumber> words) { update(words, 0, length_); }

    // Words in [begin, end) were moved about; returns the end of the columns that changed by more than a constant.
    std::size_t update(std::span<const WordNumber> words, std::size_t begin, std::size_t end) {
        for (std::size_t j = begin + 1; j <= length_; ++j) {
            step(columns_[j - 1], words[j - 1], j, spare_);
            Cost constant = 0;
            const bool like_before = j >= end && j < length_ && differ_by_constant_here(spare_, columns_[j], constant);
            std::swap(spare_, columns_[j]);
            if (like_before) {
                for (std::size_t k = j + 1; k <= length_ && constant != 0; ++k)
                    for (std::size_t i = 0; i < columns_[k].size; ++i)
                        if (Cost& cell = columns_[k].data()[i]; cell < kUnset) cell += constant;
                return j + 1;
            }
        }
        return length_ + 1;
    }

    Cost distance() const { return columns_[length_].back(); }

    // The distance if the words in [begin, end) were these instead; `reach` is the end of the columns looked at.
    Cost distance_with(std::span<const WordNumber> moved, std::span<const WordNumber> words, std::size_t begin, std::size_t end,
                       std::size_t& reach) {
        const Column* before = &columns_[begin];
        for (std::size_t j = begin + 1; j <= length_; ++j) {
            const std::size_t at = j - 1;
            Column& column = before == &one_ ? other_ : one_;
            step(*before, at < end ? moved[at - begin] : words[at], j, column);
            before = &column;
            Cost constant = 0;
            if (j >= end && j < length_ && differ_by_constant_here(column, columns_[j], constant)) {
                reach = j + 1;
                return distance() + constant;
            }
        }
        reach = length_ + 1;
        return before->back();
    }

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
    static constexpr std::size_t kWorkBetweenLooks = 1 << 18;  // cells, well under a millisecond

    using Column = BeamColumn<Cost>;

    Cost across(std::size_t i, WordNumber word) const {
        return reference_[i] == word ? costs_.match : costs_.substitution;
    }

    void step(const Column& before, WordNumber word, std::size_t j, Column& column) {
        work_ += before.size + 1;
        if (work_ >= kWorkBetweenLooks) work_ = 0, watch_.checkpoint();
        if (beam_.kind == Beam::Kind::diagonal)
            diagonal_step(before, word, j, column);
        else
            score_step(before, word, j, column);
    }

    void score_step(const Column& before, WordNumber word, std::size_t j, Column& column) const {
        const bool prunes = j < length_ && beam_.width < std::numeric_limits<double>::infinity();
        score_step_here(before, word, reference_, costs_, prunes, static_cast<Cost>(prunes ? beam_.width : 0), column);
    }

    void diagonal_step(const Column& before, WordNumber word, std::size_t j, Column& column) const {
        const double middle = std::floor(static_cast<double>(j) * ratio_);
        const auto rows = static_cast<double>(reference_.size() + 1);
        const auto low = static_cast<std::size_t>(std::max(0.0, middle - beam_.width));
        const auto high = static_cast<std::size_t>(j == length_ ? rows : std::min(rows, middle + beam_.width));
        diagonal_step_here(before, word, reference_, costs_, low, high, column);
    }

    std::span<const WordNumber> reference_;
    std::size_t length_;
    EditCosts<Cost> costs_;
    Beam beam_;
    Watch& watch_;
    std::size_t work_ = 0;
    double ratio_ = 1;
    std::vector<Column> columns_;
    Column spare_, one_, other_;
};

}  // namespace tertium
