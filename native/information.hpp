// What an n-gram of the references tells, for NIST: the rarer it is after its first n-1 words, the more.
//
//     info(w1)       =  log2( all words       / count(w1) )
//     info(w1 … wn)  =  log2( count(w1…wn-1)  / count(w1 … wn) )
//
// An n-gram that occurs once tells nothing to those that begin with it: they occur once too, and log2(1/1) is 0. So
// only n-grams that occur at least twice are kept, and they are few; whatever is not found counts as 1. What is
// kept is a tree: an n-gram is the number of the (n-1)-gram it begins with, and the number of its last word.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "text.hpp"

namespace tertium {

class Information {
public:
    static constexpr std::uint32_t kUnknown = static_cast<std::uint32_t>(-1);

    struct Word {
        Key key;
        std::uint64_t count;
    };
    struct Ngram {
        std::uint32_t prefix, last, count;  // words are numbered 0, 1, …; n-grams go on from there, prefixes first
    };
    // A word or an n-gram, as far as it is known: its place in the tables, and log2 of its count.
    struct Found {
        std::uint32_t place = kUnknown;
        double log_count = 0;
    };

    // Counts the n-grams of the orders 1 … order.
    static Information learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch);

    Information(unsigned order, std::uint64_t total, std::vector<Word> words, std::vector<Ngram> ngrams);

    unsigned order() const { return order_; }
    std::uint64_t total() const { return total_; }
    std::span<const Word> words() const { return words_; }
    std::span<const Ngram> ngrams() const { return ngrams_; }
    // A hash of all that is known; it does not depend on the order in which texts came.
    std::uint64_t mark() const;

    double log_total() const { return log_total_; }
    Found word(Key key) const { return words_table_.find(key); }
    void prefetch_word(Key key) const { words_table_.prefetch(key); }
    // The n-gram that is found at a place and one more word, both known.
    Found longer(const Found& prefix, const Found& word) const { return ngrams_table_.find(pair(prefix, word)); }
    void prefetch_longer(const Found& prefix, const Found& word) const { ngrams_table_.prefetch(pair(prefix, word)); }

private:
    // One access finds all there is to know. Places go on from one table to the next.
    class Table {
    public:
        Table(std::size_t most, std::size_t first_place);
        std::uint32_t add(std::uint64_t key, std::uint64_t count);
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

    unsigned order_;
    std::uint64_t total_;
    double log_total_;
    std::vector<Word> words_;
    std::vector<Ngram> ngrams_;
    Table words_table_, ngrams_table_;
};

}  // namespace tertium
