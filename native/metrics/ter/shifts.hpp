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
#include <stdexcept>
#include <vector>

#include "metrics/ter/beam_table.hpp"
#include "metrics/bleu.hpp"
#include "machine/parallel.hpp"
#include "text/text.hpp"

namespace tertium {

struct ShiftSettings {
    enum class Variant { tercom, sacrebleu, thesis } variant = Variant::tercom;
    double insertion = 1, deletion = 1, substitution = 1, shift = 1, match = 0;
    // Limits may be infinite.
    double max_shift_size = 10, max_shift_distance = 50, max_candidates = std::numeric_limits<double>::infinity();
    double beam = 20;
    std::size_t max_tokens = 20'000;  // longer segments are refused

    bool unit_costs() const {
        return insertion == 1 && deletion == 1 && substitution == 1 && shift == 1 && match == 0;
    }
};

inline Beam beam_of(const ShiftSettings& settings) {
    const bool diagonal =
        settings.variant == ShiftSettings::Variant::sacrebleu && settings.beam < std::numeric_limits<double>::infinity();
    return {diagonal ? Beam::Kind::diagonal : Beam::Kind::score, settings.beam};
}

struct TooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ShiftCounts {
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
struct ShiftRecord {
    std::vector<BlockMove> moves;
    std::vector<char> operations;  // ' ' match, S, I (extra hypothesis word), D, on the hypothesis after all moves
};

// Searches one segment after the other; keeps its scratch space.
class ShiftSearch {
public:
    explicit ShiftSearch(const ShiftSettings& settings);
    ShiftSearch(ShiftSearch&&) noexcept;
    ~ShiftSearch();

    ShiftCounts operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                           ShiftRecord* record = nullptr);
    const ShiftSettings& settings() const { return settings_; }

private:
    struct Space;
    ShiftSettings settings_;
    std::unique_ptr<Space> space_;
};

enum class LengthRule { average, best, closest, shortest };

// What edits are divided by; `best` is the index of the reference that was aligned.
double reference_length(std::size_t hypothesis, std::span<const std::size_t> lengths, std::size_t best, LengthRule rule);

inline constexpr std::size_t kTerColumns = 8;

// Per segment: insertions, deletions, substitutions, shifts, shifted words, edits, reference length, hypothesis
// length. The reference with the fewest edits counts, the first of equals. Where `lengths_from` is given, its texts
// say how long the reference is.
void ter_rows(const TokenSource& hypotheses, const Grouped& references, const Grouped* lengths_from,
              const ShiftSettings& settings, LengthRule rule, unsigned threads, Watch& watch, std::span<double> rows);

}  // namespace tertium
