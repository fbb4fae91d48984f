// How ten thousand trials take milliseconds.
//
// Randomization. In each trial every segment belongs to one half or the other by a coin. What is wanted is the sum
// of the rows whose coin shows 1, for each trial: a bit matrix times the row matrix. Eight coins are a byte, and a
// byte has 256 values, so the sums of all subsets of eight rows fit a small table, each entry made from another one
// by one addition:
//
//     rows 3, 5, 9     table[000] = 0    [001] = 3    [010] = 5    [011] = 8    [100] = 9    [101] = 12   …
//
// A trial then looks up one entry per eight segments, and an entry holds all columns side by side in one vector
// register. Four tables (32 segments) are built, used for a block of trials, and built anew for the next 32.
//
// Bootstrap. A replicate adds up rows at random places, again one vector per row.
//
// Both are fastest on small integers, which is what counts are: 16 bits hold the sum of 32 rows, and are widened
// before they overflow. Columns that are zero or equal to another (BLEU's length and its number of unigrams) are
// left out and copied at the end. Columns with fractions take the same way with doubles.

#include "statistics/resampling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "machine/lanes.hpp"

namespace tertium {
namespace {

// --- The generator -------------------------------------------------------------------------------------------------

TERTIUM_INLINE Wide product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    const auto whole = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(whole >> 64), static_cast<std::uint64_t>(whole)};
#else
    const std::uint64_t a0 = a & 0xFFFFFFFF, a1 = a >> 32, b0 = b & 0xFFFFFFFF, b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const std::uint64_t other = a0 * b1 + (middle & 0xFFFFFFFF);
    return {a1 * b1 + (middle >> 32) + (other >> 32), a * b};
#endif
}

TERTIUM_INLINE Wide operator*(Wide a, Wide b) {
    Wide result = product(a.low, b.low);
    result.high += a.high * b.low + a.low * b.high;
    return result;
}

TERTIUM_INLINE Wide operator+(Wide a, Wide b) {
    const std::uint64_t low = a.low + b.low;
    return {a.high + b.high + (low < a.low ? 1 : 0), low};
}

// state -> multiplier * state + increment, `steps` times at once: again such a step, with other numbers.
struct Step {
    Wide multiplier{0, 1};
    Wide increment{0, 0};

    TERTIUM_INLINE Wide operator()(Wide state) const { return state * multiplier + increment; }

    static Step many(Wide increment, std::uint64_t steps) {
        Step all, power{{0x2360ED051FC65DA4, 0x4385DF649FCCF645}, increment};
        for (; steps > 0; steps >>= 1) {
            if (steps & 1) all = {all.multiplier * power.multiplier, power(all.increment)};
            power = {power.multiplier * power.multiplier, power(power.increment)};
        }
        return all;
    }
};

// PCG64 (O'Neill 2014; XSL-RR), as 64-bit words. Sixteen states a word apart take one long step each, so that no
// multiplication waits for the one before it, and words come in sixteens.
constexpr std::size_t kStates = 16;
constexpr std::size_t in_sixteens(std::size_t count) { return (count + kStates - 1) / kStates * kStates; }

struct Stream {
    Wide start, increment;
    Step step;  // sixteen at once
    std::array<Wide, kStates> states;

    explicit Stream(GeneratorState generator)
        : start(generator.state), increment(generator.increment), step(Step::many(increment, kStates)) {
        jump_to(0);
    }

    void jump_to(std::uint64_t word) {
        Wide state = Step::many(increment, word)(start);
        const Step one = Step::many(increment, 1);
        for (auto& each : states) each = state = one(state);
    }
};

TERTIUM_INLINE std::uint64_t output(Wide state) {
    const std::uint64_t folded = state.high ^ state.low;
    const unsigned turn = static_cast<unsigned>(state.high >> 58);
    return folded >> turn | folded << ((64 - turn) & 63);
}

#if defined(__GNUC__) || defined(__clang__)
// Eight states side by side: the product of 128 bits from products of 32.
struct EightStates {
    Lanes<8> high{}, low{};

