#include "metrics/ter/beam_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/ter/beam_lanes.hpp"

namespace tertium {
namespace {

constexpr std::size_t kWorkBetweenLooks = 1 << 18;  // cells, well under a millisecond

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
    for (std::size_t k = 0; k < one.size; ++k)
        same &= (a[k] - b[k] == constant) | ((a[k] == kUnset) & (b[k] == kUnset));
    return same;
}
TERTIUM_BY_PROCESSOR(differ_by_constant_here, differ_by_constant)

// The smallest difference between cells that a column has and those of another; very small if that lacks one.
template <class Cost>
TERTIUM_INLINE Cost least_difference(const BeamColumn<Cost>& one, const BeamColumn<Cost>& two) {
    constexpr Cost kUnset = BeamColumn<Cost>::kUnset;
    if (one.first < two.first || one.first + one.size > two.first + two.size) return -kUnset;
    const Cost *const a = one.data(), *const b = two.data() + (one.first - two.first);
    Cost least = kUnset;
    for (std::size_t k = 0; k < one.size; ++k) least = std::min(least, a[k] == kUnset ? kUnset : a[k] - b[k]);
    return least;
}
TERTIUM_BY_PROCESSOR(least_difference_here, least_difference)

#if defined(__GNUC__) || defined(__clang__)
// What sweep_moves asks of a table.
struct SweepView {
    using Column = BeamColumn<std::int32_t>;
    using Cost = std::int32_t;

    const std::vector<Column>& columns;
    const std::vector<std::vector<std::uint32_t>>& ancestors;
    std::span<const WordNumber> reference, words;
    std::size_t length;
    std::int16_t width;

    Cost least(std::size_t j) const {
        return *std::min_element(columns[j].data(), columns[j].data() + columns[j].size);
    }
    template <class At>
    bool decides(std::size_t j, Cost least, Cost difference, MoveTask& task, At at) const {
        const auto change = [&](std::uint32_t row) { return at(row) - (columns[j].at(row) - least); };
        task.change = change(ancestors[j][0]);
        task.reach = j;
        const auto agrees = [&](std::uint32_t row) { return at(row) < kUnsetLane && change(row) == task.change; };
        return difference >= task.change && std::all_of(ancestors[j].begin(), ancestors[j].end(), agrees);
    }
};
TERTIUM_BY_LANES(sweep_moves_here, sweep_moves)
#endif

}  // namespace

template <class Cost>
BeamTable<Cost>::BeamTable(std::span<const WordNumber> reference, std::size_t hypothesis_length,
                           const EditCosts<Cost>& costs, const Beam& beam, Watch& watch)
    : reference_(reference), length_(hypothesis_length), costs_(costs), beam_(beam), watch_(watch),
      columns_(hypothesis_length + 1), ancestors_(hypothesis_length + 1), best_from_(hypothesis_length + 1) {
    const std::size_t size = reference.size() + 1;
    columns_[0].resize(size);
    for (std::size_t i = 1; i < size; ++i) columns_[0].data()[i] = columns_[0].data()[i - 1] + costs.deletion;
    if (beam.kind == Beam::Kind::diagonal && length_ > 0) {
        ratio_ = static_cast<double>(reference.size()) / static_cast<double>(length_);
        if (beam_.width < ratio_ / 2) beam_.width = std::ceil(ratio_ / 2 + beam_.width);
        beam_.width = std::max(beam_.width, 1.0);  // of an empty reference there is one row, which must be there
    }
}

template <class Cost>
typename BeamTable<Cost>::Kept BeamTable<Cost>::update(std::span<const WordNumber> words, std::size_t begin,
                                                       std::size_t end) {
    std::size_t j = begin + 1;
    for (bool like_before = false; j <= length_ && !like_before; ++j) {
        step(columns_[j - 1], words[j - 1], j, spare_);
        best_from_[j] = best_way_from(columns_[j - 1], words[j - 1]);
        Cost constant = 0;
        like_before = j >= end && j < length_ && differ_by_constant_here(spare_, columns_[j], constant);
        std::swap(spare_, columns_[j]);
        for (std::size_t k = j + 1; like_before && k <= length_ && constant != 0; ++k)
            for (std::size_t i = 0; i < columns_[k].size; ++i)
                if (Cost& cell = columns_[k].data()[i]; cell < kUnset) cell += constant;
    }
    return {find_ancestors(words, begin, j - 1), j > length_ ? length_ + 1 : j - 1};
}

template <class Cost>
Cost BeamTable<Cost>::distance_with(std::span<const WordNumber> moved, std::span<const WordNumber> words,
                                    std::size_t begin, std::size_t end, std::size_t& reach) {
    const Column* before = &columns_[begin];
    for (std::size_t j = begin + 1; j <= length_; ++j) {
        const std::size_t at = j - 1;
        Column& column = before == &one_ ? other_ : one_;
        step(*before, at < end ? moved[at - begin] : words[at], j, column);
        before = &column;
        Cost constant = 0;
        if (j >= end && j < length_ && decides_like(column, j, constant)) {
            reach = j;
            return distance() + constant;
        }
    }
    reach = length_;
    return before->back();
}

template <class Cost>
bool BeamTable<Cost>::can_sweep() const {
    if constexpr (!kHasLanes || !std::is_same_v<Cost, std::int32_t>) {
        return false;
    } else {
        return prunes(0) && beam_.width <= static_cast<double>(kMostLaneWidth) && costs_.insertion == 1 &&
               costs_.deletion == 1 && costs_.substitution == 1 && costs_.match == 0 &&
               std::max(length_, reference_.size()) <= kMostLaneTokens;
    }
}

