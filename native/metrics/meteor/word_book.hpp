// What the tables say of words, asked once for each different word of the texts that are compared.
//
// Everything a module compares becomes a number below the count of such things, so that a pair of segments is matched
// by arrays: where in the hypothesis does stem 17 stand? Meanings that only one of the words has are left out, and
// those that the same words have count as one: a dictionary has eight of dog, and whoever has one of them has them all.
//
//     word       key      stem      meanings
//     dogs       …        0         0            dog and dogs share stem 0 and all their meanings
//     dog        …        0         0 1          dog and chase share one more
//     chase      …        1         1
//     sat        …        2                      nobody else has its meanings

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lexicon/key_table.hpp"
#include "lexicon/phrase_index.hpp"
#include "text/token_source.hpp"

namespace tertium {

// The modules in use: what is null proposes nothing.
struct MatchModules {
    bool exact = true;
    const KeyTable* stems = nullptr;
    const KeyTable* synonyms = nullptr;
    const PhraseIndex* paraphrases = nullptr;
    // As METEOR 1.5 does: words are the same if Java's hash codes of them are, stems (whose codes the table then holds)
    // likewise. Meanings and phrases are looked up by spelling all the same.
    bool by_hash_code = false;
};

class WordBook {
public:
    struct alignas(32) Word {                       // so that none is in two lines of the cache
        std::uint32_t code, stem;                   // code: what makes words equal, their number or hash code
        std::uint32_t first_meaning, last_meaning;  // last: behind the last
        PhraseIndex::Word number;                   // in the table of paraphrases
        std::uint32_t size;                         // 1, or its characters
        bool function;
        bool related;  // another word has its stem or a meaning of it
    };

    WordBook(const StoredTokens& hypotheses, const StoredTokens& references, const MatchModules& modules,
             const KeyTable* function_words, bool characters);

    const Word& operator[](std::uint32_t word) const { return words_[word]; }
    Key key(std::uint32_t word) const { return keys_[word]; }
    // Ascending.
    std::span<const std::uint32_t> meanings(const Word& word) const {
        return std::span(meanings_).subspan(word.first_meaning, word.last_meaning - word.first_meaning);
    }
    // Words have numbers of their own here: those of hypotheses are the same, those of references are these.
    std::uint32_t of_reference(std::uint32_t number) const { return of_references_[number]; }

    // Have what is known of a word brought into the cache, to be read a little later: first the word, then its
    // meanings.
    void prefetch([[maybe_unused]] std::uint32_t word) const {
#if defined(__GNUC__)
        __builtin_prefetch(words_.data() + word);
#endif
    }
    void prefetch_meanings([[maybe_unused]] std::uint32_t word) const {
#if defined(__GNUC__)
        __builtin_prefetch(meanings_.data() + words_[word].first_meaning);
#endif
    }

    // How many different ones there are.
    std::size_t words() const { return words_.size(); }
    std::size_t codes() const { return codes_; }
    std::size_t stems() const { return stems_; }
    std::size_t meanings() const { return different_meanings_; }

private:
    void number_codes_and_stems(std::span<const std::uint64_t> codes, std::span<const std::uint64_t> stems);
    void find_related();
    void number_meanings(const KeyTable& synonyms);

    std::vector<Word> words_;
    std::vector<Key> keys_;
    std::vector<std::uint32_t> of_references_, meanings_;
    std::size_t codes_ = 0, stems_ = 0, different_meanings_ = 0;
};

}  // namespace tertium
