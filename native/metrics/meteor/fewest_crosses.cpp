#include "metrics/meteor/fewest_crosses.hpp"

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
    std::vector<std::uint32_t> root(count);
    std::iota(root.begin(), root.end(), 0u);
    const auto top = [&](std::uint32_t k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    owner_.assign(ref_words_, kFree);
    for (std::uint32_t k = 0; k < count; ++k)
        for (const std::uint32_t ref : partners[places_[k]]) {
            if (owner_[ref] == kFree)
                owner_[ref] = k;
            else
                root[top(k)] = top(owner_[ref]);
        }
    component_.resize(count);
    component_size_.assign(count, 0);
    for (std::uint32_t k = 0; k < count; ++k) ++component_size_[component_[k] = top(k)];
    may_skip_ = component_size_;
    for (std::uint32_t ref = 0; ref < ref_words_; ++ref)
        if (partner_of_[ref] != kFree) --may_skip_[top(owner_[ref])];
}

void FewestCrosses::settle_words_without_choice(const Partners& partners, Watch& watch) {
    settled_.clear();
    open_.clear();
    for (std::uint32_t k = 0; k < places_.size(); ++k) {
        const std::vector<std::uint32_t>& ours = partners[places_[k]];
        if (component_size_[component_[k]] == 1 && ours.size() == 1) {
            settled_.emplace_back(places_[k], ours.front());
            continue;
        }
        open_.push_back({places_[k], component_[k], {}, 0});
        for (const std::uint32_t ref : ours) open_.back().options.push_back({ref, 0});
    }
    // A pair crosses the settled ones before it that lie beyond, and those after it that lie before.
    std::vector<std::uint64_t> before(ref_words_ / 64 + 1, 0), after(before);
    for (const auto& [hyp, ref] : settled_) after[ref / 64] |= std::uint64_t{1} << ref % 64;
    std::uint64_t left = settled_.size();
    std::size_t next = 0;
    for (Open& open : open_) {
        for (; next < settled_.size() && settled_[next].first < open.hyp; ++next, --left) {
            const std::uint32_t ref = settled_[next].second;
            before[ref / 64] |= std::uint64_t{1} << ref % 64;
            after[ref / 64] &= ~(std::uint64_t{1} << ref % 64);
        }
        count_work(open.options.size() * (before.size() / 2 + 1), watch);
        for (Option& option : open.options)
            option.crosses = taken_beyond(before, option.ref) + left - taken_beyond(after, option.ref);
        open.least = std::ranges::min_element(open.options, {}, &Option::crosses)->crosses;
    }
    count_chunks_of_settled();
    bound_what_is_to_come();
}

// A chunk begins where the word before is not mapped to the place before; that is certain unless the word before is
// open.
void FewestCrosses::count_chunks_of_settled() {
    first_chunks_ = 0;
    std::size_t next = 0;
    for (Open& open : open_) {
        open.follower = kFree;
        open.chunks = 0;
    }
    for (std::size_t k = 0; k < settled_.size(); ++k) {
        const auto [hyp, ref] = settled_[k];
        while (next < open_.size() && open_[next].hyp < hyp) ++next;
        if (next > 0 && open_[next - 1].hyp + 1 == hyp)
            open_[next - 1].follower = ref;
        else
            (next > 0 ? open_[next - 1].chunks : first_chunks_) +=
                !continues(std::span<const PlacePair>(settled_).first(k), hyp, ref);
    }
}

// Of the words of a component only so many can stay alone: the others cross at least what their best options do.
void FewestCrosses::bound_what_is_to_come() {
    to_come_.assign(open_.size() + 1, {});
    std::vector<std::vector<std::uint64_t>> least(places_.size());
    Value value;
    for (std::size_t k = open_.size(); k-- > 0;) {
        std::vector<std::uint64_t>& ours = least[open_[k].component];
        const std::size_t skips = may_skip_[open_[k].component];
        const auto smallest = [&] {
            const std::size_t count = ours.size() > skips ? ours.size() - skips : 0;
            return std::accumulate(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(count), std::uint64_t{0});
        };
        value.crosses -= smallest();
        ours.insert(std::upper_bound(ours.begin(), ours.end(), open_[k].least), open_[k].least);
        value.crosses += smallest();
        const bool may_continue = std::ranges::any_of(
            open_[k].options, [&](const Option& option) { return option.ref + 1 == open_[k].follower; });
        value.chunks += open_[k].chunks + (open_[k].follower != kFree && !may_continue);
        to_come_[k] = value;
    }
}

// Chunks that settled pairs begin between a word and the next open one, if the word is mapped to that place.
std::uint64_t FewestCrosses::chunks_after(const Open& open, std::uint32_t ref) const {
    return open.chunks + (open.follower != kFree && (ref == kFree || ref + 1 != open.follower));
}

