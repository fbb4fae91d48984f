// What an n-gram of the references tells, for NIST: the rarer it is after its first n-1 words, the more.
//
//     info(w1)       =  log2( all words       / count(w1) )
//     info(w1 … wn)  =  log2( count(w1…wn-1)  / count(w1 … wn) )
//
// An n-gram that occurs once tells nothing to those that begin with it: they occur once too, and log2(1/1) is 0. So
// only n-grams that occur at least twice are kept, and they are few; whatever is not found counts as 1. What is
// kept is a tree: an n-gram is the number of the (n-1)-gram it begins with, and the number of its last word.
//
// Whoever scores against the texts that were learnt from need not look n-grams up again: for each of their words
// LearntTexts has the counts of the n-grams that begin with it. Texts that are equal are learnt from once, and
// count as often as they come.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "machine/elementary.hpp"
#include "machine/large_pages.hpp"
#include "machine/parallel.hpp"
#include "metrics/word_numbers.hpp"
#include "text/token_source.hpp"

namespace tertium {

class InformationLookup;
class LearntTexts;

class Information {
public:
    static constexpr std::uint32_t kUnknown = static_cast<std::uint32_t>(-1);

    using Word = CountedWord;
    struct Ngram {
        std::uint32_t prefix, last, count;  // words are numbered 0, 1, …; n-grams go on from there, prefixes first
    };

    // Counts the n-grams of the orders 1 … order. Unless they are very many, the texts' tokens are kept.
    static Information learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch);

    Information(unsigned order, std::uint64_t total, std::vector<Word> words, LargeList<Ngram> ngrams);

    unsigned order() const { return order_; }
    std::uint64_t total() const { return total_; }
    std::span<const Word> words() const { return words_; }
    std::span<const Ngram> ngrams() const { return ngrams_; }
    // A hash of all that is known; it does not depend on the order in which texts came.
    std::uint64_t mark() const;

    double log_total() const { return log_total_; }
    // log2 of what a word or an n-gram counts, or of 1; of 0 it is 0 too.
    double log(std::uint64_t count) const { return logs_[place_of_log(count)]; }
    // Where it stands in a table: at the count itself or, if that is large, behind those.
    std::uint32_t place_of_log(std::uint64_t count) const;
    std::span<const double> logs() const { return logs_; }
    // The texts this was learnt from, or null.
    const LearntTexts* texts() const { return texts_.get(); }
    // Made when it is first asked for.
    const InformationLookup& lookup() const;

private:
    unsigned order_;
    std::uint64_t total_;
    double log_total_;
    std::vector<Word> words_;
    LargeList<Ngram> ngrams_;
    static constexpr std::uint64_t kLargeCount = 1 << 16;
    std::vector<std::uint64_t> large_counts_;  // that occur, ascending
    std::vector<double> logs_;
    std::shared_ptr<const LearntTexts> texts_;

    struct LookupWhenNeeded {
        std::once_flag made;
        std::unique_ptr<const InformationLookup> lookup;
    };
    std::shared_ptr<LookupWhenNeeded> lookup_;
};

// The tokens of texts that were learnt from, each different text once.
class LearntTexts final : public TokenSource {
public:
    std::size_t size() const override { return which.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch&, Tokens& space) const override {
        const std::span<const std::uint32_t> numbers = words(index);
        Key* const keys = space.replace(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) keys[i] = known_keys[numbers[i]];
        return space.keys();
    }
    std::string_view made_from(std::size_t index) const override {
        const std::span<const std::uint32_t> numbers = words(index);
        return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
    }
    // Of each token, its number among the known words.
    std::span<const std::uint32_t> words(std::size_t index) const { return of_text(words_of, index); }
    // Of each token, the row of `chains` for the longest n-gram of at least two words that begins with it and has
    // several places.
    std::span<const std::uint32_t> longest(std::size_t index) const { return of_text(longest_of, index); }
    // How often an n-gram and those it begins with occur, as places of logs: two words of it first, then three; 0
    // beyond its own length, and some that mean nothing beyond the row. Longer ones that begin where it does have no
    // other place, and occur as often as the text.
    const std::uint32_t* chain(std::uint32_t row) const { return chains.data() + std::size_t{row} * chain_length; }
    std::uint32_t times_of(std::size_t index) const { return times.empty() ? 1 : times[which[index]]; }
    std::size_t length(std::size_t text) const { return starts[text + 1] - starts[text] - 1; }

    std::vector<std::uint32_t> which;               // of the different texts, for each text
    std::vector<std::size_t> starts{0};             // of each different text, with what follows it counted
    std::vector<std::uint32_t> times;               // of each different text, how often it comes, if any comes again
    LargeList<std::uint32_t> words_of, longest_of;  // with 0 for what follows each text
    std::vector<Key> known_keys;                    // the first is what follows a text
    std::vector<double> known_logs;                 // log2 of how often they occur in all texts
    std::uint32_t zero = 0;                         // which of them is the word 0, if one is
    static constexpr std::size_t kBeyondChain = 4;  // so many more values than the rows have may be read
    std::size_t chain_length = 0;
    LargeList<std::uint32_t> chains;  // the first is that of no n-gram

private:
    std::span<const std::uint32_t> of_text(const LargeList<std::uint32_t>& values, std::size_t index) const {
        return std::span(values).subspan(starts[which[index]], length(which[index]));
    }
};

// Finds words and n-grams by their keys.
class InformationLookup {
public:
    static constexpr std::uint32_t kUnknown = Information::kUnknown;
    // A word or an n-gram, as far as it is known: its place in the tables, and log2 of its count.
    struct Found {
        std::uint32_t place = kUnknown;
        double log_count = 0;
    };

    explicit InformationLookup(const Information& information);

    Found word(Key key) const { return words_.find(key); }
    // The n-gram that is found at a place and one more word, both known.
    Found longer(const Found& prefix, const Found& word) const { return ngrams_.find(pair(prefix, word)); }
    void prefetch_longer(const Found& prefix, const Found& word) const { ngrams_.prefetch(pair(prefix, word)); }

private:
    // One access finds all there is to know. Places go on from one table to the next.
    class Table {
    public:
        Table(std::size_t most, std::size_t first_place);
        std::uint32_t add(std::uint64_t key, double log_count);
        // Whether the key is there cannot be guessed, so nothing branches on it.
        Found find(std::uint64_t key) const {
            std::uint64_t i = hash(key) & last_;
            while (entries_[i].key != key && entries_[i].key != kNoToken) [[unlikely]]
                i = (i + 1) & last_;
            const std::uint32_t place = first_place_ + static_cast<std::uint32_t>(i);
            return {entries_[i].key == key ? place : kUnknown, entries_[i].log_count};
        }
        void prefetch([[maybe_unused]] std::uint64_t key) const {
#if defined(__GNUC__)
            __builtin_prefetch(&entries_[hash(key) & last_]);
#endif
        }
        std::size_t size() const { return entries_.size(); }

    private:
        struct Entry {
            std::uint64_t key = kNoToken;  // if the entry is empty
            double log_count = 0;
        };
        static std::uint64_t hash(std::uint64_t key) {
            return folded_product(key ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u);
        }
        std::vector<Entry> entries_;
        std::size_t last_;
        std::uint32_t first_place_;
    };
    static std::uint64_t pair(const Found& prefix, const Found& word) {
        return std::uint64_t{prefix.place} << 32 | word.place;
    }

    Table words_, ngrams_;
};

}  // namespace tertium
