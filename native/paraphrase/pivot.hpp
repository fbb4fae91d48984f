// Paraphrases by pivoting (Bannard and Callison-Burch 2005): two phrases that share a translation may mean the same.
//
//   p(b | a) = sum over pivots f of p(f | a) p(b | f)
//
// Work goes in two steps. `PivotSource` turns one bitext or phrase table into a sorted file of (phrase, pivot,
// p(pivot | phrase), count or p(phrase | pivot)), by external sorting, since phrase pairs are many more than memory
// holds. `Pivot` merges such files, keeps the pivots that two phrases share as a sparse matrix in both orders, and
// then multiplies it with itself row by row: a row is all paraphrases of one phrase.
//
// A phrase is up to `longest` word numbers; a pivot is only ever compared, so it is kept as 128 bits of hash.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/external_sort.hpp"
#include "machine/parallel.hpp"
#include "text/tokens.hpp"

namespace tertium {

// Words get numbers from 1 in the order in which they are met.
class WordNumbers {
public:
    std::uint32_t number(std::string_view word);
    std::string_view word(std::uint32_t number) const { return words_[number - 1]; }
    std::size_t size() const { return words_.size(); }

private:
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::deque<std::string> words_;
};

// What is wrong with a line, from 0 within the block that was added.
struct Fault {
    enum What {
        links,          // not "i-j i-j ..."
        text_position,  // a link to word `found` of `known`
        pivot_position,
        empty_text,
        empty_pivot,
        fields,      // fewer than three fields, or fewer than three numbers
        number,      // not a number
        probability  // not in (0, 1]
    };
    What what;
    std::size_t line, found, known;
};

struct PivotCounts {
    std::size_t lines = 0, skipped = 0, too_long = 0, instances = 0, pairs = 0, phrases = 0;
};

class PivotSource {
public:
    // `counted`: from aligned sentences; otherwise from a phrase table.
    PivotSource(WordNumbers& words, const std::string& prefix, std::size_t longest, std::size_t memory,
                unsigned threads, bool counted);

    // One block of aligned sentences. Sentences of which one side is empty are a fault, or skipped.
    std::optional<Fault> add_sentences(std::span<const std::string_view> texts,
                                       std::span<const std::string_view> pivots,
                                       std::span<const std::string_view> links, bool inverse, bool skip_empty,
                                       Watch& watch);
    // One block of `source ||| target ||| p(s|t) lex p(t|s) lex ...`; the phrases are the sources or the targets.
    std::optional<Fault> add_table(std::span<const std::string_view> lines, bool phrases_are_sources, Watch& watch);
    // Writes the sorted file. A pair that a table holds twice is an error: then `twice` names it.
    void finish(const std::string& path, Watch& watch);

    PivotCounts counts;
    std::string twice;

private:
    void add_pair(std::span<const std::uint32_t> phrase, std::span<const Key> pivot, double first, double second,
                  Watch& watch);

    WordNumbers& words_;
    std::size_t longest_;
    bool counted_;
    ExternalSort sort_;
    std::vector<char> record_;
};

struct PivotFile {
    std::string path;
    bool counted;
    double weight;
};

// What is known of each word, by its number (index 0 is no word). Equal numbers mean equal forms.
struct WordForms {
    std::vector<std::uint32_t> lowered, bare, stem;  // bare: without punctuation, 0 if nothing is left
    std::vector<std::uint8_t> is_number, is_function_word;
};

struct PivotFilters {
    bool same = true, punctuation = true, numbers = false, function_words = false, stems = false;
    double floor = 1e-4;
    std::size_t top = 0;  // of each phrase; 0: all
};

// Pairs left out by each filter, in the order in which they are asked, and pairs kept.
struct PivotReport {
    std::size_t floor = 0, same = 0, punctuation = 0, numbers = 0, function_words = 0, stems = 0, top = 0, kept = 0;
};

class Pivot {
public:
    enum class Layout { table, meteor, terp };

    Pivot(const WordNumbers& words, const std::vector<PivotFile>& files, const std::string& prefix, std::size_t longest,
          std::size_t memory, unsigned threads, Watch& watch);

    std::size_t phrases() const { return text_offsets_.size() - 1; }
    std::size_t shared_pivots() const { return pivot_offsets_.size() - 1; }
    // Says which pairs are to be left out; before any lines are asked for.
    void filter(WordForms forms, const PivotFilters& filters, unsigned threads, Watch& watch);
    // The paraphrases of the phrases [begin, end), written out; adds to `report`.
    std::string lines(std::size_t begin, std::size_t end, Layout layout, PivotReport& report, unsigned threads,
                      Watch& watch) const;

    std::size_t all_phrases = 0, all_pivots = 0, all_pairs = 0;

private:
    struct Scratch;
    template <class Judge>
    static void walk(std::size_t phrase, Scratch& scratch, Judge judge);
    void paraphrases(std::size_t phrase, Layout layout, Scratch& scratch, PivotReport& report, std::string& out) const;
    std::size_t PivotReport::* reason_against(std::size_t phrase, std::size_t other) const;
    std::span<const std::uint32_t> words_of(std::size_t phrase) const;
    void append_words(const std::uint32_t* words, std::string& out) const;

    const WordNumbers& words_;
    std::size_t longest_;
    std::vector<std::uint32_t> phrase_words_;  // `longest_` each, 0 after the last
    std::vector<std::uint64_t> text_offsets_{0}, pivot_offsets_{0};
    std::vector<std::uint32_t> text_pivots_, pivot_texts_;
    std::vector<double> pivot_given_text_, text_given_pivot_;

    // All words by number, each with a blank after it, and where those blanks are (of word 0: one before the start).
    std::string spelling_;
    std::vector<std::size_t> spelling_ends_{static_cast<std::size_t>(-1)};

    WordForms forms_;
    PivotFilters filters_;
    // Of each phrase, a hash of its forms by each filter that is on: phrases with other hashes are not alike, which
    // settles nearly all pairs without a look at words. The flags say that a phrase has nothing but such words.
    std::vector<std::uint64_t> lowered_hash_, bare_hash_, numberless_hash_, stem_hash_;
    std::vector<std::uint8_t> only_;
};

}  // namespace tertium
