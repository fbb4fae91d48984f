// What the words of a hypothesis and a reference have in common, and the paraphrases that could be used between them.
//
// The search asks for little else than the cost of putting a hypothesis word in the place of a reference word. So the
// distinct words of both sides are compared once, and the rest is looked up:
//
//     reference   the   cars   stopped
//     hypothesis
//       car        S     T       S            kind of the cheapest way across (the first of equals)
//       halted     S     S       Y
//
// Keys of words are compared, then stems, then synsets, and a synset list is only walked where 64 hashed bits of it
// meet those of the other.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lexicon/key_table.hpp"
#include "lexicon/phrase_index.hpp"
#include "metrics/terp/terp.hpp"
#include "text/token_source.hpp"

namespace tertium {

using TerpWord = std::uint32_t;  // a distinct word of one side

inline constexpr char kTerpKinds[] = {' ', 'S', 'T', 'Y'};

// Numbers words from 0 on by first occurrence.
class WordNumbering {
public:
    void clear(std::size_t most) {
        std::size_t size = 16;
        while (size < 2 * most) size *= 2;
        if (slots_.size() < size) slots_.resize(size);
        mask_ = size - 1;
        std::fill(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(size), Slot{kNoToken, 0});
        keys.clear();
    }
    TerpWord number(Key key) {
        for (std::size_t at = place(key);; at = (at + 1) & mask_) {
            if (slots_[at].key == key) return slots_[at].number;
            if (slots_[at].key == kNoToken) {
                slots_[at] = {key, static_cast<TerpWord>(keys.size())};
                keys.push_back(key);
                return slots_[at].number;
            }
        }
    }
    std::vector<Key> keys;  // of each number

private:
    struct Slot {
        Key key;
        TerpWord number;
    };
    std::size_t place(Key key) const {
        return static_cast<std::size_t>(folded_product(key, 0x9E3779B97F4A7C15u)) & mask_;
    }
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
};

// A phrase of the reference and one of its paraphrases that might be in the hypothesis.
struct PairPhrase {
    std::vector<TerpWord> words;        // of the hypothesis
    std::size_t length = 0;             // in the reference
    std::vector<std::uint32_t> starts;  // where in the reference, ascending
    double cost = 0, edits = 0, log = 0, share = 0,
           probability = 0;  // log and share: what w2 and w3 are multiplied with
};

class TerpPair {
public:
    std::vector<TerpWord> hypothesis, reference;  // by place
    std::vector<PairPhrase> phrases;
    std::vector<char> stop_hypothesis, stop_reference;  // by word; empty without a stop list

    void read(std::span<const Key> hypothesis_keys, std::span<const Key> reference_keys, const TerpSettings& settings) {
        phrases.clear();
        ours_.clear(hypothesis_keys.size());
        theirs_.clear(reference_keys.size());
        hypothesis.clear();
        reference.clear();
        for (const Key key : hypothesis_keys) hypothesis.push_back(ours_.number(key));
        for (const Key key : reference_keys) reference.push_back(theirs_.number(key));
        compare(settings);
        mark_stop_words(settings);
        spread(settings);
    }

    // Part of another pair: a phrase and its paraphrase.
    void read_part(const TerpPair& whole, std::span<const TerpWord> words, std::size_t first, std::size_t length,
                   const TerpSettings& settings) {
        phrases.clear();
        ours_.clear(words.size());
        theirs_.clear(length);
        hypothesis.clear();
        reference.clear();
        for (const TerpWord word : words) hypothesis.push_back(ours_.number(whole.ours_.keys[word]));
        for (std::size_t i = first; i < first + length; ++i)
            reference.push_back(theirs_.number(whole.theirs_.keys[whole.reference[i]]));
        relations_.resize(ours_.keys.size() * theirs_.keys.size());
        for (std::size_t j = 0; j < words.size(); ++j)
            for (std::size_t i = 0; i < length; ++i)
                relations_[hypothesis[j] * theirs_.keys.size() + reference[i]] =
                    whole.relation(words[j], whole.reference[first + i]);
        mark_stop_words(settings);
        spread(settings);
    }

    const std::vector<Key>& hypothesis_words() const { return ours_.keys; }
    const std::vector<Key>& reference_words() const { return theirs_.keys; }

    // The kind of the cheapest way across, an index of kTerpKinds.
    std::size_t kind(TerpWord ours, std::size_t i) const { return relation(ours, reference[i]) & kKind; }
    // Whether a block may go on with these words.
    bool alike(TerpWord ours, std::size_t i) const { return (relation(ours, reference[i]) & kAlike) != 0; }
    bool equal(TerpWord ours, std::size_t i) const { return kind(ours, i) == 0; }
    double cost(TerpWord ours, std::size_t i) const { return costs_[kind(ours, i)]; }

