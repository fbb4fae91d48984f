// The greedy search for shifts: the rows of TER, and its alignments.
//
// A shift moves a block of hypothesis words elsewhere, for the price of one edit. TER repeats: align hypothesis and
// reference word by word; among the blocks that occur in the reference, that are not aligned with that occurrence
// and that touch an error on both sides, take the one whose shift lowers the edit distance most; until none lowers
// it. Of equally good shifts the longest wins, then the leftmost, then the one that goes furthest left.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "metrics/reference_length.hpp"
#include "metrics/ter/beam_table.hpp"
#include "metrics/ter/shift_pair.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct TerSettings {
    enum class Variant { tercom, sacrebleu, thesis } variant = Variant::tercom;
    double insertion = 1, deletion = 1, substitution = 1, shift = 1, match = 0;
    // Limits may be infinite.
    double max_shift_size = 10, max_shift_distance = 50, max_candidates = std::numeric_limits<double>::infinity();
    double beam = 20;
    std::size_t max_tokens = 20'000;  // longer segments are refused

    bool unit_costs() const { return insertion == 1 && deletion == 1 && substitution == 1 && shift == 1 && match == 0; }
};

inline Beam beam_of(const TerSettings& settings) {
    const bool diagonal =
        settings.variant == TerSettings::Variant::sacrebleu && settings.beam < std::numeric_limits<double>::infinity();
    return {diagonal ? Beam::Kind::diagonal : Beam::Kind::score, settings.beam};
}

struct TerCounts {
    double insertions = 0, deletions = 0, substitutions = 0, shifts = 0, shifted_words = 0;
    double edits = 0;  // their cost
};

// Words [start, start + length) go `by` words to the right, or to the left if it is negative.
struct BlockMove {
    std::size_t start = 0, length = 0;
    std::ptrdiff_t by = 0;
    // In tercom's words: the reference word whose place in the hypothesis was aimed at, and that place; -1 is the
    // beginning.
    std::ptrdiff_t reference_place = 0, hypothesis_place = 0;
};

// How the counts came about.
struct TerRecord {
    std::vector<BlockMove> moves;
    std::vector<char> operations;  // ' ' match, S, I (extra hypothesis word), D, on the hypothesis after all moves
};

// Searches one segment after the other; keeps its scratch space.
class TerSearch {
public:
    explicit TerSearch(const TerSettings& settings);
    TerSearch(TerSearch&&) noexcept;
    ~TerSearch();

    // Of each pair.
    void operator()(std::span<const ShiftPair> pairs, Watch& watch, TerCounts* counts);
    TerCounts operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                         TerRecord* record);

private:
    struct Space;
    TerSettings settings_;
    std::unique_ptr<Space> space_;
};

// By the definition, sums are weighed by the length of hypotheses.
inline std::size_t columns_of(const TerSettings& settings) {
    return settings.variant == TerSettings::Variant::thesis ? 8 : 7;
}

// Per segment: insertions, deletions, substitutions, shifts, shifted words, edits, reference length and, if there is a
// column for it, hypothesis length. The reference with the fewest edits counts, the first of equals. Where
// `lengths_from` is given, its texts say how long the reference is.
void ter_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
              const TerSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
              std::span<double> rows);

}  // namespace tertium
