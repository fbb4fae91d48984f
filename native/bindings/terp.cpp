// The room metrics: TERp.

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings/moves.hpp"
#include "bindings/texts.hpp"
#include "metrics/terp/terp.hpp"

namespace tertium {
namespace {

TerpSettings::Constraint constraint_named(std::string_view name) {
    using Constraint = TerpSettings::Constraint;
    return named<Constraint>("constraint on shifts", name,
                             {{"noshift", Constraint::noshift},
                              {"exact", Constraint::exact},
                              {"relax_nophrase", Constraint::relax_nophrase},
                              {"relax", Constraint::relax},
                              {"allow_mismatch", Constraint::allow_mismatch}});
}

TerpSettings::PhraseCost phrase_cost_named(std::string_view name) {
    using PhraseCost = TerpSettings::PhraseCost;
    return named<PhraseCost>("cost of phrases", name,
                             {{"standard", PhraseCost::standard},
                              {"inverse", PhraseCost::inverse},
                              {"no-edits", PhraseCost::no_edits},
                              {"table", PhraseCost::table}});
}

std::vector<Key> ascending(std::vector<Key> keys) {
    std::sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace

void bind_terp(nb::module_& m) {
    nb::class_<TerpSettings>(m, "TerpSettings", "Costs, limits and tables of TERp.")
        .def(
            "__init__",
            [](TerpSettings* self, const KeyTable* stems, const KeyTable* synonyms, const KeyTable* numbers,
               const PhraseIndex* phrases, const std::vector<std::string_view>& stop_words, std::string_view constraint,
               std::string_view phrase_cost, double match, double insertion, double deletion, double substitution,
               double stem, double synonym, double shift, double w1, double w2, double w3, double w4,
               double phrase_minimum, double phrase_maximum, double beam, double max_shift_distance,
               std::size_t max_shift_size, std::size_t max_tokens) {
                new (self) TerpSettings{constraint_named(constraint),
                                        phrase_cost_named(phrase_cost),
                                        match,
                                        insertion,
                                        deletion,
                                        substitution,
                                        stem,
                                        synonym,
                                        shift,
                                        w1,
                                        w2,
                                        w3,
                                        w4,
                                        phrase_minimum,
                                        phrase_maximum,
                                        beam,
                                        max_shift_distance,
                                        max_shift_size,
                                        max_tokens,
                                        stems,
                                        synonyms,
                                        numbers,
                                        phrases,
                                        ascending(keys_of(stop_words))};
            },
            nb::kw_only(), "stems"_a.none(), "synonyms"_a.none(), "numbers"_a.none(), "phrases"_a.none(),
            "stop_words"_a, "constraint"_a, "phrase_cost"_a, "match"_a, "insertion"_a, "deletion"_a, "substitution"_a,
            "stem"_a, "synonym"_a, "shift"_a, "w1"_a, "w2"_a, "w3"_a, "w4"_a, "phrase_minimum"_a, "phrase_maximum"_a,
            "beam"_a, "max_shift_distance"_a, "max_shift_size"_a, "max_tokens"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>());
    bind_shift_rows<TerpSettings>(m, "terp_rows", &terp_rows);
    m.def(
        "terp_alignment",
        [](const std::vector<std::string_view>& hypothesis, const std::vector<std::string_view>& reference,
           const TerpSettings& settings) {
            TerpRecord record;
            const TerpCounts counts = run([&](Watch& watch) {
                return TerpSearch(settings)(keys_of(hypothesis), keys_of(reference), watch, &record);
            });
            nb::list steps;
            for (const TerpStep& step : record.steps)
                steps.append(nb::make_tuple(std::string(1, step.kind), step.reference_words, step.hypothesis_words,
                                            step.cost, step.probability, step.edits));
            return nb::make_tuple(counts.edits, steps, as_tuples(record.moves));
        },
        "hypothesis"_a, "reference"_a, "settings"_a,
        nb::sig("def terp_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: TerpSettings) -> "
                "tuple[float, list[tuple[str, int, int, float, float, float]], list[tuple[int, int, int, int, int]]]"));
}

}  // namespace tertium
