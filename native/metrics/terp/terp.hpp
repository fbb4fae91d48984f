// TERp: an edit rate in which words may also match by stem or as synonyms, and phrases by a table of paraphrases.
//
// The search is TER's (ter.hpp): align word by word, make the shift that saves most, repeat. What is different:
// every kind of edit has its own cost; a word may stand for one with the same stem or a shared synset; a phrase of
// the reference may be replaced by one of its paraphrases, for a cost that depends on the paraphrase's probability
// and on how far apart the two are; and what is shifted need only be alike in one of these ways.
//
// Counts of all edits go into the rows, so costs other than those that were aligned with need no new alignment.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "lexicon/key_table.hpp"
#include "lexicon/phrase_index.hpp"
#include "machine/parallel.hpp"
#include "metrics/ter/ter.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Which words of a table of phrases hypotheses have, by number.
using PossibleWords = std::vector<std::atomic<bool>>;

struct TerpSettings {
    // Which blocks may be shifted: none; those that occur in the reference as they are; or whose words have partners
    // of the same stem or synset; or, beyond that, that contain paraphrases; or with one word that differs.
    enum class Constraint { noshift, exact, relax_nophrase, relax, allow_mismatch } constraint = Constraint::relax;
    // What a phrase costs: w1 + w2 log10(p) edits + w3 p edits + w4 edits; the same of 1 - p; without the edits; or
    // the number in the table.
    enum class PhraseCost { standard, inverse, no_edits, table } phrase_cost = PhraseCost::standard;

    double match = 0, insertion = 1, deletion = 1, substitution = 1, stem = 1, synonym = 1, shift = 1;
    double w1 = 0, w2 = 0, w3 = 0, w4 = 0;
    double phrase_minimum = 0, phrase_maximum = std::numeric_limits<double>::infinity();
    double beam = 20, max_shift_distance = 50;  // may be infinite
    std::size_t max_shift_size = 10;
    std::size_t max_tokens = 20'000;  // longer segments are refused

    // What words have in common; a table that is not given is not used.
    const KeyTable* stems = nullptr;
    const KeyTable* synonyms = nullptr;
    const KeyTable* numbers = nullptr;  // words with an id are numbers, and all numbers are the same word
    const PhraseIndex* phrases = nullptr;
    std::vector<Key> stop_words;              // ascending; a block of nothing else is not shifted
    const PossibleWords* possible = nullptr;  // those words of the table that hypotheses have, if that is known
};

struct TerpCounts {
    double insertions = 0, deletions = 0, substitutions = 0, stems = 0, synonyms = 0, phrases = 0, shifts = 0,
           shifted_words = 0, matches = 0;
    // Over the phrases used: edits times log10(p), edits times p, edits, and the cost.
    double phrase_logs = 0, phrase_probabilities = 0, phrase_edits = 0, phrase_cost = 0;
    double edits = 0;  // the cost of everything
};

struct TerpStep {
    char kind;  // ' ' match, S, T stem, Y synonym, P phrase, I (extra hypothesis word), D
    std::uint32_t reference_words, hypothesis_words;
    double cost, probability, edits;  // the last two are a phrase's
};

// How the counts came about.
struct TerpRecord {
    std::vector<BlockMove> moves;
    std::vector<TerpStep> steps;  // on the hypothesis after all moves
};

// Searches one segment after the other; keeps its scratch space.
class TerpSearch {
public:
    explicit TerpSearch(const TerpSettings& settings);
    TerpSearch(TerpSearch&&) noexcept;
    ~TerpSearch();

    TerpCounts operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                          TerpRecord* record = nullptr);

private:
    struct Space;
    std::unique_ptr<Space> space_;
};

inline constexpr std::size_t kTerpColumns = 14;
inline std::size_t columns_of(const TerpSettings&) { return kTerpColumns; }

// Per segment: insertions, deletions, substitutions, stems, synonyms, phrases, shifts, shifted words, matches; the
// sums of the phrases used: logs, probabilities, edits, cost; reference length. The reference with the fewest edits
// counts, the first of equals. Where `lengths_from` is given, its texts say how long the reference is.
void terp_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
               const TerpSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
               std::span<double> rows);

}  // namespace tertium
