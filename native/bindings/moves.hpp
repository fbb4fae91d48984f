// What the bindings of TER and TERp share.

#pragma once

#include <nanobind/stl/string_view.h>

#include <optional>
#include <span>
#include <string_view>

#include "bindings/names.hpp"
#include "bindings/texts.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

// Start, length, how far to the right, and tercom's two places.
inline nb::list as_tuples(std::span<const BlockMove> moves) {
    nb::list tuples;
    for (const BlockMove& move : moves)
        tuples.append(nb::make_tuple(move.start, move.length, move.by, move.reference_place, move.hypothesis_place));
    return tuples;
}

template <class Settings>
using FillShiftRows = void(const TokenSource& hypotheses, const GroupedTokens& references,
                           const GroupedTokens* lengths_from, const Settings& settings,
                           ReferenceLength reference_length, unsigned threads, Watch& watch, std::span<double> rows);

template <class Settings>
void bind_shift_rows(nb::module_& m, const char* name, FillShiftRows<Settings>* fill) {
    m.def(
        name,
        [fill](const TokenTexts& hypotheses, const TokenTexts& references, const TokenTexts* lengths_from,
               const Settings& settings, std::string_view reference_length, unsigned threads, Rows rows) {
            const ReferenceLength rule = reference_length_named(reference_length);
            if (lengths_from && lengths_from->size() != hypotheses.size())
                throw nb::value_error("length references do not fit");
            std::optional<GroupedTokens> lengths;
            if (lengths_from) lengths.emplace(*lengths_from);
            fill_rows(hypotheses, references, rows, columns_of(settings), [&](Watch& watch, std::span<double> out) {
                fill(*hypotheses.source, references, lengths ? &*lengths : nullptr, settings, rule, threads, watch,
                     out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "lengths_from"_a.none(), "settings"_a, "reference_length"_a,
        "threads"_a, "rows"_a.noconvert());
}

}  // namespace tertium
