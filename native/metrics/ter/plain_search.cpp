#include "metrics/ter/plain_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "metrics/ter/beam_table.hpp"
#include "metrics/ter/beamless_moves.hpp"

namespace tertium {
namespace {

using Variant = TerSettings::Variant;

// What a trace says: errors on both sides as running totals, and for each reference word a place in the hypothesis.
struct TracedErrors {
    std::vector<std::uint32_t> hypothesis_errors, reference_errors;  // errors before place i; one more at the end
    std::vector<std::ptrdiff_t> place;  // of reference word r: its partner, or the last hypothesis word before it
    std::vector<char> unaligned;        // whether reference word r has no partner
    std::vector<char> operations;

    template <class Table>
    void read(const Table& table, std::span<const WordNumber> words, std::size_t reference_length) {
        hypothesis_errors.assign(words.size() + 1, 0);
        reference_errors.assign(reference_length + 1, 0);
        place.assign(reference_length, -1);
        unaligned.assign(reference_length, 0);
        operations.clear();
        table.trace(words, [&](char kind, std::size_t i, std::size_t j) {
            operations.push_back(kind);
            if (kind != 'D') hypothesis_errors[j + 1] = kind != ' ';
            if (kind == 'I') return;
            reference_errors[i + 1] = kind != ' ';
            unaligned[i] = kind == 'D';
            place[i] = static_cast<std::ptrdiff_t>(j) - (kind == 'D');
        });
        std::reverse(operations.begin(), operations.end());
        for (std::size_t j = 0; j < words.size(); ++j) hypothesis_errors[j + 1] += hypothesis_errors[j];
        for (std::size_t i = 0; i < reference_length; ++i) reference_errors[i + 1] += reference_errors[i];
    }

    bool any_hypothesis_error(std::size_t begin, std::size_t end) const {
        return hypothesis_errors[end] > hypothesis_errors[begin];
    }
    bool any_reference_error(std::size_t begin, std::size_t end) const {
        return reference_errors[end] > reference_errors[begin];
    }
};

// The shifts worth trying, by length; those of a length from left to right, then by target.
class Candidates {
public:
    std::vector<std::vector<BlockMove>> by_length;
    double checked = 0;  // over all rounds, as sacreBLEU counts

    Candidates(const TerSettings& settings, const NumberedWords& words) : settings_(settings), words_(words) {}

    void find(std::span<const WordNumber> hypothesis, const TracedErrors& errors, Watch& watch) {
        for (auto& moves : by_length) moves.clear();
        std::size_t counted = tried_ = 0;
        for (std::size_t start = 0; start < hypothesis.size(); ++start) {
            if (tried_ - counted > 1u << 16) {
                watch.spend(tried_ - counted);
                counted = tried_;
                watch.hold(std::accumulate(by_length.begin(), by_length.end(), std::size_t{0},
                                           [](std::size_t n, const auto& moves) { return n + moves.size(); }),
                           sizeof(BlockMove));
            }
            if (hypothesis[start] == NumberedWords::kElsewhere) continue;
            const auto& places = words_.places[hypothesis[start]];
            const auto [first, last] = within_distance(start, errors);
            for (auto m = std::lower_bound(places.begin(), places.end(), first); m != places.end() && *m < last; ++m)
                extend(hypothesis, start, *m, errors);
        }
    }

private:
    // The reference places [first, last) that are near enough to a block's start.
    std::pair<std::size_t, std::size_t> within_distance(std::size_t start, const TracedErrors& errors) const {
        const std::size_t size = errors.place.size();
        if (settings_.max_shift_distance >= static_cast<double>(hypothesis_and_reference(errors))) return {0, size};
        const auto at = static_cast<std::ptrdiff_t>(start);
        const auto distance = static_cast<std::ptrdiff_t>(settings_.max_shift_distance);
        if (settings_.variant == Variant::sacrebleu)
            return {static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - distance)),
                    std::min(size, start + static_cast<std::size_t>(distance) + 1)};
        const auto begin = errors.place.begin(), end = errors.place.end();
        return {static_cast<std::size_t>(std::lower_bound(begin, end, at - distance) - begin),
                static_cast<std::size_t>(std::upper_bound(begin, end, at + distance) - begin)};
    }
    std::size_t hypothesis_and_reference(const TracedErrors& errors) const {
        return words_.hypothesis.size() + errors.place.size();
    }

