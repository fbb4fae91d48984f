#include "metrics/meteor/fewest_crosses.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "text/tokens.hpp"

namespace tertium {
namespace {

bool has(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

// Bits beyond `place` that are set.
std::uint64_t taken_beyond(std::span<const std::uint64_t> taken, std::uint32_t place) {
    std::uint64_t count = 0;
    const std::uint32_t next = place + 1;
    if (next / 64 < taken.size()) count += static_cast<unsigned>(std::popcount(taken[next / 64] >> next % 64));
    for (std::size_t k = next / 64 + 1; k < taken.size(); ++k) count += static_cast<unsigned>(std::popcount(taken[k]));
    return count;
}

std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place % 64; }
std::uint64_t low_ones(int count) { return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }
bool is_taken(std::span<const std::uint64_t> taken, std::uint32_t place) { return taken[place / 64] >> place % 64 & 1; }

}  // namespace

void FewestCrosses::find_components(Partners partners) {
    const auto count = static_cast<std::uint32_t>(places_.size());
    root_.resize(count);
    std::iota(root_.begin(), root_.end(), 0u);
    const auto top = [&](std::uint32_t k) {
        while (root_[k] != k) k = root_[k] = root_[root_[k]];
        return k;
    };
    owner_.assign(ref_words_, kFree);
    for (std::uint32_t k = 0; k < count; ++k)
        for (const std::uint32_t ref : partners[places_[k]]) {
            if (owner_[ref] == kFree)
                owner_[ref] = k;
            else
                root_[top(k)] = top(owner_[ref]);
        }
    component_of_.resize(count);
    components_.assign(count, {});
    for (std::uint32_t k = 0; k < count; ++k) ++components_[component_of_[k] = top(k)].words;
    for (std::uint32_t ref = 0; ref < ref_words_; ++ref)
        if (owner_[ref] != kFree) ++components_[top(owner_[ref])].refs;
    for (std::uint32_t k = 0; k < count; ++k) {
        Component& component = components_[component_of_[k]];
        component.whole = component.whole && partners[places_[k]].size() == component.refs;
    }
}

// One mapping of the largest size, which says how many words of each component stay alone. In a whole component that
// is plain; in others it is Kuhn's algorithm that finds out.
void FewestCrosses::map_as_many_as_possible(Partners partners, Watch& watch) {
    partner_of_.assign(ref_words_, kFree);
    visited_.assign(ref_words_, 0);
    visit_ = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        Component& component = components_[component_of_[k]];
        const std::vector<std::uint32_t>& ours = partners[places_[k]];
        ++visit_;
        if (component.whole) {
            if (component.seen < ours.size()) partner_of_[ours[component.seen++]] = places_[k];
        } else {
            component.seen += find_partner(partners, places_[k]);
            count_work(ours.size() + ref_words_, watch);
        }
    }
    best_.clear();
    for (std::uint32_t ref = 0; ref < ref_words_; ++ref)
        if (partner_of_[ref] != kFree) best_.emplace_back(partner_of_[ref], ref);
    std::sort(best_.begin(), best_.end());
    for (Component& component : components_) {
        component.skips = component.words - component.seen;
        component.seen = 0;
    }
}

bool FewestCrosses::find_partner(Partners partners, std::uint32_t hyp) {
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

// The k-th of n words of a whole component with m places keeps the order: k places lie before its own, and n - 1 - k
// behind, but for as many as are left over.
void FewestCrosses::settle(Partners partners) {
    settled_.clear();
    open_.clear();
    options_.clear();
    counters_ = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        Component& component = components_[component_of_[k]];
        const std::span<const std::uint32_t> ours = partners[places_[k]];
        const std::uint32_t seen = component.seen++, follows = component.words - component.seen;
        if (!component.whole) {
            if (component.skips > 0 && component.counter == kFree)
                component.counter = static_cast<std::uint32_t>(counters_++);
            open(places_[k], component_of_[k], ours, follows);
        } else if (component.words == component.refs) {
            settled_.emplace_back(places_[k], ours[seen]);
        } else {
            const std::uint32_t spare = component.refs > component.words ? component.refs - component.words : 0;
            const std::uint32_t first = seen > component.skips ? seen - component.skips : 0;
            const std::uint32_t last = std::min(seen + spare, component.refs - 1);
            open(places_[k], component_of_[k], ours.subspan(first, last - first + 1), follows);
        }
    }
}

