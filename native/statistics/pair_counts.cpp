// Counting pairs without looking at each.
//
// Order the points by human score. A pair is then discordant if the metric has it the other way round: an inversion
// of the metric's scores in that order. Merge sort counts inversions on the way: where an element of the right half
// goes first, it overtakes all that is left of the left half.
//
//     human   1  2  3  4        metric, in that order   .3 .1 | .2 .4  ->  .1 .3 | .2 .4  ->  .1 .2 .3 .4
//                                                        1 inversion        .2 overtakes .3: 2 discordant of 6
//
// Points with equal human scores are put in the metric's order first, so that they make no inversion. Tied pairs are
// counted by runs of equal values, and the rest is concordant.
//
// A bootstrap replicate draws points with replacement. Nothing changes but how often each point counts, so the merge
// sort is made once and written down: who was taken, and from which half. Eight replicates then read it at a time, each
// with its own weights. Where an element of the right half is taken, the weight of what was taken of the left half so
// far is the weight of its pairs in order; all other pairs are inversions.

#include "statistics/pair_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "machine/multiversion.hpp"

namespace tertium {
namespace {

constexpr std::size_t kSmall = 24;      // up to here all pairs are looked at
constexpr std::size_t kInsertion = 12;  // runs that merge sort begins with

using Counts = std::array<double, kPairKinds>;
enum { kConcordant, kDiscordant, kHumanTies, kMetricTies, kBothTies };

// An integer that orders as the number does; -0 equals 0.
std::uint64_t ordered(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

// Sorts items by their key; equal keys keep their order. The upper 33 bits are sorted eleven at a time from the lowest;
// the few that are equal in all of them are sorted where they stand.
template <class Item>
void sort_by_key(std::vector<Item>& items) {
    const auto by_key = [](const Item& a, const Item& b) { return a.key < b.key; };
    const std::size_t count = items.size();
    if (count < 2048) {
        std::stable_sort(items.begin(), items.end(), by_key);
        return;
    }
    constexpr int kBits = 11, kFirst = 31, kPasses = 3;
    constexpr std::size_t kBins = std::size_t{1} << kBits;
    const auto digit = [](const Item& item, int pass) { return item.key >> (kFirst + pass * kBits) & (kBins - 1); };
    std::vector<Item> other(count);
    std::vector<std::size_t> bins(kPasses * kBins);
    for (const Item& item : items)
        for (int pass = 0; pass < kPasses; ++pass) ++bins[pass * kBins + digit(item, pass)];
    for (int pass = 0; pass < kPasses; ++pass) {
        std::size_t* const bin = &bins[pass * kBins];
        if (std::find(bin, bin + kBins, count) != bin + kBins) continue;  // all alike in these bits
        std::exclusive_scan(bin, bin + kBins, bin, std::size_t{0});
        for (const Item& item : items) other[bin[digit(item, pass)]++] = item;
        items.swap(other);
    }
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        bool mixed = false;
        for (end = begin + 1; end < count && (items[end].key ^ items[begin].key) >> kFirst == 0; ++end)
            mixed |= items[end].key != items[begin].key;
        if (mixed) std::stable_sort(items.begin() + begin, items.begin() + end, by_key);
    }
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t index;
};

// The places of the values, lowest value first.
std::vector<Keyed> sorted_places(std::span<const double> values) {
    std::vector<Keyed> places(values.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = {ordered(values[i]), static_cast<std::uint32_t>(i)};
    sort_by_key(places);
    return places;
}

// Merge sort from the bottom up; returns the inversions. Runs that are sorted already end at `runs`, so that few long
// ones take few merges; short ones are sorted together by insertion first.
double inversions(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& space,
                  const std::vector<std::uint32_t>& runs, Watch& watch) {
    const std::size_t count = items.size();
    space.resize(count);
    std::uint64_t found = 0;
    std::vector<std::size_t> bounds{0};
    const auto close = [&](std::size_t end) {
        const std::size_t begin = bounds.back();
        if (begin == end) return;
        bounds.push_back(end);
        if (end - begin > kInsertion) return;  // one long run
        for (std::size_t i = begin + 1; i < end; ++i) {
            const std::uint64_t item = items[i];
            std::size_t j = i;
            for (; j > begin && item < items[j - 1]; --j) items[j] = items[j - 1];
            items[j] = item;
            found += i - j;
        }
    };
    for (std::size_t r = 0; r + 1 < runs.size(); ++r)
        if (runs[r + 1] - bounds.back() > kInsertion) {
            close(runs[r]);
            if (runs[r + 1] - runs[r] > kInsertion) close(runs[r + 1]);
        }
    close(count);
    while (bounds.size() > 2) {
        std::size_t kept = 1;
        for (std::size_t b = 0; b + 1 < bounds.size(); b += 2) {
            const std::size_t begin = bounds[b], middle = bounds[b + 1];
            const std::size_t end = b + 2 < bounds.size() ? bounds[b + 2] : middle;
            const std::uint64_t *left = items.data() + begin, *right = items.data() + middle;
            const std::uint64_t *const left_end = right, *const right_end = items.data() + end;
            std::uint64_t* out = space.data() + begin;
            if (middle < end && *right < left_end[-1]) {
                while (left != left_end && right != right_end) {
                    const bool overtakes = *right < *left;
                    *out++ = overtakes ? *right : *left;
                    found += overtakes ? left_end - left : 0;
                    right += overtakes;
                    left += !overtakes;
                }
            }
            out = std::copy(left, left_end, out);
            std::copy(right, right_end, out);
            bounds[kept++] = end;
        }
        bounds.resize(kept);
        items.swap(space);
        watch.checkpoint();
    }
    return static_cast<double>(found);
}

// All pairs of a small group, one by one.
Counts small_counts(const double* metric, const double* human, std::size_t count) {
    Counts result{};
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const double m = metric[i], h = human[i];
        int agree = 0, against = 0, in_human = 0, in_metric = 0, both = 0;
        for (std::size_t j = i + 1; j < count; ++j) {
            const int of_metric = (metric[j] > m) - (metric[j] < m), of_human = (human[j] > h) - (human[j] < h);
            agree += of_metric * of_human > 0;
            against += of_metric * of_human < 0;
            in_human += of_human == 0 && of_metric != 0;
            in_metric += of_metric == 0 && of_human != 0;
            both += of_metric == 0 && of_human == 0;
        }
        result[kConcordant] += agree;
        result[kDiscordant] += against;
        result[kHumanTies] += in_human;
        result[kMetricTies] += in_metric;
        result[kBothTies] += both;
    }
    return result;
}

// Turns pairs in all, inversions, and pairs tied in the human scores, in the metric, in both, into counts.
Counts from_totals(double pairs, double discordant, double human, double metric, double both) {
    return {pairs - discordant - human - metric + both, discordant, human - both, metric - both, both};
}

// A large group's points in the order of the human scores, found once for all metrics.
struct HumanOrder {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> runs;    // where each run of equal human scores begins, and the end
    std::vector<std::uint32_t> run_of;  // of each point, where runs are long

