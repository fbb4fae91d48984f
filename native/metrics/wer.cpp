// Edit distance by bits (Myers 1999, in Hyyrö's form). Let D(i, j) be the distance of the first i hypothesis words
// and the first j reference words. Neighbours in a row differ by -1, 0 or 1, so a row is two sets of bits: `up`
// has bit j if D(i, j+1) = D(i, j) + 1, `down` if it is - 1. Row 0 is 0 1 2 3 …: all bits are up. A dozen
// operations on whole words make the next row from the match mask of the next hypothesis word:
//
//     reference       the cat sat
//     row 0          0   1   2   3     up 1 1 1   down 0 0 0
//     after "a"      1   1   2   3     up 0 1 1   down 0 0 0
//     after "cat"    2   2   1   2     up 0 0 1   down 0 1 0
//
// The alignment is found from the end, first without the words both sides begin or end with:
//  - a deletion if `up` has bit j-1 in row i;
//  - else an insertion if `down` has it in row i-1;
//  - else a match or a substitution.
// Among alignments that cost the same, this order decides how many edits of each kind are counted. It gives the
// counts of jiwer (RapidFuzz). The walk visits each row once: deletions of one row are a run of bits in `up`.

#include "metrics/wer.hpp"

#include <algorithm>
#include <bit>

#include "machine/multiversion.hpp"
#include "matching/mask_rows.hpp"
#include "matching/retraced_rows.hpp"

