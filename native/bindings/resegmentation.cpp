// Cuts of streams, from the room matching.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/texts.hpp"
#include "matching/segment_cuts.hpp"

namespace tertium {
namespace {

using Documents = std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>>;

void check_documents(const std::vector<CutDocument>& documents, std::size_t units, std::size_t segments) {
    std::size_t unit = 0, segment = 0;
    for (const CutDocument& one : documents) {
        if (one.first_unit != unit || one.first_segment != segment || one.last_unit < unit ||
            one.last_segment < segment)
            throw nb::value_error("documents must follow each other");
        unit = one.last_unit;
        segment = one.last_segment;
    }
    if (unit != units || segment != segments) throw nb::value_error("documents must hold all units and segments");
}

void cuts_of(const TokenTexts& units, Column<const std::uint8_t> line_ends, const TokenTexts& references,
             const Documents& given, const CutSettings& settings, unsigned threads, Column<std::int64_t> places,
             Column<double> confidences, Column<std::int64_t> chosen, Column<double> costs) {
    std::vector<CutDocument> documents;
    for (const auto& [first_unit, last_unit, first_segment, last_segment] : given)
        documents.push_back({first_unit, last_unit, first_segment, last_segment});
    check_documents(documents, units.size(), references.size());
    if (line_ends.size() != units.size() || places.size() != references.size() || confidences.size() != places.size() ||
        chosen.size() != places.size() || costs.size() != documents.size())
        throw nb::value_error("units, segments and results do not fit each other");
    std::vector<Cut> cuts(references.size());
    const GroupedTokens grouped = references;
    run([&](Watch& watch) {
        segment_cuts({*units.source, span_of(line_ends), grouped}, documents, settings, threads, watch, cuts,
                     span_of(costs));
    });
    for (std::size_t s = 0; s < cuts.size(); ++s) {
        places.data()[s] = static_cast<std::int64_t>(cuts[s].unit);
        confidences.data()[s] = cuts[s].confidence;
        chosen.data()[s] = static_cast<std::int64_t>(cuts[s].reference);
    }
}

}  // namespace

void bind_resegmentation(nb::module_& m) {
    nb::class_<CutSettings>(m, "CutSettings", "How pairs of tokens and places of cuts are weighed.")
        .def(
            "__init__",
            [](CutSettings* self, bool letters, int equal, int other, int alone, double doubt, int final, int any_final,
               int large, int pause, int mark, int line) {
                new (self)
                    CutSettings{letters, equal, other, alone, {final, any_final, large, pause, mark, line}, doubt};
            },
            nb::kw_only(), "letters"_a, "equal"_a, "other"_a, "alone"_a, "doubt"_a, "final"_a, "any_final"_a, "large"_a,
            "pause"_a, "mark"_a, "line"_a);
    m.def("segment_cuts", &cuts_of, "units"_a, "line_ends"_a.noconvert(), "references"_a, "documents"_a, "settings"_a,
          "threads"_a, "places"_a.noconvert(), "confidences"_a.noconvert(), "chosen"_a.noconvert(),
          "costs"_a.noconvert(), "Fill the unit before which each segment ends, how sure that is, and costs.");
}

}  // namespace tertium