    explicit HumanOrder(std::span<const double> human) : order(human.size()) {
        const auto places = sorted_places(human);
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = places[i].index;
            if (i == 0 || places[i].key != places[i - 1].key) runs.push_back(static_cast<std::uint32_t>(i));
        }
        if (runs.size() * kLong < order.size()) {
            run_of.resize(order.size());
            for (std::size_t i = 0, run = 0; i < order.size(); ++i) {
                run += run + 1 < runs.size() && i == runs[run + 1];
                run_of[order[i]] = static_cast<std::uint32_t>(run);
            }
        }
        runs.push_back(static_cast<std::uint32_t>(order.size()));
    }

    // Fills the metric's scores as keys, by human score and then by their own.
    void arrange(const double* metric, std::vector<std::uint64_t>& items) const {
        items.resize(order.size());
        if (run_of.empty()) {
            for (std::size_t i = 0; i < order.size(); ++i) items[i] = ordered(metric[order[i]]);
            for (std::size_t r = 0; r + 1 < runs.size(); ++r)
                if (runs[r + 1] - runs[r] > 1) std::sort(items.begin() + runs[r], items.begin() + runs[r + 1]);
            return;
        }
        // In the metric's order, each point goes to the next free place of its run.
        std::vector<std::uint32_t> next(runs.begin(), runs.end() - 1);
        for (const Keyed& place : sorted_places({metric, order.size()})) items[next[run_of[place.index]]++] = place.key;
    }

    static constexpr std::size_t kLong = 8;
};

// Pairs of equal neighbours among sorted items.
double equal_pairs(const std::uint64_t* begin, const std::uint64_t* end) {
    double pairs = 0;
    for (const std::uint64_t* first = begin; begin != end; first = begin) {
        while (begin != end && *begin == *first) ++begin;
        const double size = static_cast<double>(begin - first);
        pairs += size * (size - 1) / 2;
    }
    return pairs;
}

Counts large_counts(const double* metric, const HumanOrder& human, std::vector<std::uint64_t>& items,
                    std::vector<std::uint64_t>& space, Watch& watch) {
    human.arrange(metric, items);
    double in_human = 0, in_both = 0;
    for (std::size_t r = 0; r + 1 < human.runs.size(); ++r) {
        const double size = human.runs[r + 1] - human.runs[r];
        if (size < 2) continue;
        in_human += size * (size - 1) / 2;
        in_both += equal_pairs(items.data() + human.runs[r], items.data() + human.runs[r + 1]);
    }
    const double discordant = inversions(items, space, human.runs, watch);
    const double in_metric = equal_pairs(items.data(), items.data() + items.size());
    const double size = static_cast<double>(items.size());
    return from_totals(size * (size - 1) / 2, discordant, in_human, in_metric, in_both);
}

// Dense ranks: equal values get equal numbers, from 0.
struct Ranked {
    std::vector<std::uint32_t> order, ranks;
    std::uint32_t distinct = 0;

