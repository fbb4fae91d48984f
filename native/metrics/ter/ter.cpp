#include "metrics/ter/ter.hpp"

#include <algorithm>
#include <iterator>

#include "metrics/ter/plain_search.hpp"
#include "metrics/ter/shift_masks.hpp"
#include "metrics/ter/shift_rows.hpp"

namespace tertium {
namespace {

// Where one side is empty, tercom does not look at costs: every word of the other is one edit.
TerCounts one_side(std::size_t ours, std::size_t theirs, TerRecord* record) {
    TerCounts counts;
    counts.insertions = static_cast<double>(ours);
    counts.deletions = static_cast<double>(theirs);
    counts.edits = counts.insertions + counts.deletions;
    if (record) record->operations.assign(ours + theirs, ours > 0 ? 'I' : 'D');
    return counts;
}

}  // namespace

struct TerSearch::Space {
    MaskSearches masks;
};

TerSearch::TerSearch(const TerSettings& settings) : settings_(settings) {
    if (MaskSearches::serve(settings)) space_ = std::make_unique<Space>();
}
TerSearch::TerSearch(TerSearch&&) noexcept = default;
TerSearch::~TerSearch() = default;

TerCounts TerSearch::operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                                TerRecord* record) {
    if (settings_.variant == TerSettings::Variant::tercom && (hypothesis.empty() || reference.empty()))
        return one_side(hypothesis.size(), reference.size(), record);
    return plain_search(hypothesis, reference, settings_, watch, record);
}

// Masks serve sentences; longer ones, other costs and larger blocks are left to the plain search.
void TerSearch::operator()(std::span<const ShiftPair> pairs, Watch& watch, TerCounts* counts) {
    if (space_ && space_->masks(pairs, settings_, watch, counts) == pairs.size()) return;
    for (const ShiftPair& pair : pairs) {
        if (space_ && MaskSearches::serve(pair)) continue;
        watch.begin(pair.segment);
        counts[&pair - pairs.data()] = (*this)(pair.hypothesis, pair.reference, watch, nullptr);
    }
}

void ter_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
              const TerSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
              std::span<double> rows) {
    const std::size_t columns = columns_of(settings);
    shift_rows<TerCounts>(
        hypotheses, references, lengths_from,
        {"ter", reference_length, settings.max_tokens, settings.max_tokens, columns}, threads, watch, rows,
        [&] { return TerSearch(settings); },
        [columns](const TerCounts& counts, double reference_length, double hypothesis_length, double* row) {
            const double values[] = {counts.insertions,    counts.deletions, counts.substitutions, counts.shifts,
                                     counts.shifted_words, counts.edits,     reference_length};
            row = std::copy(std::begin(values), std::end(values), row);
            if (columns > std::size(values)) *row = hypothesis_length;
        });
}

}  // namespace tertium
