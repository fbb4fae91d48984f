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
// A bootstrap replicate draws points with replacement. Orders and ranks are found once; a replicate walks along them
// with the number of times each point was drawn as its weight. An element of the merge sort carries both: the rank in
// its upper half, the weight in its lower.

#include "pair_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace tertium {
namespace {

constexpr std::size_t kSmall = 24;      // up to here all pairs are looked at
constexpr std::size_t kInsertion = 12;  // runs that merge sort begins with
constexpr std::uint64_t kWeight = 0xFFFFFFFF;

using Counts = std::array<double, kPairKinds>;
enum { kConcordant, kDiscordant, kHumanTies, kMetricTies, kBothTies };

// An integer that orders as the number does; -0 equals 0.
std::uint64_t ordered(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

// Sorts `order` by keys[order[i]], eleven bits at a time from the lowest; equal keys keep their order.
void sort_by_key(const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& order) {
    const std::size_t count = order.size();
    if (count < 2048) {
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
        return;
    }
    struct Item {
        std::uint64_t key;
        std::uint32_t index;
    };
    constexpr int kBits = 11, kPasses = 6;
    constexpr std::size_t kBins = std::size_t{1} << kBits;
    std::vector<Item> items(count), other(count);
    std::vector<std::uint32_t> bins(kPasses * kBins);
    for (std::size_t i = 0; i < count; ++i) {
        items[i] = {keys[order[i]], order[i]};
        for (int pass = 0; pass < kPasses; ++pass) ++bins[pass * kBins + (items[i].key >> (pass * kBits) & (kBins - 1))];
    }
    for (int pass = 0; pass < kPasses; ++pass) {
        std::uint32_t* const bin = &bins[pass * kBins];
        if (std::find(bin, bin + kBins, count) != bin + kBins) continue;  // all alike in these bits
        std::exclusive_scan(bin, bin + kBins, bin, 0u);
        for (const Item& item : items) other[bin[item.key >> (pass * kBits) & (kBins - 1)]++] = item;
        items.swap(other);
    }
    for (std::size_t i = 0; i < count; ++i) order[i] = items[i].index;
}

// What is sorted: plain keys that count once each, or ranks with weights.
struct Plain {
    static bool before(std::uint64_t a, std::uint64_t b) { return a < b; }
    static double weight(std::uint64_t) { return 1; }
    static std::uint64_t sum(std::uint64_t* begin, std::uint64_t* end) { return static_cast<std::uint64_t>(end - begin); }
    static std::uint64_t amount(std::uint64_t) { return 1; }
};
struct Weighted {
    static bool before(std::uint64_t a, std::uint64_t b) { return (a | kWeight) < b; }
    static double weight(std::uint64_t a) { return static_cast<double>(a & kWeight); }
    static std::uint64_t sum(std::uint64_t* begin, std::uint64_t* end) {
        std::uint64_t total = 0;
        for (; begin != end; ++begin) total += *begin & kWeight;
        return total;
    }
    static std::uint64_t amount(std::uint64_t a) { return a & kWeight; }
};

// Merge sort from the bottom up; returns the inversions.
template <class Kind>
double inversions(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& space, Watch* watch) {
    const std::size_t count = items.size();
    space.resize(count);
    std::uint64_t found = 0;
    for (std::size_t begin = 0; begin < count; begin += kInsertion) {
        const std::size_t end = std::min(begin + kInsertion, count);
        for (std::size_t i = begin + 1; i < end; ++i) {
            const std::uint64_t item = items[i];
            std::uint64_t passed = 0;
            std::size_t j = i;
            for (; j > begin && Kind::before(item, items[j - 1]); --j) {
                passed += Kind::amount(items[j - 1]);
                items[j] = items[j - 1];
            }
            items[j] = item;
            found += passed * Kind::amount(item);
        }
    }
    for (std::size_t width = kInsertion; width < count; width *= 2) {
        for (std::size_t begin = 0; begin < count; begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, count), end = std::min(begin + 2 * width, count);
            std::uint64_t *left = &items[begin], *right = items.data() + middle, *out = &space[begin];
            std::uint64_t *const left_end = items.data() + middle, *const right_end = items.data() + end;
            if (middle < end && Kind::before(*right, left_end[-1])) {
                std::uint64_t remaining = Kind::sum(left, left_end);
                while (left != left_end && right != right_end) {
                    const bool overtakes = Kind::before(*right, *left);
                    const std::uint64_t item = overtakes ? *right : *left;
                    const std::uint64_t amount = Kind::amount(item);
                    *out++ = item;
                    found += overtakes ? remaining * amount : 0;
                    remaining -= overtakes ? 0 : amount;
                    right += overtakes;
                    left += !overtakes;
                }
            }
            out = std::copy(left, left_end, out);
            std::copy(right, right_end, out);
        }
        items.swap(space);
        if (watch) watch->checkpoint();
    }
    return static_cast<double>(found);
}

// Weighted pairs of equal elements in a sorted list: half of (sum^2 - sum of squares), run by run.
struct Ties {
    double pairs = 0, sum = 0, squares = 0;
    void add(double weight) { sum += weight, squares += weight * weight; }
    void close() {
        pairs += (sum * sum - squares) / 2;
        sum = squares = 0;
    }
};

// All pairs of a small group, one by one.
template <class WeightOf>
Counts small_counts(const double* metric, const double* human, std::size_t count, WeightOf weight) {
    Counts result{};
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const double m = metric[i], h = human[i], w = weight(i);
        if (w == 0) continue;
        double agree = 0, against = 0, in_human = 0, in_metric = 0, both = 0;
        for (std::size_t j = i + 1; j < count; ++j) {
            const double other = weight(j);
            const int of_metric = (metric[j] > m) - (metric[j] < m), of_human = (human[j] > h) - (human[j] < h);
            const int product = of_metric * of_human;
            agree += product > 0 ? other : 0;
            against += product < 0 ? other : 0;
            in_human += of_human == 0 && of_metric != 0 ? other : 0;
            in_metric += of_metric == 0 && of_human != 0 ? other : 0;
            both += of_metric == 0 && of_human == 0 ? other : 0;
        }
        result[kConcordant] += w * agree;
        result[kDiscordant] += w * against;
        result[kHumanTies] += w * in_human;
        result[kMetricTies] += w * in_metric;
        result[kBothTies] += w * both;
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
    std::vector<std::uint32_t> runs;  // where each run of equal human scores begins, and the end

    explicit HumanOrder(std::span<const double> human) : order(human.size()) {
        std::vector<std::uint64_t> keys(human.size());
        std::transform(human.begin(), human.end(), keys.begin(), ordered);
        std::iota(order.begin(), order.end(), 0u);
        sort_by_key(keys, order);
        for (std::size_t i = 0; i < order.size(); ++i)
            if (i == 0 || human[order[i]] != human[order[i - 1]]) runs.push_back(static_cast<std::uint32_t>(i));
        runs.push_back(static_cast<std::uint32_t>(order.size()));
    }
};

Counts large_counts(const double* metric, const HumanOrder& human, std::vector<std::uint64_t>& items,
                    std::vector<std::uint64_t>& space, Watch* watch) {
    const std::size_t count = human.order.size();
    items.resize(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = ordered(metric[human.order[i]]);
    Ties in_human, in_both, in_metric;
    for (std::size_t r = 0; r + 1 < human.runs.size(); ++r) {
        const auto begin = items.begin() + human.runs[r], end = items.begin() + human.runs[r + 1];
        const double size = static_cast<double>(end - begin);
        in_human.pairs += size * (size - 1) / 2;
        if (end - begin < 2) continue;
        std::sort(begin, end);
        for (auto at = begin; at != end; ++at) {
            if (at != begin && *at != at[-1]) in_both.close();
            in_both.add(1);
        }
        in_both.close();
    }
    const double discordant = inversions<Plain>(items, space, watch);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && items[i] != items[i - 1]) in_metric.close();
        in_metric.add(1);
    }
    in_metric.close();
    const double size = static_cast<double>(count);
    return from_totals(size * (size - 1) / 2, discordant, in_human.pairs, in_metric.pairs, in_both.pairs);
}