void FewestCrosses::open(std::uint32_t hyp, std::uint32_t component, std::span<const std::uint32_t> refs,
                         std::uint32_t follows) {
    open_.push_back({hyp, component, follows, static_cast<std::uint32_t>(options_.size()),
                     static_cast<std::uint32_t>(refs.size())});
    for (const std::uint32_t ref : refs) options_.push_back({ref, 0, {}, false});
}

void FewestCrosses::rank_options() {
    wanted_.clear();
    std::vector<std::uint32_t>& rank = visited_;  // by reference place
    std::fill(rank.begin(), rank.end(), kFree);
    for (const Option& option : options_) rank[option.ref] = 0;
    for (std::uint32_t ref = 0; ref < ref_words_; ++ref)
        if (rank[ref] != kFree) {
            rank[ref] = static_cast<std::uint32_t>(wanted_.size());
            wanted_.push_back(ref);
        }
    for (Option& option : options_) option.rank = rank[option.ref];
}

// Whether the word before is settled on the place before.
bool FewestCrosses::settled_continues(std::uint32_t hyp, std::uint32_t ref) const {
    return hyp > 0 && ref > 0 && std::binary_search(settled_.begin(), settled_.end(), PlacePair{hyp - 1, ref - 1});
}

// What options cross of the settled pairs: those before that lie beyond, and those after that lie before. And the
// chunks: a settled pair begins one where the word before is not mapped to the place before, which is certain unless
// that word is open.
void FewestCrosses::price_options(Watch& watch) {
    std::vector<std::uint64_t>&before = now_, &after = next_;
    before.assign(ref_words_ / 64 + 1, 0);
    after.assign(ref_words_ / 64 + 1, 0);
    for (const auto& [hyp, ref] : settled_) after[ref / 64] |= bit(ref);
    first_value_ = {};
    settled_crosses_ = 0;
    std::uint64_t left = settled_.size();
    std::size_t next = 0;
    const auto pass_settled = [&](std::uint32_t until, Open* last) {
        for (; next < settled_.size() && settled_[next].first < until; ++next, --left) {
            const auto [hyp, ref] = settled_[next];
            settled_crosses_ += taken_beyond(before, ref);
            before[ref / 64] |= bit(ref);
            after[ref / 64] &= ~(bit(ref));
            if (last && last->hyp + 1 == hyp)
                last->follower = ref;
            else
                (last ? last->chunks : first_value_.chunks) += !settled_continues(hyp, ref);
        }
    };
    Open* last = nullptr;
    for (Open& open : open_) {
        pass_settled(open.hyp, last);
        last = &open;
        count_work(open.options * (before.size() / 2 + 1), watch);
        for (std::uint32_t k = open.first_option; k < open.first_option + open.options; ++k) {
            Option& option = options_[k];
            option.value = {taken_beyond(before, option.ref) + left - taken_beyond(after, option.ref),
                            !settled_continues(open.hyp, option.ref)};
        }
    }
    pass_settled(kFree, last);
    for (std::size_t at = 0; at < open_.size(); ++at) {
        const Open& open = open_[at];
        const bool next_is_open = at + 1 < open_.size() && open_[at + 1].hyp == open.hyp + 1;
        for (std::uint32_t k = open.first_option; k < open.first_option + open.options; ++k) {
            Option& option = options_[k];
            option.value.chunks += open.chunks + (open.follower != kFree && option.ref + 1 != open.follower);
            option.may_go_on =
                next_is_open && std::ranges::binary_search(options_of(open_[at + 1]), option.ref + 1, {}, &Option::ref);
        }
    }
}

