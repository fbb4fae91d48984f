// The search for shifts on bit masks, for sentences: unit costs, at most 64 * kWords tokens.
//
// Everything starts from the masks of match_mask.hpp: bit r of eq(h) says that hypothesis word h is reference word r.
//
// Distance. A column of the table (the first j hypothesis words against 0, 1, … R reference words) changes by at
// most one from cell to cell, so it is two masks: where it goes up and where it goes down. The next column follows by
// a dozen operations on whole words (Hyyrö 2003), and the distance is H + ups - downs of the last one.
//
// Trace. Two masks per column say how each of its cells is reached: DIAGONAL (match or substitution), else
// INSERTION, else it is a deletion; that order is tercom's and sacreBLEU's. Walking back, the cell a column is left
// from is the highest bit of (DIAGONAL | INSERTION) at or below the cell it was entered from.
//
//     reference   r  a b c d                the walk notes, for each r, the number of hypothesis words consumed up
//     hypothesis     a x c                  to it, its target:
//                      targets  1 2 3 3     d is missing; a block aimed at it goes behind the third word, as for c
//
// Candidates. The blocks of L words from s on stand in the reference at the bits of
//     X = eq(s) & eq(s+1) >> 1 & … & eq(s+L-1) >> (L-1)
// Those aligned with themselves are a range of bits, since targets only go up; so are those that are too far away.
// Targets of a block are the ones noted in a range of reference words: also a mask.
//
// Evaluation. A shift swaps two neighbouring blocks of the hypothesis, so only columns from there on change. It
// lowers the distance by at most twice the shorter block, and never below what the words' bags allow; shifts that
// cannot beat the best so far are skipped. The others go through the recurrence several at a time, one per lane.
//
// Beam. The programs fill only part of the table. Their distance and trace equal those of the whole table if the
// trace of the whole table lies in the part: then all its cells are reached at their true cost, and what is missing
// could only have been dearer. So a trace is checked where a bound does not settle it, for the hypothesis itself and
// for each shift that would win; where it leaves the beam the search gives up, and the plain one does the pair.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lanes.hpp"
#include "match_mask.hpp"
#include "multiversion.hpp"
#include "shifts.hpp"

namespace tertium {

TERTIUM_INLINE std::uint64_t low_bits(std::size_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// A set of small numbers.
template <std::size_t kWords>
struct Bits {
    std::uint64_t word[kWords];

    static TERTIUM_INLINE Bits none() { return Bits{}; }
    static TERTIUM_INLINE Bits below(std::size_t end) {
        Bits bits;
        for (std::size_t w = 0; w < kWords; ++w) bits.word[w] = end <= 64 * w ? 0 : low_bits(end - 64 * w);
        return bits;
    }
    static TERTIUM_INLINE Bits range(std::size_t begin, std::size_t end) { return below(end) & ~below(begin); }
    static TERTIUM_INLINE Bits of(std::size_t bit) {
        Bits bits{};
        bits.word[kWords == 1 ? 0 : bit / 64] = std::uint64_t{1} << (bit % 64);
        return bits;
    }

    TERTIUM_INLINE Bits operator&(const Bits& o) const { return with(o, [](auto a, auto b) { return a & b; }); }
    TERTIUM_INLINE Bits operator|(const Bits& o) const { return with(o, [](auto a, auto b) { return a | b; }); }
    TERTIUM_INLINE Bits operator~() const { return with(*this, [](auto a, auto) { return ~a; }); }
    // By fewer than 64.
    TERTIUM_INLINE Bits operator>>(std::size_t count) const {
        Bits bits;
        for (std::size_t w = 0; w < kWords; ++w) {
            bits.word[w] = word[w] >> count;
            if (w + 1 < kWords) bits.word[w] |= (word[w + 1] << 1) << (63 - count);
        }
        return bits;
    }
    TERTIUM_INLINE bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : word) all |= w;
        return all != 0;
    }
    TERTIUM_INLINE bool has(std::size_t bit) const { return word[kWords == 1 ? 0 : bit / 64] >> (bit % 64) & 1; }
    TERTIUM_INLINE std::size_t count() const {
        int sum = 0;
        for (const std::uint64_t w : word) sum += std::popcount(w);
        return static_cast<std::size_t>(sum);
    }
    // Calls visit for each number, ascending.
    template <class Visit>
    TERTIUM_INLINE void each(Visit visit) const {
        for (std::size_t w = 0; w < kWords; ++w)
            for (std::uint64_t rest = word[w]; rest; rest &= rest - 1)
                visit(64 * w + static_cast<std::size_t>(std::countr_zero(rest)));
    }
    // One more than the largest number below `end`, or 0.
    TERTIUM_INLINE std::size_t last_below(std::size_t end) const {
        const Bits bits = *this & below(end);
        for (std::size_t w = kWords; w-- > 0;)
            if (kWords == 1 || bits.word[w]) return 64 * w + 64 - static_cast<std::size_t>(std::countl_zero(bits.word[w]));
        return 0;
    }

private:
    template <class Operation>
    TERTIUM_INLINE Bits with(const Bits& o, Operation operation) const {
        Bits bits;
        for (std::size_t w = 0; w < kWords; ++w) bits.word[w] = operation(word[w], o.word[w]);
        return bits;
    }
};