// Dense ranks: equal values get equal numbers, from 0.
std::vector<std::uint32_t> dense_ranks(std::span<const double> values, std::vector<std::uint32_t>* sorted = nullptr) {
    std::vector<std::uint64_t> keys(values.size());
    std::transform(values.begin(), values.end(), keys.begin(), ordered);
    std::vector<std::uint32_t> order(values.size()), ranks(values.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_by_key(keys, order);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && keys[order[i]] != keys[order[i - 1]]) ++rank;
        ranks[order[i]] = rank;
    }
    if (sorted) *sorted = std::move(order);
    return ranks;
}

struct DrawnPoint {
    std::uint32_t metric_rank, human_rank;
    std::int32_t item, system;
};

// The weights of one replicate, point by point.
struct Weights {
    const std::uint16_t *items, *systems;
    std::uint32_t operator()(std::int32_t item, std::int32_t system) const {
        return std::uint32_t{items[item]} * (systems ? systems[system] : 1u);
    }
};

Weights weights_of(const Draws& draws, std::size_t replicate) {
    return {draws.items.data() + replicate * draws.item_count,
            draws.systems.empty() ? nullptr : draws.systems.data() + replicate * draws.system_count};
}

// A group's points ordered by human score, then by the metric's.
std::vector<DrawnPoint> drawn_points(std::span<const double> metric, std::span<const double> human,
                                     std::span<const std::int32_t> item, std::span<const std::int32_t> system) {
    const auto of_metric = dense_ranks(metric), of_human = dense_ranks(human);
    std::vector<DrawnPoint> points(metric.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {of_metric[i], of_human[i], item[i], system.empty() ? 0 : system[i]};
    std::sort(points.begin(), points.end(), [](const DrawnPoint& a, const DrawnPoint& b) {
        return a.human_rank != b.human_rank ? a.human_rank < b.human_rank : a.metric_rank < b.metric_rank;
    });
    return points;
}

Counts drawn_counts(const std::vector<DrawnPoint>& points, const Weights& weights, std::vector<std::uint64_t>& items,
                    std::vector<std::uint64_t>& space) {
    items.resize(points.size());
    std::size_t count = 0;
    Ties in_human, in_both, in_metric;
    double sum = 0, squares = 0;
    std::uint32_t human = 0, metric = 0;
    for (const DrawnPoint& point : points) {
        const std::uint32_t weight = weights(point.item, point.system);
        if (weight == 0) continue;
        if (point.human_rank != human) in_human.close();
        if (point.human_rank != human || point.metric_rank != metric) in_both.close();
        human = point.human_rank, metric = point.metric_rank;
        in_human.add(weight);
        in_both.add(weight);
        sum += weight, squares += double(weight) * weight;
        items[count++] = std::uint64_t{point.metric_rank} << 32 | weight;
    }
    items.resize(count);
    in_human.close();
    in_both.close();
    const double discordant = inversions<Weighted>(items, space, nullptr);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && (items[i] | kWeight) != (items[i - 1] | kWeight)) in_metric.close();
        in_metric.add(Weighted::weight(items[i]));
    }
    in_metric.close();
    return from_totals((sum * sum - squares) / 2, discordant, in_human.pairs, in_metric.pairs, in_both.pairs);
}

