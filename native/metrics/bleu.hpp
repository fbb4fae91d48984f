// Clipped n-gram matches of token sequences: the rows of BLEU.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "metrics/reference_length.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct Boundaries {
    bool initial = false, final = false;
    bool single = false;  // one symbol, rather than n-1 for n-grams
    bool any() const { return initial || final; }
};

struct BleuSettings {
    std::vector<unsigned> orders;                                 // ascending
    ReferenceLength reference_length = ReferenceLength::closest;  // there is no best one
    Boundaries boundaries;
};

// Fills, per segment: hypothesis length, reference length, matches per order, totals per order.
void bleu_rows(const TokenSource& hypotheses, const GroupedTokens& references, const BleuSettings& settings,
               unsigned threads, Watch& watch, std::span<double> rows);

}  // namespace tertium
