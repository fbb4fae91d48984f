// Clipped n-gram matches of token sequences: the rows of BLEU.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "text/text.hpp"

namespace tertium {

enum class ReferenceLength { closest, shortest, average };

struct Boundaries {
    bool initial = false, final = false;
    bool single = false;  // one symbol, rather than n-1 for n-grams
    bool any() const { return initial || final; }
};

struct NgramSettings {
    std::vector<unsigned> orders;  // ascending
    ReferenceLength reference_length = ReferenceLength::closest;
    Boundaries boundaries;
};

// The references of segment i are texts [offsets[i], offsets[i + 1]) of `texts`.
struct Grouped {
    const TokenSource& texts;
    std::span<const std::size_t> offsets;
    std::size_t first(std::size_t segment) const { return offsets[segment]; }
    std::size_t count(std::size_t segment) const { return offsets[segment + 1] - offsets[segment]; }
};

// Fills, per segment: hypothesis length, reference length, matches per order, totals per order.
void ngram_rows(const TokenSource& hypotheses, const Grouped& references, const NgramSettings& settings,
                unsigned threads, Watch& watch, std::span<double> rows);

}  // namespace tertium