std::span<const double> part(std::span<const double> values, Offsets offsets, std::size_t group) {
    return values.subspan(offsets[group], offsets[group + 1] - offsets[group]);
}
std::span<const std::int32_t> part(std::span<const std::int32_t> values, Offsets offsets, std::size_t group) {
    return values.empty() ? values : values.subspan(offsets[group], offsets[group + 1] - offsets[group]);
}

}  // namespace

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
                    const auto found =
                        order == orders.end()
                            ? small_counts(metric, &human[offsets[g]], offsets[g + 1] - offsets[g],
                                           [](std::size_t) { return 1.0; })
                            : large_counts(metric, order->second, items, space, &watch);
                    std::copy(found.begin(), found.end(), &counts[k * kPairKinds]);
                }
            };
        },
        run);
}

void drawn_pair_counts(std::span<const double> metric, std::span<const double> human, Offsets offsets,
                       const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts) {
    const std::size_t groups = offsets.size() - 1;
    std::vector<std::vector<DrawnPoint>> points(groups);
    for (std::size_t g = 0; g < groups; ++g)
        if (static_cast<std::size_t>(offsets[g + 1] - offsets[g]) > kSmall)
            points[g] = drawn_points(part(metric, offsets, g), part(human, offsets, g), part(draws.item, offsets, g),
                                     part(draws.system, offsets, g));
    parallel_for(
        draws.replicates(), threads, watch,
        [&] {
            return [&, items = std::vector<std::uint64_t>(), space = std::vector<std::uint64_t>()](
                       std::size_t begin, std::size_t end) mutable {
                for (std::size_t k = begin; k < end; ++k) {
                    const Weights weights = weights_of(draws, k);
                    for (std::size_t g = 0; g < groups; ++g) {
                        const std::size_t first = offsets[g];
                        const auto weight = [&](std::size_t i) {
                            return double(weights(draws.item[first + i],
                                                  draws.system.empty() ? 0 : draws.system[first + i]));
                        };
                        const auto found = points[g].empty()
                                               ? small_counts(&metric[first], &human[first], offsets[g + 1] - first, weight)
                                               : drawn_counts(points[g], weights, items, space);
                        std::copy(found.begin(), found.end(), &counts[(k * groups + g) * kPairKinds]);
                    }
                    watch.checkpoint();
                }
            };
        },
        8);
}

