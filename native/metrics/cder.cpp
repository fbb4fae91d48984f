// CDER (Leusch, Ueffing, Ney 2006). D(i, l) is the least cost of having covered the first l words of the fixed text
// and standing behind word i of the free one. To the next row lead a match or substitution (one word on in both) and
// a deletion (one on in the fixed text); within a row one may go on by a word (an insertion) or jump anywhere, for 1
// each. Our names: an insertion is an extra hypothesis word, a deletion a missing reference word.
//
//     hypothesis        b  x  a        D(i, 0) = 0 1 1 1        (a jump leads anywhere)
//     after "a"                              1 1 2 1
//     after "b"                              2 1 2 2            the distance is the last: 2
//
// Since a jump leads from the lowest place of a row to all others, a row holds only its minimum and minimum + 1 as
// long as all costs are 0 or 1. So a row is one set of bits, the lowest places Z, and a number:
//
//     E = places behind a word that equals the next fixed word, N = Z << 1
//     if N & E is not empty:  Z = N & E                (a match from a lowest place costs nothing)
//     else:                   Z = Z | N | E, minimum + 1
//
// Place i = 0 … I is bit i. With other costs a row is an array, and a jump is the minimum of all, plus 1; going on
// by single words never beats a jump, so rows have no chain from left to right and are worked on in vectors.
//
// The path, where it is asked for, is found from the end. Ties: match or substitution, then insertion, jump,
// deletion; a jump comes from the nearest of the lowest places, of two the left one.

#include "metrics/cder.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "machine/multiversion.hpp"
#include "machine/vectors.hpp"
#include "matching/mask_rows.hpp"
#include "matching/retraced_rows.hpp"

namespace tertium {
namespace {

constexpr std::size_t kWordBits = MatchMask::kWordBits, kChunk = WordCosts::kPadding;
constexpr std::size_t kFewRows = 256;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// At most 63 free words, so that all places are bits of one word. Stores what the walk needs if `lowest` is there.
template <std::size_t kLanes>
TERTIUM_INLINE std::size_t short_rows(std::span<const Key> free, std::span<const Key> fixed, MatchMask& masks,
                                      std::uint64_t* lowest, std::uint64_t* diagonal) {
    masks.build<kLanes>(fixed, free);
    const std::uint64_t* const row = masks.row(0);
    std::uint64_t z = 1;
    std::size_t minimum = 0;
    if (lowest) lowest[0] = z;
    for (std::size_t l = 0; l < fixed.size(); ++l) {
        const std::uint64_t equal = row[l] << 1, moved = z << 1, hit = moved & equal;
        // Where a step on both sides is among the cheapest: see walk_short.
        if (lowest) diagonal[l + 1] = hit ? moved | equal : ~(z & ~(moved | equal));
        z = hit ? hit : z | moved | equal;
        minimum += hit == 0;
        if (lowest) lowest[l + 1] = z;
    }
    return minimum + (~z >> free.size() & 1);
}
template <std::size_t kLanes>
TERTIUM_INLINE std::size_t cost_short(std::span<const Key> free, std::span<const Key> fixed, MatchMask& masks) {
    return short_rows<kLanes>(free, fixed, masks, nullptr, nullptr);
}
TERTIUM_BY_LANES(short_cost, cost_short)
TERTIUM_BY_LANES(stored_rows, short_rows)

// A row is the words of Z, those of the places where a step on both sides is among the cheapest, and the minimum.
struct UnitStep {
    MaskRows masks;
    std::size_t words;

