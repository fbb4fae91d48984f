// Which words of a hypothesis stand for which words of a reference, as METEOR 1.5 finds out.
//
// Four modules propose matches: words that are equal, that share a stem, that share a meaning, and phrases that are
// paraphrases of each other. beam_aligner.hpp chooses among them.
//
//     hypothesis   the dogs were running quickly .          exact     the-the, .-.
//     reference    the dog ran fast .                        stem      dogs-dog
//                                                            synonym   running-ran

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lexicon/phrase_index.hpp"
#include "machine/parallel.hpp"
#include "metrics/meteor/word_book.hpp"

namespace tertium {

enum class Module : std::uint8_t { exact, stem, synonym, paraphrase };
inline constexpr std::size_t kModules = 4;

// Hypothesis words [hyp, hyp + hyp_words) stand for reference words [ref, ref + ref_words).
struct WordMatch {
    Module module = Module::exact;
    std::uint32_t hyp = 0, hyp_words = 1, ref = 0, ref_words = 1;
};

// The words of one text, by their numbers in the book.
struct MatchWords {
    const WordBook* book = nullptr;
    std::vector<std::uint32_t> words;

    const WordBook::Word& operator[](std::size_t place) const { return (*book)[words[place]]; }
    std::size_t size() const { return words.size(); }
};

// What becomes of a reference word: no match begins there, one that shares no word with any other, or the chosen one.
enum class Outcome : std::uint8_t { none = 0, fixed = 1, chosen = 2 };

// A one-word match as seen from the reference word.
struct Candidate {
    Module module;
    std::uint32_t hyp;
};

// Where in a text some number stands: the number of a code, a stem, a meaning.
class Places {
public:
    // For numbers below this. The places of a number come out in the reverse of the order they went in.
    void expect(std::size_t numbers) {
        if (heads_.size() < numbers) heads_.resize(numbers, 0);
    }
    void add(std::uint32_t number, std::size_t place) {
        if (count_ == entries_.size()) entries_.resize(2 * count_ + 64);
        entries_[count_++] = {number, static_cast<std::uint32_t>(place), heads_[number]};
        heads_[number] = count_;
    }
    template <class Visit>
    void each(std::uint32_t number, Visit visit) const {
        for (std::uint32_t at = heads_[number]; at != 0; at = entries_[at - 1].next) visit(entries_[at - 1].place);
    }
    void clear() {
        for (std::uint32_t k = 0; k < count_; ++k) heads_[entries_[k].number] = 0;
        count_ = 0;
    }

private:
    struct Entry {
        std::uint32_t number, place, next;  // next: counted from 1; 0 ends the chain
    };
    std::vector<std::uint32_t> heads_;  // per number, counted from 1
    std::vector<Entry> entries_;
    std::uint32_t count_ = 0;
};

// Everything the modules propose. Equal reference words share their list of one-word candidates.
class Proposals {
public:
    void collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules, Watch& watch);

    // In METEOR's order: by module, then by place in the hypothesis; phrases last.
    std::span<const Candidate> words_at(std::size_t ref) const {
        const auto [begin, end] = lists_[ref];
        return {candidates_.data() + begin, end - begin};
    }
    std::span<const WordMatch> phrases_at(std::size_t ref) const {
        if (phrases_.empty()) return {};
        const std::size_t begin = ref == 0 ? 0 : phrase_ends_[ref - 1];
        return {phrases_.data() + begin, phrase_ends_[ref] - begin};
    }
    std::size_t choices_at(std::size_t ref) const { return words_at(ref).size() + phrases_at(ref).size(); }
    bool has_phrases() const { return !phrases_.empty(); }

    std::span<const Outcome> outcomes() const { return outcomes_; }
    bool is_fixed(std::size_t ref) const { return outcomes_[ref] == Outcome::fixed; }
    // The reference words with a choice.
    std::span<const std::uint32_t> open() const { return open_; }

private:
    void collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                       Watch& watch);
    void propose_for(const WordBook::Word& word, const WordBook& book, const MatchModules& modules);
    void collect_phrases(const MatchWords& hypothesis, const MatchWords& reference, const PhraseIndex& index,
                         Watch& watch);
    void find_outcomes(std::size_t ref_words);
    void cover_phrases(std::size_t ref_words);
    bool is_fixed_by_phrases(std::size_t ref) const;

    struct Found {
        double number;
        std::uint32_t place;
        std::size_t words;
    };

    struct List {
        std::uint32_t begin, end;  // in candidates_
    };

    std::vector<Candidate> candidates_;
    std::vector<Found> found_;                        // paraphrases of one phrase
    std::vector<List> lists_;                         // per reference word
    std::vector<std::uint32_t> first_places_;         // per word of the book, in the reference, counted from 1
    std::vector<WordMatch> found_phrases_, phrases_;  // as found; by reference place
    std::vector<std::uint32_t> phrase_ends_;
    Places codes_, stems_, meanings_;
    std::vector<std::uint32_t> our_codes_;  // of the hypothesis
    std::vector<std::uint32_t> same_meaning_;
    std::vector<PhraseIndex::Word> our_numbers_, their_numbers_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::uint32_t> hyp_cover_, ref_cover_;
    std::vector<Outcome> outcomes_;
    std::vector<std::uint32_t> open_;
};

// Runs of matches that are neighbours, in order, on both sides; `matches` is ordered by place in the reference.
std::size_t chunk_count(std::span<const WordMatch> matches);

}  // namespace tertium