    // The costs across from a word to the reference words [first, first + count); may be overwritten by the next call.
    const double* costs(TerpWord ours, std::size_t first, std::size_t count) {
        if (!spread_.empty()) return spread_.data() + ours * reference.size() + first;
        row_.resize(count);
        for (std::size_t k = 0; k < count; ++k) row_[k] = cost(ours, first + k);
        return row_.data();
    }

private:
    static constexpr std::uint8_t kKind = 3, kAlike = 4;
    static constexpr std::size_t kMostSpread = 1 << 22;  // cells; longer pairs look costs up as they go

    struct Known {
        std::uint64_t stem, number;
        std::span<const std::uint64_t> synsets;
        std::uint64_t marks;  // of the synsets, hashed to one bit each
    };

    std::uint8_t relation(TerpWord ours, TerpWord theirs) const {
        return relations_[ours * theirs_.keys.size() + theirs];
    }

    static void look_up(const std::vector<Key>& keys, const TerpSettings& settings, std::vector<Known>& known) {
        known.clear();
        for (const Key key : keys) {
            Known word{key, 0, {}, 0};
            if (settings.stems) word.stem = settings.stems->first(key, key);
            if (settings.numbers) word.number = settings.numbers->first(key, 0);
            if (settings.synonyms) word.synsets = settings.synonyms->find(key);
            for (const std::uint64_t id : word.synsets)
                word.marks |= std::uint64_t{1} << (folded_product(id, 0x9E3779B97F4A7C15u) & 63);
            known.push_back(word);
        }
    }

    void compare(const TerpSettings& settings) {
        look_up(ours_.keys, settings, known_ours_);
        look_up(theirs_.keys, settings, known_theirs_);
        const bool relaxed = settings.constraint == TerpSettings::Constraint::relax ||
                             settings.constraint == TerpSettings::Constraint::relax_nophrase;
        relations_.resize(ours_.keys.size() * theirs_.keys.size());
        std::uint8_t* relation = relations_.data();
        for (std::size_t w = 0; w < known_ours_.size(); ++w) {
            const Known& ours = known_ours_[w];
            for (std::size_t v = 0; v < known_theirs_.size(); ++v) {
                const Known& theirs = known_theirs_[v];
                if (ours_.keys[w] == theirs_.keys[v] || (ours.number != 0 && theirs.number != 0)) {
                    *relation++ = kAlike;
                    continue;
                }
                const bool same_stem = settings.stems && ours.stem == theirs.stem;
                const bool synonyms = (ours.marks & theirs.marks) != 0 && share_id(ours.synsets, theirs.synsets);
                std::uint8_t kind = 1;
                double least = settings.substitution;
                if (same_stem && settings.stem < least) kind = 2, least = settings.stem;
                if (synonyms && settings.synonym < least) kind = 3;
                *relation++ = kind | (relaxed && (same_stem || synonyms) ? kAlike : 0);
            }
        }
    }

    void mark_stop_words(const TerpSettings& settings) {
        stop_hypothesis.clear();
        stop_reference.clear();
        if (settings.stop_words.empty()) return;
        const auto stops = [&](Key key) {
            return std::binary_search(settings.stop_words.begin(), settings.stop_words.end(), key);
        };
        for (const Key key : ours_.keys) stop_hypothesis.push_back(stops(key));
        for (const Key key : theirs_.keys) stop_reference.push_back(stops(key));
    }

    void spread(const TerpSettings& settings) {
        costs_[0] = settings.match;
        costs_[1] = settings.substitution;
        costs_[2] = settings.stem;
        costs_[3] = settings.synonym;
        spread_.clear();
        const std::size_t cells = ours_.keys.size() * reference.size();
        if (cells > kMostSpread) return;
        spread_.resize(cells);
        double* to = spread_.data();
        for (TerpWord w = 0; w < ours_.keys.size(); ++w) {
            const std::uint8_t* const row = relations_.data() + w * theirs_.keys.size();
            for (const TerpWord word : reference) *to++ = costs_[row[word] & kKind];
        }
    }

    WordNumbering ours_, theirs_;
    std::vector<Known> known_ours_, known_theirs_;
    std::vector<std::uint8_t> relations_;  // of distinct words
    double costs_[4] = {};
    std::vector<double> spread_, row_;
};

}  // namespace tertium