    explicit Ranked(std::span<const double> values) : order(values.size()), ranks(values.size()) {
        const auto places = sorted_places(values);
        for (std::size_t i = 0; i < places.size(); ++i) {
            distinct += i == 0 || places[i].key != places[i - 1].key;
            order[i] = places[i].index;
            ranks[places[i].index] = distinct - 1;
        }
    }
};

// --- Replicates, eight at a time -----------------------------------------------------------------------------------

constexpr std::size_t kEight = 8;
#if defined(__GNUC__) || defined(__clang__)
typedef double Four __attribute__((vector_size(32)));  // twice: what processors have without a detour to memory
#else
struct Four {
    double at[4];
    double operator[](std::size_t r) const { return at[r]; }
};
template <class Do>
Four each(const Four& a, const Four& b, Do what) {
    return {{what(a[0], b[0]), what(a[1], b[1]), what(a[2], b[2]), what(a[3], b[3])}};
}
inline Four operator+(const Four& a, const Four& b) {
    return each(a, b, [](double x, double y) { return x + y; });
}
inline Four operator-(const Four& a, const Four& b) {
    return each(a, b, [](double x, double y) { return x - y; });
}
inline Four operator*(const Four& a, const Four& b) {
    return each(a, b, [](double x, double y) { return x * y; });
}
inline Four operator*(double a, const Four& b) {
    return each(b, b, [a](double x, double) { return a * x; });
}
#endif

struct Eight {
    Four low{}, high{};
    TERTIUM_INLINE double operator[](std::size_t r) const { return r < 4 ? low[r] : high[r - 4]; }
    friend TERTIUM_INLINE Eight operator+(const Eight& a, const Eight& b) { return {a.low + b.low, a.high + b.high}; }
    friend TERTIUM_INLINE Eight operator-(const Eight& a, const Eight& b) { return {a.low - b.low, a.high - b.high}; }
    friend TERTIUM_INLINE Eight operator*(const Eight& a, const Eight& b) { return {a.low * b.low, a.high * b.high}; }
    friend TERTIUM_INLINE Eight operator*(double a, const Eight& b) { return {a * b.low, a * b.high}; }
    friend TERTIUM_INLINE void operator+=(Eight& a, const Eight& b) { a = a + b; }
};

// In memory they are plain doubles: nothing there need be aligned as a vector is.
TERTIUM_INLINE Eight loaded(const double* from) {
    Eight values;
    std::memcpy(&values.low, from, sizeof values.low);
    std::memcpy(&values.high, from + 4, sizeof values.high);
    return values;
}
TERTIUM_INLINE void store_eight(const Eight& values, double* to) {
    std::memcpy(to, &values.low, sizeof values.low);
    std::memcpy(to + 4, &values.high, sizeof values.high);
}

// How often each item, and each system, was drawn in eight replicates that follow each other.
class EightDraws {
public:
    EightDraws(const Draws& draws) : draws_(draws) {}

    void load(std::size_t first) {
        fill(items_, draws_.items, draws_.item_count, first);
        if (!draws_.systems.empty()) fill(systems_, draws_.systems, draws_.system_count, first);
    }
    TERTIUM_INLINE Eight of(std::size_t point) const {
        const Eight item = loaded(&items_[draws_.item[point] * kEight]);
        return draws_.systems.empty() ? item : item * loaded(&systems_[draws_.system[point] * kEight]);
    }

private:
    static void fill(std::vector<double>& table, std::span<const std::uint16_t> drawn, std::size_t count,
                     std::size_t first) {
        table.assign(count * kEight, 0.0);
        const std::size_t replicates = std::min(kEight, drawn.size() / count - first);
        for (std::size_t r = 0; r < replicates; ++r)
            for (std::size_t i = 0; i < count; ++i) table[i * kEight + r] = drawn[(first + r) * count + i];
    }

    const Draws& draws_;
    std::vector<double> items_, systems_;
};

// A merge sort, written down. `taken` holds, merge by merge, the points in the order they were taken; the highest bit
// says that one came from the right half. `ends` says where each merge ends.
struct MergeScript {
    static constexpr std::uint32_t kRight = 0x80000000;
    std::vector<std::uint32_t> taken, ends;

