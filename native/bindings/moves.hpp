// What the bindings of TER and TERp share.

#pragma once

#include <optional>
#include <span>

#include "bindings/texts.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

// Start, length, how far to the right, and tercom's two places.
inline nb::list as_tuples(std::span<const BlockMove> moves) {
    nb::list tuples;
    for (const BlockMove& move : moves)
        tuples.append(
            nb::make_tuple(move.start, move.length, move.by, move.reference_place, move.hypothesis_place));
    return tuples;
}

// The texts that say how long references are, if other ones do.
inline std::optional<GroupedTokens> length_references(const TokenTexts& hypotheses, const TokenTexts* lengths_from) {
    if (!lengths_from) return std::nullopt;
    if (lengths_from->size() != hypotheses.size()) throw nb::value_error("length references do not fit");
    return *lengths_from;
}

}  // namespace tertium