// Only runs that a word's options join are new after it: the others were counted before.
void FewestCrosses::find_idle(Watch& watch) {
    lanes_ = wanted_.size() / 64 + 1;
    idle_.clear();
    idle_ends_.assign(open_.size() + 1, 0);
    std::vector<std::uint64_t>&wanted = now_, &ours = next_;
    wanted.assign(lanes_, 0);
    for (std::size_t at = open_.size(); at-- > 0;) {
        count_work(lanes_, watch);
        ours.assign(lanes_, 0);
        for (const Option& option : options_of(open_[at])) ours[option.rank / 64] |= bit(option.rank);
        bool counts = false;
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            for (std::uint64_t idle = ~wanted[lane]; idle != 0;) {
                const int begin = std::countr_zero(idle);
                const std::uint64_t bits = low_ones(std::countr_one(idle >> begin)) << begin;
                idle &= ~bits;
                counts = counts || begin > 0;
                if (bits & ours[lane]) idle_.push_back({lane, bits, counts});
            }
            counts = counts || wanted[lane] != 0;
        }
        for (std::size_t lane = 0; lane < lanes_; ++lane) wanted[lane] |= ours[lane];
        idle_ends_[at] = idle_.size();
    }
}

// Of the words of a component only so many can stay alone: the others cross at least what their best options do. And
// two words that may not stay alone cross if all their options do.
void FewestCrosses::bound_what_is_to_come(Watch& watch) {
    to_come_.assign(open_.size() + 1, {});
    std::uint64_t certain = 0;
    Value value;
    for (std::size_t at = open_.size(); at-- > 0;) {
        const Open& open = open_[at];
        Component& component = components_[open.component];
        std::vector<std::uint64_t>& ours = component.least;
        count_work(component.skips == 0 ? open_.size() - at : ours.size(), watch);
        const auto smallest = [&] {
            const std::size_t count = ours.size() > component.skips ? ours.size() - component.skips : 0;
            return std::accumulate(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(count), std::uint64_t{0});
        };
        Value least{~std::uint64_t{0}, open.alone().chunks};
        for (const Option& option : options_of(open)) {
            least.crosses = std::min(least.crosses, option.value.crosses);
            if (option.ref + 1 == open.follower) least.chunks = open.chunks;
        }
        value.crosses -= smallest();
        ours.insert(std::upper_bound(ours.begin(), ours.end(), least.crosses), least.crosses);
        value.crosses += smallest();
        value.chunks += least.chunks;
        if (component.skips == 0)
            for (std::size_t k = at + 1; k < open_.size(); ++k)
                certain += components_[open_[k].component].skips == 0 &&
                           options_of(open_[k]).back().ref < options_of(open).front().ref;
        to_come_[at] = {value.crosses + certain, value.chunks};
    }
}

FewestCrosses::Value FewestCrosses::value_of(std::span<const PlacePair> pairs) const {
    std::vector<std::uint64_t> taken(ref_words_ / 64 + 1, 0);
    Value value;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [hyp, ref] = pairs[k];
        value.crosses += taken_beyond(taken, ref);
        value.chunks += k == 0 || pairs[k - 1].first + 1 != hyp || pairs[k - 1].second + 1 != ref;
        taken[ref / 64] |= bit(ref);
    }
    return value;
}

// One word with its places after the other is mapped anew while all others stay, until no cross goes away.
void FewestCrosses::improve(Partners partners, Watch& watch) {
    std::vector<std::vector<std::uint32_t>> members(components_.size());
    for (const Open& open : open_)
        if (components_[open.component].whole) members[open.component].push_back(open.hyp);
    for (bool better = true; better;) {
        better = false;
        for (const std::vector<std::uint32_t>& words : members) {
            if (words.empty()) continue;
            chosen_ = best_;
            map_anew(words, partners[words.front()], chosen_);
            count_work(words.size() * (chosen_.size() + ref_words_), watch);
            Value value = value_of(chosen_);
            value.crosses -= settled_crosses_;
            if (!(value < best_value_)) continue;
            best_value_ = value;
            best_.swap(chosen_);
            better = true;
        }
    }
}