    TERTIUM_INLINE Lanes<8> output() const {
        const Lanes<8> folded = high ^ low, turn = high >> 58;
        return folded >> turn | folded << ((64 - turn) & 63);
    }
    TERTIUM_INLINE void take(const Step& step) {
        constexpr std::uint64_t half = 0xFFFFFFFF;
        const Lanes<8> b0 = Lanes<8>{} + step.multiplier.low, b1 = b0 >> 32, a1 = low >> 32;
        const Lanes<8> p00 = product_of_halves(low, b0), p01 = product_of_halves(low, b1);
        const Lanes<8> p10 = product_of_halves(a1, b0);
        const Lanes<8> middle = (p00 >> 32) + (p01 & half) + (p10 & half);
        const Lanes<8> upper = product_of_halves(a1, b1) + (p01 >> 32) + (p10 >> 32) + (middle >> 32) +
                               high * step.multiplier.low + low * step.multiplier.high;
        const Lanes<8> lower = (p00 & half) | (middle << 32);
        low = lower + step.increment.low;
        high = upper + step.increment.high - reinterpret_cast<Lanes<8>>(low < lower);  // a carry is all bits: -1
    }
};
#endif

// `count` must be a multiple of sixteen.
template <std::size_t kLanes>
TERTIUM_INLINE void fill_words(Stream& stream, std::uint64_t* words, std::size_t count) {
    const Step step = stream.step;
#if defined(__GNUC__) || defined(__clang__)
    if constexpr (kLanes == 8) {
        EightStates one, two;
        for (std::size_t k = 0; k < 8; ++k) {
            one.high[k] = stream.states[k].high, one.low[k] = stream.states[k].low;
            two.high[k] = stream.states[k + 8].high, two.low[k] = stream.states[k + 8].low;
        }
        for (std::size_t i = 0; i < count; i += kStates) {
            store(one.output(), words + i);
            store(two.output(), words + i + 8);
            one.take(step);
            two.take(step);
        }
        for (std::size_t k = 0; k < 8; ++k) {
            stream.states[k] = {one.high[k], one.low[k]};
            stream.states[k + 8] = {two.high[k], two.low[k]};
        }
        return;
    }
#endif
    for (std::size_t i = 0; i < count; i += kStates)
        for (std::size_t k = 0; k < kStates; ++k) {
            words[i + k] = output(stream.states[k]);
            stream.states[k] = step(stream.states[k]);
        }
}
TERTIUM_BY_LANES(fill_fast, fill_words)

// --- Columns -------------------------------------------------------------------------------------------------------

// Which columns are there really, and how large their numbers are.
struct Columns {
    static constexpr std::size_t zero = static_cast<std::size_t>(-1);
    std::vector<std::size_t> distinct;  // the columns that are kept
    std::vector<std::size_t> place;     // of each column among those, or `zero`
    bool whole = true;
    double largest = 0;

    explicit Columns(RowMatrix rows) : place(rows.columns, zero) {
        const std::size_t count = rows.segments(), width = rows.columns;
        const auto value = [&](std::size_t i, std::size_t c) { return rows.values[i * width + c]; };
        for (std::size_t c = 0; c < width; ++c) {
            bool empty = true;
            for (std::size_t i = 0; i < count; ++i) {
                const double here = value(i, c);
                empty = empty && here == 0;
                whole = whole && std::abs(here) < 1e15 && here == static_cast<double>(static_cast<std::int64_t>(here));
                largest = std::max(largest, std::abs(here));
            }
            if (empty) continue;
            for (std::size_t k = 0; k < distinct.size() && place[c] == zero; ++k) {
                std::size_t i = 0;
                while (i < count && value(i, c) == value(i, distinct[k])) ++i;
                if (i == count) place[c] = k;
            }
            if (place[c] != zero) continue;
            place[c] = distinct.size();
            distinct.push_back(c);
        }
    }

    // Whether sums of this many rows stay below the limit of an integer type.
    bool fits(std::size_t rows, double limit) const {
        return whole && largest * static_cast<double>(std::max<std::size_t>(rows, 1)) <= limit;
    }
};

constexpr std::size_t kBytes = 32;  // of the columns that are added at once

template <class Number>
struct alignas(kBytes) Block {
    static constexpr std::size_t kCount = kBytes / sizeof(Number);
#if defined(__GNUC__) || defined(__clang__)
    typedef Number Values __attribute__((vector_size(kBytes)));
#else
    typedef std::array<Number, kCount> Values;
#endif
    Values value;

    TERTIUM_INLINE void set_sum(const Block& one, const Block& other) {
#if defined(__GNUC__) || defined(__clang__)
        value = one.value + other.value;
#else
        for (std::size_t k = 0; k < kCount; ++k) value[k] = static_cast<Number>(one.value[k] + other.value[k]);
#endif
    }
    TERTIUM_INLINE void add(const Block& other) { set_sum(*this, other); }
};