// Goes on by one hypothesis word. Word is a number, or a vector of them with a hypothesis in each lane.
template <std::size_t kWords, class Word>
struct Column {
    Word up[kWords], down[kWords];

    struct Ways {
        Word diagonal[kWords], insertion[kWords];
    };

    TERTIUM_INLINE void advance(const Word* eq, Ways* ways = nullptr) {
        Word carry = Word{}, up_before = Word{} + 1, down_before = Word{};
        for (std::size_t w = 0; w < kWords; ++w) {
            const Word first = eq[w] & up[w];
            const Word sum = first + up[w] + carry;
            if (w + 1 < kWords) carry = ((first & up[w]) | ((first | up[w]) & ~sum)) >> 63;
            const Word same = ((sum | up[w]) & ~(sum & up[w])) | eq[w] | down[w];  // as the cell one up and left
            const Word right_up = down[w] | ~(same | up[w]), right_down = same & up[w];
            if (ways) {
                ways->diagonal[w] = eq[w] | ~same;
                ways->insertion[w] = right_up;
            }
            const Word shifted_up = right_up + right_up + up_before, shifted_down = right_down + right_down + down_before;
            if (w + 1 < kWords) {
                up_before = right_up >> 63;
                down_before = right_down >> 63;
            }
            up[w] = shifted_down | ~(same | shifted_up);
            down[w] = shifted_up & same;
        }
    }
};

// Scratch space and the search itself, for one number of words per mask.
template <std::size_t kWords>
class MaskSearch {
public:
    static constexpr std::size_t kMostReference = 64 * kWords, kMostHypothesis = 64 * kWords - 1;
    static constexpr std::size_t kLongestBlock = 10;

    // False if the beam matters, or may: then nothing was found out.
    template <std::size_t kLanes>
    TERTIUM_INLINE bool run(std::span<const Key> hypothesis, std::span<const Key> reference, MatchMask& masks,
                            const ShiftSettings& settings, ShiftCounts& counts) {
        H_ = hypothesis.size();
        R_ = reference.size();
        sacrebleu_ = settings.variant == ShiftSettings::Variant::sacrebleu;
        settings_ = &settings;
        take_masks<kLanes>(hypothesis, reference, masks);
        fill(0, main_);
        std::size_t distance = distance_of(main_.columns[H_]), shifts = 0, shifted_words = 0;
        double checked = 0;
        beam_is_idle_ = beam_cannot_matter(distance);
        for (;;) {
            if (!beam_is_idle_ && !trace_survives(main_, main_eq_, distance)) return false;
            if (distance == least_) break;
            walk();
            const double looked_at = find_candidates();
            checked += looked_at;
            if (looked_at == 0 || (sacrebleu_ && checked >= settings.max_candidates)) break;
            Choice best;
            if (!choose<kLanes>(distance, best)) return false;
            if (best.gain == 0) break;
            apply(best.move, main_eq_);
            fill(best.move.begin(), main_);
            distance -= best.gain;
            shifts += 1;
            shifted_words += best.move.length;
        }
        const std::size_t insertions = count_insertions();
        const std::size_t deletions = insertions + R_ - H_;
        counts.insertions = static_cast<double>(insertions);
        counts.deletions = static_cast<double>(deletions);
        counts.substitutions = static_cast<double>(distance - insertions - deletions);
        counts.shifts = static_cast<double>(shifts);
        counts.shifted_words = static_cast<double>(shifted_words);
        counts.edits = static_cast<double>(distance + shifts);
        return true;
    }

private:
    using Set = Bits<kWords>;
    using State = Column<kWords, std::uint64_t>;

