// What open words will cross at least, once some of them were decided: so that the search may leave out what cannot
// become the best.
//
// The words of a component are mapped in order. So a pair crosses as many of a component's pairs as the component has
// more pairs before it on one side than on the other, however they are chosen:
//
//     hypothesis   the the X the             X has two pairs of "the" before it on the left and at most one on the
//     reference    the X the the the         right, whichever "the" stay alone: it crosses one of them at least
//
// Such a cross belongs to both words; each is charged half of it, or the one whose component has more places to leave
// alone is charged all, since less is known of where it goes. With what a choice crosses of pairs that are settled or
// decided, each choice has a price. Each component then chooses as if it were alone, in order and as cheaply as
// possible: a small table finds the cheapest. The sum over all components is never more than what will be paid.
//
// What a component has decided matters by one thing, the first place that is still open to its next word. So such
// charges are kept in a table with a row for each option, made when it is first asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/open_words.hpp"

namespace tertium {

class CrossBound {
public:
    // Whether prices can be kept in sixteen bits, and the table in a few megabytes.
    static bool fits(std::size_t words, std::size_t options) { return words <= 20'000 && options <= 2'000; }

    // Twice the crosses and the chunks in one number that can be compared and added.
    static std::uint64_t packed(const CrossValue& value) { return value.crosses << 33 | value.chunks; }

    void prepare(std::span<const OpenWord> open, std::span<const PlaceOption> options,
                 std::span<const WordComponent> components, std::size_t wanted);
    // From here on words before `at` are decided.
    void decide_until(std::size_t at);
    // What is to come at least after a state: packed; kNever if there is no way on.
    std::uint64_t least(std::span<const std::uint64_t> taken, const std::uint64_t* counters, std::uint64_t last);
    static constexpr std::uint64_t kNever = ~std::uint64_t{0} >> 2;

private:
    // The words of a component that are not decided, and where they are among the open words.
    struct Rest {
        std::uint32_t component;
        std::span<const std::uint32_t> words;
        std::uint32_t first;  // the option from which on places are open to the first of them: its row is in the prices
    };

    const std::uint16_t* row_of(std::uint32_t word, std::uint32_t option);
    void make_row(std::uint32_t word, std::uint32_t option, std::uint16_t* row);
    std::uint32_t first_open_place(const OpenWord& word, std::span<const std::uint64_t> taken) const;
    std::uint64_t price(std::uint32_t option) const {
        return std::uint64_t{prices_[option] + beyond_[ranks_[option]]} << 32 | chunks_[option];
    }
    void charge(std::uint32_t word, std::uint32_t before, std::uint32_t now);
    std::uint64_t least_in_order(const Rest& rest);
    std::uint64_t least_of_others(const Rest& rest, std::span<const std::uint64_t> taken, std::uint64_t skips);

    std::span<const OpenWord> open_;
    std::span<const PlaceOption> options_;
    std::span<const WordComponent> components_;
    std::size_t wanted_ = 0, at_ = 0;
    std::vector<std::vector<std::uint32_t>> words_of_;  // per component, among the open words
    std::vector<Rest> rests_;
    std::vector<std::uint32_t> row_numbers_;  // per option, counted from 1
    std::vector<std::uint16_t> rows_;
    // Per option: its rank, chunks at least, and twice what it crosses of settled pairs and of pairs to come.
    std::vector<std::uint32_t> ranks_, chunks_, least_chunks_;  // chunks: those of the word at hand are exact
    std::vector<std::uint16_t> settled_, prices_;
    std::vector<std::uint32_t> beyond_;  // per wanted place: twice the taken ones beyond it
    std::vector<std::uint64_t> table_;
    std::vector<std::int64_t> gains_;
};

}  // namespace tertium
