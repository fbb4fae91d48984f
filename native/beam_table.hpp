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
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "text.hpp"

namespace tertium {

template <class Cost>
struct EditCosts {
    Cost insertion = 1, deletion = 1, substitution = 1, match = 0;
};

struct Beam {
    enum class Kind { score, diagonal } kind = Kind::score;
    double width = 20;  // may be infinite
};

template <class Cost>
class BeamTable {
public:
    // Far dearer than any path, and far from overflow.
    static constexpr Cost kUnset = static_cast<Cost>(std::is_integral_v<Cost> ? double{1 << 29} : 1e300);

    BeamTable(std::span<const Key> reference, std::size_t hypothesis_length, const EditCosts<Cost>& costs,
              const Beam& beam, Watch& watch)
        : reference_(reference), length_(hypothesis_length), costs_(costs), beam_(beam), watch_(watch),
          columns_(hypothesis_length + 1) {
        const std::size_t size = reference.size() + 1;
        columns_[0].cells.resize(size);
        for (std::size_t i = 1; i < size; ++i) columns_[0].cells[i] = columns_[0].cells[i - 1] + costs.deletion;
        if (beam.kind == Beam::Kind::diagonal && length_ > 0) {
            ratio_ = static_cast<double>(reference.size()) / static_cast<double>(length_);
            if (beam_.width < ratio_ / 2) beam_.width = std::ceil(ratio_ / 2 + beam_.width);
        }
    }

    // All columns.
    void fill(std::span<const Key> words) { update(words, 0, length_); }

    // Words in [begin, end) were moved about; returns the end of the columns that changed by more than a constant.
    std::size_t update(std::span<const Key> words, std::size_t begin, std::size_t end) {
        for (std::size_t j = begin + 1; j <= length_; ++j) {
            step(columns_[j - 1], words[j - 1], j, spare_);
            Cost constant = 0;
            const bool like_before = j >= end && j < length_ && differs_by_constant(spare_, columns_[j], constant);
            std::swap(spare_, columns_[j]);
            if (like_before) {
                for (std::size_t k = j + 1; k <= length_ && constant != 0; ++k)
                    for (Cost& cell : columns_[k].cells)
                        if (cell < kUnset / 2) cell += constant;
                return j + 1;
            }
        }
        return length_ + 1;
    }

    Cost distance() const { return columns_[length_].cells.back(); }

    // The distance if the words in [begin, end) were these instead; `reach` is the end of the columns looked at.
    Cost distance_with(std::span<const Key> moved, std::span<const Key> words, std::size_t begin, std::size_t end,
                       std::size_t& reach) {
        const Column* before = &columns_[begin];
        for (std::size_t j = begin + 1; j <= length_; ++j) {
            const std::size_t at = j - 1;
            Column& column = before == &one_ ? other_ : one_;
            step(*before, at < end ? moved[at - begin] : words[at], j, column);
            before = &column;
            Cost constant = 0;
            if (j >= end && j < length_ && differs_by_constant(column, columns_[j], constant)) {
                reach = j + 1;
                return distance() + constant;
            }
        }
        reach = length_ + 1;
        return before->cells.back();
    }

