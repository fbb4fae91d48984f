// The room metrics: those that count word errors, WER, PER and CDER; with them the assignment of the room matching.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "bindings/texts.hpp"
#include "matching/assignment.hpp"
#include "metrics/cder.hpp"
#include "metrics/long_jump.hpp"
#include "metrics/per.hpp"
#include "metrics/wer.hpp"

namespace tertium {
namespace {

std::string shown(nb::handle object) { return nb::cast<std::string>(nb::repr(object)); }

double cost_by(const nb::object& function, std::string_view hypothesis, std::string_view reference) {
    nb::gil_scoped_acquire locked;
    const nb::str ours(hypothesis.data(), hypothesis.size()), theirs(reference.data(), reference.size());
    const nb::object cost = function(ours, theirs);
    const double value = PyNumber_Check(cost.ptr()) ? PyFloat_AsDouble(cost.ptr()) : -1.0;
    if (PyErr_Occurred()) throw nb::python_error();
    if (!(value >= 0 && value <= 2))
        throw Refused("substitution(" + shown(ours) + ", " + shown(theirs) + ") returned " + shown(cost) +
                      ", but a cost is a number from 0 to 2: more than that, and leaving one word out and putting the "
                      "other in would be cheaper.");
    return value;
}

// `function` is what "custom" asks, and the table of "shared".
Substitution substitution_named(std::string_view name, nb::object function) {
    Substitution substitution;
    substitution.kind = named<CostKind>("substitution", name,
                                        {{"exact", CostKind::exact},
                                         {"levenshtein", CostKind::levenshtein},
                                         {"gld", CostKind::gld},
                                         {"prefix", CostKind::prefix},
                                         {"shared", CostKind::shared},
                                         {"custom", CostKind::custom}});
    if (substitution.kind == CostKind::shared) substitution.table = nb::cast<const KeyTable*>(function);
    if (substitution.kind == CostKind::custom)
        substitution.custom = [function](std::string_view hypothesis, std::string_view reference) {
            return cost_by(function, hypothesis, reference);
        };
    return substitution;
}

ReferenceRule reference_rule_named(std::string_view name) {
    return named<ReferenceRule>("rule for references", name,
                                {{"best", ReferenceRule::best}, {"min-avg", ReferenceRule::min_average}});
}

CderSettings cder_settings(std::string_view substitution, nb::object function, std::string_view rule,
                           std::string_view direction, std::string_view penalty) {
    return {substitution_named(substitution, function), reference_rule_named(rule),
            named<CderDirection>("direction", direction,
                                 {{"forward", CderDirection::forward},
                                  {"reversed", CderDirection::reversed},
                                  {"maximum", CderDirection::maximum}}),
            named<CderPenalty>("penalty", penalty,
                               {{"none", CderPenalty::none},
                                {"length", CderPenalty::length},
                                {"miscoverage", CderPenalty::miscoverage},
                                {"average", CderPenalty::average}})};
}

PerErrors counted_errors_named(std::string_view name) {
    return named<PerErrors>("variant of PER", name,
                            {{"rwth", PerErrors::both},
                             {"moses", PerErrors::both},
                             {"recall", PerErrors::recall},
                             {"precision", PerErrors::precision}});
}

// The number of the reference, and per step: kind, both spans, cost.
nb::tuple as_tuple(const PairAlignment& alignment) {
    static constexpr const char* kinds[] = {"match", "substitution", "insertion", "deletion", "jump"};
    nb::list steps;
    for (const AlignmentStep& step : alignment.steps)
        steps.append(nb::make_tuple(kinds[static_cast<int>(step.kind)], step.hyp_begin, step.hyp_end, step.ref_begin,
                                    step.ref_end, step.cost));
    return nb::make_tuple(alignment.reference, steps);
}

nb::list as_list(const std::vector<AlignmentStep>& steps) {
    nb::list list;
    for (const AlignmentStep& step : steps)
        list.append(
            nb::make_tuple(static_cast<int>(step.kind), step.ref_begin, step.ref_end, step.hyp_begin, step.hyp_end));
    return list;
}

void bind_wer(nb::module_& m) {
    m.def(
        "wer_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function, std::string_view rule, unsigned threads, Rows rows) {
            const WerSettings settings{substitution_named(substitution, function), reference_rule_named(rule)};
            fill_rows(hypotheses, references, rows, wer_columns(settings), [&](Watch& watch, std::span<double> out) {
                wer_rows(*hypotheses.source, references, settings, threads, watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(), "rule"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "wer_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function, std::string_view rule) {
            const WerSettings settings{substitution_named(substitution, function), reference_rule_named(rule)};
            return as_tuple(run_on_one(hypotheses, references, [&](Watch& watch) {
                return wer_alignment(*hypotheses.source, references, 0, settings, watch);
            }));
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(), "rule"_a,
        nb::sig("def wer_alignment(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: "
                "object | None, rule: str) -> tuple[int, list[tuple[str, int, int, int, int, float]]]"));
    m.def(
        "wer_runs",
        [](const TokenTexts& hypotheses, const TokenTexts& references, unsigned threads) {
            if (hypotheses.source->size() != references.source->size())
                throw nb::value_error("segments and references do not fit each other");
            nb::list segments;
            for (const auto& steps :
                 run([&](Watch& watch) { return wer_runs(*hypotheses.source, *references.source, threads, watch); }))
                segments.append(as_list(steps));
            return segments;
        },
        "hypotheses"_a, "references"_a, "threads"_a,
        nb::sig("def wer_runs(hypotheses: TokenTexts, references: TokenTexts, threads: int) -> "
                "list[list[tuple[int, int, int, int, int]]]"),
        "Per segment: kind (match, substitution, insertion, deletion), reference [start, end), hypothesis [start, "
        "end).");
}

void bind_cder(nb::module_& m) {
    m.def(
        "cder_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function, std::string_view rule, std::string_view direction, std::string_view penalty,
           unsigned threads, Rows rows) {
            const CderSettings settings = cder_settings(substitution, function, rule, direction, penalty);
            fill_rows(hypotheses, references, rows, cder_columns(settings), [&](Watch& watch, std::span<double> out) {
                cder_rows(*hypotheses.source, references, settings, threads, watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(), "rule"_a, "direction"_a,
        "penalty"_a, "threads"_a, "rows"_a.noconvert());
    m.def(
        "cder_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function, std::string_view rule, std::string_view direction, std::string_view penalty) {
            const CderSettings settings = cder_settings(substitution, function, rule, direction, penalty);
            return as_tuple(run_on_one(hypotheses, references, [&](Watch& watch) {
                return cder_alignment(*hypotheses.source, references, 0, settings, watch);
            }));
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(), "rule"_a, "direction"_a,
        "penalty"_a,
        nb::sig("def cder_alignment(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: "
                "object | None, rule: str, direction: str, penalty: str) -> tuple[int, list[tuple[str, int, int, int, "
                "int, float]]]"));
    m.def(
        "long_jump_distance",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function) {
            const Substitution costs = substitution_named(substitution, function);
            return run_on_one(hypotheses, references, [&](Watch& watch) {
                WordReader ours(!costs.is_exact()), theirs(!costs.is_exact());
                return long_jump_distance(ours(*hypotheses.source, 0), theirs(*references.source, 0), costs, watch);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(),
        "The exact distance of one pair; None if the search would take too long.");
}

void bind_per(nb::module_& m) {
    m.def(
        "per_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::string_view substitution,
           nb::object function, std::string_view rule, std::string_view variant, unsigned threads, Rows rows) {
            const PerSettings settings{substitution_named(substitution, function), reference_rule_named(rule),
                                       counted_errors_named(variant)};
            fill_rows(hypotheses, references, rows, kPerColumns, [&](Watch& watch, std::span<double> out) {
                per_rows(*hypotheses.source, references, settings, threads, watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "substitution"_a, "function"_a.none(), "rule"_a, "variant"_a,
        "threads"_a, "rows"_a.noconvert());
    m.def(
        "cheapest_assignment",
        [](nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> costs) {
            if (costs.shape(0) > costs.shape(1)) throw nb::value_error("more rows than columns");
            std::vector<const double*> rows;
            for (std::size_t i = 0; i < costs.shape(0); ++i) rows.push_back(costs.data() + i * costs.shape(1));
            return run([&](Watch& watch) { return cheapest_assignment(rows, costs.shape(1), watch); });
        },
        "costs"_a.noconvert(), "Which column each row gets.");
}

}  // namespace

void bind_word_errors(nb::module_& m) {
    bind_wer(m);
    bind_per(m);
    bind_cder(m);
}

}  // namespace tertium