    // All lengths of the block that begins at `start` here and at `m` in the reference.
    void extend(std::span<const WordNumber> hypothesis, std::size_t start, std::size_t m, const TracedErrors& errors) {
        const std::size_t longest = std::min(hypothesis.size() - start, words_.reference.size() - m);
        for (std::size_t length = 1; length <= longest && static_cast<double>(length) <= settings_.max_shift_size;
             ++length) {
            if (hypothesis[start + length - 1] != words_.reference[m + length - 1]) break;
            ++tried_;
            if (!errors.any_hypothesis_error(start, start + length) || !errors.any_reference_error(m, m + length))
                continue;
            if (by_length.size() <= length) by_length.resize(length + 1);
            if (settings_.variant == Variant::thesis)
                aim_at_partner(start, length, m, errors, hypothesis.size());
            else
                aim_around(start, length, m, errors, hypothesis.size());
        }
    }

    // The programs try the places of the words from the one before the occurrence to its last.
    void aim_around(std::size_t start, std::size_t length, std::size_t m, const TracedErrors& errors,
                    std::size_t size) {
        const auto first = static_cast<std::ptrdiff_t>(start), end = first + static_cast<std::ptrdiff_t>(length);
        if (errors.place[m] >= first && errors.place[m] < end) return;
        const bool sacrebleu = settings_.variant == Variant::sacrebleu;
        auto& moves = by_length[length];
        std::ptrdiff_t before = -2;
        for (std::size_t r = m; r <= m + length; ++r) {
            const std::ptrdiff_t place = r == 0 ? -1 : errors.place[r - 1];
            if (place == before) continue;
            before = place;
            if (!sacrebleu && place == first) continue;
            ++checked;
            // An earlier occurrence in the reference may have brought the same shift.
            if (!moves.empty() && moves.back().start == start && moves.back().hypothesis_place >= place) continue;
            // Inside itself a block goes right, in sacreBLEU by one word more.
            const std::ptrdiff_t by = place < first  ? place + 1 - first
                                      : place >= end ? place + 1 - end
                                                     : place - first + sacrebleu;
            // tercom names the occurrence's first word where several words aim at the same place.
            const std::size_t aimed_at = r != 0 && place == errors.place[m] ? m + 1 : r;
            moves.push_back({start, length, clipped(by, end, size), static_cast<std::ptrdiff_t>(aimed_at) - 1, place});
        }
    }

    // The definition puts the block where the partner of the occurrence's first word stands.
    void aim_at_partner(std::size_t start, std::size_t length, std::size_t m, const TracedErrors& errors,
                        std::size_t size) {
        const auto first = static_cast<std::ptrdiff_t>(start), end = first + static_cast<std::ptrdiff_t>(length);
        const std::ptrdiff_t place = errors.place[m];
        std::ptrdiff_t by = place - first;
        if (errors.unaligned[m]) by = place < first ? place + 1 - first : place >= end ? place + 1 - end : 0;
        by = clipped(by, end, size);
        if (by != 0) by_length[length].push_back({start, length, by, static_cast<std::ptrdiff_t>(m), place});
    }

    static std::ptrdiff_t clipped(std::ptrdiff_t by, std::ptrdiff_t end, std::size_t size) {
        return std::min(by, static_cast<std::ptrdiff_t>(size) - end);
    }

    const TerSettings& settings_;
    const NumberedWords& words_;
    std::size_t tried_ = 0;  // blocks, in this round
};

// The words that a move changes, in their new order; they begin at `begin`.
struct MovedWords {
    std::size_t begin = 0;
    std::vector<WordNumber> words;

    void make(std::span<const WordNumber> hypothesis, const BlockMove& move) {
        const std::size_t over = static_cast<std::size_t>(std::abs(move.by));
        begin = move.by < 0 ? move.start - over : move.start;
        const std::size_t middle = move.by < 0 ? move.start : move.start + move.length;
        const std::size_t end = move.start + move.length + (move.by < 0 ? 0 : over);
        const auto at = [&](std::size_t i) { return hypothesis.begin() + static_cast<std::ptrdiff_t>(i); };
        words.assign(at(middle), at(end));
        words.insert(words.end(), at(begin), at(middle));
    }
    std::size_t end() const { return begin + words.size(); }
};

