// The rows of BLEU: lengths, and clipped matches and totals per order.

#include "metrics/bleu.hpp"

#include <algorithm>

#include "matching/clipped_matches.hpp"
#include "text/segment_tokens.hpp"

namespace tertium {
namespace {

// Symbols before and after a sentence; like kNoToken, no token has these keys.
constexpr Key kInitial = kNoToken + 1, kFinal = kNoToken + 2;

struct Scratch {
    SegmentTokens tokens;
    ClippedMatches matcher;
};

void append_padded(std::span<const Key> tokens, const Boundaries& boundaries, unsigned order, std::vector<Key>& out) {
    const std::size_t symbols = boundaries.single ? 1 : order - 1;
    if (boundaries.initial) out.insert(out.end(), symbols, kInitial);
    out.insert(out.end(), tokens.begin(), tokens.end());
    if (boundaries.final) out.insert(out.end(), symbols, kFinal);
}

// Each order sees the sentence with its own number of boundary symbols, so orders are counted one at a time.
void count_with_boundaries(const SegmentView& segment, const BleuSettings& settings, double* matches, double* totals,
                           ClippedMatches& matcher, Watch& watch) {
    for (const unsigned order : settings.orders) {
        std::vector<Key> hypothesis, references;
        std::vector<std::size_t> ends;
        const Boundaries boundaries = order > 1 ? settings.boundaries : Boundaries{};
        append_padded(segment.hypothesis, boundaries, order, hypothesis);
        for (std::size_t r = 0; r < segment.references(); ++r) {
            // An empty sentence has only n-grams made of symbols alone, which never count.
            if (!segment.reference(r).empty()) append_padded(segment.reference(r), boundaries, order, references);
            ends.push_back(references.size());
        }
        if (segment.hypothesis.empty()) hypothesis.clear();
        *totals++ = hypothesis.size() >= order ? static_cast<double>(hypothesis.size() - order + 1) : 0.0;
        matcher.count({hypothesis, references, ends}, {&order, 1}, matches++, watch);
    }
}

void fill_row(const SegmentView& segment, const BleuSettings& settings, double* row, ClippedMatches& matcher,
              Watch& watch) {
    const std::size_t orders = settings.orders.size();
    row[0] = static_cast<double>(segment.hypothesis.size());
    row[1] = reference_length(
        segment.hypothesis.size(), segment.references(), [&](std::size_t r) { return segment.reference(r).size(); },
        settings.reference_length);
    double* const matches = row + 2;
    double* const totals = matches + orders;
    if (settings.boundaries.any()) return count_with_boundaries(segment, settings, matches, totals, matcher, watch);
    for (std::size_t k = 0; k < orders; ++k)
        totals[k] = std::max(0.0, row[0] - static_cast<double>(settings.orders[k]) + 1);
    matcher.count(segment, settings.orders, matches, watch);
}

}  // namespace

void bleu_rows(const TokenSource& hypotheses, const GroupedTokens& references, const BleuSettings& settings,
               unsigned threads, Watch& watch, std::span<double> rows) {
    const std::size_t columns = 2 + 2 * settings.orders.size();
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, scratch = Scratch{}](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                hypotheses.prefetch(i + 3);
                references.texts.prefetch(references.first(i) + 3);
                const SegmentView segment = scratch.tokens.load(hypotheses, references, i);
                double* const row = rows.data() + i * columns;
                fill_row(segment, settings, row, scratch.matcher, watch);
            }
        };
    });
}

}  // namespace tertium