template <class Number>
using Sum = std::conditional_t<std::is_same_v<Number, double>, double, std::int32_t>;

// What blocks add up to: 16 bits are widened.
template <class Number>
struct alignas(kBytes) Total {
    Sum<Number> value[Block<Number>::kCount];

    TERTIUM_INLINE void add(const Block<Number>& block) {
        for (std::size_t k = 0; k < Block<Number>::kCount; ++k) value[k] += block.value[k];
    }
};

// Memory that begins with a cache line, so that a row of two blocks lies in one.
template <class Value>
struct ByLines {
    using value_type = Value;
    ByLines() = default;
    template <class Other>
    ByLines(const ByLines<Other>&) {}
    Value* allocate(std::size_t count) {
        return static_cast<Value*>(::operator new(count * sizeof(Value), std::align_val_t{64}));
    }
    void deallocate(Value* values, std::size_t) { ::operator delete(values, std::align_val_t{64}); }
    bool operator==(const ByLines&) const = default;
};

template <class Number>
using Blocks = std::vector<Block<Number>, ByLines<Block<Number>>>;

// The kept columns as blocks: group by group of `per_row` blocks, row by row; zeros behind the last row.
template <class Number>
Blocks<Number> blocks_of(RowMatrix rows, const Columns& columns, std::size_t per_row, std::size_t padded) {
    const std::size_t width = Block<Number>::kCount * per_row;
    const std::size_t groups = (columns.distinct.size() + width - 1) / width;
    Blocks<Number> blocks(groups * padded * per_row, Block<Number>{});
    for (std::size_t c = 0; c < columns.distinct.size(); ++c) {
        const std::size_t group = c / width, block = c % width / Block<Number>::kCount;
        for (std::size_t i = 0; i < rows.segments(); ++i)
            blocks[(group * padded + i) * per_row + block].value[c % Block<Number>::kCount] =
                static_cast<Number>(rows.values[i * rows.columns + columns.distinct[c]]);
    }
    return blocks;
}

// --- Randomization -------------------------------------------------------------------------------------------------

constexpr std::size_t kTrials = 1024;      // that share the tables
constexpr std::size_t kSegments = 16'384;  // whose coins are held for those trials
constexpr std::size_t kAtOnce = 32;        // segments whose tables are held
constexpr std::size_t kTables = kAtOnce / 8;

template <class Number>
using Tables = std::array<std::array<Block<Number>, 256>, kTables>;

template <class Number>
TERTIUM_INLINE void build(Tables<Number>& tables, const Block<Number>* rows) {
    for (auto& table : tables) {
        table[0] = Block<Number>{};
        for (std::size_t bit = 0; bit < 8; ++bit, ++rows)
            for (std::size_t below = 0; below < std::size_t{1} << bit; ++below)
                table[below + (std::size_t{1} << bit)].set_sum(table[below], *rows);
    }
}

// Adds to each trial's total the rows of 32 segments whose coin shows 1; `coins` has `stride` words per trial.
template <class Number>
TERTIUM_INLINE void look_up(const Tables<Number>& tables, const std::uint64_t* coins, std::size_t stride,
                            unsigned shift, std::size_t trials, Total<Number>* totals) {
    for (std::size_t t = 0; t < trials; ++t) {
        const std::uint64_t bits = coins[t * stride] >> shift;
        Block<Number> sum = tables[0][bits & 255], other = tables[1][bits >> 8 & 255];
        sum.add(tables[2][bits >> 16 & 255]);
        other.add(tables[3][bits >> 24 & 255]);
        sum.add(other);
        totals[t].add(sum);
    }
}

template <class Number>
TERTIUM_INLINE void add_segments(const Block<Number>* rows, std::size_t count, const std::uint64_t* coins,
                                 std::size_t stride, std::size_t trials, Tables<Number>& tables,
                                 Total<Number>* totals) {
    for (std::size_t i = 0; i < count; i += kAtOnce) {
        build(tables, rows + i);
        look_up(tables, coins + i / 64, stride, static_cast<unsigned>(i % 64), trials, totals);
    }
}
TERTIUM_BY_PROCESSOR(add_segments_fast, add_segments)