    MergeScript() = default;
    MergeScript(std::vector<std::uint32_t> order, std::span<const std::uint32_t> ranks) {
        std::vector<std::uint32_t> next(order.size());
        const std::size_t count = order.size();
        for (std::size_t width = 1; width < count; width *= 2) {
            for (std::size_t begin = 0; begin < count; begin += 2 * width) {
                const std::size_t middle = std::min(begin + width, count), end = std::min(begin + 2 * width, count);
                std::size_t left = begin, right = middle;
                for (std::size_t at = begin; at < end; ++at) {
                    const bool overtakes = right < end && (left == middle || ranks[order[right]] < ranks[order[left]]);
                    next[at] = order[overtakes ? right++ : left++];
                    taken.push_back(next[at] | (overtakes ? kRight : 0));
                }
                ends.push_back(static_cast<std::uint32_t>(taken.size()));
            }
            order.swap(next);
        }
    }
};

// One group, ready for replicates.
struct DrawnGroup {
    std::size_t first = 0;
    std::vector<std::uint32_t> by_both, human_ends, both_ends;  // points by human score, then by metric; run ends
    std::vector<std::uint32_t> by_metric, metric_ends;
    MergeScript script;

    DrawnGroup(std::span<const double> metric, std::span<const double> human, std::size_t begin) : first(begin) {
        const Ranked ours(metric), people(human);
        // Stable: points in the metric's order, sorted by human rank, are ordered by both.
        std::vector<std::uint32_t> starts(people.distinct + 1);
        for (const std::uint32_t rank : people.ranks) ++starts[rank + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        by_both.resize(human.size());
        for (const std::uint32_t point : ours.order) by_both[starts[people.ranks[point]]++] = point;
        for (std::size_t i = 1; i <= by_both.size(); ++i) {
            const auto differ = [&](const Ranked& side) {
                return i == by_both.size() || side.ranks[by_both[i]] != side.ranks[by_both[i - 1]];
            };
            if (differ(people)) human_ends.push_back(static_cast<std::uint32_t>(i));
            if (differ(people) || differ(ours)) both_ends.push_back(static_cast<std::uint32_t>(i));
        }
        by_metric = ours.order;
        for (std::size_t i = 1; i <= by_metric.size(); ++i)
            if (i == by_metric.size() || ours.ranks[by_metric[i]] != ours.ranks[by_metric[i - 1]])
                metric_ends.push_back(static_cast<std::uint32_t>(i));
        script = MergeScript(by_both, ours.ranks);
    }
};

// Sum over runs of the squared weight of each.
TERTIUM_INLINE Eight squared_runs(const EightDraws& draws, std::size_t first, const std::vector<std::uint32_t>& order,
                                  const std::vector<std::uint32_t>& ends) {
    Eight squares{};
    std::size_t at = 0;
    for (const std::uint32_t end : ends) {
        Eight run{};
        for (; at < end; ++at) run += draws.of(first + order[at]);
        squares += run * run;
    }
    return squares;
}

TERTIUM_INLINE std::array<Counts, kEight> eight_counts(const DrawnGroup& group, const EightDraws& draws) {
    Eight in_order{}, sum{}, squares{};
    std::size_t at = 0;
    for (const std::uint32_t end : group.script.ends) {
        Eight left{};
        for (; at < end; ++at) {
            const std::uint32_t taken = group.script.taken[at];
            const Eight weight = draws.of(group.first + (taken & ~MergeScript::kRight));
            const double from_right = taken >> 31;
            in_order += left * (from_right * weight);
            left += (1 - from_right) * weight;
        }
    }
    for (const std::uint32_t point : group.by_both) {
        const Eight weight = draws.of(group.first + point);
        sum += weight;
        squares += weight * weight;
    }
    const Eight human = squared_runs(draws, group.first, group.by_both, group.human_ends);
    const Eight both = squared_runs(draws, group.first, group.by_both, group.both_ends);
    const Eight metric = squared_runs(draws, group.first, group.by_metric, group.metric_ends);
    std::array<Counts, kEight> counts;
    for (std::size_t r = 0; r < kEight; ++r) {
        const double own = squares[r], pairs = (sum[r] * sum[r] - own) / 2;
        counts[r] =
            from_totals(pairs, pairs - in_order[r], (human[r] - own) / 2, (metric[r] - own) / 2, (both[r] - own) / 2);
    }
    return counts;
}
TERTIUM_BY_PROCESSOR(eight_counts_here, eight_counts)

// Calls work(draws, first replicate, how many) for runs of eight replicates.
template <class MakeWork>
void eight_by_eight(const Draws& draws, unsigned threads, Watch& watch, MakeWork make_work) {
    const std::size_t replicates = draws.replicates();
    parallel_for((replicates + kEight - 1) / kEight, threads, watch,
                 [&] {
                     return [&, eight = EightDraws(draws), work = make_work()](std::size_t begin,
                                                                               std::size_t end) mutable {
                         for (std::size_t k = begin; k < end; ++k) {
                             eight.load(k * kEight);
                             work(eight, k * kEight, std::min(kEight, replicates - k * kEight));
                             watch.checkpoint();
                         }
                     };
                 },
                 1);
}

std::span<const double> part(std::span<const double> values, Offsets offsets, std::size_t group) {
    return values.subspan(offsets[group], offsets[group + 1] - offsets[group]);
}
}  // namespace

std::size_t pairs_within(Offsets offsets) {
    std::size_t pairs = 0;
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
        const auto size = static_cast<std::size_t>(offsets[g + 1] - offsets[g]);
        pairs += size < 2 ? 0 : size * (size - 1) / 2;
    }
    return pairs;
}