namespace {

// Sums of weights by rank, and how much stands below a rank: both in a logarithmic number of steps (Fenwick 1994).
class RankSums {
public:
    void reset(std::size_t ranks) { sums_.assign(ranks + 1, 0); }
    void add(std::uint32_t rank, double weight) {
        for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += weight;
    }
    double below(std::uint32_t rank) const {
        double sum = 0;
        for (std::size_t i = rank; i > 0; i &= i - 1) sum += sums_[i];
        return sum;
    }

private:
    std::vector<double> sums_;
};

struct GapGroup {
    std::vector<std::uint32_t> order;      // by `far`
    std::vector<std::uint32_t> ranks;      // of `other`
    std::vector<std::uint32_t> reach;      // for each place of the order: how many before it are far enough below
    std::uint32_t rank_count = 0;
};

GapGroup gap_group(std::span<const double> far, std::span<const double> other, double gap, bool above) {
    GapGroup group;
    dense_ranks(far, &group.order);
    group.ranks = dense_ranks(other);
    group.rank_count = group.ranks.empty() ? 0 : *std::max_element(group.ranks.begin(), group.ranks.end()) + 1;
    // Rounded differences from one point grow with the other, so those that are far enough come first.
    std::uint32_t reach = 0;
    for (const std::uint32_t at : group.order) {
        const auto enough = [&](std::uint32_t i) {
            const double difference = far[at] - far[group.order[i]];
            return above ? difference > gap : difference >= gap && difference > 0;
        };
        while (reach < group.order.size() && enough(reach)) ++reach;
        group.reach.push_back(reach);
    }
    return group;
}

}  // namespace

