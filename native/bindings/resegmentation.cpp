// Cuts of streams, from the room matching.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings/texts.hpp"
#include "matching/program_cuts.hpp"
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
    std::vector<SegmentCut> cuts(references.size());
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

// A document's stream against its segments, both as lists of tokens.
std::pair<std::vector<std::size_t>, double> mwer_segmenter(const TokenTexts& stream, Column<const std::uint8_t> inside,
                                                           const TokenTexts& references) {
    if (stream.size() != 1) throw nb::value_error("one stream is cut at a time");
    WordReader reader(false);
    const auto keys_at = [&](const TokenTexts& texts, std::size_t index) {
        const Words words = reader(*texts.source, index);
        return std::vector<Key>(words.keys.begin(), words.keys.end());
    };
    const std::vector<Key> words = keys_at(stream, 0);
    if (words.size() != inside.size()) throw nb::value_error("tokens and flags do not fit each other");
    std::vector<std::vector<std::vector<Key>>> segments(references.size());
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (std::size_t r = references.offsets[s]; r < references.offsets[s + 1]; ++r)
            segments[s].push_back(keys_at(references, r));
    const ProgramCuts cuts =
        run([&](Watch& watch) { return mwer_segmenter_cuts(words, span_of(inside), segments, watch); });
    return {cuts.ends, cuts.cost};
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
    m.attr("lost_token") = kLost;
    m.def("mwer_segmenter", &mwer_segmenter, "stream"_a, "inside"_a.noconvert(), "references"_a,
          "Where mwerSegmenter cuts, and the edits it counts.");
    m.def(
        "soft_segmenter",
        [](const std::vector<std::string>& stream, const std::vector<std::string>& references,
           const std::vector<std::uint32_t>& segment_of, bool characters) {
            if (segment_of.size() != references.size()) throw nb::value_error("tokens and segments do not fit");
            const std::vector<std::string_view> ours(stream.begin(), stream.end());
            const std::vector<std::string_view> theirs(references.begin(), references.end());
            return run(
                [&](Watch& watch) { return soft_segmenter_segments(ours, theirs, segment_of, characters, watch); });
        },
        "stream"_a, "references"_a, "segment_of"_a, "characters"_a,
        "Which segment SoftSegmenter gives each token of a stream.");
}

}  // namespace tertium