void pair_counts(std::span<const double> metrics, std::span<const double> human, Offsets offsets, unsigned threads,
                 Watch& watch, std::span<double> counts) {
    const std::size_t groups = offsets.size() - 1, points = human.size();
    const std::size_t lists = points == 0 ? 0 : metrics.size() / points;
    std::map<std::size_t, HumanOrder> orders;
    for (std::size_t g = 0; g < groups; ++g)
        if (const auto of_group = part(human, offsets, g); of_group.size() > kSmall) orders.emplace(g, of_group);
    const std::size_t run = orders.empty() ? 64 : 1;
    parallel_for(
        lists * groups, threads, watch,
        [&] {
            return [&, items = std::vector<std::uint64_t>(), space = std::vector<std::uint64_t>()](
                       std::size_t begin, std::size_t end) mutable {
                for (std::size_t k = begin; k < end; ++k) {
                    const std::size_t g = k % groups;
                    const double* const metric = &metrics[k / groups * points + offsets[g]];
                    const auto order = orders.find(g);
                    const auto found = order == orders.end()
                                           ? small_counts(metric, &human[offsets[g]], offsets[g + 1] - offsets[g])
                                           : large_counts(metric, order->second, items, space, watch);
                    std::copy(found.begin(), found.end(), &counts[k * kPairKinds]);
                }
            };
        },
        run);
}

void drawn_pair_counts(std::span<const double> metric, std::span<const double> human, Offsets offsets,
                       const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts) {
    const std::size_t groups = offsets.size() - 1;
    std::vector<DrawnGroup> prepared;
    for (std::size_t g = 0; g < groups; ++g) {
        prepared.emplace_back(part(metric, offsets, g), part(human, offsets, g), offsets[g]);
        watch.checkpoint();
    }
    eight_by_eight(draws, threads, watch, [&] {
        return [&](const EightDraws& eight, std::size_t first, std::size_t replicates) {
            for (std::size_t g = 0; g < groups; ++g) {
                const auto found = eight_counts_here(prepared[g], eight);
                for (std::size_t r = 0; r < replicates; ++r)
                    std::copy(found[r].begin(), found[r].end(), &counts[((first + r) * groups + g) * kPairKinds]);
            }
        };
    });
}

namespace {

// Pairs that are far enough apart, of a group whose points stand in order of `far`. For each point the others that are
// far enough below it come first: rounded differences from one point grow with the other.
struct GapGroup {
    std::size_t first = 0;
    std::vector<std::uint32_t> order, ranks, reach;
    std::uint32_t rank_count = 0;