// The coins of the segments [from, from + size) in `trials` trials from `first` on, the first segment's in the lowest
// bit of a trial's first word. Coins are tossed trial by trial, segment by segment, 64 to a word.
void toss(Stream& stream, std::uint64_t first, std::size_t trials, std::size_t segments, std::size_t from,
          std::size_t size, std::vector<std::uint64_t>& raw, std::vector<std::uint64_t>& coins) {
    const std::size_t stride = (size + 63) / 64;
    coins.resize(trials * stride);
    const bool together = size == segments;  // one trial's coins follow the other's
    const std::uint64_t begin = (first * segments + from) / 64;
    if (together) {
        raw.resize(in_sixteens((first + trials) * segments / 64 - begin + 2));
        stream.jump_to(begin);
        fill_fast(stream, raw.data(), raw.size());
    }
    for (std::size_t t = 0; t < trials; ++t) {
        const std::uint64_t bit = (first + t) * segments + from;
        const unsigned shift = static_cast<unsigned>(bit % 64);
        const std::uint64_t* word = raw.data() + (bit / 64 - begin);
        if (!together) {
            raw.resize(in_sixteens(stride + 1));
            stream.jump_to(bit / 64);
            fill_fast(stream, raw.data(), raw.size());
            word = raw.data();
        }
        for (std::size_t w = 0; w < stride; ++w)
            coins[t * stride + w] = word[w] >> shift | word[w + 1] << 1 << (63 - shift);
    }
}

template <class Number>
void subset_sums_of(RowMatrix rows, const Columns& columns, GeneratorState generator, std::uint64_t first,
                    unsigned threads, Watch& watch, std::span<double> sums) {
    const std::size_t count = rows.segments(), width = rows.columns, trials = sums.size() / width;
    const std::size_t padded = (count + kAtOnce - 1) / kAtOnce * kAtOnce;
    const auto blocks = blocks_of<Number>(rows, columns, 1, padded);
    const std::size_t groups = padded == 0 ? 0 : blocks.size() / padded;
    constexpr std::size_t lanes = Block<Number>::kCount;
    parallel_for(
        trials, threads, watch,
        [&] {
            return [&, stream = Stream(generator), raw = std::vector<std::uint64_t>{},
                    coins = std::vector<std::uint64_t>{}, totals = std::vector<Total<Number>>{},
                    tables = std::make_unique<Tables<Number>>()](std::size_t begin, std::size_t end) mutable {
                const std::size_t here = end - begin;
                totals.assign(groups * here, Total<Number>{});
                for (std::size_t from = 0; from < count; from += kSegments) {
                    const std::size_t size = std::min(kSegments, count - from), stride = (size + 63) / 64;
                    toss(stream, first + begin, here, count, from, size, raw, coins);
                    for (std::size_t g = 0; g < groups; ++g) {
                        add_segments_fast(&blocks[g * padded + from], size, coins.data(), stride, here, *tables,
                                          &totals[g * here]);
                        watch.checkpoint();
                    }
                }
                for (std::size_t c = 0; c < width; ++c) {
                    const std::size_t k = columns.place[c];
                    double* const sum = &sums[c * trials + begin];
                    for (std::size_t t = 0; t < here; ++t)
                        sum[t] = k == Columns::zero ? 0.0 : totals[k / lanes * here + t].value[k % lanes];
                }
            };
        },
        kTrials, kTrials);
}

// --- Bootstrap -----------------------------------------------------------------------------------------------------

// NumPy's way to draw below n from a 32-bit word (Lemire 2019): the high half of word * n, unless the low half is
// one of the few that would make some numbers likelier than others. Words are the halves of the stream's, low first.
struct Bounded {
    std::uint64_t bound;
    std::uint64_t unfair;  // low halves below this are refused

    explicit Bounded(std::size_t n) : bound(n), unfair(n == 0 ? 0 : (std::uint64_t{1} << 32) % n) {}

    TERTIUM_INLINE bool fair(std::uint32_t word) const { return static_cast<std::uint32_t>(word * bound) >= unfair; }

    // Appends the index of a word, unless it is refused.
    TERTIUM_INLINE std::size_t draw(std::uint32_t word, std::uint32_t* index) const {
        *index = static_cast<std::uint32_t>(word * bound >> 32);
        return fair(word) ? 1 : 0;
    }

