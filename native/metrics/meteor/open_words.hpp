// What the search for the fewest crosses has to decide: words that have a choice, and the places they may choose.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

struct CrossValue {
    std::uint64_t crosses = 0, chunks = 0;
    bool operator<(const CrossValue& other) const {
        return crosses < other.crosses || (crosses == other.crosses && chunks < other.chunks);
    }
    CrossValue operator+(const CrossValue& other) const { return {crosses + other.crosses, chunks + other.chunks}; }
};

inline constexpr std::uint32_t kFree = 0xFFFFFFFF;

// Words that compete for the same places.
struct WordComponent {
    std::uint32_t words = 0, refs = 0;
    std::uint32_t skips = 0;             // how many words must stay alone
    bool whole = true;                   // every word may be mapped to every place
    std::uint32_t seen = 0;              // words that were opened or settled
    std::uint32_t counter = kFree;       // which of a state's counters has its skips; whole ones need none
    std::vector<std::uint64_t> least{};  // of words to come: the fewest crosses, ascending
};

// A place that an open word may be mapped to.
struct PlaceOption {
    std::uint32_t ref, rank;  // rank: among the places that open words want
    CrossValue value;         // crosses with settled pairs, and chunks that begin unless the word before is open
    bool may_go_on;           // the next word is open and wants the next place
};

// A word that has a choice.
struct OpenWord {
    std::uint32_t hyp, component, follows;  // follows: words of its component after it
    std::uint32_t first_option, options;
    std::uint32_t follower = kFree;  // the partner of the word behind it if that is settled
    std::uint64_t chunks = 0;        // begun by settled pairs between it and the next, without the follower's

    CrossValue alone() const { return {0, chunks + (follower != kFree)}; }
    std::uint32_t end_option() const { return first_option + options; }
};

}  // namespace tertium