    GapGroup(std::span<const double> far, std::span<const double> other, std::size_t begin, double gap, bool above)
        : first(begin) {
        order = Ranked(far).order;
        const Ranked others(other);
        ranks = others.ranks, rank_count = others.distinct;
        std::uint32_t reached = 0;
        for (const std::uint32_t at : order) {
            const auto enough = [&](std::uint32_t i) {
                const double difference = far[at] - far[order[i]];
                return above ? difference > gap : difference >= gap && difference > 0;
            };
            while (reached < order.size() && enough(reached)) ++reached;
            reach.push_back(reached);
        }
    }
};

// Sums of weights by rank, and how much stands below a rank: both in a logarithmic number of steps (Fenwick 1994).
class RankSums {
public:
    TERTIUM_INLINE void reset(std::size_t ranks) { sums_.assign(size_ = ranks + 1, 0.0); }
    TERTIUM_INLINE void add(std::uint32_t rank, double weight) {
        for (std::size_t i = rank + 1; i < size_; i += i & (~i + 1)) sums_[i] += weight;
    }
    TERTIUM_INLINE double below(std::uint32_t rank) const {
        double sum = 0;
        for (std::size_t i = rank; i > 0; i &= i - 1) sum += sums_[i];
        return sum;
    }

private:
    std::vector<double> sums_;
    std::size_t size_ = 0;
};

// The same, eight at a time.
class EightRankSums {
public:
    TERTIUM_INLINE void reset(std::size_t ranks) { sums_.assign((size_ = ranks + 1) * kEight, 0.0); }
    TERTIUM_INLINE void add(std::uint32_t rank, const Eight& weight) {
        for (std::size_t i = rank + 1; i < size_; i += i & (~i + 1)) {
            double* const at = &sums_[i * kEight];
            store_eight(loaded(at) + weight, at);
        }
    }
    TERTIUM_INLINE Eight below(std::uint32_t rank) const {
        Eight sum{};
        for (std::size_t i = rank; i > 0; i &= i - 1) sum += loaded(&sums_[i * kEight]);
        return sum;
    }

private:
    std::vector<double> sums_;
    std::size_t size_ = 0;
};

// One weight for all points; or those of eight replicates.
struct Once {
    TERTIUM_INLINE double of(std::size_t) const { return 1; }
};
struct Drawn {
    const EightDraws& draws;
    TERTIUM_INLINE Eight of(std::size_t point) const { return draws.of(point); }
};

// Ordered the same way, the other way, not at all: `counts` are filled.
template <class Weights, class Sums, class Number>
TERTIUM_INLINE void gaps(const GapGroup& group, const Weights& weights, Sums& sums, Number* counts) {
    Number same{}, against{}, tied{}, all{};
    std::uint32_t added = 0;
    sums.reset(group.rank_count);
    for (std::size_t place = 0; place < group.order.size(); ++place) {
        for (; added < group.reach[place]; ++added) {
            const std::uint32_t point = group.order[added];
            const Number weight = weights.of(group.first + point);
            sums.add(group.ranks[point], weight);
            all += weight;
        }
        if (added == 0) continue;
        const std::uint32_t point = group.order[place];
        const Number own = weights.of(group.first + point), below = sums.below(group.ranks[point]);
        const Number up_to = sums.below(group.ranks[point] + 1);
        same += own * below;
        against += own * (all - up_to);
        tied += own * (up_to - below);
    }
    counts[0] = same, counts[1] = against, counts[2] = tied;
}

using GapCounts = std::array<std::array<double, 3>, kEight>;

TERTIUM_INLINE GapCounts eight_gaps(const GapGroup& group, EightRankSums& sums, const EightDraws& draws) {
    Eight counts[3];
    gaps(group, Drawn{draws}, sums, counts);
    GapCounts result;
    for (std::size_t r = 0; r < kEight; ++r) result[r] = {counts[0][r], counts[1][r], counts[2][r]};
    return result;
}
TERTIUM_BY_PROCESSOR(eight_gaps_here, eight_gaps)

void small_gaps(const double* far, const double* other, std::size_t count, double gap, bool above, double* counts) {
    double same = 0, against = 0, tied = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            const double difference = far[j] - far[i], size = std::fabs(difference);
            if (!(above ? size > gap : size >= gap && size > 0)) continue;
            const double product = difference > 0 ? other[j] - other[i] : other[i] - other[j];
            same += product > 0, against += product < 0, tied += product == 0;
        }
    }
    counts[0] = same, counts[1] = against, counts[2] = tied;
}

}  // namespace

void gap_counts(std::span<const double> far, std::span<const double> other, Offsets offsets, double gap, bool above,
                const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts) {
    const std::size_t groups = offsets.size() - 1;
    const auto prepared = [&](std::size_t g) {
        return GapGroup(part(far, offsets, g), part(other, offsets, g), offsets[g], gap, above);
    };
    if (draws.items.empty()) {
        parallel_for(groups, threads, watch, [&] {
            return [&, sums = RankSums()](std::size_t begin, std::size_t end) mutable {
                for (std::size_t g = begin; g < end; ++g) {
                    const std::size_t size = offsets[g + 1] - offsets[g];
                    double* const out = &counts[g * 3];
                    if (size <= kSmall) {
                        small_gaps(&far[offsets[g]], &other[offsets[g]], size, gap, above, out);
                        continue;
                    }
                    gaps(prepared(g), Once{}, sums, out);
                }
            };
        });
        return;
    }
    std::vector<GapGroup> ready;
    for (std::size_t g = 0; g < groups; ++g) ready.push_back(prepared(g));
    eight_by_eight(draws, threads, watch, [&] {
        return [&, sums = EightRankSums()](const EightDraws& eight, std::size_t first, std::size_t replicates) mutable {
            for (std::size_t g = 0; g < groups; ++g) {
                const auto found = eight_gaps_here(ready[g], sums, eight);
                for (std::size_t r = 0; r < replicates; ++r)
                    std::copy(found[r].begin(), found[r].end(), &counts[((first + r) * groups + g) * 3]);
            }
        };
    });
}

