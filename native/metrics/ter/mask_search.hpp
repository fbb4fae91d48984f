// The search of shift_masks.hpp, for one number of words per mask. Each is compiled in a file of its own.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "matching/mask_rows.hpp"
#include "matching/match_mask.hpp"
#include "metrics/ter/beam_table.hpp"
#include "metrics/ter/edit_column.hpp"
#include "metrics/ter/first_columns.hpp"
#include "metrics/ter/shift_masks.hpp"

namespace tertium {

// A lambda that must be compiled for the processor of the function it stands in.
#if defined(__GNUC__) || defined(__clang__)
#define TERTIUM_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TERTIUM_INLINE_LAMBDA
#endif

// The lowest `count` bits, fewer than 64.
TERTIUM_INLINE std::uint64_t low_bits(std::size_t count) { return (std::uint64_t{1} << count) - 1; }

// A set of numbers below 64 * kWords.
template <std::size_t kWords>
struct Bits {
    std::uint64_t word[kWords];

    static TERTIUM_INLINE Bits none() { return Bits{}; }
    static TERTIUM_INLINE Bits below(std::size_t end) {
        Bits bits;
        if constexpr (kWords == 1) {
            bits.word[0] = low_bits(end);
        } else {
            for (std::size_t w = 0; w < kWords; ++w)
                bits.word[w] = end >= 64 * w + 64 ? ~std::uint64_t{0} : end <= 64 * w ? 0 : low_bits(end - 64 * w);
        }
        return bits;
    }
    static TERTIUM_INLINE Bits range(std::size_t begin, std::size_t end) { return below(end) & ~below(begin); }
    static TERTIUM_INLINE Bits of(std::size_t bit) {
        Bits bits{};
        bits.word[kWords == 1 ? 0 : bit / 64] = std::uint64_t{1} << (bit % 64);
        return bits;
    }

