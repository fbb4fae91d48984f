// The largest one-to-one mapping of words, and among the largest the one with the fewest crosses: METEOR of 2005.
//
// Two mapped pairs cross if their order differs on the two sides. Among mappings of equal size and crosses the one
// with fewer chunks wins, then the one whose list of (hypothesis place, reference place) comes first in a dictionary.
//
//     hypothesis   on the mat the cat sat            "the" has two partners for its two places: the mapping that
//     reference    the cat sat on the mat            keeps both in order crosses least (6 crosses)
//
// The search decides word by word, from left to right in the hypothesis, and leaves a branch as soon as it cannot be
// better than the best so far. Three things make it quick. Words that have one partner, which nobody else wants, are
// mapped beforehand: what any other pair crosses of them is known, so that the least that is still to come is known
// well. Two pairs that cross and could be exchanged are never part of the best mapping, since exchanging them takes
// that cross away and adds none. And a beam says first what can be reached.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "machine/parallel.hpp"

namespace tertium {

// Per hypothesis place, the reference places that it may be mapped to, ascending.
using Partners = std::vector<std::vector<std::uint32_t>>;
using PlacePair = std::pair<std::uint32_t, std::uint32_t>;  // hypothesis, reference

class FewestCrosses {
public:
    static constexpr std::size_t kNodes = 100'000;  // looked at before the search gives up being exact
    static constexpr std::size_t kBeam = 40;
    static constexpr std::size_t kLookahead = 16;  // words whose crosses with what was chosen are foreseen

    // Replaces `pairs`, ascending; returns whether the search was exact, otherwise a beam took over.
    bool operator()(const Partners& partners, std::size_t ref_words, Watch& watch, std::vector<PlacePair>& pairs);

private:
    struct Value {
        std::uint64_t crosses = 0, chunks = 0;
        bool operator<(const Value& other) const {
            return crosses < other.crosses || (crosses == other.crosses && chunks < other.chunks);
        }
    };
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;
    // A partner of a word that has a choice, with what the pair crosses of the words that have none.
    struct Option {
        std::uint32_t ref;
        std::uint64_t crosses;
    };
    // A word that has a choice.
    struct Open {
        std::uint32_t hyp, component;
        std::vector<Option> options;  // by reference place
        std::uint64_t least = 0;      // the fewest crosses of an option
        std::uint32_t follower = 0;   // the partner of the word behind it if that is settled, or kFree
        std::uint64_t chunks = 0;     // begun by settled pairs between it and the next, without the follower's
    };
    // Where the search stands at one word: what was chosen before it, and which of its options comes next.
    struct Level {
        Value value;  // crosses among settled pairs are left out
        std::size_t next = 0;
        bool skipped = false;
    };

    void prepare(const Partners& partners, std::size_t ref_words, Watch& watch);
    bool find_partner(const Partners& partners, std::uint32_t hyp);
    // Looks at the watch when enough was done.
    void count_work(std::size_t steps, Watch& watch) {
        if ((work_ += steps) > 1u << 18) watch.spend(work_), work_ = 0;
    }
    void join_components(const Partners& partners);
    void settle_words_without_choice(const Partners& partners, Watch& watch);
    void search(const Partners& partners, Watch& watch);
    void finish();
    bool choose_next(const Partners& partners, std::size_t at);
    void undo(std::size_t at);
    bool is_hopeless(std::size_t at, Value value);
    void count_chunks_of_settled();
    void bound_what_is_to_come();
    std::uint64_t chunks_after(const Open& open, std::uint32_t ref) const;
    bool exchangeable(const Partners& partners, const Open& open, std::uint32_t ref) const;
    void search_with_beam(Watch& watch);
    bool settled_continues(std::uint32_t hyp, std::uint32_t ref) const;
    Value value_of(std::span<const PlacePair> pairs) const;

    std::vector<std::uint32_t> places_;                        // hypothesis words with partners, ascending
    std::vector<std::uint32_t> component_;                     // of each of them
    std::vector<std::uint32_t> component_size_;                // per component: how many of them there are,
    std::vector<std::uint32_t> may_skip_;                      // and how many must stay alone
    std::vector<std::uint32_t> partner_of_, owner_, visited_;  // per reference word
    std::uint32_t visit_ = 0;
    std::size_t ref_words_ = 0;
    std::uint64_t settled_crosses_ = 0;  // among settled pairs
    std::vector<PlacePair> settled_;     // without choice
    std::vector<Open> open_;
    std::vector<Value> to_come_;        // per open word: the least that it and those after it add
    std::uint64_t first_chunks_ = 0;    // begun before the first open word
    std::vector<std::uint64_t> taken_;  // reference words of chosen pairs, as bits
    std::vector<Level> levels_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> least_;  // component, crosses
    std::vector<PlacePair> chosen_, whole_, best_, beam_;
    Value best_value_, beam_value_;
    bool found_ = false, gave_up_ = false;
    std::size_t work_ = 0;  // since the watch was looked at
};

}  // namespace tertium
