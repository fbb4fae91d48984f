#include "fewest_crosses.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tertium {
namespace {

bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

// Reference words beyond `ref` that are taken.
std::uint64_t taken_beyond(std::span<const std::uint64_t> taken, std::uint32_t ref) {
    std::uint64_t count = 0;
    const std::uint32_t next = ref + 1;
    if (next / 64 < taken.size()) count += static_cast<unsigned>(std::popcount(taken[next / 64] >> next % 64));
    for (std::size_t k = next / 64 + 1; k < taken.size(); ++k) count += static_cast<unsigned>(std::popcount(taken[k]));
    return count;
}

bool is_taken(std::span<const std::uint64_t> taken, std::uint32_t ref) { return taken[ref / 64] >> ref % 64 & 1; }

// A pair right after another on both sides continues its chunk.
bool continues(std::span<const PlacePair> chosen, std::uint32_t hyp, std::uint32_t ref) {
    return !chosen.empty() && chosen.back().first + 1 == hyp && chosen.back().second + 1 == ref;
}

}  // namespace

// Kuhn's algorithm: the size of the largest mapping is what the search must reach.
bool FewestCrosses::find_partner(const Partners& partners, std::uint32_t hyp) {
    // Iterative, since a path may be as long as the segment: a stack of (word, which partner to try next).
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{hyp, 0}};
    std::vector<std::uint32_t> via;  // the reference word each deeper level was reached by
    while (!stack.empty()) {
        auto& [word, next] = stack.back();
        if (next == partners[word].size()) {
            stack.pop_back();
            if (!via.empty()) via.pop_back();
            continue;
        }
        const std::uint32_t ref = partners[word][next++];
        if (visited_[ref] == visit_) continue;
        visited_[ref] = visit_;
        if (partner_of_[ref] == kFree) {
            partner_of_[ref] = word;
            for (std::size_t level = stack.size() - 1; level-- > 0;) partner_of_[via[level]] = stack[level].first;
            return true;
        }
        via.push_back(ref);
        stack.emplace_back(partner_of_[ref], 0);
    }
    return false;
}

// Words that compete for the same partners form a component; how many of its words stay alone is known beforehand.
void FewestCrosses::join_components(const Partners& partners) {
    const auto count = static_cast<std::uint32_t>(places_.size());
    std::vector<std::uint32_t> root(count), owner(partner_of_.size(), kFree);
    std::iota(root.begin(), root.end(), 0u);
    const auto top = [&](std::uint32_t k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    for (std::uint32_t k = 0; k < count; ++k)
        for (const std::uint32_t ref : partners[places_[k]]) {
            if (owner[ref] == kFree)
                owner[ref] = k;
            else
                root[top(k)] = top(owner[ref]);
        }
    component_.resize(count);
    component_size_.assign(count, 0);
    for (std::uint32_t k = 0; k < count; ++k) ++component_size_[component_[k] = top(k)];
    may_skip_ = component_size_;
    for (std::uint32_t ref = 0; ref < partner_of_.size(); ++ref)
        if (partner_of_[ref] != kFree) --may_skip_[top(owner[ref])];
}

void FewestCrosses::prepare(const Partners& partners, std::size_t ref_words) {
    places_.clear();
    for (std::uint32_t i = 0; i < partners.size(); ++i)
        if (!partners[i].empty()) places_.push_back(i);
    partner_of_.assign(ref_words, kFree);
    visited_.assign(ref_words, 0);
    visit_ = 0;
    for (const std::uint32_t hyp : places_) {
        ++visit_;
        find_partner(partners, hyp);
    }
    join_components(partners);
    taken_.assign(ref_words / 64 + 1, 0);
    chosen_.clear();
    best_.clear();
    found_ = gave_up_ = false;
}

FewestCrosses::Value FewestCrosses::value_of(std::span<const PlacePair> pairs) const {
    std::vector<std::uint64_t> taken(taken_.size(), 0);
    Value value;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [hyp, ref] = pairs[k];
        value.crosses += taken_beyond(taken, ref);
        value.chunks += !continues(pairs.first(k), hyp, ref);
        taken[ref / 64] |= std::uint64_t{1} << ref % 64;
    }
    return value;
}

void FewestCrosses::offer(std::span<const PlacePair> pairs, Value value) {
    if (found_ && !(value < best_value_)) return;
    found_ = true;
    best_value_ = value;
    best_.assign(pairs.begin(), pairs.end());
}

// Words that cannot stay alone will cross at least what lies beyond their last partner. Looking a little ahead will do.
bool FewestCrosses::is_hopeless(std::size_t at, Value value, const Partners& partners) const {
    if (!found_) return false;
    const std::size_t end = std::min(places_.size(), at + 64);
    for (std::size_t k = at; k < end && value < best_value_; ++k)
        if (may_skip_[component_[k]] == 0) value.crosses += taken_beyond(taken_, partners[places_[k]].back());
    return !(value < best_value_);
}

bool FewestCrosses::exchangeable(const Partners& partners, std::size_t at, std::uint32_t ref) const {
    if (component_size_[component_[at]] == 1) return false;
    const std::vector<std::uint32_t>& ours = partners[places_[at]];
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const PlacePair& pair) {
        return pair.second > ref && has(ours, pair.second) && has(partners[pair.first], ref);
    });
}

