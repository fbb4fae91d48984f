// Chooses among what the modules propose, as METEOR 1.5 does: a beam of 40 partial alignments, called paths, goes over
// the reference from left to right. Better is what matches more, then what falls into fewer chunks, then what moves
// words less far.
//
// The original has three habits that change a quarter of all alignments, so they are kept:
// - matches weigh 1 if exact and 1/2 if not, *cut down to a whole number*: of the others a single word weighs nothing;
// - the distance of a chosen match is charged to the path it was copied from, so to the alternatives that follow;
// - a match that nothing competes with is fixed before the search, and charges its distance to itself.
//
// All that is compared of a path is one number, the smaller the better, so that what a word adds is one addition. The
// path's place among the 40 and what it chooses fill the lowest bits, since of equals the one that the original makes
// first is the better:
//
//     matches that it missed | chunks | distance | path | choice
//
// What all paths have in common does not matter, so the best of them is 0 after each word. That is why 31 bits are
// enough for nearly all sentences: a path that is many matches behind seldom stays among the 40. Where one does and the
// bits are not enough, the search begins anew with wider numbers.
//
// A word with a fixed match, or none, does the same to all paths, but that some begin or end a chunk there, which may
// change their order. If the word before was of that kind too, all paths end at the same place and nothing changes:
//
//     reference   the   dog   barked   at   me         the: a choice of two; paths end at different places
//                  ?     =      -       -    =         dog: fixed, whoever was not right before it begins a chunk
//                                                      barked, at, me: all paths fare alike, no work at all

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "machine/parallel.hpp"
#include "metrics/meteor/best_ranks.hpp"
#include "metrics/meteor/word_matches.hpp"

namespace tertium {

#if defined(__SIZEOF_INT128__)
__extension__ using WideRank = unsigned __int128;
#else
using WideRank = std::uint64_t;  // enough for a thousand words
#endif

// How many bits of a rank say what, from the lowest on.
struct RankBits {
    int choice = 1, path = 6, distance = 1, chunks = 1, matches = 1;
    int without_matches() const { return choice + path + distance + chunks; }
    int all() const { return without_matches() + matches; }
};

// What is known before a search.
struct BeamPlan {
    RankBits bits;
    std::vector<std::uint32_t> bit_of;  // hypothesis words that are part of matches which are not fixed, numbered
    std::size_t wanted = 0;             // how many
    std::size_t ref_words = 0;
    std::size_t last_open = 0;  // the last reference word with a choice
    std::uint64_t most = 0;     // that a choice can weigh
};

// One search; `Rank` is an unsigned number that has all the bits.
template <class Rank>
class BeamSearch {
public:
    static constexpr int kBits = 8 * static_cast<int>(sizeof(Rank)) - 1;
    static constexpr Rank kWorst = ~Rank{0} >> 1;  // no path is so bad

    // Replaces `matches`, ordered by place in the reference. False if ranks did not have enough bits.
    bool operator()(const Proposals& proposals, const BeamPlan& plan, Watch& watch, std::vector<WordMatch>& matches);

private:
    using Lane = std::conditional_t<sizeof(Rank) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    static constexpr std::size_t kLaneBits = 8 * sizeof(Lane);
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;  // where a path ends that has no open chunk

    void begin(const Proposals& proposals, const BeamPlan& plan);
    void go_alike(std::size_t ref, Outcome outcome, std::uint32_t begin, std::uint32_t end);
    void extend(std::size_t ref, const Proposals& proposals, const BeamPlan& plan);
    void finish(std::size_t ref, Rank going_on);
    void extend_by_phrases(std::size_t ref, const Proposals& proposals, const BeamPlan& plan);
    std::size_t offer(std::size_t choice, std::uint32_t begin, Rank missed, Rank moved, const Lane* taken, Lane mask);
    void put_in_order();
    Rank best_of_last(std::size_t count) const {
        Rank best = kWorst;
        for (std::size_t k = found_count_ - count; k < found_count_; ++k) best = std::min(best, found_[k]);
        return best;
    }
    template <class Visit>
    void take_places(std::size_t ref, Visit visit);
    void take_best(std::size_t ref, std::size_t skip);
    std::size_t best_path() const;

    // The paths, best first. Their ranks have their number, and the distances charged to what they may choose next.
    std::size_t count_ = 0;
    Rank ranks_[kBeam]{};
    std::size_t live_ = 0;          // those from here on are not good enough for what is left to choose
    Rank ends_[kBeam]{};            // in the hypothesis
    std::uint32_t nexts_[kBeam]{};  // reference words before it are covered
    // Wanted hypothesis words that are taken, as bits: the first lane for each path, then the next.
    std::vector<Lane> used_, spare_used_;
    std::size_t width_ = 1;         // how many lanes
    bool alike_ = true;             // all paths end at the same place
    std::uint32_t end_ = kNowhere;  // which is this
    std::size_t inside_until_ = 0;  // before it, a path may be inside a phrase

    // What may follow, and the best of it in order.
    std::size_t found_count_ = 0, best_count_ = 0;
    Rank found_[kMostRanks + kBeam], best_[kBeam];
    Lane taken_[kBeam]{};  // not 0: the path cannot choose it
    Rank worst_ = 0;       // ranks from here on are not good enough
    Rank limit_ = 0;       // with a rank from here on, a path may become worse than kWorst by the next word
    Rank one_chunk_ = 0, one_match_ = 0, one_move_ = 0, number_mask_ = 0;
    int choice_bits_ = 1;
    bool fits_ = true;  // all ranks, into their bits
    struct Choice {
        std::uint32_t end, lane;  // lane: of used_, where its word is
        Lane mask;
    };
    std::vector<Choice> choices_;
    bool phrases_ = false;  // then a choice is this:
    std::vector<std::uint32_t> choice_ends_, choice_nexts_;
    std::vector<std::span<const std::uint32_t>> choice_words_;  // their bits

    std::vector<std::uint32_t> steps_;  // kBeam per reference word: the path before, and the choice
    std::vector<Outcome> of_all_;       // per reference word, what all paths do without changing places, or `chosen`
};

// Aligns one pair after the other; keeps its scratch space.
class BeamAligner {
public:
    void operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                    Watch& watch, std::vector<WordMatch>& matches);

private:
    void plan(std::size_t hyp_words, std::size_t ref_words, Watch& watch);

    Proposals proposals_;
    BeamPlan plan_;
    BeamSearch<std::uint32_t> narrow_search_;
    BeamSearch<std::uint64_t> search_;
    BeamSearch<WideRank> wide_search_;
};

}  // namespace tertium