namespace tertium {
namespace {

constexpr std::size_t kWordBits = MatchMask::kWordBits;

struct Core {  // where the two sides differ
    std::size_t begin = 0, hypothesis = 0, reference = 0;
};

TERTIUM_INLINE Core without_common_ends(std::span<const Key> hypothesis, std::span<const Key> reference) {
    const std::size_t least = std::min(hypothesis.size(), reference.size());
    std::size_t begin = 0, end = 0;
    while (begin < least && hypothesis[begin] == reference[begin]) ++begin;
    while (end < least - begin && hypothesis[hypothesis.size() - 1 - end] == reference[reference.size() - 1 - end])
        ++end;
    return {begin, hypothesis.size() - begin - end, reference.size() - begin - end};
}

// All counts follow from the distance, the deletions and the two lengths.
TERTIUM_INLINE EditCounts counts_from(std::size_t distance, std::size_t deletions, std::size_t hypothesis,
                                      std::size_t reference) {
    EditCounts counts;
    counts.deletions = deletions;
    counts.insertions = deletions + hypothesis - reference;
    counts.substitutions = distance - counts.insertions - deletions;
    counts.matches = reference - counts.substitutions - deletions;
    counts.cost = static_cast<double>(distance);
    return counts;
}

// Both sides have words, the reference at most 64 of them.
template <std::size_t kLanes>
TERTIUM_INLINE EditCounts count_short(std::span<const Key> hypothesis, std::span<const Key> reference,
                                      EditDistance::Space& space) {
    const std::size_t rows = hypothesis.size(), length = reference.size();
    space.masks.build<kLanes>(hypothesis, reference);
    if (space.up.size() <= rows) space.up.resize(2 * rows + 64), space.down.resize(2 * rows + 64);
    const std::uint64_t* const masks = space.masks.row(0);
    std::uint64_t *const ups = space.up.data(), *const downs = space.down.data();
    std::uint64_t up = ~std::uint64_t{0}, down = 0;
    downs[0] = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::uint64_t match = masks[i];
        const std::uint64_t same = (((match & up) + up) ^ up) | match | down;  // D(i+1, j+1) = D(i, j)
        const std::uint64_t right_up = (down | ~(same | up)) << 1 | 1, right_down = (up & same) << 1;
        up = right_down | ~(same | right_up);
        down = right_up & same;
        ups[i + 1] = up;
        downs[i + 1] = down;
    }
    const std::uint64_t inside = ~std::uint64_t{0} >> (kWordBits - length);
    const auto distance = rows + static_cast<std::size_t>(std::popcount(up & inside)) -
                          static_cast<std::size_t>(std::popcount(down & inside));
    std::size_t deletions = 0, j = length;
    for (std::size_t i = rows; i > 0 && j > 0; --i) {
        const auto run = static_cast<std::size_t>(std::countl_one(ups[i] << (kWordBits - j)));
        deletions += run;
        j -= run;
        if (j == 0) break;
        j -= ~downs[i - 1] >> (j - 1) & 1;
    }
    return counts_from(distance, deletions + j, rows, length);
}
TERTIUM_BY_LANES(short_count, count_short)

// One step for sixty-four bits of a row; carries go to the next sixty-four.
TERTIUM_INLINE void step_word(std::uint64_t mask, std::uint64_t& up, std::uint64_t& down, std::uint64_t& carry_up,
                              std::uint64_t& carry_down) {
    const std::uint64_t match = mask | carry_down;
    const std::uint64_t same = (((match & up) + up) ^ up) | match | down;
    const std::uint64_t right_up = down | ~(same | up), right_down = up & same;
    const std::uint64_t shifted_up = right_up << 1 | carry_up, shifted_down = right_down << 1 | carry_down;
    carry_up = right_up >> 63, carry_down = right_down >> 63;
    up = shifted_down | ~(same | shifted_up);
    down = shifted_up & same;
}

// The same for references of up to 64 * kWords words.
template <std::size_t kLanes, std::size_t kWords>
TERTIUM_INLINE EditCounts count_words(std::span<const Key> hypothesis, std::span<const Key> reference,
                                      EditDistance::Space& space) {
    const std::size_t rows = hypothesis.size(), length = reference.size();
    space.masks.build<kLanes>(hypothesis, reference);
    const std::size_t needed = kWords * (rows + 1);
    if (space.up.size() < needed) space.up.resize(2 * needed), space.down.resize(2 * needed);
    std::uint64_t *const ups = space.up.data(), *const downs = space.down.data();
    std::uint64_t up[kWords], down[kWords];
    for (std::size_t w = 0; w < kWords; ++w) up[w] = ~std::uint64_t{0}, down[w] = downs[w] = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        std::uint64_t carry_up = 1, carry_down = 0;
        for (std::size_t w = 0; w < kWords; ++w) {
            step_word(space.masks.row(w)[i], up[w], down[w], carry_up, carry_down);
            ups[kWords * (i + 1) + w] = up[w];
            downs[kWords * (i + 1) + w] = down[w];
        }
    }
    std::size_t distance = rows, deletions = 0, j = length, i = rows;
    for (std::size_t w = 0; w < kWords; ++w) {
        const std::uint64_t inside =
            w + 1 < kWords ? ~std::uint64_t{0} : ~std::uint64_t{0} >> (kWordBits * kWords - length);
        distance += static_cast<std::size_t>(std::popcount(up[w] & inside));
        distance -= static_cast<std::size_t>(std::popcount(down[w] & inside));
    }
    while (i > 0 && j > 0) {
        const std::size_t word = (j - 1) / kWordBits, bit = (j - 1) % kWordBits;
        const auto run = static_cast<std::size_t>(std::countl_one(ups[kWords * i + word] << (kWordBits - 1 - bit)));
        deletions += run;
        j -= run;
        if (run > bit) continue;  // perhaps it goes on in the word below
        --i;
        j -= ~downs[kWords * i + word] >> (bit - run) & 1;
    }
    return counts_from(distance, deletions + j, rows, length);
}
template <std::size_t kLanes>
TERTIUM_INLINE EditCounts count_some(std::span<const Key> hypothesis, std::span<const Key> reference,
                                     EditDistance::Space& space) {
    return reference.size() <= 2 * kWordBits ? count_words<kLanes, 2>(hypothesis, reference, space)
                                             : count_words<kLanes, 3>(hypothesis, reference, space);
}
TERTIUM_BY_LANES(some_count, count_some)

// A row is the words of `up`, then those of `down`.
struct UnitStep {
    MaskRows masks;
    std::size_t words;

    void operator()(std::size_t row, const std::uint64_t* before, std::uint64_t* at) {
        const std::size_t place = masks.place(row - 1);
        std::uint64_t carry_up = 1, carry_down = 0;
        for (std::size_t w = 0; w < words; ++w) {
            at[w] = before[w];
            at[words + w] = before[words + w];
            step_word(masks.word(w, place), at[w], at[words + w], carry_up, carry_down);
        }
    }
};

// Row l holds D(0, l) … D(hypothesis, l): here rows belong to reference words, as costs do.
struct CostStep {
    WordCosts& costs;
    std::size_t hypothesis;

    void operator()(std::size_t row, const double* before, double* at) {
        const double* const cost = costs.row(row - 1);
        double left = at[0] = before[0] + 1;
        for (std::size_t i = 1; i <= hypothesis; ++i) {
            const double diagonal = before[i - 1] + cost[i - 1], above = before[i] + 1;
            const double better = diagonal < above ? diagonal : above;
            left = left + 1 < better ? left + 1 : better;
            at[i] = left;
        }
    }
};

