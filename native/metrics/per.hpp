// Word errors that are left when word order is forgiven: PER.

#pragma once

#include <cstddef>
#include <span>

#include "machine/parallel.hpp"
#include "matching/word_costs.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

// What is divided by what: the larger length less the matches, by the reference's length; words of the reference
// that are missing; words of the hypothesis that are too many, by the hypothesis's length.
enum class PerErrors { both, recall, precision };

struct PerSettings {
    Substitution substitution;
    ReferenceRule rule = ReferenceRule::best;
    PerErrors errors = PerErrors::both;
};

inline constexpr std::size_t kPerColumns = 4;

// Fills, per segment: errors, reference length, matches, hypothesis length. With costs of words, the matches are
// the larger length less the cheapest assignment.
void per_rows(const TokenSource& hypotheses, const GroupedTokens& references, const PerSettings& settings,
              unsigned threads, Watch& watch, std::span<double> rows);

}  // namespace tertium