    // Turns pairs of words into indices and returns how many those are. Refusals are so rare that it is worth while
    // to hope for none, and to go back if there were some.
    template <std::size_t kLanes>
    TERTIUM_INLINE std::size_t draw_pairs(const std::uint64_t* pairs, std::size_t count, std::uint32_t* indices) const {
        constexpr std::uint64_t low_half = 0xFFFFFFFF;
        std::uint64_t below = 0;  // the highest bit is set by a difference below 0
        std::size_t i = 0;
#if defined(__GNUC__) || defined(__clang__)
        if constexpr (kLanes == 8 && std::endian::native == std::endian::little) {
            const Lanes<8> bounds = Lanes<8>{} + bound;
            Lanes<8> refused{};
            for (; i + 8 <= count; i += 8) {
                const auto eight = load<8>(pairs + i);
                const Lanes<8> low = product_of_halves(eight, bounds), high = product_of_halves(eight >> 32, bounds);
                refused |= ((low & low_half) - unfair) | ((high & low_half) - unfair);
                const Lanes<8> both = low >> 32 | (high & ~low_half);
                std::memcpy(indices + 2 * i, &both, sizeof both);
            }
            for (std::size_t k = 0; k < 8; ++k) below |= refused[k];
        }
#endif
        for (; i < count; ++i) {
            const std::uint64_t low = (pairs[i] & low_half) * (bound & low_half);
            const std::uint64_t high = (pairs[i] >> 32) * (bound & low_half);
            below |= ((low & low_half) - unfair) | ((high & low_half) - unfair);
            if constexpr (std::endian::native == std::endian::little) {
                const std::uint64_t both = low >> 32 | (high & ~low_half);
                std::memcpy(indices + 2 * i, &both, sizeof both);
            } else {
                indices[2 * i] = static_cast<std::uint32_t>(low >> 32);
                indices[2 * i + 1] = static_cast<std::uint32_t>(high >> 32);
            }
        }
        if (below >> 63 == 0) return 2 * count;
        std::size_t kept = 0;
        for (i = 0; i < count; ++i) {
            kept += draw(static_cast<std::uint32_t>(pairs[i]), indices + kept);
            kept += draw(static_cast<std::uint32_t>(pairs[i] >> 32), indices + kept);
        }
        return kept;
    }
};

constexpr std::size_t kDraws = 2048;  // that are held at once

// Takes draws from the stream in order, from any 32-bit word on.
class Draws {
public:
    Draws(GeneratorState generator, Bounded bounded) : stream_(generator), bounded_(bounded) {}

    void jump_to(std::uint64_t word) {
        stream_.jump_to(word / 2);
        position_ = word;
        begin_ = end_ = 0;
    }

    std::uint64_t position() const { return position_; }

    template <std::size_t kLanes>
    TERTIUM_INLINE void take(std::uint32_t* indices, std::size_t count) {
        if (bounded_.bound == 1) {  // NumPy draws nothing where there is no choice
            std::fill_n(indices, count, 0u);
            return;
        }
        for (std::size_t done = 0; done < count;) {
            const std::size_t wanted = count - done;
            if (begin_ == end_) {
                begin_ = 0;
                end_ = std::min(in_sixteens((wanted + 1) / 2), words_.size());
                fill_fast(stream_, words_.data(), end_);
            }
            const std::uint64_t pair = words_[begin_];
            if (position_ % 2 == 1) {  // the first half of the pair is used up
                done += bounded_.draw(static_cast<std::uint32_t>(pair >> 32), indices + done);
                ++begin_, ++position_;
            } else if (wanted == 1) {
                done += bounded_.draw(static_cast<std::uint32_t>(pair), indices + done);
                ++position_;
            } else {
                const std::size_t pairs = std::min(wanted / 2, end_ - begin_);
                done += bounded_.template draw_pairs<kLanes>(&words_[begin_], pairs, indices + done);
                begin_ += pairs, position_ += 2 * pairs;
            }
        }
    }

private:
    Stream stream_;
    Bounded bounded_;
    std::array<std::uint64_t, in_sixteens(kDraws / 2)> words_;
    std::size_t begin_ = 0, end_ = 0;  // of the words that are not used up
    std::uint64_t position_ = 0;       // of the next 32-bit word
};

template <std::size_t kLanes>
TERTIUM_INLINE void take_draws(Draws& draws, std::uint32_t* indices, std::size_t count) {
    draws.take<kLanes>(indices, count);
}
TERTIUM_BY_LANES(take_fast, take_draws)