    // Calls visit(kind, i, j) from the end to the beginning; i and j are what was consumed before the operation.
    template <class Visit>
    void trace(std::span<const Key> words, Visit visit) const {
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

    struct Column {
        std::size_t first = 0;
        std::vector<Cost> cells;  // of the numbers of reference words first, first + 1, …

        Cost at(std::size_t i) const {
            return i >= first && i - first < cells.size() ? cells[i - first] : kUnset;
        }
    };

    Cost across(std::size_t i, Key word) const {
        return reference_[i] == word ? costs_.match : costs_.substitution;
    }

    void step(const Column& before, Key word, std::size_t j, Column& column) {
        work_ += before.cells.size() + 1;
        if (work_ >= kWorkBetweenLooks) work_ = 0, watch_.checkpoint();
        if (beam_.kind == Beam::Kind::diagonal)
            diagonal_step(before, word, j, column);
        else
            score_step(before, word, j, column);
    }

    // The cheaper of the ways from the column before, for the cells [first, first + size). Returns the cheapest
    // diagonal way, into these cells or not.
    Cost ways_from(const Column& before, Key word, std::size_t first, std::size_t size, Column& column) const {
        column.first = first;
        column.cells.assign(size, kUnset);
        Cost* const cells = column.cells.data();
        const Cost* const from = before.cells.data();
        const std::size_t begin = std::max(first, before.first);
        const std::size_t end = std::min(first + size, before.first + before.cells.size());
        for (std::size_t i = begin; i < end; ++i) cells[i - first] = from[i - before.first] + costs_.insertion;
        Cost best = kUnset;
        const std::size_t most = std::min(before.cells.size(), reference_.size() - before.first);
        const Key* const reference = reference_.data() + before.first;
        for (std::size_t k = 0; k < most; ++k) {
            const Cost cost = from[k] + (reference[k] == word ? costs_.match : costs_.substitution);
            best = std::min(best, cost);
            const std::size_t i = before.first + k + 1;
            if (i >= first && i < first + size) cells[i - first] = std::min(cells[i - first], cost);
        }
        return best;
    }

    void score_step(const Column& before, Key word, std::size_t j, Column& column) const {
        const std::size_t rows = reference_.size() + 1;
        const std::size_t size = std::min(before.cells.size() + 1, rows - before.first);
        const Cost best = ways_from(before, word, before.first, size, column);
        const bool prunes = j < length_ && best < kUnset / 2 && std::isfinite(beam_.width);
        const Cost most = prunes ? best + static_cast<Cost>(beam_.width) : kUnset / 2;
        Cost above = kUnset;
        for (Cost& cell : column.cells) {
            cell = std::min(cell, above + costs_.deletion);
            if (cell > most) cell = kUnset;
            above = cell;
        }
        for (std::size_t i = column.first + size; i < rows && above + costs_.deletion <= most; ++i)
            column.cells.push_back(above = above + costs_.deletion);
        while (column.cells.back() == kUnset) column.cells.pop_back();
        const auto survivor = std::find_if(column.cells.begin(), column.cells.end(), [](Cost c) { return c < kUnset; });
        column.first += static_cast<std::size_t>(survivor - column.cells.begin());
        column.cells.erase(column.cells.begin(), survivor);
    }

    void diagonal_step(const Column& before, Key word, std::size_t j, Column& column) const {
        const double middle = std::floor(static_cast<double>(j) * ratio_), rows = static_cast<double>(reference_.size() + 1);
        const auto low = static_cast<std::size_t>(std::max(0.0, middle - beam_.width));
        const auto high = static_cast<std::size_t>(j == length_ ? rows : std::min(rows, middle + beam_.width));
        ways_from(before, word, low, high > low ? high - low : 0, column);
        Cost above = kUnset;
        for (Cost& cell : column.cells) above = cell = std::min(cell, above + costs_.deletion);
        for (Cost& cell : column.cells)
            if (cell >= kUnset / 2) cell = kUnset;
    }

    // Costs that are no whole numbers round differently in another order, so only equal columns will do for them.
    static bool differs_by_constant(const Column& one, const Column& two, Cost& constant) {
        if (one.first != two.first || one.cells.size() != two.cells.size() || one.cells.empty()) return false;
        constant = one.cells[0] - two.cells[0];
        if (!std::is_integral_v<Cost> && constant != 0) return false;
        bool same = true;
        for (std::size_t k = 0; k < one.cells.size(); ++k)
            same &= one.cells[k] - two.cells[k] == constant || (one.cells[k] == kUnset && two.cells[k] == kUnset);
        return same && one.cells[0] < kUnset && two.cells[0] < kUnset;
    }

    std::span<const Key> reference_;
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