void gap_counts(std::span<const double> far, std::span<const double> other, Offsets offsets, double gap, bool above,
                const Draws& draws, unsigned threads, Watch& watch, std::span<double> counts) {
    const std::size_t groups = offsets.size() - 1;
    const bool drawn = !draws.items.empty();
    std::vector<GapGroup> prepared(groups);
    for (std::size_t g = 0; g < groups; ++g)
        prepared[g] = gap_group(part(far, offsets, g), part(other, offsets, g), gap, above);
    parallel_for(
        drawn ? draws.replicates() : 1, threads, watch,
        [&] {
            return [&, sums = RankSums()](std::size_t begin, std::size_t end) mutable {
                for (std::size_t k = begin; k < end; ++k) {
                    const Weights weights = drawn ? weights_of(draws, k) : Weights{};
                    for (std::size_t g = 0; g < groups; ++g) {
                        const GapGroup& group = prepared[g];
                        const auto weight = [&](std::uint32_t at) {
                            const std::size_t i = offsets[g] + at;
                            return drawn ? double(weights(draws.item[i], draws.system.empty() ? 0 : draws.system[i])) : 1.0;
                        };
                        sums.reset(group.rank_count);
                        double same = 0, against = 0, tied = 0, all = 0;
                        std::uint32_t added = 0;
                        for (std::size_t place = 0; place < group.order.size(); ++place) {
                            for (; added < group.reach[place]; ++added) {
                                const double w = weight(group.order[added]);
                                if (w == 0) continue;
                                sums.add(group.ranks[group.order[added]], w);
                                all += w;
                            }
                            const std::uint32_t at = group.order[place];
                            const double w = weight(at);
                            if (w == 0 || all == 0) continue;
                            const double below = sums.below(group.ranks[at]), up_to = sums.below(group.ranks[at] + 1);
                            same += w * below;
                            tied += w * (up_to - below);
                            against += w * (all - up_to);
                        }
                        double* const out = &counts[(k * groups + g) * 3];
                        out[0] = same, out[1] = against, out[2] = tied;
                    }
                    watch.checkpoint();
                }
            };
        },
        8);
}

void mid_ranks(std::span<const double> values, Offsets offsets, unsigned threads, Watch& watch,
               std::span<double> ranks) {
    const std::size_t groups = offsets.size() - 1, points = offsets[groups];
    const std::size_t lists = points == 0 ? 0 : values.size() / points;
    parallel_for(lists * groups, threads, watch, [&] {
        return [&, order = std::vector<std::uint32_t>(), keys = std::vector<std::uint64_t>()](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t k = begin; k < end; ++k) {
                const std::size_t g = k % groups, first = k / groups * points + offsets[g];
                const std::size_t count = offsets[g + 1] - offsets[g];
                keys.resize(count), order.resize(count);
                std::transform(&values[first], &values[first] + count, keys.begin(), ordered);
                std::iota(order.begin(), order.end(), 0u);
                sort_by_key(keys, order);
                for (std::size_t i = 0, j = 0; i < count; i = j) {
                    while (j < count && keys[order[j]] == keys[order[i]]) ++j;
                    for (std::size_t t = i; t < j; ++t) ranks[first + order[t]] = (i + j + 1) / 2.0;
                }
            }
        };
    });
}