    struct Table {
        State columns[kMostHypothesis + 1];
        typename State::Ways ways[kMostHypothesis + 1];  // of the cells of column j
    };

    // Words [start, start + length) go over `over` words to the left or right.
    struct Move {
        std::uint32_t start, length, over;
        bool left;
        TERTIUM_INLINE std::size_t begin() const { return left ? start - over : start; }
        TERTIUM_INLINE std::size_t middle() const { return left ? start : start + length; }
        TERTIUM_INLINE std::size_t end() const { return left ? start + length : start + length + over; }
    };
    struct Choice {
        Move move;
        std::size_t gain = 0;
    };

    template <std::size_t kLanes>
    TERTIUM_INLINE void take_masks(std::span<const Key> hypothesis, std::span<const Key> reference, MatchMask& masks) {
        masks.build<kLanes>(hypothesis, reference);
        for (std::size_t w = 0; w < kWords; ++w) {
            const bool there = w < masks.words();
            for (std::size_t h = 0; h < H_; ++h) main_eq_[h].word[w] = there ? masks.row(w)[h] : 0;
        }
        // What the bags of words have in common: each word takes the first place that is left.
        Set free = Set::below(R_);
        std::size_t common = 0;
        absent_ = 0;
        for (std::size_t h = 0; h < H_; ++h) {
            if constexpr (kWords == 1) {
                const std::uint64_t place = main_eq_[h].word[0] & free.word[0];
                common += place != 0;
                free.word[0] &= ~(place & (~place + 1));
                absent_ += main_eq_[h].word[0] == 0;
            } else {
                absent_ += !main_eq_[h].any();
                const Set places = main_eq_[h] & free;
                for (std::size_t w = 0; w < kWords; ++w)
                    if (places.word[w]) {
                        free.word[w] &= ~(places.word[w] & (~places.word[w] + 1));
                        ++common;
                        break;
                    }
            }
        }
        least_ = std::max(H_, R_) - common;
        for (std::size_t w = 0; w < kWords; ++w) main_.columns[0].up[w] = ~std::uint64_t{0}, main_.columns[0].down[w] = 0;
    }

    // Columns behind the first `begin` words.
    TERTIUM_INLINE void fill(std::size_t begin, Table& table, const Set* eq = nullptr) {
        if (!eq) eq = main_eq_;
        State column = table.columns[begin];
        for (std::size_t j = begin; j < H_; ++j) {
            column.advance(eq[j].word, &table.ways[j + 1]);
            table.columns[j + 1] = column;
        }
    }

    TERTIUM_INLINE std::size_t distance_of(const State& column) const {
        const Set valid = Set::below(R_);
        std::size_t ups = 0, downs = 0;
        for (std::size_t w = 0; w < kWords; ++w) {
            ups += static_cast<std::size_t>(std::popcount(column.up[w] & valid.word[w]));
            downs += static_cast<std::size_t>(std::popcount(column.down[w] & valid.word[w]));
        }
        return H_ + ups - downs;
    }

    // Where a column is left for the one before: how many reference words are consumed there, and how it is left.
    struct Exit {
        std::size_t place;
        bool diagonal, match;
    };
    TERTIUM_INLINE Exit exit_from(const Table& table, const Set* eq, std::size_t j, std::size_t entered_at) const {
        const auto& ways = table.ways[j];
        Set set;
        for (std::size_t w = 0; w < kWords; ++w) set.word[w] = ways.diagonal[w] | ways.insertion[w];
        const std::size_t place = set.last_below(entered_at);
        const std::size_t w = kWords == 1 ? 0 : (place - (place > 0)) / 64;
        const std::uint64_t bit = place > 0 ? std::uint64_t{1} << ((place - 1) % 64) : 0;
        return {place, (ways.diagonal[w] & bit) != 0, (eq[j - 1].word[w] & bit) != 0};
    }

