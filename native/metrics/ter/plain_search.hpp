// The search for shifts as the programs describe it, for any costs and any length.

#pragma once

#include <span>

#include "machine/parallel.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

// Where a record is given, it is filled.
TerCounts plain_search(std::span<const Key> hypothesis, std::span<const Key> reference, const TerSettings& settings,
                       Watch& watch, TerRecord* record);

}  // namespace tertium
