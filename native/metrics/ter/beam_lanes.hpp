// What many moves would do to a hypothesis, in one sweep over the columns of its table.
//
// Each move is evaluated in a lane of a vector of small numbers: it enters where its words begin to differ, with the
// table's own column, and leaves as soon as the ancestors decide (beam_table.hpp), or at the end. Lanes that become
// free are taken by the moves that begin later, so that the vectors stay full. Costs are kept relative to the cheapest
// cell of the table's column, so that sixteen bits are enough; costs are unit costs.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "machine/multiversion.hpp"
#include "machine/parallel.hpp"
#include "metrics/ter/beam_table.hpp"

namespace tertium {

#if defined(__GNUC__) || defined(__clang__)
inline constexpr bool kHasLanes = true;

template <std::size_t kLanes>
struct SmallLanesOf {
    typedef std::int16_t Type __attribute__((vector_size(8 * kLanes)));
};
template <std::size_t kLanes>
using SmallLanes = typename SmallLanesOf<kLanes>::Type;

inline constexpr std::int16_t kUnsetLane = 28000;
inline constexpr std::size_t kMostLaneTokens = 20'000, kMostLaneWidth = 4'000;

template <std::size_t kLanes>
TERTIUM_INLINE bool any_set(const SmallLanes<kLanes>& lanes) {
    const SmallLanes<kLanes> set = lanes < kUnsetLane;
    std::uint64_t words[kLanes], any = 0;
    std::memcpy(words, &set, sizeof set);
    for (const std::uint64_t word : words) any |= word;
    return any != 0;
}

// Some lanes that go over the columns together.
template <std::size_t kLanes>
class LaneGroup {
public:
    static constexpr std::size_t kSize = 4 * kLanes;
    using Vector = SmallLanes<kLanes>;

    explicit LaneGroup(std::size_t rows) : cells_(std::make_unique_for_overwrite<std::int16_t[]>((rows + 2) * kSize)) {
        for (MoveTask*& task : tasks) task = nullptr;
    }

    MoveTask* tasks[kSize];  // of each lane, or none
    std::size_t busy = 0;

    TERTIUM_INLINE std::int16_t at(std::size_t row, std::size_t lane) const {
        return row >= low_ && row < high_ ? cells_[row * kSize + lane] : kUnsetLane;
    }
    TERTIUM_INLINE std::size_t low() const { return low_; }
    TERTIUM_INLINE std::size_t high() const { return high_; }

    // Takes a column in: values from `first` on, relative to `least`.
    template <class Column>
    TERTIUM_INLINE void enter(std::size_t lane, MoveTask* task, const Column& column, std::int32_t least) {
        const std::size_t first = column.first, end = first + column.size;
        if (busy == 0) low_ = high_ = first;  // what lanes were left with lies behind
        while (low_ > first) put(--low_, Vector{} + kUnsetLane);
        while (high_ < end) put(high_++, Vector{} + kUnsetLane);
        for (std::size_t row = low_; row < high_; ++row) cells_[row * kSize + lane] = kUnsetLane;
        for (std::size_t k = 0; k < column.size; ++k)
            if (column.data()[k] < Column::kUnset)
                cells_[(first + k) * kSize + lane] = static_cast<std::int16_t>(column.data()[k] - least);
        tasks[lane] = task;
        ++busy;
        next_[lane] = task->words.data();
        left_[lane] = task->words.size();
        moving_ |= std::uint64_t{1} << lane;
    }

    // Goes on by one word per lane; `rise` is by how much the table's cheapest cell gets dearer. What is dropped from a
    // column could only have made the cells below it dearer than that, so cells are dropped when all of them are known.
    TERTIUM_INLINE void advance(WordNumber word, const std::uint16_t* reference, std::size_t rows, std::int16_t rise,
                                std::int16_t width) {
        const Vector words = next_words(word), one = Vector{} + static_cast<std::int16_t>(1 - rise);
        Vector along_above = get(low_) + one, cell = along_above, best = Vector{} + kUnsetLane;
        put(low_, cell);
        for (std::size_t row = low_ + 1; row < high_; ++row) {
            const Vector across = along_above + (words == static_cast<std::int16_t>(reference[row - 1]));
            const Vector along = get(row) + one;
            best = lesser(best, across);
            cell = lesser(lesser(across, along), cell + 1);
            put(row, cell);
            along_above = along;
        }
        if (high_ < rows) {
            const Vector across = along_above + (words == static_cast<std::int16_t>(reference[high_ - 1]));
            best = lesser(best, across);
            put(high_++, lesser(across, cell + 1));
        }
        // A lane without any diagonal way drops nothing.
        const Vector none = best > static_cast<std::int16_t>(kUnsetLane / 2);
        const Vector most = none ? Vector{} + static_cast<std::int16_t>(kUnsetLane - 64) : best + width;
        prune(most, rows);
    }

