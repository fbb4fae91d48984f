// Counting all n-grams of a corpus, and keeping those that occur at least twice.
//
// Words are numbered, and the places of each are listed, with the word that follows there. One array says for each word
// where in the list it followed last. If that is among the places of the same first word, the two words are there
// again:
//
//     places of "the":  3 cat   8 dog   20 cat      "cat" followed last at 3: "the cat" has the places 3, 20
//
//     places of "a":    5 dog   27 cat              "dog" followed last at 8, which is no place of "a"
//
// So the list is gone through in one go, and nothing has to be cleared where the places of the next word begin. Three
// words have several places only if the first two and the last two have; so the places of "the cat" are listed in turn,
// with the number of the two words that begin at the next place, if they have one. And so on.
//
// Most of this hangs on what the texts hold, which a processor cannot guess; so it is done without branches.
//
// Of equal texts only the first has places, and each of them counts as often as the text comes. So an n-gram is kept
// for one of two reasons: it has several places, or one, in a text that comes several times. From where it has one
// place on, all that go on from there count what the text does, and nothing has to be counted:
//
//     the cat sat (twice)    the dog lay      "the" counts 3; "the cat", "the cat sat" and "cat sat" count 2

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/large_pages.hpp"
#include "machine/parallel.hpp"
#include "metrics/information.hpp"

namespace tertium {

// A place where an n-gram begins, and what follows the n-gram there: a word, or the n-gram as long that begins at the
// next place; 0 if that is nothing, or occurs there alone.
struct NgramPlace {
    std::uint32_t place, next;
};

// The places of n-grams, ascending: those of the k-th are places[ends[k - 1]] … places[ends[k] - 1].
struct NgramPlaces {
    LargeList<NgramPlace> places;  // and some room
    std::vector<std::uint32_t> ends;

    bool empty() const { return ends.empty() || ends.back() == 0; }
    std::uint32_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
};

NgramPlaces places_of_words(std::span<const std::uint32_t> texts, std::span<const CountedWord> words, Watch& watch);

// The first if `is` is 1, the second if it is 0. Where the processor cannot guess which, a branch would take longer.
inline std::uint32_t either(std::uint32_t is, std::uint32_t first, std::uint32_t second) {
    return second ^ ((second ^ first) & (0 - is));
}

// The kept n-grams that have several places, short ones first; and how they are saved: part by part.
struct RepeatedNgrams {
    LargeList<Information::Ngram> ngrams, saved;
    std::vector<std::uint32_t> saved_at;
};

// `numbers` are those of the words that are kept; `times`: how often each place counts, or nothing if each counts once.
// Notes in `texts` where each is the longest.
RepeatedNgrams repeated_ngrams(LearntTexts& texts, unsigned order, NgramPlaces places,
                               std::span<const std::uint32_t> numbers, std::size_t kept_words,
                               std::span<const std::uint32_t> times, Watch& watch);

// Adds those that have one place, in a text that comes several times.
void add_lone_ngrams(const LearntTexts& texts, unsigned order, std::span<const std::uint32_t> numbers,
                     std::uint32_t kept_words, RepeatedNgrams& repeated, Watch& watch);

}  // namespace tertium