    // clang-format off
    TERTIUM_INLINE Bits operator&(const Bits& o) const { return with(o, [](auto a, auto b) { return a & b; }); }
    TERTIUM_INLINE Bits operator|(const Bits& o) const { return with(o, [](auto a, auto b) { return a | b; }); }
    TERTIUM_INLINE Bits operator~() const { return with(*this, [](auto a, auto) { return ~a; }); }
    // clang-format on
    // Each number one larger.
    TERTIUM_INLINE Bits risen() const {
        Bits bits;
        for (std::size_t w = 0; w < kWords; ++w) bits.word[w] = word[w] << 1 | (w > 0 ? word[w - 1] >> 63 : 0);
        return bits;
    }
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
    // One more than the largest number, or 0.
    TERTIUM_INLINE std::size_t end() const {
        for (std::size_t w = kWords; w-- > 0;)
            if (word[w]) return 64 * w + 64 - static_cast<std::size_t>(std::countl_zero(word[w]));
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

// Words [start, start + length) go over `over` words to the left or right.
struct Move {
    std::uint32_t start, length, over;
    bool left;
    TERTIUM_INLINE std::size_t begin() const { return left ? start - over : start; }
    TERTIUM_INLINE std::size_t middle() const { return left ? start : start + length; }
    TERTIUM_INLINE std::size_t end() const { return left ? start + length : start + length + over; }
};

// Compiled by itself for each processor: it has most of the work, and vectors; the rest of the search has neither.
template <std::size_t kLanes>
TERTIUM_INLINE void evaluate_moves(auto& search, const Move* moves, std::size_t count, std::size_t* there) {
    search.template evaluate<kLanes>(moves, count, there);
}
TERTIUM_BY_FEW_LANES(evaluate_here, evaluate_moves)

// Scratch space and the search itself, for one number of words per mask.
template <std::size_t kWords>
class MaskSearch {
public:
    static constexpr std::size_t kMost = 64 * kWords - 2;  // tokens on either side; targets count to one more
    static constexpr std::size_t kLongestBlock = 10, kMostLanes = 4;

    // `first` has the columns of this pair, if it is short.
    TERTIUM_INLINE TerCounts run(const ShiftPair& pair, const FirstLane& first, const TerSettings& settings,
                                 Watch& watch) {
        H_ = pair.hypothesis.size();
        R_ = pair.reference.size();
        sacrebleu_ = settings.variant == TerSettings::Variant::sacrebleu;
        settings_ = &settings;
        pair_ = &pair;
        watch_ = &watch;
        beamed_.reset();
        history_.clear();
        if constexpr (kWords == 1)
            first.shorter ? take_lane(*first.shorter, first.lane) : take_lane(*first.longer, first.lane);
        else
            take_masks();
        std::size_t distance = 0, shifts = 0, shifted_words = 0;
        double checked = 0;
        for (std::size_t known = kWords == 1 ? H_ : 0;;) {
            if constexpr (kWords > 1) watch.checkpoint();  // with many shifts, such a pair takes long
            fill(known, main_, main_eq_);
            const std::size_t whole = distance_of(main_.columns[H_]);
            if (shifts == 0) distance = whole;
            if (!beamed_ && !beam_cannot_matter(distance) && !trace_survives(main_, 0, main_eq_, distance))
                make_beamed();
            if (beamed_) distance = beamed_->distance();
            if (distance == least_) break;
            if (beamed_)
                read_beamed_trace();
            else
                walk(distance);
            const double looked_at = find_candidates();
            checked += looked_at;
            if (looked_at == 0 || (sacrebleu_ && checked >= settings.max_candidates)) break;
            const Choice best = choose(distance, whole);
            if (best.gain == 0) break;
            distance -= best.gain;
            shifts += 1;
            shifted_words += best.move.length;
            if (distance == least_ && !beamed_ && beam_cannot_matter(distance)) break;
            apply(best.move);
            known = best.move.begin();
        }
        // At the least distance all common words are matched, and only what is longer has words too many.
        if (distance == least_) insertions_ = H_ > R_ ? H_ - R_ : 0;
        const std::size_t deletions = insertions_ + R_ - H_;
        return {static_cast<double>(insertions_),
                static_cast<double>(deletions),
                static_cast<double>(distance - insertions_ - deletions),
                static_cast<double>(shifts),
                static_cast<double>(shifted_words),
                static_cast<double>(distance + shifts)};
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
            const auto put = [&](std::size_t from) TERTIUM_INLINE_LAMBDA {
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
        Vector eq[kWords] = {};
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t w = 0; w < kWords; ++w)
                eq[w] = load<kLanes>(lane_eq_ + ((j - begin) * kWords + w) * kLanes);
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

private:
    using Set = Bits<kWords>;
    using State = Column<kWords, std::uint64_t>;

    struct Table {
        State columns[kMost + 1];
        typename State::Ways ways[kMost + 1];  // of the cells of column j
    };

    struct Choice {
        Move move{};
        std::size_t gain = 0;
    };

    template <class Number>
    TERTIUM_INLINE void take_lane(const FirstColumns<Number>& first, std::size_t lane) {
        constexpr std::size_t kPairs = FirstColumns<Number>::kPairs;
        set_first_column();
        absent_ = 0;
        least_ = first.least[lane];
        for (std::size_t j = 0; j < H_; ++j, lane += kPairs) {
            const std::size_t next = lane + kPairs;
            main_eq_[j].word[0] = first.eq[lane];
            absent_ += first.eq[lane] == 0;
            main_.columns[j + 1] = {{first.up[next]}, {first.down[next]}};
            main_.ways[j + 1] = {{first.diagonal[next]}, {first.insertion[next]}};
        }
    }

    TERTIUM_INLINE void take_masks() {
        masks_built(masks_, pair_->hypothesis, pair_->reference);
        for (std::size_t w = 0; w < kWords; ++w) {
            const bool there = w < masks_.words();
            for (std::size_t h = 0; h < H_; ++h) main_eq_[h].word[w] = there ? masks_.row(w)[h] : 0;
        }
        // What the bags of words have in common: each word takes the first place that is left.
        Set free = Set::below(R_);
        std::size_t common = 0;
        absent_ = 0;
        for (std::size_t h = 0; h < H_; ++h) {
            absent_ += !main_eq_[h].any();
            const Set places = main_eq_[h] & free;
            for (std::size_t w = 0; w < kWords; ++w)
                if (places.word[w]) {
                    free.word[w] &= ~(places.word[w] & (~places.word[w] + 1));
                    ++common;
                    break;
                }
        }
        least_ = std::max(H_, R_) - common;
        set_first_column();
    }

    TERTIUM_INLINE void set_first_column() {
        for (std::size_t w = 0; w < kWords; ++w)
            main_.columns[0].up[w] = ~std::uint64_t{0}, main_.columns[0].down[w] = 0;
    }

    // Columns behind the first `begin` words.
    TERTIUM_INLINE void fill(std::size_t begin, Table& table, const Set* eq) {
        State column = main_.columns[begin];
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

    // How a column is left for the one before: which reference words are consumed there, those at the bits of `below`,
    // which are `left_at`; and whether it is with one.
    struct Exit {
        Set below;
        std::size_t left_at, word;
        bool diagonal;
        std::uint64_t match;  // the bit of that reference word in its word of the mask, if it matches
    };
    TERTIUM_INLINE Exit exit_from(const Table& table, const Set* eq, std::size_t j, const Set& entered) const {
        const auto& ways = table.ways[j];
        if constexpr (kWords == 1) {
            // The next exit waits for this one, so it is found in few steps: a diagonal leaves at its bit, an insertion
            // at the one above.
            const std::uint64_t diagonals = ways.diagonal[0] & entered.word[0];
            const std::uint64_t insertions = ways.insertion[0] & ~ways.diagonal[0] & entered.word[0];
            const int above = std::countl_zero(diagonals | insertions << 1 | 1);
            const std::uint64_t bit = diagonals & (std::uint64_t{1} << 63) >> above;
            return {{{~std::uint64_t{0} >> 1 >> above}},
                    63 - static_cast<std::size_t>(above),
                    0,
                    bit != 0,
                    eq[j - 1].word[0] & bit};
        }
        Set set;
        for (std::size_t w = 0; w < kWords; ++w) set.word[w] = (ways.diagonal[w] | ways.insertion[w]) & entered.word[w];
        const std::size_t place = set.end(), w = (place - (place > 0)) / 64;
        const std::uint64_t bit = place > 0 ? std::uint64_t{1} << ((place - 1) % 64) & ways.diagonal[w] : 0;
        const std::size_t left_at = place - (bit != 0);
        return {Set::below(left_at), left_at, w, bit != 0, eq[j - 1].word[w] & bit};
    }

    // Follows the path of the table, which costs `distance`.
    TERTIUM_INLINE void walk(std::size_t distance) {
        Set matched = Set::none(), below = Set::below(R_);
        elsewhere_ = hypothesis_errors_ = aims_ = Set::none();
        std::size_t i = R_, j = H_;
        below_[H_ + 1] = below;
        // From the last word to the first, each shifts the bits of those before it up.
        for (std::size_t w = kWords == 1 ? 1 : (H_ + 63) / 64; w-- > 0;) {
            std::uint64_t elsewhere = 0, wrong = 0, aims = 0;
            for (; j > 64 * w; --j) {
                const Exit exit = exit_from(main_, main_eq_, j, below);
                // Reference words with this target are written downward, four at a time; those of smaller targets
                // overwrite what was too much.
                const std::uint64_t four = 0x0001000100010001u * j;
                std::memcpy(target_ + kMargin + i - 4, &four, sizeof four);
                if (exit.left_at + 4 < i) [[unlikely]]
                    aim_at(j, exit.left_at, i - 4);
                matched.word[exit.word] |= exit.match;
                wrong = wrong + wrong + (exit.match == 0);
                aims = aims + aims + (exit.left_at != i);
                elsewhere = elsewhere + elsewhere + (main_eq_[j - 1] & ~(below & ~exit.below)).any();
                below_[j] = below = exit.below;
                i = exit.left_at;
            }
            elsewhere_.word[w] = elsewhere;
            hypothesis_errors_.word[w] = wrong;
            aims_.word[w] = aims;
        }
        aim_at(0, 0, i);
        below_[0] = Set::none();
        reference_errors_ = Set::below(R_) & ~matched;
        aims_ = aims_.risen() | Set::of(0);
        insertions_ = distance + matched.count() - R_;  // what is no insertion is a reference word that is no match
    }

    void aim_at(std::size_t target, std::size_t begin, std::size_t end) {
        std::fill(target_ + kMargin + begin, target_ + kMargin + end, static_cast<std::uint16_t>(target));
    }

    // Reference words whose target lies in [begin, end).
    TERTIUM_INLINE Set aimed_at(std::size_t begin, std::size_t end) const { return below_[end] & ~below_[begin]; }
    TERTIUM_INLINE bool stands_elsewhere(std::size_t j) const { return (main_eq_[j] & ~aimed_at(j + 1, j + 2)).any(); }

    TERTIUM_INLINE Set near(std::size_t start) const {
        const auto distance = static_cast<std::size_t>(settings_->max_shift_distance);
        const std::size_t begin = start > distance ? start - distance : 0, end = start + distance + 1;
        if (sacrebleu_) return Set::range(begin, std::min(end, R_));
        // Targets count from 1, and 0 is a place too, right before the first word.
        return aimed_at(start >= distance ? start - distance + 1 : 0, std::min(end, H_) + 1);
    }

    // Fills the lists of blocks; returns how many shifts sacreBLEU would look at.
    TERTIUM_INLINE double find_candidates() {
        lengths_ = 0;
        const auto longest = static_cast<std::size_t>(std::min(settings_->max_shift_size, double{kLongestBlock}));
        const bool distance_matters = static_cast<double>(std::max(H_, R_)) > settings_->max_shift_distance;
        std::size_t looked_at = 0;
        elsewhere_.each([&](std::size_t start) TERTIUM_INLINE_LAMBDA {
            Set places = main_eq_[start] & ~aimed_at(start + 1, start + 2);
            if (distance_matters) places = places & near(start);
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
        });
        return static_cast<double>(looked_at);
    }

    TERTIUM_INLINE std::size_t add_block(std::size_t start, std::size_t length, const Set& places) {
        Set targets = Set::none();
        std::size_t looked_at = 0;
        places.each([&](std::size_t m) {
            const std::size_t begin = m > 0 ? target_[kMargin + m - 1] : 0,
                              end = target_[kMargin + m + length - 1] + 1u;
            const Set these = aims_ & Set::range(begin, end);
            looked_at += these.count();
            targets = targets | these;
        });
        const std::uint32_t bit = 1u << length;
        if (!(lengths_ & bit)) block_count_[length] = 0;
        lengths_ |= bit;
        Block& block = blocks_[length][block_count_[length]++];
        block.start = static_cast<std::uint32_t>(start);
        block.targets = targets;
        return looked_at;
    }

    // Moves that wait until there is one for each lane, and the best of those before them.
    struct Waiting {
        std::size_t distance = 0, slack = 0;
        Choice best;
        bool stopped = false;
        std::size_t count = 0;
        Move moves[kMostLanes];
    };

    // tercom stops looking once the best is as good as it thinks the rest can be; without a beam it is right.
    TERTIUM_INLINE bool may_stop(const Waiting& waiting, std::size_t length) const {
        return sacrebleu_ || waiting.slack == 0 ? 2 * length + waiting.slack <= waiting.best.gain
                                                : 2 * length < waiting.best.gain;
    }

    // Looks at the blocks from the longest to the shortest. `whole` is the distance without the beam.
    TERTIUM_INLINE Choice choose(std::size_t distance, std::size_t whole) {
        const std::size_t lanes = std::min(lanes_here(), kMostLanes), most = distance - least_;
        Waiting waiting;
        waiting.distance = distance;
        waiting.slack = distance - whole;
        const auto consider = [&](const Move& move) TERTIUM_INLINE_LAMBDA {
            if (2 * std::min(move.length, move.over) + waiting.slack <= waiting.best.gain) return;
            waiting.moves[waiting.count++] = move;
            if (waiting.count == lanes) evaluate_waiting(waiting);
        };
        for (std::uint32_t lengths = lengths_; lengths != 0;) {
            const auto length = static_cast<std::size_t>(std::bit_width(lengths)) - 1;
            if (may_stop(waiting, length)) break;
            lengths ^= 1u << length;
            for (std::size_t k = 0; k < block_count_[length]; ++k) {
                if (waiting.stopped || waiting.best.gain >= most) return waiting.best;
                visit_moves(blocks_[length][k], length, consider);
            }
        }
        if (waiting.count > 0) evaluate_waiting(waiting);
        return waiting.best;
    }

    // Called from many places, so not inlined: what matters in it is in evaluate_here.
    void evaluate_waiting(Waiting& waiting) {
        std::size_t there[kMostLanes];
        evaluate_here(*this, waiting.moves, waiting.count, there);
        for (std::size_t k = 0; k < waiting.count && !waiting.stopped; ++k) {
            const Move& move = waiting.moves[k];
            waiting.stopped = may_stop(waiting, move.length);
            if (waiting.stopped || there[k] + waiting.best.gain >= waiting.distance) continue;
            const std::size_t beamed = beam_cannot_matter(there[k]) ? there[k] : beamed_distance(move, there[k]);
            if (beamed + waiting.best.gain >= waiting.distance) continue;
            waiting.best = {move, waiting.distance - beamed};
        }
        waiting.count = 0;
    }

    // The shifts of one block, in the order of their targets; those that change nothing are left out.
    template <class Consider>
    TERTIUM_INLINE void visit_moves(const auto& block, std::size_t length, Consider consider) const {
        const std::size_t start = block.start, end = start + length, room = H_ - end;
        const auto move = [&](std::size_t over, bool left) TERTIUM_INLINE_LAMBDA {
            consider(Move{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length),
                          static_cast<std::uint32_t>(over), left});
        };
        (block.targets & Set::below(start)).each([&](std::size_t t) TERTIUM_INLINE_LAMBDA { move(start - t, true); });
        // A block that is aimed at itself goes right; in sacreBLEU by one word more.
        const Set inside = block.targets & Set::range(start + 1, end + 1);
        if (inside.any())
            inside.each([&](std::size_t t) TERTIUM_INLINE_LAMBDA {
                const std::size_t over = std::min(t - start - !sacrebleu_, room);
                if (over > 0) move(over, false);
            });
        (block.targets & ~Set::below(end + 1)).each([&](std::size_t t) TERTIUM_INLINE_LAMBDA { move(t - end, false); });
    }

    TERTIUM_INLINE void apply(const Move& move) {
        if (beamed_) beamed_->apply(move.begin(), move.middle(), move.end());
        std::rotate(main_eq_ + move.begin(), main_eq_ + move.middle(), main_eq_ + move.end());
        history_.push_back(move);
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

    // The distance after a move that is `whole` without the beam.
    std::size_t beamed_distance(const Move& move, std::size_t whole) {
        std::copy(main_eq_, main_eq_ + H_, other_eq_);
        std::rotate(other_eq_ + move.begin(), other_eq_ + move.middle(), other_eq_ + move.end());
        fill(move.begin(), other_, other_eq_);
        if (trace_survives(other_, move.begin(), other_eq_, whole)) return whole;
        if (!beamed_) make_beamed();
        return beamed_->distance_after(move.begin(), move.middle(), move.end());
    }

    void make_beamed() {
        watch_->begin(pair_->segment);  // nothing before takes long
        std::vector<Key> words(pair_->hypothesis.begin(), pair_->hypothesis.end());
        for (const Move& move : history_) {
            const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
            std::rotate(at(move.begin()), at(move.middle()), at(move.end()));
        }
        beamed_.emplace(words, pair_->reference, beam_of(*settings_), *watch_);
    }

    // Whether the trace lies in the beam; columns up to `begin` are those of the main table.
    bool trace_survives(const Table& table, std::size_t begin, const Set* eq, std::size_t distance) const {
        const double ratio = static_cast<double>(R_) / static_cast<double>(H_), beam = settings_->beam;
        const double width = sacrebleu_ && beam < ratio / 2 ? std::ceil(ratio / 2 + beam) : beam;
        std::size_t i = R_, cost = distance, absent = absent_;
        Set below = Set::below(R_);
        for (std::size_t j = H_; j > 0; --j) {
            const Table& here = j > begin ? table : main_;
            const Exit exit = exit_from(here, eq, j, below);
            if (sacrebleu_) {
                const double middle = std::floor(static_cast<double>(j) * ratio);
                if (static_cast<double>(exit.left_at + exit.diagonal) < middle - width) return false;
                if (j < H_ && static_cast<double>(i) >= middle + width) return false;
            } else if (j<H_&& static_cast<double>(cost - absent)> width &&
                       static_cast<double>(cost - at_least(distance, j)) > width &&
                       static_cast<double>(cost - cheapest(here.columns[j], j)) > width) {
                return false;
            }
            absent -= !eq[j - 1].any();
            cost -= i - exit.left_at - exit.diagonal + !exit.match;
            i = exit.left_at;
            below = exit.below;
        }
        return true;
    }

    // No cell (i, j) is cheaper: it costs j - i or more, and from there it costs R - i or H - j at most.
    std::size_t at_least(std::size_t distance, std::size_t j) const {
        const auto e = static_cast<std::ptrdiff_t>(distance), r = static_cast<std::ptrdiff_t>(R_);
        const auto h = static_cast<std::ptrdiff_t>(H_), k = static_cast<std::ptrdiff_t>(j);
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, std::min(e - (h - k), (k + e - r + 1) / 2)));
    }

    // The cheapest cell of column j, four cells at a time.
    std::size_t cheapest(const State& column, std::size_t j) const {
        std::ptrdiff_t here = static_cast<std::ptrdiff_t>(j), least = here;
        for (std::size_t i = 0; i < R_; i += 4) {
            const std::size_t used = std::min<std::size_t>(4, R_ - i);
            const std::size_t up = column.up[i / 64] >> (i % 64) & low_bits(used);
            const std::size_t down = column.down[i / 64] >> (i % 64) & low_bits(used);
            const FourSteps steps = kFourSteps[up << 4 | down];
            least = std::min(least, here + steps.least);
            here += steps.sum;
        }
        return static_cast<std::size_t>(least);
    }
    struct FourSteps {
        std::int8_t least, sum;
    };
    static constexpr std::array<FourSteps, 256> kFourSteps = [] {
        std::array<FourSteps, 256> table{};
        for (std::size_t bits = 0; bits < 256; ++bits) {
            int sum = 0, least = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                sum += static_cast<int>(bits >> (4 + k) & 1) - static_cast<int>(bits >> k & 1);
                least = sum < least ? sum : least;
            }
            table[bits] = {static_cast<std::int8_t>(least), static_cast<std::int8_t>(sum)};
        }
        return table;
    }();

    // What `walk` notes, from the beamed table.
    void read_beamed_trace() {
        hypothesis_errors_ = reference_errors_ = elsewhere_ = Set::none();
        aims_ = Set::of(0);
        insertions_ = 0;
        std::fill(below_, below_ + H_ + 2, Set::below(R_));
        for (const auto& [kind, i, j] : beamed_->trace()) {
            if (kind != 'D' && kind != ' ') hypothesis_errors_ = hypothesis_errors_ | Set::of(j);
            insertions_ += kind == 'I';
            if (kind == 'I') continue;
            if (kind != ' ') reference_errors_ = reference_errors_ | Set::of(i);
            const std::size_t target = j + (kind != 'D');
            target_[kMargin + i] = static_cast<std::uint16_t>(target);
            aims_ = aims_ | Set::of(target);
            below_[target] = below_[target] & Set::below(i);
        }
        for (std::size_t j = H_ + 1; j-- > 0;) below_[j] = below_[j] & below_[j + 1];
        for (std::size_t j = 0; j < H_; ++j)
            if (stands_elsewhere(j)) elsewhere_ = elsewhere_ | Set::of(j);
    }

    struct Block {
        std::uint32_t start;
        Set targets;
    };
    static constexpr std::size_t kMargin = 8;

    std::size_t H_ = 0, R_ = 0;
    bool sacrebleu_ = false;
    const TerSettings* settings_ = nullptr;
    const ShiftPair* pair_ = nullptr;
    Watch* watch_ = nullptr;
    std::optional<BeamedPair> beamed_;                 // once the beam has mattered
    std::vector<Move> history_;                        // the shifts made
    std::size_t absent_ = 0;                           // hypothesis words that the reference lacks
    std::size_t least_ = 0;                            // no order of the hypothesis words is nearer to the reference
    Set hypothesis_errors_, reference_errors_, aims_;  // aims: which targets there are
    Set elsewhere_;  // hypothesis words that the reference has where they are not aligned; most have none such
    std::size_t insertions_ = 0;  // on the path that was walked last
    MatchMask masks_;
    std::uint32_t lengths_ = 0;  // of which there are blocks
    std::uint16_t block_count_[kLongestBlock + 1];
    Set below_[kMost + 2];  // of each target, the reference words with smaller ones
    std::uint16_t target_[kMargin + kMost];
    Set main_eq_[kMost + 1], other_eq_[kMost + 1];
    Table main_, other_;
    Block blocks_[kLongestBlock + 1][kMost + 1];
    alignas(64) std::uint64_t lane_eq_[(kMost + 1) * kWords * kMostLanes];
};

TERTIUM_INLINE TerCounts search_masks(auto& space, const ShiftPair& pair, const FirstLane& first,
                                      const TerSettings& settings, Watch& watch) {
    return space.run(pair, first, settings, watch);
}
TERTIUM_BY_PROCESSOR(search_masks_here, search_masks)

template <std::size_t kWords>
struct SearchOfWidth final : AnyMaskSearch {
    MaskSearch<kWords> search;
    TerCounts operator()(const ShiftPair& pair, const FirstLane& first, const TerSettings& settings,
                         Watch& watch) override {
        return search_masks_here(search, pair, first, settings, watch);
    }
};

}  // namespace tertium