    TERTIUM_INLINE void walk() {
        hypothesis_errors_ = reference_errors_ = Set::none();
        aims_ = Set::of(0);
        std::size_t i = R_;
        first_aimed_[H_ + 1] = static_cast<std::uint16_t>(R_);
        for (std::size_t j = H_; j > 0; --j) {
            const Exit exit = exit_from(main_, main_eq_, j, i);
            // Reference words with this target are written downward, too many at a time; those of smaller targets
            // overwrite what was too much.
            std::uint16_t* const target = target_ + kMargin + i;
            for (std::size_t k = 1; k <= 4; ++k) target[-static_cast<std::ptrdiff_t>(k)] = static_cast<std::uint16_t>(j);
            for (std::size_t k = 4; k < i - exit.place + exit.diagonal; ++k)
                target[-static_cast<std::ptrdiff_t>(k) - 1] = static_cast<std::uint16_t>(j);
            const bool right = exit.diagonal && exit.match;
            if (!right) hypothesis_errors_ = hypothesis_errors_ | Set::of(j - 1);
            reference_errors_ = reference_errors_ | Set::range(right ? exit.place : exit.place - exit.diagonal, i);
            const std::size_t left_at = exit.place - exit.diagonal;
            if (left_at != i) aims_ = aims_ | Set::of(j);
            first_aimed_[j] = static_cast<std::uint16_t>(left_at);
            i = left_at;
        }
        for (std::size_t r = 0; r < i; ++r) target_[kMargin + r] = 0;
        reference_errors_ = reference_errors_ | Set::below(i);
        first_aimed_[0] = 0;
    }

    TERTIUM_INLINE std::size_t count_insertions() const {
        std::size_t i = R_, insertions = 0;
        for (std::size_t j = H_; j > 0; --j) {
            const Exit exit = exit_from(main_, main_eq_, j, i);
            insertions += !exit.diagonal;
            i = exit.place - exit.diagonal;
        }
        return insertions;
    }

    // Reference words whose target lies in [begin, end).
    TERTIUM_INLINE Set aimed_at(std::size_t begin, std::size_t end) const {
        return Set::range(first_aimed_[begin], first_aimed_[end]);
    }

    TERTIUM_INLINE Set near(std::size_t start) const {
        if (settings_->max_shift_distance >= static_cast<double>(kMostReference)) return Set::below(R_);
        const auto distance = static_cast<std::size_t>(settings_->max_shift_distance);
        const std::size_t begin = start > distance ? start - distance : 0, end = start + distance + 1;
        if (sacrebleu_) return Set::range(begin, end);
        // Targets count from 1, and 0 is a place too, right before the first word.
        return aimed_at(start >= distance ? start - distance + 1 : 0, std::min(end, H_) + 1);
    }

    // Fills the lists of blocks; returns how many shifts sacreBLEU would look at.
    TERTIUM_INLINE double find_candidates() {
        std::fill(std::begin(block_count_), std::end(block_count_), std::uint16_t{0});
        const auto longest = static_cast<std::size_t>(std::min(settings_->max_shift_size, double{kLongestBlock}));
        std::size_t looked_at = 0;
        for (std::size_t start = 0; start < H_; ++start) {
            Set places = main_eq_[start] & ~aimed_at(start + 1, start + 2);
            if (!places.any()) continue;
            places = places & near(start);
            Set errors = Set::none();
            bool error = false;
            const std::size_t most = std::min(longest, H_ - start);
            for (std::size_t length = 1; length <= most && places.any(); ++length) {
                errors = errors | reference_errors_ >> (length - 1);
                error |= hypothesis_errors_.has(start + length - 1);
                if (error) {
                    const Set found = places & errors & ~aimed_at(start + 1, start + length + 1);
                    if (found.any()) looked_at += add_block(start, length, found);
                }
                if (start + length < H_) places = places & main_eq_[start + length] >> length;
            }
        }
        return static_cast<double>(looked_at);
    }

    TERTIUM_INLINE std::size_t add_block(std::size_t start, std::size_t length, const Set& places) {
        Set targets = Set::none();
        std::size_t looked_at = 0;
        places.each([&](std::size_t m) {
            const std::size_t begin = m > 0 ? target_[kMargin + m - 1] : 0, end = target_[kMargin + m + length - 1] + 1u;
            const Set these = aims_ & Set::range(begin, end);
            looked_at += these.count();
            targets = targets | these;
        });
        Block& block = blocks_[length][block_count_[length]++];
        block.start = static_cast<std::uint32_t>(start);
        block.targets = targets;
        return looked_at;
    }