// Where each draw stands in the stream: after all earlier draws and all earlier refused words.
class Refused {
public:
    void find(GeneratorState generator, Bounded bounded, std::uint64_t skipped, std::uint64_t draws, unsigned threads,
              Watch& watch) {
        skipped_ = skipped;
        if (bounded.unfair == 0) return;
        constexpr std::size_t piece = 65'536;
        const std::size_t pieces = (draws + piece - 1) / piece;
        std::vector<std::vector<std::uint64_t>> found(pieces);
        parallel_for(
            pieces, threads, watch,
            [&] {
                return [&](std::size_t begin, std::size_t end) {
                    for (std::size_t p = begin; p < end; ++p)
                        scan(generator, bounded, skipped, p * piece, std::min<std::uint64_t>(piece, draws - p * piece),
                             found[p]);
                };
            },
            1);
        for (const auto& some : found) words_.insert(words_.end(), some.begin(), some.end());
        // As many words more as were refused; of those, too, some may be.
        for (std::uint64_t known = draws; known < draws + words_.size();) {
            const std::uint64_t more = draws + words_.size() - known;
            scan(generator, bounded, skipped, known, more, words_);
            known += more;
        }
    }

    std::uint64_t word_of(std::uint64_t draw) const {
        std::uint64_t word = draw;
        for (;;) {
            const auto before = std::upper_bound(words_.begin(), words_.end(), word) - words_.begin();
            const std::uint64_t next = draw + static_cast<std::uint64_t>(before);
            if (next == word) return skipped_ + word;
            word = next;
        }
    }

private:
    static void scan(GeneratorState generator, Bounded bounded, std::uint64_t skipped, std::uint64_t begin,
                     std::uint64_t count, std::vector<std::uint64_t>& refused) {
        const std::uint64_t first = skipped + begin, last = first + count;
        Stream stream(generator);
        stream.jump_to(first / 2);
        std::array<std::uint64_t, 1024> pairs;
        for (std::uint64_t word = first / 2 * 2; word < last; word += 2 * pairs.size()) {
            fill_fast(stream, pairs.data(), std::min<std::size_t>(pairs.size(), in_sixteens((last - word + 1) / 2)));
            const std::uint64_t end = std::min<std::uint64_t>(word + 2 * pairs.size(), last);
            for (std::uint64_t k = std::max(word, first); k < end; ++k)
                if (!bounded.fair(static_cast<std::uint32_t>(pairs[(k - word) / 2] >> k % 2 * 32)))
                    refused.push_back(k - skipped);
        }
    }

    std::vector<std::uint64_t> words_;  // refused ones, counted from `skipped_` on, ascending
    std::uint64_t skipped_ = 0;
};

// Adds rows at the given places; before the narrow sums could overflow (after `most` rows) they join the totals.
template <class Number, std::size_t kPerRow>
TERTIUM_INLINE void gather(const Block<Number>* rows, const std::uint32_t* indices, std::size_t count, std::size_t most,
                           Total<Number>* totals) {
    for (std::size_t begin = 0; begin < count; begin += most) {
        const std::size_t end = std::min(begin + most, count);
        std::array<Block<Number>, kPerRow> sum{};
        for (std::size_t i = begin; i < end; ++i) {
            const Block<Number>* const row = rows + std::size_t{indices[i]} * kPerRow;
            for (std::size_t b = 0; b < kPerRow; ++b) sum[b].add(row[b]);
        }
        for (std::size_t b = 0; b < kPerRow; ++b) totals[b].add(sum[b]);
    }
}

// The same where two blocks fit one register.
template <class Number, std::size_t kPairs>
TERTIUM_INLINE void gather_pairs(const Block<Number>* rows, const std::uint32_t* indices, std::size_t count,
                                 std::size_t most, Total<Number>* totals) {
#if defined(__GNUC__) || defined(__clang__)
    typedef Number Pair __attribute__((vector_size(2 * kBytes)));
    const auto add_row = [&](Pair* sum, std::size_t i) {
        for (std::size_t p = 0; p < kPairs; ++p) {
            Pair pair;
            std::memcpy(&pair, rows + 2 * (std::size_t{indices[i]} * kPairs + p), sizeof pair);
            sum[p] += pair;
        }
    };
    for (std::size_t begin = 0; begin < count; begin += most) {
        const std::size_t end = std::min(begin + most, count);
        Pair sum[kPairs]{}, other[kPairs]{};
        std::size_t i = begin;
        for (; i + 2 <= end; i += 2) {
            add_row(sum, i);
            add_row(other, i + 1);
        }
        if (i < end) add_row(sum, i);
        for (std::size_t p = 0; p < kPairs; ++p) {
            const Pair both = sum[p] + other[p];
            Block<Number> blocks[2];
            std::memcpy(blocks, &both, sizeof both);
            totals[2 * p].add(blocks[0]);
            totals[2 * p + 1].add(blocks[1]);
        }
    }
#else
    gather<Number, 2 * kPairs>(rows, indices, count, most, totals);
#endif
}

