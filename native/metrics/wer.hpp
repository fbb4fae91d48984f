// The fewest word edits that make a hypothesis a reference, and which: WER.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "matching/match_mask.hpp"
#include "matching/word_costs.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

// An insertion is an extra hypothesis word, a deletion a missing reference word.
struct EditCounts {
    std::size_t matches = 0, substitutions = 0, insertions = 0, deletions = 0;
    double cost = 0;
};

class EditDistance {
public:
    EditDistance(const Substitution& substitution, Watch& watch)
        : substitution_(substitution), costs_(substitution), watch_(watch) {}

    EditCounts count(const Words& hypothesis, const Words& reference);
    // The steps of the same alignment, from the first word to the last.
    std::vector<AlignmentStep> steps(const Words& hypothesis, const Words& reference);

    struct Space {
        MatchMask masks;
        std::vector<std::uint64_t> up, down;
    };

private:
    template <class Visitor>
    double walk_unit(const Words& hypothesis, const Words& reference, Visitor& visitor);
    template <class Visitor>
    double walk_costs(const Words& hypothesis, const Words& reference, Visitor& visitor);

    const Substitution& substitution_;
    WordCosts costs_;
    Watch& watch_;
    Space space_;
};

struct WerSettings {
    Substitution substitution;
    ReferenceRule rule = ReferenceRule::best;
};

// Fills, per segment: matches, substitutions, insertions, deletions, reference length and, unless substitutions are
// exact, what all edits cost.
void wer_rows(const TokenSource& hypotheses, const GroupedTokens& references, const WerSettings& settings,
              unsigned threads, Watch& watch, std::span<double> rows);
inline std::size_t wer_columns(const WerSettings& settings) { return settings.substitution.is_exact() ? 5 : 6; }

// How segment `index` is aligned.
PairAlignment wer_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t index,
                            const WerSettings& settings, Watch& watch);

// How each segment is aligned with its only reference, steps of one kind in a row as one; equal words alone match.
std::vector<std::vector<AlignmentStep>> wer_runs(const TokenSource& hypotheses, const TokenSource& references,
                                                 unsigned threads, Watch& watch);

}  // namespace tertium