// Remembers what shifts would bring, as long as nothing they depend on has changed.
template <class Cost>
class Remembered {
public:
    struct Gain {
        Cost change;
        std::size_t begin, reach;  // the first and the last column it depends on
    };

    explicit Remembered(std::size_t length) : length_(length) {}

    bool remembers() const { return length_ >= kLong; }
    Gain* find(const BlockMove& move) {
        const auto found = gains_.find(name(move));
        return found == gains_.end() ? nullptr : &found->second;
    }
    void add(const BlockMove& move, const Gain& gain) {
        if (remembers()) gains_.emplace(name(move), gain);
    }
    // Columns between these two are new.
    void forget(std::size_t first, std::size_t last) {
        std::erase_if(gains_, [&](const auto& item) { return item.second.reach > first && item.second.begin < last; });
    }

private:
    static constexpr std::size_t kLong = 128;  // below it, evaluating is as fast as remembering

    std::uint64_t name(const BlockMove& move) const {
        const auto by = static_cast<std::uint64_t>(move.by + static_cast<std::ptrdiff_t>(length_));
        return (std::uint64_t{move.start} << 20 | move.length) << 22 | by;
    }
    std::size_t length_;
    std::unordered_map<std::uint64_t, Gain> gains_;
};

template <class Cost>
class PlainSearch {
public:
    PlainSearch(std::span<const Key> hypothesis, std::span<const Key> reference, const TerSettings& settings,
                Watch& watch)
        : settings_(settings), watch_(watch), numbered_(hypothesis, reference), words_(numbered_.hypothesis),
          table_(numbered_.reference, words_.size(), costs_of(settings), beam_of(settings), watch),
          candidates_(settings, numbered_), remembered_(words_.size()),
          is_beamless_(settings.unit_costs() && settings.beam == std::numeric_limits<double>::infinity()) {}

    TerCounts run(TerRecord* record) {
        TerCounts counts;
        table_.fill(words_);
        for (;;) {
            errors_.read(table_, words_, numbered_.reference.size());
            const BlockMove* const best = best_move();
            if (!best) break;
            counts.shifts += 1;
            counts.shifted_words += static_cast<double>(best->length);
            if (record) record->moves.push_back(*best);
            apply(*best);
        }
        for (const char kind : errors_.operations) {
            counts.insertions += kind == 'I';
            counts.deletions += kind == 'D';
            counts.substitutions += kind == 'S';
        }
        counts.edits = static_cast<double>(table_.distance()) + counts.shifts * settings_.shift;
        if (record) record->operations = errors_.operations;
        return counts;
    }

private:
    static EditCosts<Cost> costs_of(const TerSettings& settings) {
        return {static_cast<Cost>(settings.insertion), static_cast<Cost>(settings.deletion),
                static_cast<Cost>(settings.substitution), static_cast<Cost>(settings.match)};
    }

    // What tercom thinks cannot be surpassed by shorter blocks.
    static bool is_enough(Cost gain, Cost paid, Cost limit) { return gain > limit || (paid != 0 && gain == limit); }

    const BlockMove* best_move() {
        candidates_.find(words_, errors_, watch_);
        bool is_read = false;
        if (settings_.variant == Variant::sacrebleu && candidates_.checked >= settings_.max_candidates) return nullptr;
        const Cost distance = table_.distance();
        const auto shift = static_cast<Cost>(settings_.shift);
        const BlockMove* best = nullptr;
        Cost least = distance, paid = 0;  // of the best so far: the distance, and the shift's cost
        for (std::size_t length = candidates_.by_length.size(); length-- > 1;) {
            const auto limit = static_cast<Cost>(2 * length);
            if (settings_.variant == Variant::tercom && is_enough(distance - (least + paid), paid, limit)) return best;
            const std::vector<BlockMove>& moves = candidates_.by_length[length];
            if (moves.empty()) continue;
            if (is_beamless_ && !std::exchange(is_read, true)) {
                if (!beamless_) beamless_.emplace(numbered_, watch_);
                beamless_->read(words_);
            }
            if (is_beamless_)
                beamless_->evaluate(moves, static_cast<std::int32_t>(distance), static_cast<std::int32_t>(least),
                                    there_);
            else if (table_.can_sweep())
                evaluate_unknown(moves);
            for (const BlockMove& move : moves) {
                if (settings_.variant == Variant::tercom && is_enough(distance - (least + paid), paid, limit))
                    return best;
                const Cost there = is_beamless_
                                       ? static_cast<Cost>(there_[static_cast<std::size_t>(&move - moves.data())])
                                       : distance + change_by(move);
                // A shift that changes nothing is never made, even if shifts cost nothing.
                const Cost gain = least + paid - (there + shift);
                if (there < distance && (gain > 0 || (!best && gain == 0))) {
                    best = &move;
                    least = there;
                    paid = shift;
                }
            }
        }
        return best;
    }

