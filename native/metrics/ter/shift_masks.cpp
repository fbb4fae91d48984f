#include "metrics/ter/shift_masks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tertium {
namespace {

// Tells where the table of the whole hypothesis says all: every common word is matched, so no shift can help, and the
// beam cannot have kept the programs from seeing it. (It may be that it cannot though this does not know.)
class LastWord {
public:
    explicit LastWord(const TerSettings& settings)
        : sacrebleu_(settings.variant == TerSettings::Variant::sacrebleu), narrow_(least_from(settings.beam)),
          wide_(least_from(sacrebleu_ ? 2 * settings.beam - 2 : std::floor(settings.beam) + 1)) {}

    bool is_final(const ShiftPair& pair, std::size_t distance, std::size_t least) const {
        if (distance != least) return false;
        const std::size_t H = pair.hypothesis.size(), R = pair.reference.size();
        if (!sacrebleu_) return std::min(distance, R) < wide_;
        return R < narrow_ || distance + std::max(H, R) - std::min(H, R) < wide_;
    }

private:
    // The least number that is no smaller; beyond what short pairs have, some number.
    static std::size_t least_from(double limit) {
        return static_cast<std::size_t>(std::ceil(std::clamp(limit, 0.0, 4.0 * LongColumns::kMost)));
    }

    bool sacrebleu_;
    std::size_t narrow_, wide_;
};

// Only what is longer has words too many.
TerCounts counts_without_shifts(const ShiftPair& pair, std::size_t distance) {
    const std::size_t H = pair.hypothesis.size(), R = pair.reference.size(), longest = std::max(H, R);
    return {static_cast<double>(longest - R),
            static_cast<double>(longest - H),
            static_cast<double>(distance + H + R - 2 * longest),
            0,
            0,
            static_cast<double>(distance)};
}

FirstLane lane_of(const ShortColumns& columns, std::size_t lane) { return {&columns, nullptr, lane}; }
FirstLane lane_of(const LongColumns& columns, std::size_t lane) { return {nullptr, &columns, lane}; }

}  // namespace

bool MaskSearches::serve(const TerSettings& settings) {
    return settings.unit_costs() && settings.variant != TerSettings::Variant::thesis &&
           settings.max_shift_size <= kLongestBlock;
}

std::size_t MaskSearches::operator()(std::span<const ShiftPair> pairs, const TerSettings& settings, Watch& watch,
                                     TerCounts* counts) {
    const LastWord last_word(settings);
    std::size_t served = 0;
    short_->count = long_->count = 0;
    const auto search_waiting = [&](auto& waiting) {
        waiting.columns.fill({waiting.pairs, waiting.count});
        for (std::size_t lane = 0; lane < waiting.count; ++lane) {
            const ShiftPair& pair = *waiting.pairs[lane];
            TerCounts& found = counts[&pair - pairs.data()];
            const std::size_t distance = waiting.columns.distance[lane];
            if (last_word.is_final(pair, distance, waiting.columns.least[lane]))
                found = counts_without_shifts(pair, distance);
            else
                found = (*one_)(pair, lane_of(waiting.columns, lane), settings, watch);
        }
        waiting.count = 0;
    };
    const auto wait = [&](auto& waiting, const ShiftPair& pair) {
        waiting.pairs[waiting.count++] = &pair;
        if (waiting.count == std::size(waiting.pairs)) search_waiting(waiting);
    };
    for (const ShiftPair& pair : pairs) {
        if (!serve(pair)) continue;
        ++served;
        const std::size_t longest = pair.longest();
        if (longest <= ShortColumns::kMost) {
            wait(*short_, pair);
        } else if (longest <= LongColumns::kMost) {
            wait(*long_, pair);
        } else {
            const bool two = longest <= 64 * 2 - 2;
            std::unique_ptr<AnyMaskSearch>& search = two ? two_ : four_;
            if (!search) search = two ? mask_search_2() : mask_search_4();
            counts[&pair - pairs.data()] = (*search)(pair, {}, settings, watch);
        }
    }
    if (short_->count > 0) search_waiting(*short_);
    if (long_->count > 0) search_waiting(*long_);
    return served;
}

}  // namespace tertium