template <std::size_t kLanes, class Number>
TERTIUM_INLINE void gather_any(const Block<Number>* rows, std::size_t per_row, const std::uint32_t* indices,
                               std::size_t count, std::size_t most, Total<Number>* totals) {
    if constexpr (kLanes == 8) {
        if (per_row == 2) return gather_pairs<Number, 1>(rows, indices, count, most, totals);
        if (per_row == 4) return gather_pairs<Number, 2>(rows, indices, count, most, totals);
    }
    switch (per_row) {
        case 1: return gather<Number, 1>(rows, indices, count, most, totals);
        case 2: return gather<Number, 2>(rows, indices, count, most, totals);
        case 3: return gather<Number, 3>(rows, indices, count, most, totals);
        default: return gather<Number, 4>(rows, indices, count, most, totals);
    }
}
TERTIUM_BY_LANES(gather_fast, gather_any)

template <class Number>
std::uint64_t bootstrap_sums_of(RowMatrix rows, const Columns& columns, GeneratorState generator, std::uint64_t skipped,
                                unsigned threads, Watch& watch, std::span<double> sums) {
    const std::size_t count = rows.segments(), width = rows.columns, replicates = sums.size() / width;
    constexpr std::size_t lanes = Block<Number>::kCount;
    const std::size_t per_row = std::clamp<std::size_t>((columns.distinct.size() + lanes - 1) / lanes, 1, 4);
    const auto blocks = blocks_of<Number>(rows, columns, per_row, count);
    const std::size_t groups = blocks.size() / (count * per_row);
    std::size_t most = kDraws;
    if constexpr (std::is_same_v<Number, std::int16_t>)
        most = std::min(most, static_cast<std::size_t>(32'767 / std::max(columns.largest, 1.0)));

    const Bounded bounded(count);
    Refused refused;
    const bool in_order = threads == 1 || count == 1;
    if (!in_order) refused.find(generator, bounded, skipped, replicates * count, threads, watch);
    std::uint64_t used = skipped;
    parallel_for(replicates, threads, watch, [&] {
        return [&, draws = Draws(generator, bounded), ready = false, indices = std::vector<std::uint32_t>(kDraws),
                totals = std::vector<Total<Number>>(groups * per_row)](std::size_t begin, std::size_t end) mutable {
            if (!in_order)
                draws.jump_to(refused.word_of(begin * count));
            else if (!ready)
                draws.jump_to(skipped);
            ready = true;
            for (std::size_t r = begin; r < end; ++r) {
                std::fill(totals.begin(), totals.end(), Total<Number>{});
                for (std::size_t done = 0; done < count; done += kDraws) {
                    const std::size_t some = std::min(kDraws, count - done);
                    take_fast(draws, indices.data(), some);
                    for (std::size_t g = 0; g < groups; ++g)
                        gather_fast(&blocks[g * count * per_row], per_row, indices.data(), some, most,
                                    &totals[g * per_row]);
                    watch.checkpoint();
                }
                for (std::size_t c = 0; c < width; ++c) {
                    const std::size_t k = columns.place[c];
                    sums[c * replicates + r] = k == Columns::zero ? 0.0 : totals[k / lanes].value[k % lanes];
                }
            }
            if (end == replicates) used = draws.position();
        };
    });
    return used;
}

// --- MultEval's shuffle ----------------------------------------------------------------------------------------------

constexpr std::size_t kShuffled = 4096;  // segments whose words are held
constexpr std::size_t kPerWord = 4;      // places that one word draws: of 64 runs, 24 of its bits

// Words for one segment: its coins, then what permutes its runs.
constexpr std::size_t words_per_segment(std::size_t runs) { return 1 + (runs - 1 + kPerWord - 1) / kPerWord; }

// Fisher and Yates. A word is a fraction of 2^64; times n, its whole part is a number below n, and what is left is a
// fraction again.
TERTIUM_INLINE void permute(const std::uint64_t* words, std::size_t runs, std::uint8_t* order) {
    for (std::size_t j = 0; j < runs; ++j) order[j] = static_cast<std::uint8_t>(j);
    std::uint64_t fraction = 0;
    for (std::size_t step = 0; step + 1 < runs; ++step) {
        if (step % kPerWord == 0) fraction = *words++;
        const std::size_t last = runs - 1 - step;
        const Wide drawn = product(fraction, last + 1);
        fraction = drawn.low;
        std::swap(order[last], order[drawn.high]);
    }
}

// Adds the rows of `count` segments; `rows` is the first one's, of the first run, `apart` doubles before the next
// run's.
TERTIUM_INLINE void add_shuffled(const double* rows, std::size_t apart, std::size_t runs, std::size_t width,
                                 const std::uint64_t* words, std::size_t count, double* sum, double* turned) {
    const std::size_t per_segment = words_per_segment(runs);
    std::array<std::uint8_t, kMostRuns> order;
    for (std::size_t i = 0; i < count; ++i, words += per_segment, rows += width) {
        permute(words + 1, runs, order.data());
        std::uint64_t ones = 0, others = 0;
        for (std::size_t j = 0; j < runs; ++j) {
            ones |= (words[0] >> j & 1) << order[j];  // run order[j] is brought the coin of j
            others |= (~words[0] >> order[j] & 1) << j;
        }
        for (std::size_t j = 0; j < runs; ++j) {
            const double* row = rows + j * apart;
            const double one = static_cast<double>(ones >> j & 1), other = static_cast<double>(others >> j & 1);
            for (std::size_t c = 0; c < width; ++c) sum[c] += one * row[c];
            for (std::size_t c = 0; c < width; ++c) turned[c] += other * row[c];
        }
    }
}

constexpr double kMost16 = 32'767, kMost32 = 2'147'483'647;

}  // namespace

void shuffled_sums(RowMatrix rows, std::size_t runs, GeneratorState generator, std::uint64_t first, unsigned threads,
                   Watch& watch, std::span<double> sums, std::span<double> turned) {
    const std::size_t width = rows.columns, count = rows.segments() / runs;
    if (sums.empty() || count == 0) return;
    const std::size_t trials = sums.size() / width, per_segment = words_per_segment(runs);
    parallel_for(trials, threads, watch, [&] {
        return [&, stream = Stream(generator), words = std::vector<std::uint64_t>(in_sixteens(kShuffled * per_segment)),
                one = std::vector<double>(width),
                other = std::vector<double>(width)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t t = begin; t < end; ++t) {
                std::fill(one.begin(), one.end(), 0.0);
                std::fill(other.begin(), other.end(), 0.0);
                stream.jump_to((first + t) * count * per_segment);
                for (std::size_t i = 0; i < count; i += kShuffled) {
                    const std::size_t some = std::min(kShuffled, count - i);
                    fill_fast(stream, words.data(), in_sixteens(some * per_segment));
                    add_shuffled(&rows.values[i * width], count * width, runs, width, words.data(), some, one.data(),
                                 other.data());
                    watch.checkpoint();
                }
                for (std::size_t c = 0; c < width; ++c) {
                    sums[c * trials + t] = one[c];
                    turned[c * trials + t] = other[c];
                }
            }
        };
    });
}