void mid_ranks(std::span<const double> values, Offsets offsets, unsigned threads, Watch& watch,
               std::span<double> ranks) {
    const std::size_t groups = offsets.size() - 1, points = offsets[groups];
    const std::size_t lists = points == 0 ? 0 : values.size() / points;
    parallel_for(lists * groups, threads, watch, [&] {
        return [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const std::size_t g = k % groups, first = k / groups * points + offsets[g];
                const std::size_t count = offsets[g + 1] - offsets[g];
                const auto places = sorted_places(values.subspan(first, count));
                for (std::size_t i = 0, j = 0; i < count; i = j) {
                    while (j < count && places[j].key == places[i].key) ++j;
                    for (std::size_t t = i; t < j; ++t) ranks[first + places[t].index] = (i + j + 1) / 2.0;
                }
            }
        };
    });
}

namespace {

// Visits points by rank, eight replicates at a time; a run of equal values shares the mean of its ranks. Ranks are
// taken from the middle one, so that sums of products stay small.
template <class Visit>
TERTIUM_INLINE void by_rank(const EightDraws& draws, std::size_t first, const Eight& all,
                            const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& ends,
                            Visit visit) {
    Eight before{};
    std::size_t at = 0;
    for (const std::uint32_t end : ends) {
        Eight run{};
        for (std::size_t i = at; i < end; ++i) run += draws.of(first + order[i]);
        const Eight rank = before + 0.5 * (run - all);
        for (; at < end; ++at) visit(order[at], rank);
        before += run;
    }
}

struct RankedGroup {
    std::size_t first;
    std::vector<std::uint32_t> by_metric, metric_ends, by_human, human_ends;

    RankedGroup(std::span<const double> metric, std::span<const double> human, std::size_t begin) : first(begin) {
        const auto fill = [](const Ranked& side, std::vector<std::uint32_t>& ends) {
            for (std::size_t i = 1; i <= side.order.size(); ++i)
                if (i == side.order.size() || side.ranks[side.order[i]] != side.ranks[side.order[i - 1]])
                    ends.push_back(static_cast<std::uint32_t>(i));
            return side.order;
        };
        by_metric = fill(Ranked(metric), metric_ends);
        by_human = fill(Ranked(human), human_ends);
    }
};

// (A vector is not returned: how that is done depends on the processor that is compiled for.)
TERTIUM_INLINE void eight_spearman(const RankedGroup& group, const EightDraws& draws, std::vector<double>& ranks,
                                   std::array<double, kEight>& values) {
    Eight all{}, human_squares{}, metric_squares{}, products{};
    for (const std::uint32_t point : group.by_human) all += draws.of(group.first + point);
    by_rank(draws, group.first, all, group.by_human, group.human_ends, [&](std::uint32_t point, const Eight& rank) {
        const Eight weighted = draws.of(group.first + point) * rank;
        store_eight(weighted, &ranks[point * kEight]);
        human_squares += weighted * rank;
    });
    by_rank(draws, group.first, all, group.by_metric, group.metric_ends, [&](std::uint32_t point, const Eight& rank) {
        metric_squares += draws.of(group.first + point) * rank * rank;
        products += loaded(&ranks[point * kEight]) * rank;
    });
    for (std::size_t r = 0; r < kEight; ++r)
        values[r] = human_squares[r] > 0 && metric_squares[r] > 0
                        ? products[r] / std::sqrt(human_squares[r]) / std::sqrt(metric_squares[r])
                        : std::numeric_limits<double>::quiet_NaN();
}
TERTIUM_BY_PROCESSOR(eight_spearman_here, eight_spearman)

}  // namespace

void drawn_spearman(std::span<const double> metric, std::span<const double> human, Offsets offsets, const Draws& draws,
                    unsigned threads, Watch& watch, std::span<double> values) {
    const std::size_t groups = offsets.size() - 1;
    std::vector<RankedGroup> prepared;
    std::size_t largest = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        prepared.emplace_back(part(metric, offsets, g), part(human, offsets, g), offsets[g]);
        largest = std::max<std::size_t>(largest, offsets[g + 1] - offsets[g]);
    }
    eight_by_eight(draws, threads, watch, [&] {
        return [&, ranks = std::vector<double>(largest * kEight)](const EightDraws& eight, std::size_t first,
                                                                  std::size_t replicates) mutable {
            for (std::size_t g = 0; g < groups; ++g) {
                std::array<double, kEight> found;
                eight_spearman_here(prepared[g], eight, ranks, found);
                for (std::size_t r = 0; r < replicates; ++r) values[(first + r) * groups + g] = found[r];
            }
        };
    });
}