void drawn_spearman(std::span<const double> metric, std::span<const double> human, Offsets offsets, const Draws& draws,
                    unsigned threads, Watch& watch, std::span<double> values) {
    const std::size_t groups = offsets.size() - 1;
    struct Side {
        std::vector<std::uint32_t> order, ranks;
    };
    std::vector<Side> of_metric(groups), of_human(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        of_metric[g].ranks = dense_ranks(part(metric, offsets, g), &of_metric[g].order);
        of_human[g].ranks = dense_ranks(part(human, offsets, g), &of_human[g].order);
    }
    parallel_for(
        draws.replicates(), threads, watch,
        [&] {
            return [&, weights = std::vector<double>(), ranks = std::vector<double>()](std::size_t begin,
                                                                                      std::size_t end) mutable {
                for (std::size_t k = begin; k < end; ++k) {
                    const Weights drawn = weights_of(draws, k);
                    for (std::size_t g = 0; g < groups; ++g) {
                        const std::size_t first = offsets[g], count = offsets[g + 1] - first;
                        weights.resize(count), ranks.resize(count);
                        double all = 0;
                        for (std::size_t i = 0; i < count; ++i) {
                            weights[i] = drawn(draws.item[first + i], draws.system.empty() ? 0 : draws.system[first + i]);
                            all += weights[i];
                        }
                        // Visits points by rank; a run of equal values shares the mean of its ranks. Ranks are taken
                        // from the middle, so that sums of products stay small.
                        const auto by_rank = [&](const Side& side, auto visit) {
                            double before = 0;
                            for (std::size_t i = 0, j = 0; i < count; i = j) {
                                double run = 0;
                                for (; j < count && side.ranks[side.order[j]] == side.ranks[side.order[i]]; ++j)
                                    run += weights[side.order[j]];
                                const double rank = before + run / 2 - all / 2;
                                for (std::size_t t = i; t < j; ++t) visit(side.order[t], rank);
                                before += run;
                            }
                        };
                        double human_squares = 0, metric_squares = 0, products = 0;
                        by_rank(of_human[g], [&](std::uint32_t at, double rank) {
                            ranks[at] = rank;
                            human_squares += weights[at] * rank * rank;
                        });
                        by_rank(of_metric[g], [&](std::uint32_t at, double rank) {
                            metric_squares += weights[at] * rank * rank;
                            products += weights[at] * rank * ranks[at];
                        });
                        values[k * groups + g] = human_squares > 0 && metric_squares > 0
                                                     ? products / std::sqrt(human_squares) / std::sqrt(metric_squares)
                                                     : std::numeric_limits<double>::quiet_NaN();
                    }
                    watch.checkpoint();
                }
            };
        },
        8);
}

namespace {

// What calling a pair's metric scores equal does to the number of rightly ordered pairs: +1 where people call the two
// equal, -1 where both agreed on an order. (A wrongly ordered pair stays wrong and is not kept.)
struct Flip {
    std::uint64_t difference;  // the bits of a number that is not negative order as the number does
    std::int32_t change;       // of the size class, times its sign
};

void sort_flips(std::vector<Flip>& flips) {
    constexpr int kBits = 11, kPasses = 6;
    constexpr std::size_t kBins = std::size_t{1} << kBits;
    if (flips.size() < 1024) {
        std::sort(flips.begin(), flips.end(), [](const Flip& a, const Flip& b) { return a.difference < b.difference; });
        return;
    }
    std::vector<Flip> other(flips.size());
    std::vector<std::size_t> bins(kPasses * kBins);
    for (const Flip& flip : flips)
        for (int pass = 0; pass < kPasses; ++pass) ++bins[pass * kBins + (flip.difference >> (pass * kBits) & (kBins - 1))];
    for (int pass = 0; pass < kPasses; ++pass) {
        std::size_t* const bin = &bins[pass * kBins];
        if (std::find(bin, bin + kBins, flips.size()) != bin + kBins) continue;
        std::exclusive_scan(bin, bin + kBins, bin, std::size_t{0});
        for (const Flip& flip : flips) other[bin[flip.difference >> (pass * kBits) & (kBins - 1)]++] = flip;
        flips.swap(other);
    }
}

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
    std::vector<Flip> flips;
    if (sampled.empty()) flips.reserve(all_pairs);
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
                if (of_metric == 0 || of_metric == -of_human) continue;
                const double difference = std::fabs(metric[i] - metric[j]);
                flips.push_back({std::bit_cast<std::uint64_t>(difference),
                                 of_human == 0 ? size_class + 1 : -(size_class + 1)});
            }
            watch.checkpoint();
        }
    }
    sort_flips(flips);
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
        if (now <= best || (i + 1 < flips.size() && flips[i + 1].difference == flips[i].difference)) continue;
        best = now;
        threshold = std::bit_cast<double>(flips[i].difference);
    }
    const double accuracy = groups == 0 ? std::numeric_limits<double>::quiet_NaN() : double(best) / double(common) / double(groups);
    return {threshold, accuracy};
}

}  // namespace tertium