    void operator()(std::size_t row, const std::uint64_t* before, std::uint64_t* at) {
        const std::size_t place = masks.place(row - 1);
        std::uint64_t any = 0, equal_carry = 0, moved_carry = 0;
        std::uint64_t *const z = at, *const diagonal = at + words;
        for (std::size_t w = 0; w < words; ++w) {  // moved | equal for now in `diagonal`, hits in `z`
            const std::uint64_t mask = w < masks.words() ? masks.word(w, place) : 0;
            const std::uint64_t equal = mask << 1 | equal_carry, moved = before[w] << 1 | moved_carry;
            equal_carry = mask >> 63, moved_carry = before[w] >> 63;
            z[w] = moved & equal;
            diagonal[w] = moved | equal;
            any |= z[w];
        }
        at[2 * words] = before[2 * words] + (any == 0);
        if (any != 0) return;
        for (std::size_t w = 0; w < words; ++w) {
            z[w] = before[w] | diagonal[w];
            diagonal[w] = ~(before[w] & ~diagonal[w]);
        }
    }
};

// The set bit nearest to a place that is not set; of two the left one. There is one.
std::size_t nearest_bit(const std::uint64_t* words, std::size_t count, std::size_t place) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t left = none, right = none;
    for (std::size_t w = place / kWordBits + 1; w-- > 0 && left == none;) {
        std::uint64_t bits = words[w];
        if (w == place / kWordBits) bits &= (std::uint64_t{1} << (place % kWordBits)) - 1;
        if (bits) left = w * kWordBits + kWordBits - 1 - static_cast<std::size_t>(std::countl_zero(bits));
    }
    for (std::size_t w = place / kWordBits; w < count && right == none; ++w) {
        std::uint64_t bits = words[w];
        if (w == place / kWordBits) bits &= ~((std::uint64_t{1} << (place % kWordBits)) - 1);
        if (bits) right = w * kWordBits + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return left != none && (right == none || place - left <= right - place) ? left : right;
}

// From place i of row l back to the beginning. rows(l) gives Z and, for l > 0, the places with a cheapest diagonal.
// Bits of places behind the last may be set; a walk asks for none of them, but for jumps, which stay inside.
template <class Rows, class Visitor>
TERTIUM_INLINE void walk_bits(std::size_t i, std::size_t l, Rows rows, Visitor& visitor) {
    const std::size_t places = i + 1, words = (places + kWordBits - 1) / kWordBits;
    while (l > 0 || i > 0) {
        const auto [z, diagonal] = rows(l);
        if (i > 0 && l > 0 && has_bit(diagonal, i)) {
            --i, --l;
            visitor.diagonal(i, l);
        } else if (has_bit(z, i)) {
            visitor.skip_fixed(i, --l);
        } else if (i > 0 && has_bit(z, i - 1)) {
            visitor.skip_free(--i, l);
        } else {
            std::size_t source = nearest_bit(z, words, i);
            if (source >= places) {  // a bit behind the last place: look to the left only
                source = i;
                while (!has_bit(z, source)) --source;
            }
            visitor.jump(source, i, l);
            i = source;
        }
    }
}

// Rows of costs: place i of a row is at[i]. Places behind the last, up to a full chunk, are never the lowest and lead
// nowhere inside. At the end stands the minimum.
constexpr std::size_t row_width(std::size_t chunks) { return chunks * kChunk + 2; }

void first_row(double* row, std::size_t chunks) {
    std::fill_n(row, chunks * kChunk + 1, 1.0);
    row[0] = row[chunks * kChunk + 1] = 0;
}

// The next row before jumps; returns its minimum. A place before is at[i] or `jumped`, whichever is less.
template <class Four>
TERTIUM_INLINE double next_row(const double* cost, const double* before, double jumped, double* at,
                               std::size_t chunks) {
    constexpr std::size_t step = 4;
    static_assert(kChunk == 2 * step);
    const Four jump = all_four<Four>(jumped), one = all_four<Four>(1.0);
    Four last = lower(all_four<Four>(before[0]), jump), best = last + one, best_too = best;
    at[0] = best[0];
    // What is read was put into memory just so a row before: else reading would wait until all of it is there.
    const auto next = [&](std::size_t i) {
        const Four here = lower(four_at<Four>(before + i + 1), jump);
        const Four better = lower(moved_up(last, here) + four_at<Four>(cost + i), here + one);
        put(better, at + i + 1);
        last = here;
        return better;
    };
    for (std::size_t i = 0; i < chunks * kChunk; i += kChunk) {  // two chains, neither of which waits for the other
        best = lower(next(i), best);
        best_too = lower(next(i + step), best_too);
    }
    best = lower(best, best_too);
    const double even = best[0] < best[2] ? best[0] : best[2], odd = best[1] < best[3] ? best[1] : best[3];
    return even < odd ? even : odd;
}

template <class Four>
TERTIUM_INLINE void fill_row(const double* cost, const double* before, double* at, std::size_t chunks) {
    const double least = next_row<Four>(cost, before, kInfinity, at, chunks), jumped = least + 1;
    for (std::size_t i = 0; i <= chunks * kChunk; ++i) at[i] = jumped < at[i] ? jumped : at[i];
    at[chunks * kChunk + 1] = least;
}
TERTIUM_BY_V3(row_filled, fill_row<Vector<double>>, fill_row<HalvesOfFour>)

struct CostStep {
    WordCosts& costs;
    std::size_t chunks;
    void operator()(std::size_t row, const double* before, double* at) const {
        row_filled(costs.row(row - 1), before, at, chunks);
    }
};

// The last place of the last of some rows, of which two are kept; jumps are taken when the next row is made.
template <class Four>
TERTIUM_INLINE double last_cost(std::span<const double* const> costs, std::size_t place, std::size_t chunks,
                                double* before, double* at) {
    double jumped = 1;
    for (const double* const cost : costs) {
        jumped = next_row<Four>(cost, before, jumped, at, chunks) + 1;
        std::swap(before, at);
    }
    return before[place] < jumped ? before[place] : jumped;
}
TERTIUM_BY_V3(last_cost_here, last_cost<Vector<double>>, last_cost<HalvesOfFour>)

struct Coverage {
    std::span<std::uint64_t> places;  // a bit per free word
    std::size_t covering = 0;