    // Looks at the blocks from the longest to the shortest. False if the beam gets in the way.
    template <std::size_t kLanes>
    TERTIUM_INLINE bool choose(std::size_t distance, Choice& best) {
        Move moves[kLanes];
        std::size_t waiting = 0;
        bool good = true;
        const auto evaluate_waiting = [&]() __attribute__((always_inline)) {
            std::size_t there[kLanes];
            evaluate<kLanes>(moves, waiting, there);
            for (std::size_t k = 0; k < waiting; ++k) {
                if (there[k] + best.gain >= distance) continue;
                if (!beam_is_idle_ && !survives(moves[k], there[k])) {
                    good = false;
                    continue;
                }
                best = {moves[k], distance - there[k]};
            }
            waiting = 0;
        };
        const auto consider = [&](const Move& move) __attribute__((always_inline)) {
            if (2 * std::min(move.length, move.over) <= best.gain) return;
            moves[waiting++] = move;
            if (waiting == kLanes) evaluate_waiting();
        };
        const std::size_t most = distance - least_;
        for (std::size_t length = kLongestBlock; length > 0; --length) {
            if (2 * length <= best.gain) break;
            for (std::size_t k = 0; k < block_count_[length]; ++k) {
                if (best.gain >= most) break;
                visit_moves(blocks_[length][k], length, consider);
            }
        }
        if (waiting > 0) evaluate_waiting();
        return good;
    }

