#include "metrics/ter/ter.hpp"

#include <algorithm>

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

// Masks serve sentences; longer ones, other costs and larger blocks are left to the plain search.
TerCounts TerSearch::operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                                TerRecord* record) {
    if (space_ && !record && !hypothesis.empty() && !reference.empty() &&
        std::max(hypothesis.size(), reference.size()) <= MaskSearches::kMost)
        return space_->masks(hypothesis, reference, settings_, watch);
    if (settings_.variant == TerSettings::Variant::tercom && (hypothesis.empty() || reference.empty()))
        return one_side(hypothesis.size(), reference.size(), record);
    return plain_search(hypothesis, reference, settings_, watch, record);
}

void ter_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
              const TerSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
              std::span<double> rows) {
    shift_rows(
        hypotheses, references, lengths_from,
        {"ter", reference_length, settings.max_tokens, settings.max_tokens, kTerColumns}, threads, watch, rows,
        [&] { return TerSearch(settings); },
        [](const TerCounts& counts, double reference_length, double hypothesis_length, double* row) {
            const double values[kTerColumns] = {counts.insertions, counts.deletions,     counts.substitutions,
                                                counts.shifts,     counts.shifted_words, counts.edits,
                                                reference_length,  hypothesis_length};
            std::copy(std::begin(values), std::end(values), row);
        });
}

}  // namespace tertium