void FewestCrosses::prepare(const Partners& partners, std::size_t ref_words, Watch& watch) {
    ref_words_ = ref_words;
    places_.clear();
    for (std::uint32_t i = 0; i < partners.size(); ++i)
        if (!partners[i].empty()) places_.push_back(i);
    partner_of_.assign(ref_words, kFree);
    visited_.assign(ref_words, 0);
    visit_ = 0;
    for (const std::uint32_t hyp : places_) {
        ++visit_;
        find_partner(partners, hyp);
        count_work(partners[hyp].size() + ref_words, watch);
    }
    join_components(partners);
    settle_words_without_choice(partners, watch);
    taken_.assign(ref_words / 64 + 1, 0);
    chosen_.clear();
    best_.clear();
    beam_.clear();
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

// All words are decided: keeps the mapping if it is better than the best so far.
void FewestCrosses::finish() {
    whole_.resize(settled_.size() + chosen_.size());
    std::merge(settled_.begin(), settled_.end(), chosen_.begin(), chosen_.end(), whole_.begin());
    const Value value = value_of(whole_);
    if (found_ ? !(value < best_value_) : beam_value_ < value) return;
    found_ = true;
    best_value_ = value;
    best_ = whole_;
}

// Each open word that is still to come crosses at least what its best free option does; of each component, those that
// would cross most are the ones that stay alone.
bool FewestCrosses::is_hopeless(std::size_t at, Value value) {
    Value best = found_ ? best_value_ : beam_value_;
    best.crosses -= settled_crosses_;
    value.chunks += to_come_[at].chunks;
    const auto worse = [&](const Value& one) { return found_ ? !(one < best) : best < one; };
    if (worse({value.crosses + to_come_[at].crosses, value.chunks})) return true;
    const std::size_t end = std::min(open_.size(), at + kLookahead);
    value.crosses += to_come_[end].crosses;
    least_.clear();
    for (std::size_t k = at; k < end; ++k) {
        std::uint64_t least = ~std::uint64_t{0};
        work_ += open_[k].options.size() * (taken_.size() / 4 + 1);
        for (const auto& [ref, crosses] : open_[k].options)
            if (!is_taken(taken_, ref)) least = std::min(least, crosses + taken_beyond(taken_, ref));
        if (may_skip_[open_[k].component] > 0) {
            least_.emplace_back(open_[k].component, least);
        } else {
            if (least == ~std::uint64_t{0}) return true;  // it would have to stay alone
            value.crosses += least;
            if (worse(value)) return true;
        }
    }
    std::sort(least_.begin(), least_.end());
    for (std::size_t begin = 0; begin < least_.size();) {
        std::size_t next = begin;
        while (next < least_.size() && least_[next].first == least_[begin].first) ++next;
        const std::size_t skips = may_skip_[least_[begin].first];
        for (std::size_t k = begin; k + skips < next; ++k) {
            if (least_[k].second == ~std::uint64_t{0}) return true;
            value.crosses += least_[k].second;
        }
        begin = next;
    }
    return worse(value);
}

bool FewestCrosses::exchangeable(const Partners& partners, const Open& open, std::uint32_t ref) const {
    const std::vector<std::uint32_t>& ours = partners[open.hyp];
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const PlacePair& pair) {
        return pair.second > ref && has(ours, pair.second) && has(partners[pair.first], ref);
    });
}

// Whether the word before is settled on the place before.
bool FewestCrosses::settled_continues(std::uint32_t hyp, std::uint32_t ref) const {
    return hyp > 0 && ref > 0 && std::binary_search(settled_.begin(), settled_.end(), PlacePair{hyp - 1, ref - 1});
}

// Makes the next choice for a word, if one is left: its partners in ascending order, then staying alone. So of equals
// the first found comes first in a dictionary.
bool FewestCrosses::choose_next(const Partners& partners, std::size_t at) {
    Level& level = levels_[at];
    const Open& open = open_[at];
    while (level.next < open.options.size()) {
        const auto [ref, crosses] = open.options[level.next++];
        if (is_taken(taken_, ref)) continue;
        work_ += chosen_.size();
        if (exchangeable(partners, open, ref)) continue;
        const bool goes_on =
            (!chosen_.empty() && continues(chosen_, open.hyp, ref)) || settled_continues(open.hyp, ref);
        levels_[at + 1] = {{level.value.crosses + crosses + taken_beyond(taken_, ref),
                            level.value.chunks + !goes_on + chunks_after(open, ref)}};
        chosen_.emplace_back(open.hyp, ref);
        taken_[ref / 64] |= std::uint64_t{1} << ref % 64;
        return true;
    }
    if (level.skipped || may_skip_[open.component] == 0) return false;
    level.skipped = true;
    --may_skip_[open.component];
    levels_[at + 1] = {{level.value.crosses, level.value.chunks + chunks_after(open, kFree)}};
    return true;
}

