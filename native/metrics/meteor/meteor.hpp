// METEOR's rows: what was matched, by module, on both sides, and in how many chunks.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "lexicon/key_table.hpp"
#include "machine/parallel.hpp"
#include "metrics/meteor/beam_aligner.hpp"
#include "metrics/meteor/fewest_crosses.hpp"
#include "metrics/meteor/word_book.hpp"
#include "metrics/meteor/word_matches.hpp"
#include "text/token_source.hpp"

namespace tertium {

// How matches are chosen: METEOR 1.5's beam; or the largest mapping with the fewest crosses, for one module after the
// other or for all at once.
enum class Matching { beam, stages, joint };

struct MeteorParameters {
    double alpha = 0.85, beta = 0.2, gamma = 0.6, delta = 0.75;
    std::array<double, kModules> weights{1, 0.6, 0.8, 0.6};
};

struct MeteorSettings {
    Matching matching = Matching::beam;
    MatchModules modules;
    const KeyTable* function_words = nullptr;  // those have an id
    // Case markers and auxiliaries have the id 1, punctuation 2; null if groups of words are not counted.
    const KeyTable* group_words = nullptr;
    bool characters = false;      // precision and recall count characters
    MeteorParameters parameters;  // which choose among references
};

// In the order of METEOR's own statistics: lengths and function words of hypothesis and reference; per module content
// words of both, function words of both; chunks; matched words of both.
inline constexpr std::size_t kMeteorColumns = 7 + 4 * kModules;
inline constexpr std::size_t kChunksColumn = 4 + 4 * kModules;
inline constexpr std::size_t kGroupColumns = 3;  // groups matched, in the hypothesis, in the reference

inline std::size_t meteor_columns(const MeteorSettings& settings) {
    return kMeteorColumns + (settings.group_words ? kGroupColumns : 0);
}

struct MeteorAlignment {
    std::size_t reference = 0;       // which of several
    std::vector<WordMatch> matches;  // by place in the reference
    bool exact_search = true;        // false: a beam was used
};

// Where every word of both sides is matched in one chunk, the beam's rows say 0 chunks: such a segment has no penalty,
// and adds none to a corpus.
void meteor_rows(const TokenSource& hypotheses, const GroupedTokens& references, const MeteorSettings& settings,
                 unsigned threads, Watch& watch, std::span<double> rows);

MeteorAlignment meteor_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t segment,
                                 const MeteorSettings& settings, Watch& watch);

}  // namespace tertium