    void cover(std::size_t i) {
        ++covering;
        places[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits);
    }
    void diagonal(std::size_t i, std::size_t, double = 0) { cover(i); }
    void skip_free(std::size_t i, std::size_t) { cover(i); }
    void skip_fixed(std::size_t, std::size_t) {}
    void jump(std::size_t, std::size_t, std::size_t) {}
    std::size_t covered() const {
        std::size_t count = 0;
        for (const std::uint64_t bits : places) count += static_cast<std::size_t>(std::popcount(bits));
        return count;
    }
};

struct Recorder {
    const Words &free, &fixed;
    bool swapped;
    std::vector<AlignmentStep> steps;  // from the end

    void add(StepKind kind, std::size_t i, std::size_t i_end, std::size_t l, std::size_t l_end, double cost) {
        if (swapped) std::swap(i, l), std::swap(i_end, l_end);
        steps.push_back({kind, i, i_end, l, l_end, cost});
    }
    void diagonal(std::size_t i, std::size_t l) { diagonal(i, l, free.keys[i] == fixed.keys[l] ? 0 : 1); }
    void diagonal(std::size_t i, std::size_t l, double cost) {
        const bool match = free.keys[i] == fixed.keys[l];
        add(match ? StepKind::match : StepKind::substitution, i, i + 1, l, l + 1, cost);
    }
    void skip_free(std::size_t i, std::size_t l) {
        add(swapped ? StepKind::deletion : StepKind::insertion, i, i + 1, l, l, 1);
    }
    void skip_fixed(std::size_t i, std::size_t l) {
        add(swapped ? StepKind::insertion : StepKind::deletion, i, i, l, l + 1, 1);
    }
    void jump(std::size_t from, std::size_t to, std::size_t l) { add(StepKind::jump, from, to, l, l, 1); }
};

struct BitRow {
    const std::uint64_t *z, *diagonal;
};

}  // namespace

double BlockMoves::unit_cost(const Words& free, const Words& fixed) {
    if (free.size() < kWordBits && !free.empty())
        return static_cast<double>(short_cost(free.keys, fixed.keys, space_.masks));
    const std::size_t words = free.size() / kWordBits + 1, width = 2 * words + 1;
    space_.lowest.assign(2 * width, 0);
    std::uint64_t *before = space_.lowest.data(), *at = before + width;
    before[0] = 1;
    UnitStep step{{space_.masks, fixed.keys, free.keys}, words};
    for (std::size_t l = 1; l <= fixed.size(); ++l) {
        step(l, before, at);
        std::swap(before, at);
        if (l % 64 == 0) watch_.spend(64 * width);
    }
    return static_cast<double>(before[2 * words] + !has_bit(before, free.size()));
}

double BlockMoves::word_cost(const Words& free, const Words& fixed, bool swapped) {
    costs_.begin(free, fixed, swapped);
    const std::size_t chunks = (free.size() + kChunk - 1) / kChunk, width = row_width(chunks);
    if (rows_.size() < 2 * width) rows_.resize(2 * width);
    double *before = rows_.data(), *at = before + width;
    first_row(before, chunks);
    if (fixed.size() <= kFewRows && costs_.keeps_all()) {
        const double* rows[kFewRows];
        for (std::size_t l = 0; l < fixed.size(); ++l) rows[l] = costs_.row(l);
        return last_cost_here(std::span<const double* const>(rows, fixed.size()), free.size(), chunks, before, at);
    }
    const CostStep step{costs_, chunks};
    for (std::size_t l = 1; l <= fixed.size(); ++l) {
        step(l, before, at);
        std::swap(before, at);
        if (l % 64 == 0) watch_.spend(64 * width);
    }
    return before[free.size()];
}

template <class Visitor>
double BlockMoves::walk_unit(const Words& free, const Words& fixed, Visitor& visitor) {
    if (free.size() < kWordBits && !free.empty()) {
        space_.lowest.resize(fixed.size() + 1);
        space_.diagonal.resize(fixed.size() + 1);
        std::uint64_t *const lowest = space_.lowest.data(), *const diagonal = space_.diagonal.data();
        const std::size_t cost = stored_rows(free.keys, fixed.keys, space_.masks, lowest, diagonal);
        walk_bits(free.size(), fixed.size(), [=](std::size_t l) { return BitRow{lowest + l, diagonal + l}; }, visitor);
        return static_cast<double>(cost);
    }
    const std::size_t words = free.size() / kWordBits + 1;
    RetracedRows<std::uint64_t, UnitStep> rows(fixed.size(), 2 * words + 1,
                                               {{space_.masks, fixed.keys, free.keys}, words}, watch_);
    std::vector<std::uint64_t> first(2 * words + 1);
    first[0] = 1;
    std::copy(first.begin(), first.end(), rows.first());
    const std::uint64_t* const last = rows.run();
    const double cost = static_cast<double>(last[2 * words] + !has_bit(last, free.size()));
    const auto row = [&](std::size_t l) {
        const std::uint64_t* const at = l > 0 ? rows[l].at : first.data();
        return BitRow{at, at + words};
    };
    walk_bits(free.size(), fixed.size(), row, visitor);
    return cost;
}

template <class Visitor>
double BlockMoves::walk_costs(const Words& free, const Words& fixed, bool swapped, Visitor& visitor) {
    costs_.begin(free, fixed, swapped);
    const std::size_t chunks = (free.size() + kChunk - 1) / kChunk, width = row_width(chunks);
    RetracedRows<double, CostStep> rows(fixed.size(), width, {costs_, chunks}, watch_);
    first_row(rows.first(), chunks);
    std::vector<double> first(rows.first(), rows.first() + width);
    const double cost = rows.run()[free.size()];
    const auto equal = [](double a, double b) { return !surely_less(a, b) && !surely_less(b, a); };
    std::size_t i = free.size(), l = fixed.size();
    while (l > 0 || i > 0) {
        const double* const before = l > 0 ? rows[l].before : nullptr;
        const double* const at = l > 0 ? rows[l].at : first.data();
        const double least = at[width - 1];
        if (i > 0 && l > 0) {
            const double step = costs_.row(l - 1)[i - 1];
            if (equal(at[i], before[i - 1] + step)) {
                --i, --l;
                visitor.diagonal(i, l, step);
                continue;
            }
        }
        if (i > 0 && equal(at[i], at[i - 1] + 1)) {
            visitor.skip_free(--i, l);
        } else if (equal(at[i], least + 1)) {
            std::size_t away = 1;
            while (!(i >= away && equal(at[i - away], least)) &&
                   !(i + away <= free.size() && equal(at[i + away], least)))
                ++away;
            const std::size_t source = i >= away && equal(at[i - away], least) ? i - away : i + away;
            visitor.jump(source, i, l);
            i = source;
        } else {
            visitor.skip_fixed(i, --l);
        }
    }
    return cost;
}

Moves BlockMoves::measure(const Words& free, const Words& fixed, bool swapped, bool with_path) {
    Moves moves;
    if (!with_path) {
        moves.cost = substitution_.is_exact() ? unit_cost(free, fixed) : word_cost(free, fixed, swapped);
        return moves;
    }
    std::uint64_t few = 0;
    std::vector<std::uint64_t> many(free.size() > kWordBits ? (free.size() + kWordBits - 1) / kWordBits : 0);
    Coverage coverage{many.empty() ? std::span(&few, 1) : std::span(many)};
    moves.cost =
        substitution_.is_exact() ? walk_unit(free, fixed, coverage) : walk_costs(free, fixed, swapped, coverage);
    moves.covering = coverage.covering;
    moves.covered = coverage.covered();
    return moves;
}

std::vector<AlignmentStep> BlockMoves::steps(const Words& free, const Words& fixed, bool swapped) {
    Recorder recorder{free, fixed, swapped, {}};
    if (substitution_.is_exact())
        walk_unit(free, fixed, recorder);
    else
        walk_costs(free, fixed, swapped, recorder);
    std::reverse(recorder.steps.begin(), recorder.steps.end());
    return std::move(recorder.steps);
}

namespace {

struct Compare {
    BlockMoves moves;
    const CderSettings& settings;
    bool swapped = false;  // which direction the last row is of