// Words and places in order, the shorter side whole: a table has the fewest crosses with other pairs for so many of the
// first words and places.
void FewestCrosses::map_anew(std::span<const std::uint32_t> words, std::span<const std::uint32_t> refs,
                             std::vector<PlacePair>& pairs) const {
    std::erase_if(pairs,
                  [&](const PlacePair& pair) { return std::binary_search(words.begin(), words.end(), pair.first); });
    constexpr std::uint64_t kNever = ~std::uint64_t{0} >> 1;
    const bool words_wait = words.size() > refs.size();
    const std::size_t width = refs.size() + 1;
    std::vector<std::uint64_t> least((words.size() + 1) * width, kNever), crossed(ref_words_ + 1);
    if (words_wait)
        for (std::size_t a = 0; a <= words.size(); ++a) least[a * width] = 0;
    else
        std::fill_n(least.begin(), width, 0);
    for (std::size_t a = 1; a <= words.size(); ++a) {
        // Pairs before that lie beyond a place, and pairs behind that lie before it, as differences from place to
        // place.
        std::fill(crossed.begin(), crossed.end(), 0);
        for (const auto& [hyp, ref] : pairs)
            if (hyp < words[a - 1])
                ++crossed[0], --crossed[ref];
            else
                ++crossed[ref + 1];
        for (std::size_t ref = 1; ref < ref_words_; ++ref) crossed[ref] += crossed[ref - 1];
        for (std::size_t b = 1; b < width; ++b)
            least[a * width + b] = std::min(least[(a - 1) * width + b - 1] + crossed[refs[b - 1]],
                                            words_wait ? least[(a - 1) * width + b] : least[a * width + b - 1]);
    }
    for (std::size_t a = words.size(), b = refs.size(); a > 0 && b > 0;) {
        if (words_wait ? least[a * width + b] == least[(a - 1) * width + b]
                       : least[a * width + b] == least[a * width + b - 1])
            --(words_wait ? a : b);
        else
            pairs.emplace_back(words[--a], refs[--b]);
    }
    std::sort(pairs.begin(), pairs.end());
}

// Whether a pair chosen before could be exchanged with this one, which it crosses.
bool FewestCrosses::exchangeable(std::size_t at, std::size_t state, std::uint32_t ref, Partners partners) {
    const std::vector<std::uint32_t>& ours = partners[open_[at].hyp];
    for (; at-- > 0; state = states_[state].from, ++work_) {
        if (states_[state].choice == kFree) continue;
        const std::uint32_t other = options_[states_[state].choice].ref;
        if (other > ref && has(ours, other) && has(partners[open_[at].hyp], ref)) return true;
    }
    return false;
}

// All that may follow a state: the word's options in ascending order, then staying alone. So states of a layer come
// in the order of a dictionary.
void FewestCrosses::extend(std::size_t at, std::size_t state, Partners partners) {
    const Open& open = open_[at];
    const Component& component = components_[open.component];
    const std::span<const std::uint64_t> taken(lanes_of(state), lanes_);
    const std::uint64_t last = taken.data()[lanes_ + counters_];
    const auto take = [&](const Option& option) {
        Value added = option.value;
        added.crosses += taken_beyond(taken, option.rank);
        added.chunks -= last + 1 == option.ref;
        reach(at, state, static_cast<std::uint32_t>(&option - options_.data()), added);
    };
    const Value alone = open.alone();
    const std::span<const Option> options = options_of(open);
    if (!component.whole) {
        for (const Option& option : options)
            if (!is_taken(taken, option.rank) && !exchangeable(at, state, option.ref, partners)) take(option);
        if (component.counter != kFree && taken.data()[lanes_ + component.counter] > 0) reach(at, state, kFree, alone);
    } else if (component.skips > 0) {
        // Every place is taken in the end, in order.
        const auto free = std::find_if(options.begin(), options.end(),
                                       [&](const Option& option) { return !is_taken(taken, option.rank); });
        if (free != options.end()) take(*free);
        const std::uint32_t decided = component.words - open.follows - 1;
        const std::uint32_t first = decided > component.skips ? decided - component.skips : 0;
        const std::uint32_t mapped = first + static_cast<std::uint32_t>(free - options.begin());
        if (component.refs - mapped <= open.follows) reach(at, state, kFree, alone);
    } else {
        // Behind the one before.
        std::size_t first = options.size();
        while (first > 0 && !is_taken(taken, options[first - 1].rank)) --first;
        for (std::size_t k = first; k < options.size(); ++k) take(options[k]);
    }
}

