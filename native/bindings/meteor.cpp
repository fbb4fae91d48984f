// The room metrics: METEOR.

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/texts.hpp"
#include "metrics/meteor/meteor.hpp"

namespace tertium {
namespace {

Matching matching_named(std::string_view name) {
    return named<Matching>("way to choose matches", name,
                           {{"beam", Matching::beam}, {"stages", Matching::stages}, {"joint", Matching::joint}});
}

}  // namespace

void bind_meteor(nb::module_& m) {
    nb::class_<MeteorSettings>(m, "MeteorSettings", "What matches, how matches are chosen, and what they weigh.")
        .def(
            "__init__",
            [](MeteorSettings* self, std::string_view matching, const KeyTable* stems, const KeyTable* synonyms,
               const PhraseIndex* paraphrases, const KeyTable* function_words, const KeyTable* group_words,
               bool by_hash_code, bool characters, double alpha, double beta, double gamma, double delta,
               const std::vector<double>& weights) {
                if (weights.size() != kModules) throw nb::value_error("four weights were expected");
                new (self)
                    MeteorSettings{matching_named(matching),
                                   {true, stems, synonyms, paraphrases, by_hash_code},
                                   function_words,
                                   group_words,
                                   characters,
                                   {alpha, beta, gamma, delta, {weights[0], weights[1], weights[2], weights[3]}}};
            },
            nb::kw_only(), "matching"_a, "stems"_a.none(), "synonyms"_a.none(), "paraphrases"_a.none(),
            "function_words"_a.none(), "group_words"_a.none(), "by_hash_code"_a, "characters"_a, "alpha"_a, "beta"_a,
            "gamma"_a, "delta"_a, "weights"_a, nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
            nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>());
    m.def(
        "meteor_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const MeteorSettings& settings, unsigned threads,
           Rows rows) {
            fill_rows(hypotheses, references, rows, meteor_columns(settings), [&](Watch& watch, std::span<double> out) {
                meteor_rows(*hypotheses.source, references, settings, threads, watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "settings"_a, "threads"_a, "rows"_a.noconvert());
    m.def(
        "meteor_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const MeteorSettings& settings) {
            const MeteorAlignment alignment = run_on_one(hypotheses, references, [&](Watch& watch) {
                return meteor_alignment(*hypotheses.source, references, 0, settings, watch);
            });
            static constexpr const char* modules[] = {"exact", "stem", "synonym", "paraphrase"};
            nb::list matches;
            for (const WordMatch& match : alignment.matches)
                matches.append(nb::make_tuple(modules[static_cast<int>(match.module)], match.hyp,
                                              match.hyp + match.hyp_words, match.ref, match.ref + match.ref_words));
            return nb::make_tuple(alignment.reference, matches, alignment.exact_search);
        },
        "hypotheses"_a, "references"_a, "settings"_a,
        nb::sig("def meteor_alignment(hypotheses: TokenTexts, references: TokenTexts, settings: MeteorSettings) -> "
                "tuple[int, list[tuple[str, int, int, int, int]], bool]"));
}

}  // namespace tertium
