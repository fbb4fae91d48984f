// The fewest edits when blocks may move, each jump for the price of an edit: CDER.

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

// Of a path: its cost, and how often it covers the words that it may jump over.
struct Moves {
    double cost = 0;
    std::size_t covering = 0;  // steps that cover such a word
    std::size_t covered = 0;   // words covered at least once
    // Words left out, and times that a word is used again.
    double miscoverage(std::size_t words) const {
        return static_cast<double>(words + covering) - 2 * static_cast<double>(covered);
    }
};

// One direction: every word of `fixed` is covered exactly once, those of `free` any number of times.
class BlockMoves {
public:
    BlockMoves(const Substitution& substitution, Watch& watch)
        : substitution_(substitution), costs_(substitution), watch_(watch) {}

    // `swapped`: `fixed` is the hypothesis. Without `with_path` only the cost is found.
    Moves measure(const Words& free, const Words& fixed, bool swapped, bool with_path);
    // The steps of the path, as those of an alignment of hypothesis and reference.
    std::vector<AlignmentStep> steps(const Words& free, const Words& fixed, bool swapped);

    struct Space {
        MatchMask masks;
        std::vector<std::uint64_t> lowest, diagonal;
    };

private:
    template <class Visitor>
    double walk_unit(const Words& free, const Words& fixed, Visitor& visitor);
    template <class Visitor>
    double walk_costs(const Words& free, const Words& fixed, bool swapped, Visitor& visitor);
    double unit_cost(const Words& free, const Words& fixed);
    double word_cost(const Words& free, const Words& fixed, bool swapped);

    const Substitution& substitution_;
    WordCosts costs_;
    Watch& watch_;
    Space space_;
    std::vector<double> rows_;
};

enum class CderDirection { forward, reversed, maximum };
enum class CderPenalty { none, length, miscoverage, average };

struct CderSettings {
    Substitution substitution;
    ReferenceRule rule = ReferenceRule::best;
    CderDirection direction = CderDirection::forward;
    CderPenalty penalty = CderPenalty::none;
};

// Fills, per segment: cost, reference length and, unless there is none, the penalty.
void cder_rows(const TokenSource& hypotheses, const GroupedTokens& references, const CderSettings& settings,
               unsigned threads, Watch& watch, std::span<double> rows);
inline std::size_t cder_columns(const CderSettings& settings) { return settings.penalty == CderPenalty::none ? 2 : 3; }

PairAlignment cder_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t index,
                             const CderSettings& settings, Watch& watch);

}  // namespace tertium
