// The largest one-to-one mapping of words, and among the largest the one with the fewest crosses: METEOR of 2005.
//
// Two mapped pairs cross if their order differs on the two sides. Among mappings of equal size and crosses the one
// with fewer chunks wins, then the one whose list of (hypothesis place, reference place) comes first in a dictionary.
//
//     hypothesis   on the mat the cat sat            "the" has two places on both sides: the mapping that keeps both
//     reference    the cat sat on the mat            in order crosses least (6 crosses)
//
// Two pairs that cross and could be exchanged are never part of the best mapping: exchanging them takes that cross
// away and adds none. So a word that stands equally often on both sides is mapped in order, beforehand, and one that
// does not leaves one question, which of its places on the longer side stay alone. What such an open word crosses of
// the words that are settled is known for each of its options.
//
// The open words are decided one after the other, from left to right in the hypothesis. What was decided matters to
// the rest only by the reference places that are taken, and of those that nobody wants any more only by how many
// lie between two that somebody does:
//
//     places         0 1 2 3 4 5            still wanted: 1 and 4. Taken 0 2, or 0 3: both leave 1 and 4 free with one
//     still wanted     x     x              taken between them, and whatever follows costs the same. The better of the
//                                           two goes on alone.
//
// So few states are left after each word, mostly below ten. Where there are more than forty, any mapping is improved
// first: one word after the other is mapped anew while all others stay. That tells how good a mapping can be, and
// cross_bound.hpp tells how good a state can become at best: what cannot be as good is left out. The forty that promise
// most go on at first, then all.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "machine/parallel.hpp"
#include "metrics/meteor/cross_bound.hpp"
#include "metrics/meteor/open_words.hpp"

namespace tertium {

// Per hypothesis place, the reference places that it may be mapped to, ascending.
using Partners = std::span<const std::vector<std::uint32_t>>;
using PlacePair = std::pair<std::uint32_t, std::uint32_t>;  // hypothesis, reference

class FewestCrosses {
public:
    static constexpr std::size_t kStates = 100'000;   // in all, before the search gives up being exact
    static constexpr std::size_t kBeam = 40;          // that go on after a word, in a beam
    static constexpr std::size_t kLooks = 1'000'000;  // at options, to see what a state may become

    // Replaces `pairs`, ascending; returns whether the search was exact, otherwise a beam took over.
    bool operator()(Partners partners, std::size_t ref_words, Watch& watch, std::vector<PlacePair>& pairs);

private:
    using Value = CrossValue;
    using Component = WordComponent;
    using Option = PlaceOption;
    using Open = OpenWord;

    // Which states go on: all unless there are more than a beam's, which ends it; the best; all.
    enum class Way { few, beam, all };
    // Places that nobody wants after a word, in a row: how many are taken matters, not which. Before the first place
    // that is wanted not even that.
    struct Idle {
        std::size_t lane;
        std::uint64_t bits;
        bool counts;
    };
    struct State {
        Value value;                 // crosses among settled pairs are left out
        std::uint32_t from, choice;  // the state before, in all, and the option or kFree
        std::uint64_t least = 0;     // of what it may become, packed, if it was looked at
        bool beaten = false;         // by a later one
    };

    void find_components(Partners partners);
    void map_as_many_as_possible(Partners partners, Watch& watch);
    bool find_partner(Partners partners, std::uint32_t hyp);
    void settle(Partners partners);
    void open(std::uint32_t hyp, std::uint32_t component, std::span<const std::uint32_t> refs, std::uint32_t follows);
    void rank_options();
    void price_options(Watch& watch);
    void find_idle(Watch& watch);
    void bound_what_is_to_come(Watch& watch);
    bool settled_continues(std::uint32_t hyp, std::uint32_t ref) const;
    Value value_of(std::span<const PlacePair> pairs) const;
    void improve(Partners partners, Watch& watch);
    void map_anew(std::span<const std::uint32_t> words, std::span<const std::uint32_t> refs,
                  std::vector<PlacePair>& pairs) const;

    bool search(Way way, Partners partners, Watch& watch);
    void leave_out_hopeless(std::size_t at, Watch& watch);
    void extend(std::size_t at, std::size_t state, Partners partners);
    void reach(std::size_t at, std::size_t from, std::uint32_t choice, const Value& added);
    bool exchangeable(std::size_t at, std::size_t state, std::uint32_t ref, Partners partners);
    std::size_t slot_of(const std::uint64_t* lanes) const;
    void enter(const State& state);
    bool narrow(std::size_t width);
    void take_mapping(std::size_t state);

    std::span<const Option> options_of(const Open& open) const {
        return std::span(options_).subspan(open.first_option, open.options);
    }
    const std::uint64_t* lanes_of(std::size_t state) const { return now_.data() + (state - layer_) * stride_; }
    // Looks at the watch when enough was done.
    void count_work(std::size_t steps, Watch& watch) {
        if ((work_ += steps) > 1u << 18) watch.spend(work_), work_ = 0;
    }

    std::size_t ref_words_ = 0;
    std::vector<std::uint32_t> places_;        // hypothesis words with partners, ascending
    std::vector<std::uint32_t> component_of_;  // of each of them
    std::vector<Component> components_;
    std::vector<std::uint32_t> root_, partner_of_, owner_, visited_;  // the last three per reference word
    std::uint32_t visit_ = 0;
    std::vector<PlacePair> settled_;  // without choice, ascending
    std::vector<Open> open_;
    std::vector<Option> options_;
    std::vector<std::uint32_t> wanted_;  // by open words, ascending
    std::vector<Value> to_come_;         // per open word: the least that it and those after it add
    std::vector<Idle> idle_;
    std::vector<std::size_t> idle_ends_;  // per open word
    Value first_value_;                   // of what is settled: chunks before the first open word
    std::uint64_t settled_crosses_ = 0;

    // A state is what was decided up to a word: bits of the wanted places that are taken, counters of words that may
    // still stay alone, and where the last word was mapped to if that may matter.
    std::size_t lanes_ = 1, counters_ = 0, stride_ = 2;
    std::vector<State> states_;  // of all words, one layer after the other, in the order of a dictionary
    std::size_t layer_ = 0;      // where the states of the word at hand begin
    std::size_t next_layer_ = 0;
    std::vector<std::uint64_t> now_, next_, made_;
    std::vector<std::uint32_t> table_;  // finds states of the next layer, counted from 1
    std::vector<std::uint32_t> order_;
    std::vector<PlacePair> best_, chosen_;
    Value best_value_;
    CrossBound bound_;
    std::size_t looks_ = 0;  // that may still be had
    std::size_t work_ = 0;   // since the watch was looked at
};

}  // namespace tertium
