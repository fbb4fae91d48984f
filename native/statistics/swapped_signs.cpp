// How a million sign flips of thousands of scores take milliseconds.
//
// A flip turns the signs of some items, and a system's sum under it is wanted: for 1,000 flips, for each trial, and for
// each two of the metrics. Three ideas make that few additions:
//
// 1. Sums are linear. With a and b the scores of two metrics and s the swapped items, the mixture's sum is
//
//        sum(a) - sum(a on s) + sum(b on s)
//
//    so in each trial a sum is needed for each metric, not for each two of them. For the same reason a sum is needed
//    for each system, not for each pair of systems, as long as the same items count for all; otherwise pairs are
//    summed.
// 2. Six items have 64 ways to turn their signs. A table of those sums, each entry made from another by one addition,
//    saves five additions of six:
//
//        items 3, 5    table[00] = -8    [01] = -8 + 2 * 3 = -2    [10] = -8 + 2 * 5 = 2    [11] = -2 + 2 * 5 = 8
//
// 3. An entry holds several systems side by side, and the flips of a pair of systems are counted side by side.

#include "statistics/swapped_signs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "machine/multiversion.hpp"

namespace tertium {
namespace {

constexpr std::size_t kTableItems = 6, kEntries = std::size_t{1} << kTableItems;
constexpr std::size_t kTables = 8;                     // that are used in one go over the flips
constexpr std::size_t kGroup = kTables * kTableItems;  // items
constexpr std::size_t kSide = 4;                       // columns side by side
constexpr std::size_t kFlipBlock = 128;                // flips whose sums stay near while pairs are counted

// What is summed: a system, or the difference of two.
struct ScoreColumn {
    std::size_t system, minus;
    bool is_pair;
};

// What all trials share: which columns there are, and the flips as places in tables.
class Plan {
public:
    explicit Plan(const SwappedScores& given) : given(given), rows(given.flip_count + 1) {
        const auto judged_alike = [&](std::size_t item) {
            for (std::size_t s = 1; s < given.systems; ++s)
                if (is_judged(s, item) != is_judged(0, item)) return false;
            return true;
        };
        complete = true;
        for (std::size_t item = 0; item < given.items; ++item) complete = complete && judged_alike(item);
        for (std::size_t s = 0; s < given.systems; ++s) {
            if (complete) columns.push_back({s, s, false});
            for (std::size_t other = s + 1; other < given.systems && !complete; ++other)
                columns.push_back({s, other, true});
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!complete) compared.push_back({i, columns.size()});
            for (std::size_t j = i + 1; j < columns.size() && complete; ++j) compared.push_back({i, j});
        }
        groups = (given.items + kGroup - 1) / kGroup;
        places.resize(groups * rows * kTables);
        for (std::size_t k = 0; k < places.size(); ++k)
            places[k] = static_cast<std::uint16_t>(k % kTables * kEntries * kSide);
        for (std::size_t item = 0; item < given.items; ++item)
            for (std::size_t row = 0; row < rows; ++row)
                if (row == given.flip_count || given.flips[row * given.items + item])
                    places[(item / kGroup * rows + row) * kTables + item % kGroup / kTableItems] |=
                        static_cast<std::uint16_t>(kSide << item % kTableItems);
    }

    bool is_judged(std::size_t system, std::size_t item) const {
        return given.judged[system * given.items + item] != 0;
    }

    const SwappedScores& given;
    std::size_t rows;  // the flips, and one that turns nothing
    std::size_t groups = 0;
    bool complete = true;
    std::vector<ScoreColumn> columns;
    std::vector<std::pair<std::size_t, std::size_t>> compared;  // columns; one behind the last is all zeros
    std::vector<std::uint16_t> places;                          // in all tables: groups x rows x tables
};

// Signed sums of some columns for all flips.
class SignedSums {
public:
    explicit SignedSums(const Plan& plan)
        : plan_(plan), values_(plan.groups * kGroup * kSide), sums_(plan.rows * kSide),
          tables_(kTables * kEntries * kSide) {}