    // The shifts of one block, in the order of their targets; those that change nothing are left out.
    template <class Consider>
    TERTIUM_INLINE void visit_moves(const auto& block, std::size_t length, Consider consider) const {
        const std::size_t start = block.start, end = start + length, room = H_ - end;
        const auto move = [&](std::size_t over, bool left) __attribute__((always_inline)) {
            consider(Move{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length),
                          static_cast<std::uint32_t>(over), left});
        };
        (block.targets & Set::below(start)).each([&](std::size_t t) __attribute__((always_inline)) { move(start - t, true); });
        // A block that is aimed at itself goes right; in sacreBLEU by one word more.
        const Set inside = block.targets & Set::range(start + 1, end + 1);
        if (inside.any())
            inside.each([&](std::size_t t) __attribute__((always_inline)) {
                const std::size_t over = std::min(t - start - !sacrebleu_, room);
                if (over > 0) move(over, false);
            });
        (block.targets & ~Set::below(end + 1)).each([&](std::size_t t) __attribute__((always_inline)) { move(t - end, false); });
    }

    // The distances after each of some moves.
    template <std::size_t kLanes>
    TERTIUM_INLINE void evaluate(const Move* moves, std::size_t count, std::size_t* there) {
        using Vector = Lanes<kLanes>;
        std::size_t begin = H_, end = 0;
        for (std::size_t k = 0; k < count; ++k) {
            begin = std::min(begin, moves[k].begin());
            end = std::max(end, moves[k].end());
        }
        for (std::size_t j = begin; j < end; ++j)
            for (std::size_t w = 0; w < kWords; ++w)
                store(Vector{} + main_eq_[j].word[w], lane_eq_ + ((j - begin) * kWords + w) * kLanes);
        for (std::size_t k = 0; k < count; ++k) {
            const Move& move = moves[k];
            std::uint64_t* to = lane_eq_ + (move.begin() - begin) * kWords * kLanes + k;
            const auto put = [&](std::size_t from) __attribute__((always_inline)) {
                for (std::size_t w = 0; w < kWords; ++w, to += kLanes) *to = main_eq_[from].word[w];
            };
            for (std::size_t j = move.middle(); j < move.end(); ++j) put(j);
            for (std::size_t j = move.begin(); j < move.middle(); ++j) put(j);
        }
        Column<kWords, Vector> column;
        for (std::size_t w = 0; w < kWords; ++w) {
            column.up[w] = Vector{} + main_.columns[begin].up[w];
            column.down[w] = Vector{} + main_.columns[begin].down[w];
        }
        Vector eq[kWords];
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t w = 0; w < kWords; ++w) eq[w] = load<kLanes>(lane_eq_ + ((j - begin) * kWords + w) * kLanes);
            column.advance(eq);
        }
        for (std::size_t j = end; j < H_; ++j) {
            for (std::size_t w = 0; w < kWords; ++w) eq[w] = Vector{} + main_eq_[j].word[w];
            column.advance(eq);
        }
        for (std::size_t k = 0; k < count; ++k) {
            State one;
            for (std::size_t w = 0; w < kWords; ++w) one.up[w] = column.up[w][k], one.down[w] = column.down[w][k];
            there[k] = distance_of(one);
        }
    }

    TERTIUM_INLINE void apply(const Move& move, Set* eq) {
        std::rotate(eq + move.begin(), eq + move.middle(), eq + move.end());
    }

    // --- the beam -------------------------------------------------------------------------------------------

    // tercom's: each word that the reference lacks costs an edit on every path, so a cell on the best path is
    // dearer than the cheapest of its column by at most the distance without those. sacreBLEU's: a path that leaves
    // the band has to come back.
    TERTIUM_INLINE bool beam_cannot_matter(std::size_t distance) const {
        const double beam = settings_->beam;
        if (!sacrebleu_) return static_cast<double>(distance - absent_) <= beam || static_cast<double>(R_) <= beam;
        const auto difference = static_cast<double>(R_ > H_ ? R_ - H_ : H_ - R_);
        return static_cast<double>(R_) < beam || static_cast<double>(distance) < 2 * beam - 2 - difference;
    }

    bool survives(const Move& move, std::size_t distance) {
        std::copy(main_eq_, main_eq_ + H_, other_eq_);
        apply(move, other_eq_);
        other_.columns[move.begin()] = main_.columns[move.begin()];
        std::copy(main_.columns, main_.columns + move.begin(), other_.columns);
        std::copy(main_.ways, main_.ways + move.begin() + 1, other_.ways);
        fill(move.begin(), other_, other_eq_);
        return trace_survives(other_, other_eq_, distance);
    }

    bool trace_survives(const Table& table, const Set* eq, std::size_t distance) const {
        const double ratio = static_cast<double>(R_) / static_cast<double>(H_);
        const double width = sacrebleu_ && settings_->beam < ratio / 2 ? std::ceil(ratio / 2 + settings_->beam) : settings_->beam;
        std::size_t i = R_, cost = distance;
        for (std::size_t j = H_; j > 0; --j) {
            const Exit exit = exit_from(table, eq, j, i);
            if (sacrebleu_) {
                const double middle = std::floor(static_cast<double>(j) * ratio);
                if (static_cast<double>(exit.place) < middle - width) return false;
                if (j < H_ && static_cast<double>(i) >= middle + width) return false;
            } else if (j < H_ && static_cast<double>(cost) > width && static_cast<double>(cost - cheapest(table.columns[j], j)) > width) {
                return false;
            }
            cost -= i - exit.place + !(exit.diagonal && exit.match);
            i = exit.place - exit.diagonal;
        }
        return true;
    }

    // The cheapest cell of column j.
    std::size_t cheapest(const State& column, std::size_t j) const {
        std::ptrdiff_t here = static_cast<std::ptrdiff_t>(j), least = here;
        for (std::size_t i = 0; i < R_; ++i) {
            here += static_cast<std::ptrdiff_t>(column.up[i / 64] >> (i % 64) & 1);
            here -= static_cast<std::ptrdiff_t>(column.down[i / 64] >> (i % 64) & 1);
            least = std::min(least, here);
        }
        return static_cast<std::size_t>(least);
    }

    struct Block {
        std::uint32_t start;
        Set targets;
    };
    static constexpr std::size_t kMargin = 8, kMostLanes = 8;

    std::size_t H_ = 0, R_ = 0;
    bool sacrebleu_ = false, beam_is_idle_ = true;
    const ShiftSettings* settings_ = nullptr;
    std::size_t absent_ = 0;  // hypothesis words that the reference lacks
    std::size_t least_ = 0;   // no order of the hypothesis words is nearer to the reference
    Set hypothesis_errors_, reference_errors_, aims_;  // aims: which targets there are
    std::uint16_t block_count_[kLongestBlock + 1];
    std::uint16_t first_aimed_[kMostHypothesis + 2];         // the first reference word with target j or more
    std::uint16_t target_[kMargin + kMostReference];
    Set main_eq_[kMostHypothesis + 1], other_eq_[kMostHypothesis + 1];
    Table main_, other_;
    Block blocks_[kLongestBlock + 1][kMostHypothesis + 1];
    alignas(64) std::uint64_t lane_eq_[(kMostHypothesis + 1) * kWords * kMostLanes];
};

}  // namespace tertium