template <class Cost>
void BeamTable<Cost>::evaluate(std::vector<MoveTask>& tasks, std::span<const WordNumber> words) {
    if constexpr (kHasLanes && std::is_same_v<Cost, std::int32_t>) {
        std::sort(tasks.begin(), tasks.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
        const auto width = static_cast<std::int16_t>(beam_.width);
        const SweepView view{columns_, ancestors_, reference_, words, length_, width};
        sweep_moves_here(
            view, std::span(tasks), watch_,
            [&](MoveTask& task, const auto& group, std::size_t lane, std::int32_t least) {
                one_.first = group.low();
                one_.resize(0);
                for (std::size_t row = group.low(); row < group.high(); ++row)
                    one_.push_back(group.at(row, lane) < kUnsetLane ? group.at(row, lane) + least : kUnset);
                step(one_, task.end() == length_ ? task.words.back() : words[length_ - 1], length_, other_);
                task.change = other_.back() - distance();
                task.reach = length_;
            });
    }
}

template <class Cost>
bool BeamTable<Cost>::decides_like(const Column& column, std::size_t j, Cost& constant) const {
    const Column& old = columns_[j];
    const auto difference = [&](std::uint32_t row) { return column.at(row) - old.at(row); };
    constant = difference(ancestors_[j][0]);
    if (!std::is_integral_v<Cost> && constant != 0) return false;
    for (const std::uint32_t row : ancestors_[j])
        if (column.at(row) == kUnset || difference(row) != constant) return false;
    return least_difference_here(column, old) >= constant;
}

template <class Cost>
std::uint32_t BeamTable<Cost>::best_way_from(const Column& before, WordNumber word) const {
    Cost best = kUnset;
    std::uint32_t row = kNoRow;
    for (std::size_t k = 0; k < before.size && before.first + k < reference_.size(); ++k) {
        const Cost cost = before.data()[k] + across(before.first + k, word);
        if (cost < best) best = cost, row = static_cast<std::uint32_t>(before.first + k);
    }
    return row;
}

template <class Cost>
std::size_t BeamTable<Cost>::find_ancestors(std::span<const WordNumber> words, std::size_t begin, std::size_t last) {
    ancestors_[length_].assign(1, static_cast<std::uint32_t>(reference_.size()));
    for (std::size_t j = std::min(last, length_); j > 0; --j) {
        spare_rows_.clear();
        for (std::size_t row : ancestors_[j]) spare_rows_.push_back(way_into(row, j, words[j - 1]));
        if (prunes(j) && best_from_[j] != kNoRow) spare_rows_.push_back(best_from_[j]);
        std::sort(spare_rows_.begin(), spare_rows_.end());
        spare_rows_.erase(std::unique(spare_rows_.begin(), spare_rows_.end()), spare_rows_.end());
        if (j - 1 <= begin && spare_rows_ == ancestors_[j - 1]) return j - 1;
        std::swap(spare_rows_, ancestors_[j - 1]);
    }
    return 0;
}

template <class Cost>
std::uint32_t BeamTable<Cost>::way_into(std::size_t row, std::size_t j, WordNumber word) const {
    for (;; --row) {
        const Cost here = columns_[j].at(row);
        if (row > 0 && columns_[j - 1].at(row - 1) + across(row - 1, word) == here)
            return static_cast<std::uint32_t>(row - 1);
        if (columns_[j - 1].at(row) + costs_.insertion == here) return static_cast<std::uint32_t>(row);
    }
}

template <class Cost>
void BeamTable<Cost>::step(const Column& before, WordNumber word, std::size_t j, Column& column) {
    work_ += before.size + 1;
    if (work_ >= kWorkBetweenLooks) watch_.spend(work_), work_ = 0;
    if (beam_.kind == Beam::Kind::diagonal) {
        const double middle = std::floor(static_cast<double>(j) * ratio_);
        const auto rows = static_cast<double>(reference_.size() + 1);
        const auto low = static_cast<std::size_t>(std::max(0.0, middle - beam_.width));
        const auto high = static_cast<std::size_t>(j == length_ ? rows : std::min(rows, middle + beam_.width));
        diagonal_step_here(before, word, reference_, costs_, low, high, column);
    } else {
        const auto width = static_cast<Cost>(prunes(j) ? beam_.width : 0);
        score_step_here(before, word, reference_, costs_, prunes(j), width, column);
    }
}

template class BeamTable<std::int32_t>;
template class BeamTable<double>;

namespace {

auto at(std::vector<WordNumber>& words, std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); }

}  // namespace

BeamedPair::BeamedPair(std::span<const Key> words, std::span<const Key> reference, Beam beam, Watch& watch)
    : numbered_(words, reference), words_(numbered_.hypothesis),
      table_(numbered_.reference, words_.size(), {}, beam, watch) {
    table_.fill(words_);
}
BeamedPair::~BeamedPair() = default;

std::size_t BeamedPair::distance() const { return static_cast<std::size_t>(table_.distance()); }

std::size_t BeamedPair::distance_after(std::size_t begin, std::size_t middle, std::size_t end) {
    moved_.resize(end - begin);
    std::rotate_copy(at(words_, begin), at(words_, middle), at(words_, end), moved_.begin());
    std::size_t reach = 0;
    return static_cast<std::size_t>(table_.distance_with(moved_, words_, begin, end, reach));
}

void BeamedPair::apply(std::size_t begin, std::size_t middle, std::size_t end) {
    std::rotate(at(words_, begin), at(words_, middle), at(words_, end));
    table_.update(words_, begin, end);
}

std::vector<BeamedPair::Step> BeamedPair::trace() const {
    std::vector<Step> steps;
    table_.trace(words_, [&](char kind, std::size_t i, std::size_t j) { steps.push_back({kind, i, j}); });
    return steps;
}

}  // namespace tertium