    // Fills (metrics x columns x rows); of the items that are swapped, or of all.
    TERTIUM_INLINE void fill(const std::uint8_t* swapped, Watch& watch, double* out) {
        const std::size_t width = plan_.columns.size(), all = plan_.given.metrics * width;
        for (std::size_t first = 0; first < all; first += kSide) {
            watch.checkpoint();
            const std::size_t some = std::min(kSide, all - first);
            for (std::size_t k = 0; k < some; ++k)
                gather(plan_.columns[(first + k) % width], (first + k) / width, swapped, k);
            for (std::size_t k = some; k < kSide; ++k)
                for (std::size_t item = 0; item < plan_.given.items; ++item) values_[item * kSide + k] = 0;
            std::fill(sums_.begin(), sums_.end(), 0.0);
            for (std::size_t group = 0; group < plan_.groups; ++group) add_group(group);
            for (std::size_t k = 0; k < some; ++k)
                for (std::size_t row = 0; row < plan_.rows; ++row)
                    out[(first + k) * plan_.rows + row] = sums_[row * kSide + k];
        }
    }

private:
    TERTIUM_INLINE void gather(const ScoreColumn& column, std::size_t metric, const std::uint8_t* swapped,
                               std::size_t k) {
        for (std::size_t item = 0; item < plan_.given.items; ++item) {
            double one = value(column.system, item, metric, swapped);
            if (column.is_pair) {
                one -= value(column.minus, item, metric, swapped);
                if (!plan_.is_judged(column.system, item) || !plan_.is_judged(column.minus, item)) one = 0;
            }
            values_[item * kSide + k] = one;
        }
    }

    TERTIUM_INLINE double value(std::size_t system, std::size_t item, std::size_t metric,
                                const std::uint8_t* swapped) const {
        const std::size_t cell = system * plan_.given.items + item;
        const double score = plan_.given.scores[metric * plan_.given.systems * plan_.given.items + cell];
        return swapped ? score * swapped[cell] : score;  // a branch would be guessed wrongly every other time
    }

    TERTIUM_INLINE void add_group(std::size_t group) {
        for (std::size_t t = 0; t < kTables; ++t)
            make_table(values_.data() + (group * kTables + t) * kTableItems * kSide,
                       tables_.data() + t * kEntries * kSide);
        const std::uint16_t* place = plan_.places.data() + group * plan_.rows * kTables;
        double* sum = sums_.data();
        for (std::size_t row = 0; row < plan_.rows; ++row, sum += kSide, place += kTables) {
            double total[kSide];
            for (std::size_t k = 0; k < kSide; ++k) total[k] = sum[k];
            for (std::size_t t = 0; t < kTables; ++t) {
                const double* const entry = tables_.data() + place[t];
                for (std::size_t k = 0; k < kSide; ++k) total[k] += entry[k];
            }
            for (std::size_t k = 0; k < kSide; ++k) sum[k] = total[k];
        }
    }

    TERTIUM_INLINE static void make_table(const double* values, double* table) {
        for (std::size_t k = 0; k < kSide; ++k) {
            table[k] = 0;
            for (std::size_t item = 0; item < kTableItems; ++item) table[k] -= values[item * kSide + k];
        }
        for (std::size_t item = 0; item < kTableItems; ++item) {
            const std::size_t half = std::size_t{1} << item;
            for (std::size_t entry = 0; entry < half; ++entry)
                for (std::size_t k = 0; k < kSide; ++k)
                    table[(half + entry) * kSide + k] = table[entry * kSide + k] + 2 * values[item * kSide + k];
        }
    }

    const Plan& plan_;
    std::vector<double> values_;  // items x side
    std::vector<double> sums_;    // rows x side
    std::vector<double> tables_;  // tables x entries x side
};

// One thread's trials.
class Trials {
public:
    Trials(const Plan& plan, std::span<const double> unswapped, std::span<const double> sizes, Watch& watch,
           std::span<std::uint16_t> counts)
        : plan_(plan), unswapped_(unswapped), sizes_(sizes), watch_(watch), counts_(counts), signed_sums_(plan),
          moved_(plan.given.metrics * plan.columns.size() * plan.rows), mixed_((plan.columns.size() + 1) * kFlipBlock),
          least_(plan.compared.size()) {}