void subset_sums(RowMatrix rows, GeneratorState generator, std::uint64_t first, unsigned threads, Watch& watch,
                 std::span<double> sums) {
    if (sums.empty()) return;
    const Columns columns(rows);
    if (columns.fits(kAtOnce, kMost16) && columns.fits(rows.segments(), kMost32))
        return subset_sums_of<std::int16_t>(rows, columns, generator, first, threads, watch, sums);
    if (columns.fits(rows.segments(), kMost32))
        return subset_sums_of<std::int32_t>(rows, columns, generator, first, threads, watch, sums);
    subset_sums_of<double>(rows, columns, generator, first, threads, watch, sums);
}

std::uint64_t bootstrap_sums(RowMatrix rows, GeneratorState generator, std::uint64_t skipped, unsigned threads,
                             Watch& watch, std::span<double> sums) {
    if (sums.empty() || rows.segments() == 0) return skipped;
    const Columns columns(rows);
    if (columns.fits(16, kMost16) && columns.fits(rows.segments(), kMost32))
        return bootstrap_sums_of<std::int16_t>(rows, columns, generator, skipped, threads, watch, sums);
    if (columns.fits(rows.segments(), kMost32))
        return bootstrap_sums_of<std::int32_t>(rows, columns, generator, skipped, threads, watch, sums);
    return bootstrap_sums_of<double>(rows, columns, generator, skipped, threads, watch, sums);
}

}  // namespace tertium