void FewestCrosses::reach(std::size_t at, std::size_t from, std::uint32_t choice, const Value& added) {
    const State state{states_[from].value + added, static_cast<std::uint32_t>(from), choice};
    if (best_value_ < state.value + to_come_[at + 1]) return;
    std::copy_n(lanes_of(from), stride_, made_.begin());
    const Open& open = open_[at];
    std::uint64_t& last = made_[lanes_ + counters_];
    last = ~std::uint64_t{0} - 1;
    if (choice == kFree) {
        if (const std::uint32_t counter = components_[open.component].counter; counter != kFree)
            --made_[lanes_ + counter];
    } else {
        const Option& option = options_[choice];
        made_[option.rank / 64] |= bit(option.rank);
        if (option.may_go_on) last = option.ref;
    }
    for (std::size_t k = idle_ends_[at + 1]; k < idle_ends_[at]; ++k) {
        const Idle& idle = idle_[k];
        std::uint64_t& lane = made_[idle.lane];
        const int count = idle.counts ? std::popcount(lane & idle.bits) : 0;
        lane = (lane & ~idle.bits) | low_ones(count) << std::countr_zero(idle.bits);
    }
    enter(state);
}

std::size_t FewestCrosses::slot_of(const std::uint64_t* lanes) const {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < stride_; ++k) hash = folded_product(hash ^ lanes[k], 0x9E3779B97F4A7C15u) + k;
    return hash & (table_.size() - 1);
}

// Adds a state to the next layer, unless there is one that leaves the same and is at least as good.
void FewestCrosses::enter(const State& state) {
    std::size_t slot = slot_of(made_.data());
    for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
        const std::size_t other = table_[slot] - 1;
        if (!std::equal(made_.begin(), made_.end(), next_.begin() + static_cast<std::ptrdiff_t>(other * stride_)))
            continue;
        if (!(state.value < states_[next_layer_ + other].value)) return;
        states_[next_layer_ + other].beaten = true;
        break;
    }
    states_.push_back(state);
    next_.insert(next_.end(), made_.begin(), made_.end());
    const std::size_t count = states_.size() - next_layer_;
    table_[slot] = static_cast<std::uint32_t>(count);
    if (2 * count <= table_.size()) return;
    table_.assign(4 * table_.size(), 0);
    for (std::size_t k = 0; k < count; ++k) {
        if (states_[next_layer_ + k].beaten) continue;
        slot = slot_of(next_.data() + k * stride_);
        while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
        table_[slot] = static_cast<std::uint32_t>(k + 1);
    }
}

// States of the next layer that cannot become as good as the best mapping known count as beaten, as long as such looks
// may be had.
void FewestCrosses::leave_out_hopeless(std::size_t at, Watch& watch) {
    const std::size_t count = states_.size() - next_layer_;
    if (count == 0 || count > looks_) return;
    looks_ -= count;
    bound_.decide_until(at);
    const std::uint64_t best = CrossBound::packed(best_value_);
    for (std::size_t k = 0; k < count; ++k) {
        State& state = states_[next_layer_ + k];
        if (state.beaten) continue;
        const std::uint64_t* const lanes = next_.data() + k * stride_;
        state.least =
            CrossBound::packed(state.value) + bound_.least({lanes, lanes_}, lanes + lanes_, lanes[lanes_ + counters_]);
        state.beaten = best < state.least;
        count_work(4 * options_.size(), watch);
    }
}

// Leaves states out that are beaten, and all but the best `width`; returns whether there were more.
bool FewestCrosses::narrow(std::size_t width) {
    order_.clear();
    for (std::size_t k = 0; k < states_.size() - next_layer_; ++k)
        if (!states_[next_layer_ + k].beaten) order_.push_back(static_cast<std::uint32_t>(k));
    const bool cut = order_.size() > width;
    if (cut) {
        std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            const State &one = states_[next_layer_ + a], &other = states_[next_layer_ + b];
            return one.least != other.least ? one.least < other.least : one.value < other.value;
        });
        order_.resize(width);
        std::sort(order_.begin(), order_.end());
    }
    for (std::size_t k = 0; k < order_.size(); ++k) {
        if (order_[k] == k) continue;
        states_[next_layer_ + k] = states_[next_layer_ + order_[k]];
        std::copy_n(next_.begin() + static_cast<std::ptrdiff_t>(order_[k] * stride_), stride_,
                    next_.begin() + static_cast<std::ptrdiff_t>(k * stride_));
    }
    states_.resize(next_layer_ + order_.size());
    next_.resize(order_.size() * stride_);
    return cut;
}