    Compared operator()(const Words& hypothesis, const Words& reference, double* row) {
        double cost = 0, penalty = 0;
        swapped = settings.direction == CderDirection::reversed;
        measure(hypothesis, reference, cost, penalty);
        if (settings.direction == CderDirection::maximum) {
            double other_cost = 0, other_penalty = 0;
            swapped = true;
            measure(hypothesis, reference, other_cost, other_penalty);
            swapped = surely_less(cost + penalty, other_cost + other_penalty);
            if (swapped) cost = other_cost, penalty = other_penalty;
        }
        row[0] = cost;
        row[1] = static_cast<double>(reference.size());
        if (settings.penalty != CderPenalty::none) row[2] = penalty;
        return {cost + penalty, error_rate(cost + penalty, row[1])};
    }

    void measure(const Words& hypothesis, const Words& reference, double& cost, double& penalty) {
        const Words &free = swapped ? reference : hypothesis, &fixed = swapped ? hypothesis : reference;
        const bool by_path = settings.penalty == CderPenalty::miscoverage || settings.penalty == CderPenalty::average;
        const Moves found = moves.measure(free, fixed, swapped, by_path);
        cost = found.cost;
        const double longer = free.size() > fixed.size() ? static_cast<double>(free.size() - fixed.size()) : 0.0;
        switch (settings.penalty) {
            case CderPenalty::none: break;
            case CderPenalty::length: penalty = longer; break;
            case CderPenalty::miscoverage: penalty = found.miscoverage(free.size()); break;
            case CderPenalty::average: penalty = (longer + found.miscoverage(free.size())) / 2; break;
        }
    }
};

PairSettings pair_settings(const CderSettings& settings) {
    return {settings.rule, !settings.substitution.is_exact(), cder_columns(settings), 1};
}

}  // namespace

void cder_rows(const TokenSource& hypotheses, const GroupedTokens& references, const CderSettings& settings,
               unsigned threads, Watch& watch, std::span<double> rows) {
    chosen_rows(hypotheses, references, pair_settings(settings), threads, watch, rows,
                [&] { return Compare{BlockMoves(settings.substitution, watch), settings}; });
}

PairAlignment cder_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t index,
                             const CderSettings& settings, Watch& watch) {
    const PairSettings pairs = pair_settings(settings);
    WordReader ours(pairs.spelt), theirs(pairs.spelt);
    Compare compare{BlockMoves(settings.substitution, watch), settings};
    std::vector<double> row(pairs.columns), spare(pairs.columns);
    PairAlignment alignment;
    alignment.reference = chosen_row(hypotheses, references, index, pairs, ours, theirs, compare, spare, row.data());
    const Words hypothesis = ours(hypotheses, index);
    const Words reference = theirs(references.texts, references.first(index) + alignment.reference);
    compare(hypothesis, reference, row.data());  // once more, to know the direction
    alignment.steps = compare.swapped ? compare.moves.steps(reference, hypothesis, true)
                                      : compare.moves.steps(hypothesis, reference, false);
    return alignment;
}

}  // namespace tertium