    TERTIUM_INLINE void run(std::size_t trial) {
        const SwappedScores& given = plan_.given;
        const std::uint8_t* const swapped = given.swapped.data() + trial * given.systems * given.items;
        signed_sums_.fill(swapped, watch_, moved_.data());
        for (std::size_t a = 0; a < given.metrics; ++a)
            for (std::size_t b = 0; b < given.metrics; ++b)
                if (a != b)
                    count(a, b, counts_.data() + ((trial * given.metrics + a) * given.metrics + b) * given.pairs());
    }

private:
    // `counts` are of all pairs of systems.
    TERTIUM_INLINE void count(std::size_t a, std::size_t b, std::uint16_t* counts) {
        const std::size_t width = plan_.columns.size(), flips = plan_.given.flip_count;
        mix(a, b, flips, 1);
        for (std::size_t k = 0; k < plan_.compared.size(); ++k) {
            const auto [i, j] = plan_.compared[k];
            double size = sizes_[a * width + i] + sizes_[b * width + i];
            if (j < width) size += sizes_[a * width + j] + sizes_[b * width + j];
            least_[k] = mixed_[i * kFlipBlock] - mixed_[j * kFlipBlock] - plan_.given.tolerance * size;
            counts[k] = 0;
        }
        for (std::size_t begin = 0; begin < flips; begin += kFlipBlock) {
            const std::size_t some = std::min(kFlipBlock, flips - begin);
            mix(a, b, begin, some);
            for (std::size_t k = 0; k < plan_.compared.size(); ++k) {
                const double* const one = mixed_.data() + plan_.compared[k].first * kFlipBlock;
                const double* const two = mixed_.data() + plan_.compared[k].second * kFlipBlock;
                const double least = least_[k];
                std::int64_t found = 0;
                for (std::size_t f = 0; f < some; ++f) found += one[f] - two[f] >= least;
                counts[k] = static_cast<std::uint16_t>(counts[k] + found);
            }
        }
    }

    // The sums of `some` flips from `begin` on, of a's scores with b's in the place of those that are swapped.
    TERTIUM_INLINE void mix(std::size_t a, std::size_t b, std::size_t begin, std::size_t some) {
        const std::size_t width = plan_.columns.size(), size = width * plan_.rows;
        for (std::size_t column = 0; column < width; ++column) {
            const std::size_t at = column * plan_.rows + begin;
            const double* const whole = unswapped_.data() + a * size + at;
            const double* const out = moved_.data() + a * size + at;
            const double* const in = moved_.data() + b * size + at;
            double* const sums = mixed_.data() + column * kFlipBlock;
            for (std::size_t f = 0; f < some; ++f) sums[f] = whole[f] - out[f] + in[f];
        }
    }

    const Plan& plan_;
    std::span<const double> unswapped_, sizes_;
    Watch& watch_;
    std::span<std::uint16_t> counts_;
    SignedSums signed_sums_;
    std::vector<double> moved_;  // sums of what is swapped: metrics x columns x rows
    std::vector<double> mixed_;  // columns, and one of zeros, x some flips
    std::vector<double> least_;  // what a pair's sum must reach
};

TERTIUM_INLINE void sum_unswapped(SignedSums& sums, Watch& watch, double* out) { sums.fill(nullptr, watch, out); }
TERTIUM_BY_PROCESSOR(sum_unswapped_here, sum_unswapped)

TERTIUM_INLINE void run_trial(Trials& trials, std::size_t trial) { trials.run(trial); }
TERTIUM_BY_PROCESSOR(run_trial_here, run_trial)

// Sums of absolute scores: metrics x columns.
std::vector<double> sizes_of(const Plan& plan) {
    const SwappedScores& given = plan.given;
    std::vector<double> sizes;
    for (std::size_t m = 0; m < given.metrics; ++m)
        for (const ScoreColumn& column : plan.columns) {
            double size = 0;
            const double* const scores = given.scores.data() + m * given.systems * given.items;
            for (std::size_t item = 0; item < given.items; ++item)
                size += std::abs(scores[column.system * given.items + item]) +
                        (column.is_pair ? std::abs(scores[column.minus * given.items + item]) : 0.0);
            sizes.push_back(size);
        }
    return sizes;
}

}  // namespace

void swapped_sign_counts(const SwappedScores& given, unsigned threads, Watch& watch, std::span<std::uint16_t> counts) {
    const Plan plan(given);
    std::vector<double> unswapped(given.metrics * plan.columns.size() * plan.rows);
    SignedSums sums(plan);
    sum_unswapped_here(sums, watch, unswapped.data());
    const std::vector<double> sizes = sizes_of(plan);
    parallel_for(
        given.trials(), threads, watch,
        [&] {
            return [trials = std::make_unique<Trials>(plan, unswapped, sizes, watch, counts)](std::size_t begin,
                                                                                              std::size_t end) {
                for (std::size_t trial = begin; trial < end; ++trial) run_trial_here(*trials, trial);
            };
        },
        1, 1);
}

}  // namespace tertium