void FewestCrosses::take_mapping(std::size_t state) {
    chosen_.clear();
    for (std::size_t at = open_.size(); at-- > 0; state = states_[state].from)
        if (states_[state].choice != kFree) chosen_.emplace_back(open_[at].hyp, options_[states_[state].choice].ref);
    std::reverse(chosen_.begin(), chosen_.end());
    best_.resize(settled_.size() + chosen_.size());
    std::merge(settled_.begin(), settled_.end(), chosen_.begin(), chosen_.end(), best_.begin());
}

// Goes over the open words and keeps the best mapping. Returns whether nothing was left out that might be better.
bool FewestCrosses::search(Way way, Partners partners, Watch& watch) {
    stride_ = lanes_ + counters_ + 1;
    made_.assign(stride_, 0);
    made_.back() = ~std::uint64_t{0} - 1;
    for (const Component& component : components_)
        if (component.counter != kFree) made_[lanes_ + component.counter] = component.skips;
    now_ = made_;
    states_.assign(1, {first_value_, 0, kFree});
    layer_ = 0;
    bool whole = true;
    for (std::size_t at = 0; at < open_.size(); ++at) {
        next_layer_ = states_.size();
        next_.clear();
        table_.assign(64, 0);
        for (std::size_t state = layer_; state < next_layer_; ++state) {
            if (way == Way::all && states_.size() > kStates) return false;
            const std::size_t before = states_.size();
            extend(at, state, partners);
            watch.hold(now_.size() + next_.size(), sizeof(std::uint64_t));
            count_work(8 + (states_.size() - before + 1) * stride_ + open_[at].options * lanes_, watch);
        }
        if (way != Way::few && at + 1 < open_.size()) leave_out_hopeless(at + 1, watch);
        whole = !narrow(way == Way::all ? states_.size() : kBeam) && whole;
        if (way == Way::few && !whole) return false;
        layer_ = next_layer_;
        now_.swap(next_);
    }
    if (layer_ == states_.size()) return whole;  // none came through
    const auto best = std::min_element(states_.begin() + static_cast<std::ptrdiff_t>(layer_), states_.end(),
                                       [](const State& a, const State& b) { return a.value < b.value; });
    best_value_ = best->value;
    take_mapping(static_cast<std::size_t>(best - states_.begin()));
    return whole;
}

bool FewestCrosses::operator()(Partners partners, std::size_t ref_words, Watch& watch, std::vector<PlacePair>& pairs) {
    work_ = 0;
    ref_words_ = ref_words;
    places_.clear();
    for (std::uint32_t i = 0; i < partners.size(); ++i)
        if (!partners[i].empty()) places_.push_back(i);
    find_components(partners);
    map_as_many_as_possible(partners, watch);
    settle(partners);
    bool exact = true;
    if (open_.empty()) {
        best_ = settled_;
    } else {
        rank_options();
        price_options(watch);
        find_idle(watch);
        bound_what_is_to_come(watch);
        best_value_ = value_of(best_);
        best_value_.crosses -= settled_crosses_;
        exact = search(Way::few, partners, watch);
        if (!exact) {
            improve(partners, watch);
            looks_ = CrossBound::fits(places_.size(), options_.size()) ? kLooks / options_.size() : 0;
            if (looks_ > 0) bound_.prepare(open_, options_, components_, wanted_.size());
            exact = search(Way::beam, partners, watch);
        }
        if (!exact) {
            improve(partners, watch);
            exact = search(Way::all, partners, watch);
        }
    }
    pairs = best_;
    return exact;
}

}  // namespace tertium
