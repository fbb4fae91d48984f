// Finding it is NP-hard. The search goes through the longer text word by word; a state is the place in the shorter
// text and the set of its words that are covered. (The distance is the same from either side.) Within a word of the
// longer text, sets only grow, so they are visited in ascending order; per set, a jump is the cheapest place plus 1.

#include "metrics/long_jump.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace tertium {
namespace {

constexpr std::size_t kMostWords = 20;
constexpr double kMostStates = 1 << 29;

// `Cost` counts in whole numbers where it can, since there are many states.
template <class Cost>
Cost search(const Words& few, const Words& many, WordCosts* costs, Watch& watch) {
    const std::size_t count = few.size(), places = count + 1, sets = std::size_t{1} << count;
    constexpr Cost far = std::numeric_limits<Cost>::max() / 2;
    std::vector<Cost> now(sets * places, far), next(sets * places, far), step(count);
    now[0] = 0;
    for (std::size_t l = 0;; ++l) {
        const bool last = l == many.size();
        for (std::size_t i = 0; i < count && !last; ++i)
            step[i] = static_cast<Cost>(costs ? costs->row(l)[i] : few.keys[i] != many.keys[l]);
        for (std::size_t set = 0; set < sets; ++set) {
            if (set % 4096 == 0) watch.checkpoint();
            Cost* const at = now.data() + set * places;
            const Cost least = *std::min_element(at, at + places);
            if (least == far) continue;
            Cost* const onward = next.data() + set * places;
            for (std::size_t i = 0; i < places; ++i) {
                const Cost value = std::min<Cost>(at[i], least + 1), one_more = value + 1;
                at[i] = value;
                onward[i] = std::min(onward[i], one_more);
                if (i == count || (set >> i & 1)) continue;
                const std::size_t grown = (set | std::size_t{1} << i) * places + i + 1;
                now[grown] = std::min(now[grown], one_more);
                if (!last) next[grown] = std::min<Cost>(next[grown], value + step[i]);
            }
        }
        if (last) return now[(sets - 1) * places + count];
        now.swap(next);
        std::fill(next.begin(), next.end(), far);
    }
}

// Whether the exact search is feasible.
bool is_short_enough(std::size_t hypothesis, std::size_t reference) {
    const std::size_t least = std::min(hypothesis, reference), most = std::max(hypothesis, reference);
    if (least > kMostWords) return false;
    const double sets = static_cast<double>(std::size_t{1} << least);
    return sets * static_cast<double>(least + 1) * static_cast<double>(most + 1) <= kMostStates;
}

}  // namespace

std::optional<double> long_jump_distance(const Words& hypothesis, const Words& reference,
                                         const Substitution& substitution, Watch& watch) {
    if (!is_short_enough(hypothesis.size(), reference.size())) return std::nullopt;
    const bool swapped = reference.size() < hypothesis.size();
    const Words &few = swapped ? reference : hypothesis, &many = swapped ? hypothesis : reference;
    if (substitution.is_exact() && few.size() + many.size() < 30'000)
        return search<std::uint16_t>(few, many, nullptr, watch);
    if (substitution.is_exact()) return search<std::uint32_t>(few, many, nullptr, watch);
    WordCosts costs(substitution);
    costs.begin(few, many, swapped);
    return search<double>(few, many, &costs, watch);
}

}  // namespace tertium