    // Many moves that nothing is known about are evaluated together.
    void evaluate_unknown(const std::vector<BlockMove>& moves) {
        constexpr std::size_t kWorthIt = 16, kMostTasks = 1 << 14, kMostWords = 1 << 22;
        if (!remembered_.remembers()) return;
        unknown_.clear();
        for (const BlockMove& move : moves)
            if (move.by != 0 && !remembered_.find(move)) unknown_.push_back(move);
        for (std::size_t begin = 0, end = 0; unknown_.size() - begin >= kWorthIt; begin = end) {
            std::size_t words = 0;
            for (; end < unknown_.size() && end - begin < kMostTasks && (end == begin || words < kMostWords); ++end)
                words += unknown_[end].length + static_cast<std::size_t>(std::abs(unknown_[end].by));
            evaluate_together(std::span(unknown_).subspan(begin, end - begin), words);
        }
    }

    void evaluate_together(std::span<const BlockMove> moves, std::size_t words) {
        pool_.clear();
        pool_.reserve(words);  // so that spans of it stay where they are
        tasks_.clear();
        for (const BlockMove& move : moves) {
            moved_.make(words_, move);
            const std::size_t from = pool_.size();
            pool_.insert(pool_.end(), moved_.words.begin(), moved_.words.end());
            tasks_.push_back({moved_.begin, std::span<const WordNumber>(pool_).subspan(from), tasks_.size()});
        }
        table_.evaluate(tasks_, words_);
        for (const MoveTask& task : tasks_)
            remembered_.add(moves[task.source], {static_cast<Cost>(task.change), task.begin, task.reach});
    }

    Cost change_by(const BlockMove& move) {
        if (move.by == 0) return 0;
        if (const auto* known = remembered_.find(move)) return known->change;
        moved_.make(words_, move);
        std::size_t reach = 0;
        const Cost there = table_.distance_with(moved_.words, words_, moved_.begin, moved_.end(), reach);
        const Cost change = there - table_.distance();
        remembered_.add(move, {change, moved_.begin, reach});
        return change;
    }

    void apply(const BlockMove& move) {
        moved_.make(words_, move);
        std::copy(moved_.words.begin(), moved_.words.end(), words_.begin() + static_cast<std::ptrdiff_t>(moved_.begin));
        const auto kept = table_.update(words_, moved_.begin, moved_.end());
        remembered_.forget(std::min(kept.first, moved_.begin), kept.last);
    }

    const TerSettings& settings_;
    Watch& watch_;
    NumberedWords numbered_;
    std::vector<WordNumber> words_;
    BeamTable<Cost> table_;
    TracedErrors errors_;
    Candidates candidates_;
    MovedWords moved_;
    Remembered<Cost> remembered_;
    bool is_beamless_;
    std::optional<BeamlessMoves> beamless_;  // where there is no beam, once there is something to move
    std::vector<std::int32_t> there_;        // the distances after the moves of a length
    std::vector<BlockMove> unknown_;
    std::vector<MoveTask> tasks_;
    std::vector<WordNumber> pool_;  // the words of the tasks
};

// Whole numbers add up exactly, in any order.
bool has_whole_costs(const TerSettings& settings) {
    const double costs[] = {settings.insertion, settings.deletion, settings.substitution, settings.shift,
                            settings.match};
    return std::all_of(std::begin(costs), std::end(costs), [](double c) { return c == std::floor(c) && c <= 1000; });
}

}  // namespace

TerCounts plain_search(std::span<const Key> hypothesis, std::span<const Key> reference, const TerSettings& settings,
                       Watch& watch, TerRecord* record) {
    if (has_whole_costs(settings)) return PlainSearch<std::int32_t>(hypothesis, reference, settings, watch).run(record);
    return PlainSearch<double>(hypothesis, reference, settings, watch).run(record);
}

}  // namespace tertium