struct Counter {
    std::size_t deletions = 0, insertions = 0, matches = 0, substitutions = 0;
    void deletion(std::size_t, std::size_t) { ++deletions; }
    void insertion(std::size_t, std::size_t) { ++insertions; }
    void diagonal(std::size_t, std::size_t, bool match, double) { ++(match ? matches : substitutions); }
};

struct Recorder {
    std::size_t begin;
    std::vector<AlignmentStep> steps;  // from the end
    void deletion(std::size_t i, std::size_t j) {
        steps.push_back({StepKind::deletion, begin + i, begin + i, begin + j, begin + j + 1, 1});
    }
    void insertion(std::size_t i, std::size_t j) {
        steps.push_back({StepKind::insertion, begin + i, begin + i + 1, begin + j, begin + j, 1});
    }
    void diagonal(std::size_t i, std::size_t j, bool match, double cost) {
        steps.push_back({match ? StepKind::match : StepKind::substitution, begin + i, begin + i + 1, begin + j,
                         begin + j + 1, cost});
    }
};

template <class Visitor>
void visit_rest(std::size_t i, std::size_t j, Visitor& visitor) {
    for (; j > 0; --j) visitor.deletion(i, j - 1);
    for (; i > 0; --i) visitor.insertion(i - 1, j);
}

}  // namespace

// Both walks return the distance and call the visitor for each step, from the end.
template <class Visitor>
double EditDistance::walk_unit(const Words& hypothesis, const Words& reference, Visitor& visitor) {
    const std::size_t words = (reference.size() + kWordBits - 1) / kWordBits;
    RetracedRows<std::uint64_t, UnitStep> rows(hypothesis.size(), 2 * words,
                                               {{space_.masks, hypothesis.keys, reference.keys}, words}, watch_);
    std::fill_n(rows.first(), words, ~std::uint64_t{0});
    const std::uint64_t* const last = rows.run();
    std::size_t distance = hypothesis.size();
    for (std::size_t j = 0; j < reference.size(); ++j)
        distance = distance + has_bit(last, j) - has_bit(last + words, j);
    std::size_t i = hypothesis.size(), j = reference.size();
    while (i > 0 && j > 0) {
        const auto two = rows[i];
        if (has_bit(two.at, j - 1)) {
            visitor.deletion(i, --j);
        } else if (has_bit(two.before + words, j - 1)) {
            visitor.insertion(--i, j);
        } else {
            --i, --j;
            const bool match = hypothesis.keys[i] == reference.keys[j];
            visitor.diagonal(i, j, match, match ? 0 : 1);
        }
    }
    visit_rest(i, j, visitor);
    return static_cast<double>(distance);
}

template <class Visitor>
double EditDistance::walk_costs(const Words& hypothesis, const Words& reference, Visitor& visitor) {
    costs_.begin(hypothesis, reference, false);
    RetracedRows<double, CostStep> rows(reference.size(), hypothesis.size() + 1, {costs_, hypothesis.size()}, watch_);
    for (std::size_t i = 0; i <= hypothesis.size(); ++i) rows.first()[i] = static_cast<double>(i);
    const double distance = rows.run()[hypothesis.size()];
    const auto equal = [](double a, double b) { return !surely_less(a, b) && !surely_less(b, a); };
    std::size_t i = hypothesis.size(), j = reference.size();
    while (i > 0 && j > 0) {
        const auto two = rows[j];  // before: one reference word less
        const bool inserts = equal(two.at[i], two.at[i - 1] + 1);
        if (equal(two.at[i], two.before[i] + 1)) {
            visitor.deletion(i, --j);
            continue;
        }
        const double cost = costs_.row(j - 1)[i - 1];
        if (inserts && (equal(two.at[i - 1], two.before[i - 1] - 1) || !equal(two.at[i], two.before[i - 1] + cost))) {
            visitor.insertion(--i, j);
        } else {
            --i, --j;
            visitor.diagonal(i, j, hypothesis.keys[i] == reference.keys[j], cost);
        }
    }
    visit_rest(i, j, visitor);
    return distance;
}