// Makes the next choice for a word, if one is left: its partners in ascending order, then staying alone. So of equals
// the first found comes first in a dictionary.
bool FewestCrosses::choose_next(const Partners& partners, std::size_t at) {
    Level& level = levels_[at];
    const std::uint32_t hyp = places_[at];
    const std::vector<std::uint32_t>& ours = partners[hyp];
    while (level.next < ours.size()) {
        const std::uint32_t ref = ours[level.next++];
        if (is_taken(taken_, ref) || exchangeable(partners, at, ref)) continue;
        levels_[at + 1] = {{level.value.crosses + taken_beyond(taken_, ref),
                            level.value.chunks + !continues(chosen_, hyp, ref)}};
        chosen_.emplace_back(hyp, ref);
        taken_[ref / 64] |= std::uint64_t{1} << ref % 64;
        return true;
    }
    if (level.skipped || may_skip_[component_[at]] == 0) return false;
    level.skipped = true;
    --may_skip_[component_[at]];
    levels_[at + 1] = {level.value};
    return true;
}

void FewestCrosses::undo(std::size_t at) {
    if (levels_[at].skipped) {
        ++may_skip_[component_[at]];
        return;
    }
    const std::uint32_t ref = chosen_.back().second;
    taken_[ref / 64] &= ~(std::uint64_t{1} << ref % 64);
    chosen_.pop_back();
}

void FewestCrosses::search(const Partners& partners, Watch& watch) {
    levels_.assign(places_.size() + 1, {});
    std::size_t at = 0, nodes = 0;
    bool entering = true;
    for (;;) {
        if (entering) {
            if (++nodes > kNodes) {
                gave_up_ = true;
                return;
            }
            if (nodes % 4096 == 0) watch.checkpoint();
            if (at == places_.size()) offer(chosen_, levels_[at].value);
        }
        const bool ends = at == places_.size() || (entering && is_hopeless(at, levels_[at].value, partners));
        entering = !ends && choose_next(partners, at);
        if (entering) {
            ++at;
        } else {
            if (at == 0) return;
            undo(--at);
        }
    }
}

// The best mappings of a growing part of the hypothesis. May not find the best of all; may not even find one as large
// as possible, so the one that is known stands in the competition too.
void FewestCrosses::search_with_beam(const Partners& partners, Watch& watch) {
    struct State {
        Value value;
        std::vector<std::uint64_t> taken;
        std::vector<std::uint32_t> skips;  // per component that has words to skip
        std::vector<PlacePair> pairs;
    };
    std::vector<std::uint32_t> contested(places_.size(), kFree);
    std::uint32_t contests = 0;
    for (std::size_t k = 0; k < places_.size(); ++k)
        if (component_[k] == k && may_skip_[k] > 0) contested[k] = contests++;
    State start{{}, std::vector<std::uint64_t>(taken_.size(), 0), std::vector<std::uint32_t>(contests), {}};
    for (std::size_t k = 0; k < places_.size(); ++k)
        if (contested[k] != kFree) start.skips[contested[k]] = may_skip_[k];
    struct Step {
        Value value;
        std::size_t from;
        std::uint32_t ref;  // kFree: stays alone
    };
    std::vector<State> states{start}, next;
    std::vector<Step> steps;
    for (std::size_t k = 0; k < places_.size() && !states.empty(); ++k) {
        watch.checkpoint();
        steps.clear();
        const std::uint32_t contest = contested[component_[k]];
        for (std::size_t s = 0; s < states.size(); ++s) {
            const State& state = states[s];
            for (const std::uint32_t ref : partners[places_[k]])
                if (!is_taken(state.taken, ref))
                    steps.push_back({{state.value.crosses + taken_beyond(state.taken, ref),
                                      state.value.chunks + !continues(state.pairs, places_[k], ref)}, s, ref});
            if (contest != kFree && state.skips[contest] > 0) steps.push_back({state.value, s, kFree});
        }
        std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.value < b.value; });
        if (steps.size() > kBeam) steps.resize(kBeam);
        next.clear();
        for (const Step& step : steps) {
            State state = states[step.from];
            state.value = step.value;
            if (step.ref == kFree) {
                --state.skips[contest];
            } else {
                state.pairs.emplace_back(places_[k], step.ref);
                state.taken[step.ref / 64] |= std::uint64_t{1} << step.ref % 64;
            }
            next.push_back(std::move(state));
        }
        states.swap(next);
    }
    for (const State& state : states) offer(state.pairs, state.value);
    std::vector<PlacePair> known;
    for (std::uint32_t ref = 0; ref < partner_of_.size(); ++ref)
        if (partner_of_[ref] != kFree) known.emplace_back(partner_of_[ref], ref);
    std::sort(known.begin(), known.end());
    offer(known, value_of(known));
}

bool FewestCrosses::operator()(const Partners& partners, std::size_t ref_words, Watch& watch,
                               std::vector<PlacePair>& pairs) {
    prepare(partners, ref_words);
    const std::vector<std::uint32_t> may_skip = may_skip_;
    search(partners, watch);
    if (gave_up_) {
        may_skip_ = may_skip;
        search_with_beam(partners, watch);
    }
    pairs = best_;
    return !gave_up_;
}

}  // namespace tertium
