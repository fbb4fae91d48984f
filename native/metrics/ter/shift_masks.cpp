#include "metrics/ter/shift_masks.hpp"

#include <algorithm>

namespace tertium {
namespace {

// Whether the table of the whole hypothesis says all: every common word is matched, so no shift can help, and the
// beam cannot have kept the programs from seeing it. (It may be that it cannot though this does not know.)
bool is_final(const ShiftPair& pair, std::size_t distance, std::size_t least, const TerSettings& settings) {
    if (distance != least) return false;
    const auto H = static_cast<double>(pair.hypothesis.size()), R = static_cast<double>(pair.reference.size());
    const auto edits = static_cast<double>(distance);
    if (settings.variant != TerSettings::Variant::sacrebleu) return std::min(edits, R) <= settings.beam;
    return R < settings.beam || edits < 2 * settings.beam - 2 - (R > H ? R - H : H - R);
}

// Only what is longer has words too many.
TerCounts counts_without_shifts(const ShiftPair& pair, std::size_t distance) {
    const auto H = static_cast<double>(pair.hypothesis.size()), R = static_cast<double>(pair.reference.size());
    const auto edits = static_cast<double>(distance);
    const double insertions = std::max(H - R, 0.0), deletions = std::max(R - H, 0.0);
    return {insertions, deletions, edits - insertions - deletions, 0, 0, edits};
}

}  // namespace

bool MaskSearches::serve(const TerSettings& settings) {
    return settings.unit_costs() && settings.variant != TerSettings::Variant::thesis &&
           settings.max_shift_size <= kLongestBlock;
}

void MaskSearches::operator()(std::span<const ShiftPair> pairs, const TerSettings& settings, Watch& watch,
                              TerCounts* counts) {
    const ShiftPair* some[FirstColumns::kPairs];
    std::size_t waiting = 0;
    const auto search_waiting = [&] {
        first_->fill({some, waiting});
        for (std::size_t lane = 0; lane < waiting; ++lane) {
            const ShiftPair& pair = *some[lane];
            TerCounts& found = counts[&pair - pairs.data()];
            if (is_final(pair, first_->distance[lane], first_->least[lane], settings)) {
                found = counts_without_shifts(pair, first_->distance[lane]);
            } else {
                watch.begin(pair.segment);
                found = (*one_)(pair, first_.get(), lane, settings, watch);
            }
        }
        waiting = 0;
    };
    for (const ShiftPair& pair : pairs) {
        if (!serve(pair)) continue;
        if (pair.longest() <= FirstColumns::kMost) {
            some[waiting++] = &pair;
            if (waiting == FirstColumns::kPairs) search_waiting();
            continue;
        }
        const bool two = pair.longest() <= 64 * 2 - 2;
        std::unique_ptr<AnyMaskSearch>& search = two ? two_ : four_;
        if (!search) search = two ? mask_search_2() : mask_search_4();
        watch.begin(pair.segment);
        counts[&pair - pairs.data()] = (*search)(pair, nullptr, 0, settings, watch);
    }
    if (waiting > 0) search_waiting();
}

}  // namespace tertium
