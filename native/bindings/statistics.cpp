// The room statistics: resampled sums, and how two lists of scores order the same points.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/texts.hpp"
#include "statistics/pair_counts.hpp"
#include "statistics/poisson.hpp"
#include "statistics/resampling.hpp"
#include "statistics/swapped_signs.hpp"

namespace tertium {
namespace {

// The state of NumPy's PCG64, highest bits first, then its increment.
GeneratorState generator_state(const std::vector<std::uint64_t>& words) {
    if (words.size() != 4) throw nb::value_error("generator: four 64-bit words were expected");
    return {{words[0], words[1]}, {words[2], words[3]}};
}

RowMatrix matrix(const Rows& rows) { return {span_of(rows), rows.shape(1)}; }

void check_sums(const Rows& rows, const Rows& sums) {
    if (rows.shape(1) != sums.shape(0)) throw nb::value_error("sums: column counts differ");
    if (rows.shape(0) == 0 || rows.shape(0) >= std::uint64_t{1} << 32)
        throw nb::value_error("sums: there must be between 1 and 2^32 - 1 rows");
}

void bind_sums(nb::module_& m) {
    m.def(
        "subset_sums",
        [](Rows rows, const std::vector<std::uint64_t>& generator, std::uint64_t first, unsigned threads, Rows sums) {
            check_sums(rows, sums);
            run([&](Watch& watch) {
                subset_sums(matrix(rows), generator_state(generator), first, threads, watch, span_of(sums));
            });
        },
        "rows"_a.noconvert(), nb::kw_only(), "generator"_a, "first"_a, "threads"_a, "sums"_a.noconvert());
    m.def(
        "bootstrap_sums",
        [](Rows rows, const std::vector<std::uint64_t>& generator, std::uint64_t skipped, unsigned threads, Rows sums) {
            check_sums(rows, sums);
            return run([&](Watch& watch) {
                return bootstrap_sums(matrix(rows), generator_state(generator), skipped, threads, watch, span_of(sums));
            });
        },
        "rows"_a.noconvert(), nb::kw_only(), "generator"_a, "skipped"_a, "threads"_a, "sums"_a.noconvert());
    m.def(
        "shuffled_sums",
        [](Rows rows, std::size_t runs, const std::vector<std::uint64_t>& generator, std::uint64_t first,
           unsigned threads, Rows sums, Rows turned) {
            check_sums(rows, sums);
            check_sums(rows, turned);
            if (runs < 1 || runs > kMostRuns || rows.shape(0) % runs != 0 || turned.shape(1) != sums.shape(1))
                throw nb::value_error("runs do not fit");
            run([&](Watch& watch) {
                shuffled_sums(matrix(rows), runs, generator_state(generator), first, threads, watch, span_of(sums),
                              span_of(turned));
            });
        },
        "rows"_a.noconvert(), nb::kw_only(), "runs"_a, "generator"_a, "first"_a, "threads"_a, "sums"_a.noconvert(),
        "turned"_a.noconvert());
}

// Rows that are known by keys, wherever they are.
void bind_keyed_sums(nb::module_& m) {
    m.def(
        "add_poisson_sums",
        [](Rows rows, Column<std::uint64_t> keys, std::uint64_t seed, unsigned threads, Rows sums) {
            if (rows.shape(1) != sums.shape(0) || rows.shape(0) != keys.size())
                throw nb::value_error("rows, keys and sums do not fit each other");
            run([&](Watch& watch) {
                add_poisson_sums(matrix(rows), span_of(keys), seed, threads, watch, span_of(sums));
            });
        },
        "rows"_a.noconvert(), "keys"_a.noconvert(), nb::kw_only(), "seed"_a, "threads"_a, "sums"_a.noconvert());
    m.def(
        "text_keys",
        [](const Texts& texts, Column<std::uint64_t> keys) {
            if (keys.size() != texts.size()) throw nb::value_error("one key per group is filled in");
            nb::gil_scoped_release unlocked;
            for (std::size_t i = 0; i < texts.size(); ++i) keys.data()[i] = group_key(texts, i);
        },
        "texts"_a, "keys"_a.noconvert(), "A key of 64 bits for each group of texts: equal groups have equal ones.");
}

using Scores = Column<double>;
using Places = Column<std::int64_t>;
using Codes = Column<std::int32_t>;
using Drawn = Array<std::uint16_t, 2>;

// Groups of points must follow each other and end with the last point.
Offsets checked_groups(const Places& offsets, std::size_t points, std::size_t others) {
    if (points != others) throw nb::value_error("numbers of points differ");
    if (points >= std::uint64_t{1} << 31) throw nb::value_error("there are too many points");
    const Offsets all = span_of(offsets);
    if (all.empty() || all.front() != 0 || all.back() != static_cast<std::int64_t>(points) ||
        !std::is_sorted(all.begin(), all.end()))
        throw nb::value_error("offsets do not divide the points into groups");
    return all;
}

void check_shape(const Rows& rows, std::size_t height, std::size_t width) {
    if (rows.shape(0) != height || rows.shape(1) != width) throw nb::value_error("results do not fit");
}

Draws checked_draws(const Drawn& items, const Codes& item, const std::optional<Drawn>& systems,
                    const std::optional<Codes>& system, std::size_t points) {
    Draws draws{span_of(items), {}, span_of(item), {}, items.shape(1), 0};
    if (systems && system) {
        draws.systems = span_of(*systems);
        draws.system = span_of(*system);
        draws.system_count = systems->shape(1);
        if (systems->shape(0) != items.shape(0)) throw nb::value_error("numbers of replicates differ");
    }
    const auto outside = [points](std::span<const std::int32_t> codes, std::size_t count) {
        return codes.size() != points || std::any_of(codes.begin(), codes.end(), [count](std::int32_t code) {
                   return code < 0 || static_cast<std::size_t>(code) >= count;
               });
    };
    if (outside(draws.item, draws.item_count) || (system && outside(draws.system, draws.system_count)))
        throw nb::value_error("draws do not fit the points");
    return draws;
}

void bind_pairs(nb::module_& m) {
    m.def(
        "pair_counts",
        [](Rows metrics, Scores human, Places offsets, unsigned threads, Rows counts) {
            const Offsets groups = checked_groups(offsets, metrics.shape(1), human.size());
            check_shape(counts, metrics.shape(0) * (groups.size() - 1), kPairKinds);
            run([&](Watch& watch) {
                pair_counts(span_of(metrics), span_of(human), groups, threads, watch, span_of(counts));
            });
        },
        "metrics"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a, "counts"_a.noconvert());
    m.def(
        "drawn_pair_counts",
        [](Scores metric, Scores human, Places offsets, Drawn items, Codes item, std::optional<Drawn> systems,
           std::optional<Codes> system, unsigned threads, Rows counts) {
            const Offsets groups = checked_groups(offsets, metric.size(), human.size());
            check_shape(counts, items.shape(0) * (groups.size() - 1), kPairKinds);
            const Draws draws = checked_draws(items, item, systems, system, human.size());
            run([&](Watch& watch) {
                drawn_pair_counts(span_of(metric), span_of(human), groups, draws, threads, watch, span_of(counts));
            });
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "items"_a.noconvert(),
        "item"_a.noconvert(), "systems"_a.noconvert().none(), "system"_a.noconvert().none(), "threads"_a,
        "counts"_a.noconvert());
    m.def(
        "gap_counts",
        [](Scores far, Scores other, Places offsets, double gap, bool above, std::optional<Drawn> items,
           std::optional<Codes> item, std::optional<Drawn> systems, std::optional<Codes> system, unsigned threads,
           Rows counts) {
            const Offsets groups = checked_groups(offsets, far.size(), other.size());
            check_shape(counts, (items ? items->shape(0) : 1) * (groups.size() - 1), 3);
            if (items.has_value() != item.has_value()) throw nb::value_error("draws need items");
            const Draws draws = items ? checked_draws(*items, *item, systems, system, far.size()) : Draws{};
            run([&](Watch& watch) {
                gap_counts(span_of(far), span_of(other), groups, gap, above, draws, threads, watch, span_of(counts));
            });
        },
        "far"_a.noconvert(), "other"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "gap"_a, "above"_a,
        "items"_a.noconvert().none(), "item"_a.noconvert().none(), "systems"_a.noconvert().none(),
        "system"_a.noconvert().none(), "threads"_a, "counts"_a.noconvert());
    m.def(
        "calibrated_ties",
        [](Scores metric, Scores human, Places offsets, std::optional<Column<std::uint8_t>> sampled) {
            const Offsets groups = checked_groups(offsets, metric.size(), human.size());
            std::span<const std::uint8_t> flags;
            if (sampled) flags = span_of(*sampled);
            if (sampled && flags.size() != pairs_within(groups))
                throw nb::value_error("one flag per pair was expected");
            const Calibration found = run(
                [&](Watch& watch) { return calibrated_ties(span_of(metric), span_of(human), groups, flags, watch); });
            return std::pair(found.threshold, found.accuracy);
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "sampled"_a.noconvert().none());
}

void bind_ranks(nb::module_& m) {
    m.def(
        "mid_ranks",
        [](Rows values, Places offsets, unsigned threads, Rows ranks) {
            const Offsets groups = checked_groups(offsets, values.shape(1), ranks.shape(1));
            check_shape(ranks, values.shape(0), values.shape(1));
            run([&](Watch& watch) { mid_ranks(span_of(values), groups, threads, watch, span_of(ranks)); });
        },
        "values"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a, "ranks"_a.noconvert());
    m.def(
        "drawn_spearman",
        [](Scores metric, Scores human, Places offsets, Drawn items, Codes item, std::optional<Drawn> systems,
           std::optional<Codes> system, unsigned threads, Rows values) {
            const Offsets groups = checked_groups(offsets, metric.size(), human.size());
            check_shape(values, items.shape(0), groups.size() - 1);
            const Draws draws = checked_draws(items, item, systems, system, human.size());
            run([&](Watch& watch) {
                drawn_spearman(span_of(metric), span_of(human), groups, draws, threads, watch, span_of(values));
            });
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "items"_a.noconvert(),
        "item"_a.noconvert(), "systems"_a.noconvert().none(), "system"_a.noconvert().none(), "threads"_a,
        "values"_a.noconvert());
}

using Flags = Array<std::uint8_t, 2>;

void bind_swapped_signs(nb::module_& m) {
    m.def(
        "swapped_sign_counts",
        [](Array<double, 3> scores, Flags judged, Flags swapped, Flags flips, double tolerance, unsigned threads,
           Array<std::uint16_t, 4> counts) {
            const SwappedScores given{span_of(scores), span_of(judged), span_of(swapped),
                                      span_of(flips),  scores.shape(0), scores.shape(1),
                                      scores.shape(2), flips.shape(0),  tolerance};
            if (given.systems < 2 || given.items == 0 || given.flip_count >= 1u << 16 ||
                judged.shape(0) != given.systems || judged.shape(1) != given.items ||
                swapped.shape(1) != given.systems * given.items || flips.shape(1) != given.items ||
                counts.shape(0) != swapped.shape(0) || counts.shape(1) != given.metrics ||
                counts.shape(2) != given.metrics || counts.shape(3) != given.pairs())
                throw nb::value_error("scores, swaps, flips and counts do not fit each other");
            run([&](Watch& watch) { swapped_sign_counts(given, threads, watch, span_of(counts)); });
        },
        "scores"_a.noconvert(), nb::kw_only(), "judged"_a.noconvert(), "swapped"_a.noconvert(), "flips"_a.noconvert(),
        "tolerance"_a, "threads"_a, "counts"_a.noconvert());
}

}  // namespace

void bind_statistics(nb::module_& m) {
    bind_keyed_sums(m);
    bind_sums(m);
    bind_pairs(m);
    bind_ranks(m);
    bind_swapped_signs(m);
}

}  // namespace tertium
