// A hypothesis against each of its references, and which of them counts.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Sums of fractions that are equal on paper may differ in their last bits; such a tie is still a tie.
inline bool surely_less(double a, double b) { return a < b - 1e-11 * (1 + std::abs(b)); }

// The rate when there is nothing to divide by: any edit at all is a full error.
inline double error_rate(double edits, double length) { return length > 0 ? edits / length : edits > 0 ? 1.0 : 0.0; }

enum class ReferenceRule { best, min_average };

// best: the lowest rate, of equals the one with fewer edits, of equals the first; its own length counts.
// min_average: the fewest edits; the average length of all references counts.
class ReferenceChoice {
public:
    explicit ReferenceChoice(ReferenceRule rule) : rule_(rule) {}

    // Says whether this reference, the next, is better than all before.
    bool offer(double edits, double rate, double length) {
        lengths_ += length;
        const bool fewer = surely_less(edits, edits_);
        const bool better = count_ == 0 || (rule_ == ReferenceRule::min_average
                                                ? fewer
                                                : surely_less(rate, rate_) || (fewer && !surely_less(rate_, rate)));
        if (better) edits_ = edits, rate_ = rate, length_ = length, index_ = count_;
        ++count_;
        return better;
    }
    std::size_t index() const { return index_; }
    double length() const { return rule_ == ReferenceRule::best ? length_ : lengths_ / static_cast<double>(count_); }

private:
    ReferenceRule rule_;
    double edits_ = 0, rate_ = 0, length_ = 0, lengths_ = 0;
    std::size_t count_ = 0, index_ = 0;
};

// What a metric found in one pair; it has filled its row.
struct Compared {
    double edits, rate;
};

struct PairSettings {
    ReferenceRule rule = ReferenceRule::best;
    bool spelt = false;             // whether the metric looks at the letters of words
    std::size_t columns = 0;        // of a row
    std::size_t length_column = 0;  // where the reference's length stands
};

// Fills `row` for segment `i`, by compare(hypothesis, reference, row) -> Compared, and returns which reference counts.
template <class Compare>
std::size_t chosen_row(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t i,
                       const PairSettings& settings, WordReader& ours, WordReader& theirs, Compare& compare,
                       std::vector<double>& spare, double* row) {
    const Words hypothesis = ours(hypotheses, i);
    ReferenceChoice choice(settings.rule);
    for (std::size_t r = 0; r < references.count(i); ++r) {
        const Words reference = theirs(references.texts, references.first(i) + r);
        double* const target = r == 0 ? row : spare.data();
        const Compared found = compare(hypothesis, reference, target);
        if (choice.offer(found.edits, found.rate, static_cast<double>(reference.size())) && r > 0)
            std::copy(spare.begin(), spare.end(), row);
    }
    row[settings.length_column] = choice.length();
    return choice.index();
}

// Fills the rows of all segments; make_compare() gives each thread its own.
template <class MakeCompare>
void chosen_rows(const TokenSource& hypotheses, const GroupedTokens& references, const PairSettings& settings,
                 unsigned threads, Watch& watch, std::span<double> rows, MakeCompare make_compare) {
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, ours = WordReader(settings.spelt), theirs = WordReader(settings.spelt), compare = make_compare(),
                spare = std::vector<double>(settings.columns)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                watch.begin(i);
                hypotheses.prefetch(i + 3);
                references.texts.prefetch(references.first(i) + 3);
                chosen_row(hypotheses, references, i, settings, ours, theirs, compare, spare,
                           rows.data() + i * settings.columns);
            }
        };
    });
}

// One step of an alignment, in the words of tertium.metrics.alignment.
enum class StepKind : char { match, substitution, insertion, deletion, jump };
struct AlignmentStep {
    StepKind kind;
    std::size_t hyp_begin, hyp_end, ref_begin, ref_end;
    double cost;
};
struct PairAlignment {
    std::size_t reference = 0;  // which of several
    std::vector<AlignmentStep> steps;
};

}  // namespace tertium
