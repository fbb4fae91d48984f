// The room metrics: TER.

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/moves.hpp"
#include "bindings/texts.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {
namespace {

TerSettings::Variant variant_named(std::string_view name) {
    using Variant = TerSettings::Variant;
    return named<Variant>(
        "variant of TER", name,
        {{"tercom", Variant::tercom}, {"sacrebleu", Variant::sacrebleu}, {"thesis", Variant::thesis}});
}

}  // namespace

void bind_ter(nb::module_& m) {
    nb::class_<TerSettings>(m, "TerSettings", "Costs and limits of the search for shifts.")
        .def(
            "__init__",
            [](TerSettings* self, std::string_view variant, double insertion, double deletion, double substitution,
               double shift, double match, double max_shift_size, double max_shift_distance, double max_candidates,
               double beam, std::size_t max_tokens) {
                new (self) TerSettings{
                    variant_named(variant), insertion,          deletion,       substitution, shift,     match,
                    max_shift_size,         max_shift_distance, max_candidates, beam,         max_tokens};
            },
            nb::kw_only(), "variant"_a, "insertion"_a, "deletion"_a, "substitution"_a, "shift"_a, "match"_a,
            "max_shift_size"_a, "max_shift_distance"_a, "max_candidates"_a, "beam"_a, "max_tokens"_a);
    bind_shift_rows<TerSettings>(m, "ter_rows", &ter_rows);
    m.def(
        "ter_alignment",
        [](const std::vector<std::string_view>& hypothesis, const std::vector<std::string_view>& reference,
           const TerSettings& settings) {
            TerRecord record;
            const TerCounts counts = run([&](Watch& watch) {
                return TerSearch(settings)(keys_of(hypothesis), keys_of(reference), watch, &record);
            });
            return nb::make_tuple(counts.edits, std::string(record.operations.begin(), record.operations.end()),
                                  as_tuples(record.moves));
        },
        "hypothesis"_a, "reference"_a, "settings"_a,
        nb::sig("def ter_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: TerSettings) -> "
                "tuple[float, str, list[tuple[int, int, int, int, int]]]"));
}

}  // namespace tertium