EditCounts EditDistance::count(const Words& hypothesis, const Words& reference) {
    const Core core = without_common_ends(hypothesis.keys, reference.keys);
    const std::size_t common = hypothesis.size() - core.hypothesis;
    EditCounts counts;
    if (core.hypothesis == 0 || core.reference == 0) {
        counts.insertions = core.hypothesis, counts.deletions = core.reference;
        counts.cost = static_cast<double>(core.hypothesis + core.reference);
    } else if (substitution_.is_exact() && core.reference <= kWordBits) {
        counts = short_count(hypothesis.keys.subspan(core.begin, core.hypothesis),
                             reference.keys.subspan(core.begin, core.reference), space_);
    } else if (substitution_.is_exact() && core.reference <= 3 * kWordBits && core.hypothesis <= MaskRows::kRows) {
        counts = some_count(hypothesis.keys.subspan(core.begin, core.hypothesis),
                            reference.keys.subspan(core.begin, core.reference), space_);
    } else {
        const Words ours = hypothesis.part(core.begin, core.hypothesis);
        const Words theirs = reference.part(core.begin, core.reference);
        Counter counter;
        counts.cost = substitution_.is_exact() ? walk_unit(ours, theirs, counter) : walk_costs(ours, theirs, counter);
        counts.matches = counter.matches, counts.substitutions = counter.substitutions;
        counts.insertions = counter.insertions, counts.deletions = counter.deletions;
    }
    counts.matches += common;
    return counts;
}

std::vector<AlignmentStep> EditDistance::steps(const Words& hypothesis, const Words& reference) {
    const Core core = without_common_ends(hypothesis.keys, reference.keys);
    const Words ours = hypothesis.part(core.begin, core.hypothesis);
    const Words theirs = reference.part(core.begin, core.reference);
    std::size_t i = hypothesis.size(), j = reference.size();
    Recorder recorder{0, {}};
    while (i > core.begin + core.hypothesis) --i, --j, recorder.diagonal(i, j, true, 0);
    recorder.begin = core.begin;
    if (ours.empty() || theirs.empty())
        visit_rest(ours.size(), theirs.size(), recorder);
    else if (substitution_.is_exact())
        walk_unit(ours, theirs, recorder);
    else
        walk_costs(ours, theirs, recorder);
    recorder.begin = 0;
    for (i = core.begin; i > 0; --i) recorder.diagonal(i - 1, i - 1, true, 0);
    std::reverse(recorder.steps.begin(), recorder.steps.end());
    return std::move(recorder.steps);
}

namespace {

struct Compare {
    EditDistance distance;
    bool exact;

    Compared operator()(const Words& hypothesis, const Words& reference, double* row) {
        const EditCounts counts = distance.count(hypothesis, reference);
        row[0] = static_cast<double>(counts.matches);
        row[1] = static_cast<double>(counts.substitutions);
        row[2] = static_cast<double>(counts.insertions);
        row[3] = static_cast<double>(counts.deletions);
        row[4] = static_cast<double>(reference.size());
        if (!exact) row[5] = counts.cost;
        return {counts.cost, error_rate(counts.cost, row[4])};
    }
};

PairSettings pair_settings(const WerSettings& settings) {
    return {settings.rule, !settings.substitution.is_exact(), wer_columns(settings), 4};
}

}  // namespace

void wer_rows(const TokenSource& hypotheses, const GroupedTokens& references, const WerSettings& settings,
              unsigned threads, Watch& watch, std::span<double> rows) {
    chosen_rows(hypotheses, references, pair_settings(settings), threads, watch, rows,
                [&] { return Compare{EditDistance(settings.substitution, watch), settings.substitution.is_exact()}; });
}

PairAlignment wer_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t index,
                            const WerSettings& settings, Watch& watch) {
    const PairSettings pairs = pair_settings(settings);
    WordReader ours(pairs.spelt), theirs(pairs.spelt);
    Compare compare{EditDistance(settings.substitution, watch), settings.substitution.is_exact()};
    std::vector<double> row(pairs.columns), spare(pairs.columns);
    PairAlignment alignment;
    alignment.reference = chosen_row(hypotheses, references, index, pairs, ours, theirs, compare, spare, row.data());
    alignment.steps = compare.distance.steps(ours(hypotheses, index),
                                             theirs(references.texts, references.first(index) + alignment.reference));
    return alignment;
}

std::vector<std::vector<AlignmentStep>> wer_runs(const TokenSource& hypotheses, const TokenSource& references,
                                                 unsigned threads, Watch& watch) {
    std::vector<std::vector<AlignmentStep>> runs(hypotheses.size());
    const Substitution exact;
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, ours = WordReader(false), theirs = WordReader(false), distance = EditDistance(exact, watch)](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i)
                for (const AlignmentStep& step : distance.steps(ours(hypotheses, i), theirs(references, i))) {
                    if (runs[i].empty() || runs[i].back().kind != step.kind) {
                        runs[i].push_back(step);
                        continue;
                    }
                    runs[i].back().hyp_end = step.hyp_end;
                    runs[i].back().ref_end = step.ref_end;
                    runs[i].back().cost += step.cost;
                }
        };
    });
    return runs;
}

}  // namespace tertium