    // Of each lane, the smallest difference to a column; very small if that lacks a cell that the lane has.
    template <class Column>
    TERTIUM_INLINE Vector least_difference(const Column& column, std::int32_t least) const {
        constexpr std::int16_t kAbsent = 24000;
        Vector result = Vector{} + kUnsetLane;
        for (std::size_t row = low_; row < high_; ++row) {
            const bool there = row >= column.first && row - column.first < column.size &&
                               column.data()[row - column.first] < Column::kUnset;
            const auto cell = there ? static_cast<std::int16_t>(column.data()[row - column.first] - least) : kAbsent;
            const Vector here = get(row);
            const Vector difference = here < kUnsetLane ? here - cell : Vector{} + kUnsetLane;
            result = result < difference ? result : difference;
        }
        return result;
    }

private:
    TERTIUM_INLINE Vector get(std::size_t row) const {
        Vector lanes;
        std::memcpy(&lanes, cells_.get() + row * kSize, sizeof lanes);
        return lanes;
    }
    TERTIUM_INLINE void put(std::size_t row, const Vector& lanes) {
        std::memcpy(cells_.get() + row * kSize, &lanes, sizeof lanes);
    }

    static TERTIUM_INLINE Vector lesser(const Vector& a, const Vector& b) { return a < b ? a : b; }

    // The next word of each lane: its own while its move lasts, then the table's.
    TERTIUM_INLINE Vector next_words(WordNumber word) {
        alignas(64) std::int16_t words[kSize];
        std::fill(words, words + kSize, static_cast<std::int16_t>(word));
        for (std::uint64_t rest = moving_; rest; rest &= rest - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
            words[lane] = static_cast<std::int16_t>(*next_[lane]++);
            if (--left_[lane] == 0) moving_ &= ~(std::uint64_t{1} << lane);
        }
        Vector lanes;
        std::memcpy(&lanes, words, sizeof lanes);
        return lanes;
    }

    TERTIUM_INLINE void prune(const Vector& most, std::size_t rows) {
        const Vector unset = Vector{} + kUnsetLane;
        Vector above = unset;
        for (std::size_t row = low_; row < high_; ++row) {
            const Vector cell = get(row);
            above = cell > most ? unset : cell;
            put(row, above);
        }
        while (high_ < rows) {
            const Vector down = above + 1;
            above = down > most ? unset : down;
            if (!any_set<kLanes>(above)) break;
            put(high_++, above);
        }
        while (low_ < high_ && !any_set<kLanes>(get(high_ - 1))) --high_;
        while (low_ < high_ && !any_set<kLanes>(get(low_))) ++low_;
    }

    std::size_t low_ = 0, high_ = 0;  // rows that some lane has
    std::uint64_t moving_ = 0;        // lanes whose words are not the table's yet
    const WordNumber* next_[kSize] = {};
    std::size_t left_[kSize] = {};
    std::unique_ptr<std::int16_t[]> cells_;  // per row, per lane; only rows in [low_, high_) were ever written
};

// `table` offers columns, ancestors, reference, words, length and width; tasks are sorted by where they begin.
// finish(task, column) is called for those that reach the last column but one.
template <std::size_t kLanes, class Table, class Finish>
TERTIUM_INLINE void sweep_moves(const Table& table, std::span<MoveTask> tasks, Watch& watch, Finish finish) {
    using Group = LaneGroup<kLanes>;
    constexpr std::size_t kBetweenChecks = 8;
    const std::size_t rows = table.reference.size() + 1;
    std::vector<std::uint16_t> reference(table.reference.begin(), table.reference.end());
    std::vector<Group> groups;
    std::size_t next = 0, busy = 0;
    std::int32_t least = table.least(tasks.front().begin);
    for (std::size_t j = tasks.front().begin; j + 1 < table.length && (busy > 0 || next < tasks.size()); ++j) {
        for (; next < tasks.size() && tasks[next].begin == j; ++next, ++busy) {
            const auto has_room = [](const Group& one) { return one.busy < Group::kSize; };
            auto group = std::find_if(groups.begin(), groups.end(), has_room);
            if (group == groups.end()) group = groups.insert(groups.end(), Group(rows));
            const std::size_t lane =
                static_cast<std::size_t>(std::find(group->tasks, group->tasks + Group::kSize, nullptr) - group->tasks);
            group->enter(lane, &tasks[next], table.columns[j], least);
        }
        if (busy == 0) {
            j = tasks[next].begin - 1;
            least = table.least(j + 1);
            continue;
        }
        watch.spend(groups.size() * rows);
        const std::int32_t least_after = table.least(j + 1);
        const auto rise = static_cast<std::int16_t>(least_after - least);
        least = least_after;
        for (Group& group : groups) {
            if (group.busy == 0) continue;
            group.advance(table.words[j], reference.data(), rows, rise, table.width);
            if ((j + 1) % kBetweenChecks != 0 && j + 2 < table.length) continue;
            const auto differences = group.least_difference(table.columns[j + 1], least);
            for (std::size_t lane = 0; lane < Group::kSize; ++lane) {
                MoveTask* const task = group.tasks[lane];
                if (!task) continue;
                const auto cell = [&](std::size_t row) { return group.at(row, lane); };
                const bool decided =
                    j + 1 >= task->end() && table.decides(j + 1, least, differences[lane], *task, cell);
                if (!decided && j + 2 < table.length) continue;
                if (!decided) finish(*task, group, lane, least);
                group.tasks[lane] = nullptr;
                --group.busy;
                --busy;
            }
        }
    }
}

#else
inline constexpr bool kHasLanes = false;
#endif

}  // namespace tertium