void FewestCrosses::undo(std::size_t at) {
    if (levels_[at].skipped) {
        ++may_skip_[open_[at].component];
        return;
    }
    const std::uint32_t ref = chosen_.back().second;
    taken_[ref / 64] &= ~(std::uint64_t{1} << ref % 64);
    chosen_.pop_back();
}

void FewestCrosses::search(const Partners& partners, Watch& watch) {
    levels_.assign(open_.size() + 1, {});
    levels_[0].value.chunks = first_chunks_;
    settled_crosses_ = value_of(settled_).crosses;
    std::size_t at = 0, nodes = 0;
    bool entering = true;
    for (;;) {
        count_work(64, watch);
        if (entering) {
            if (++nodes > kNodes) {
                gave_up_ = true;
                return;
            }
            if (at == open_.size()) finish(), work_ += whole_.size() * (taken_.size() / 4 + 1);
        }
        const bool ends = at == open_.size() || (entering && is_hopeless(at, levels_[at].value));
        entering = !ends && choose_next(partners, at);
        if (entering) {
            ++at;
        } else {
            if (at == 0) return;
            undo(--at);
        }
    }
}

// The best mappings of a growing part of the hypothesis. May not find the best of all, nor one as large as possible, so
// the largest that is known stands in the competition too.
void FewestCrosses::search_with_beam(Watch& watch) {
    struct State {
        std::uint64_t crosses;
        std::vector<std::uint64_t> taken;
        std::vector<std::uint32_t> skips;  // per component that has words to skip
        std::vector<PlacePair> pairs;
    };
    struct Step {
        std::uint64_t crosses;
        std::size_t from;
        std::uint32_t ref;  // kFree: stays alone
    };
    std::vector<std::uint32_t> contested(places_.size(), kFree);
    State start{0, std::vector<std::uint64_t>(taken_.size(), 0), {}, {}};
    for (std::size_t k = 0; k < places_.size(); ++k)
        if (component_[k] == k && may_skip_[k] > 0) {
            contested[k] = static_cast<std::uint32_t>(start.skips.size());
            start.skips.push_back(may_skip_[k]);
        }
    std::vector<State> states{start}, next;
    std::vector<Step> steps;
    for (const Open& open : open_) {
        count_work(states.size() * (open.options.size() * (taken_.size() / 4 + 1) + start.taken.size()), watch);
        steps.clear();
        const std::uint32_t contest = contested[open.component];
        for (std::size_t s = 0; s < states.size(); ++s) {
            const State& state = states[s];
            for (const auto& [ref, crosses] : open.options)
                if (!is_taken(state.taken, ref))
                    steps.push_back({state.crosses + crosses + taken_beyond(state.taken, ref), s, ref});
            if (contest != kFree && state.skips[contest] > 0) steps.push_back({state.crosses, s, kFree});
        }
        std::stable_sort(steps.begin(), steps.end(),
                         [](const Step& a, const Step& b) { return a.crosses < b.crosses; });
        if (steps.size() > kBeam) steps.resize(kBeam);
        next.clear();
        for (const Step& step : steps) {
            count_work(states[step.from].pairs.size() / 4, watch);
            State state = states[step.from];
            state.crosses = step.crosses;
            if (step.ref == kFree) {
                --state.skips[contest];
            } else {
                state.pairs.emplace_back(open.hyp, step.ref);
                state.taken[step.ref / 64] |= std::uint64_t{1} << step.ref % 64;
            }
            next.push_back(std::move(state));
        }
        states.swap(next);
    }
    beam_.clear();
    for (std::uint32_t ref = 0; ref < ref_words_; ++ref)
        if (partner_of_[ref] != kFree) beam_.emplace_back(partner_of_[ref], ref);
    std::sort(beam_.begin(), beam_.end());
    beam_value_ = value_of(beam_);
    for (const State& state : states) {
        whole_.resize(settled_.size() + state.pairs.size());
        std::merge(settled_.begin(), settled_.end(), state.pairs.begin(), state.pairs.end(), whole_.begin());
        if (const Value value = value_of(whole_); value < beam_value_) {
            beam_value_ = value;
            beam_ = whole_;
        }
    }
}

bool FewestCrosses::operator()(const Partners& partners, std::size_t ref_words, Watch& watch,
                               std::vector<PlacePair>& pairs) {
    work_ = 0;
    prepare(partners, ref_words, watch);
    search_with_beam(watch);
    search(partners, watch);
    pairs = found_ && !(gave_up_ && beam_value_ < best_value_) ? best_ : beam_;
    return !gave_up_;
}

}  // namespace tertium