namespace {

// What calling a pair's metric scores equal does to the number of rightly ordered pairs: +1 where people call the two
// equal, -1 where both agreed on an order. (A wrongly ordered pair stays wrong and is not kept.)
struct Flip {
    std::uint64_t key;    // the distance: the bits of a number that is not negative order as the number does
    std::int32_t change;  // which size class, and the sign
};

}  // namespace

Calibration calibrated_ties(std::span<const double> metric, std::span<const double> human, Offsets offsets,
                            std::span<const std::uint8_t> sampled, Watch& watch) {
    // Groups of equal size weigh a pair equally, so one count per size is enough, and exact.
    std::map<std::size_t, std::int32_t> classes;
    std::vector<double> pairs_of;  // per class: pairs of one group
    std::size_t groups = 0, all_pairs = 0;
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
        const std::size_t size = offsets[g + 1] - offsets[g];
        all_pairs += size * (size - 1) / 2;
        groups += size >= 2;
    }
    std::size_t kept = 0;
    if (!sampled.empty()) all_pairs = std::accumulate(sampled.begin(), sampled.end(), std::size_t{0});
    std::vector<Flip> flips(all_pairs + 1);
    std::vector<std::int64_t> right;
    std::size_t at = 0;
    const auto class_of = [&](std::size_t pairs) {
        const auto [place, added] = classes.try_emplace(pairs, static_cast<std::int32_t>(classes.size()));
        if (added) pairs_of.push_back(static_cast<double>(pairs)), right.push_back(0);
        return place->second;
    };
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
        const std::size_t first = offsets[g], end = offsets[g + 1], size = end - first, pairs = size * (size - 1) / 2;
        if (size < 2) continue;
        std::size_t looked_at = pairs;
        if (!sampled.empty())
            looked_at = std::accumulate(sampled.begin() + at, sampled.begin() + at + pairs, std::size_t{0});
        if (looked_at == 0) {
            at += pairs, --groups;
            continue;
        }
        const std::int32_t size_class = class_of(looked_at);
        for (std::size_t i = first; i + 1 < end; ++i) {
            for (std::size_t j = i + 1; j < end; ++j, ++at) {
                if (!sampled.empty() && !sampled[at]) continue;
                const int of_metric = (metric[i] > metric[j]) - (metric[i] < metric[j]);
                const int of_human = (human[i] > human[j]) - (human[i] < human[j]);
                right[size_class] += of_metric == of_human;
                // Written whether or not it is wanted, and overwritten by the next if it is not: no branch to guess.
                flips[kept] = {std::bit_cast<std::uint64_t>(std::fabs(metric[i] - metric[j])),
                               of_human == 0 ? size_class + 1 : -(size_class + 1)};
                kept += of_metric != 0 && of_metric != -of_human;
            }
            watch.checkpoint();
        }
    }
    flips.resize(kept);
    sort_by_key(flips);
    watch.checkpoint();
    // Shares are compared as whole numbers over a common denominator where that fits, so that equal ones are equal.
    constexpr double kMost = 4e18;
    std::int64_t common = 1;
    for (const double pairs : pairs_of) {
        const std::int64_t step = static_cast<std::int64_t>(pairs) / std::gcd(common, static_cast<std::int64_t>(pairs));
        if (double(common) * double(step) * double(groups) > kMost) {
            common = static_cast<std::int64_t>(kMost / double(groups));
            break;
        }
        common *= step;
    }
    std::vector<std::int64_t> share(pairs_of.size());
    for (std::size_t c = 0; c < share.size(); ++c) share[c] = common / static_cast<std::int64_t>(pairs_of[c]);
    std::int64_t now = 0;
    for (std::size_t c = 0; c < share.size(); ++c) now += right[c] * share[c];
    std::int64_t best = now;
    double threshold = 0;
    std::vector<std::int64_t> gain(2 * share.size() + 1);
    for (std::size_t c = 0; c < share.size(); ++c) {
        gain[share.size() + c + 1] = share[c];
        gain[share.size() - c - 1] = -share[c];
    }
    const std::int64_t* const gain_of = gain.data() + share.size();
    for (std::size_t i = 0; i < flips.size(); ++i) {
        now += gain_of[flips[i].change];
        if (now <= best || (i + 1 < flips.size() && flips[i + 1].key == flips[i].key)) continue;
        best = now;
        threshold = std::bit_cast<double>(flips[i].key);
    }
    const double accuracy =
        groups == 0 ? std::numeric_limits<double>::quiet_NaN() : double(best) / double(common) / double(groups);
    return {threshold, accuracy};
}

}  // namespace tertium
