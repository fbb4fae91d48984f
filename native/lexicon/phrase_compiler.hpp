// From the lines of a paraphrase table to a PhraseIndex, in bounded memory.
//
// A line becomes a record of word numbers; only the words themselves (each once) are kept for good. Records are
// handed out in pieces of some megabytes, which the caller puts into files. Once all words are known they are numbered
// by spelling, each piece is sorted, and sorted pieces are merged twice: to count, and to write. Merged records come in
// the order of a walk through the trie, so what is written needs no look back.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lexicon/phrase_index.hpp"
#include "machine/parallel.hpp"

namespace tertium {

// What a table's lines look like; docs/lexicon.md has an example of each.
enum class PhraseForm { meteor, terp, tsv, ppdb, moses };

struct PhraseRules {
    PhraseForm form = PhraseForm::tsv;
    bool v1_bug = false;      // TERp's loader took both numbers of a line for the first direction
    bool any_number = false;  // numbers are costs rather than probabilities: any from 0 on
    bool numbered = false;    // each entry's number in the table stands in for its probability
};

struct BadPhrase : std::runtime_error {
    BadPhrase(std::size_t line, const std::string& reason) : std::runtime_error(reason), line(line) {}
    std::size_t line;  // counts from 1
};

class PhraseCompiler {
public:
    explicit PhraseCompiler(const PhraseRules& rules);

    // Further lines of the file. Throws BadPhrase.
    void read(std::span<const std::string_view> lines);
    // After the last one.
    void end();
    void add(std::string_view phrase, std::string_view paraphrase, double probability);

    std::size_t held() const { return records_.size() * sizeof(std::uint32_t); }
    // Entries that a table of this form does not count as paraphrases: of a phrase with itself, with a gap.
    std::size_t left_out() const { return left_out_; }
    // Probabilities above 1 that were taken as 1.
    std::size_t above_one() const { return above_one_; }
    // What was read since the last call.
    std::string take_records();

    // After all was read. The rest needs it.
    void number_words();
    // The records of one piece in their final order.
    std::string sorted(std::string_view records) const;
    // What a table of these sorted pieces has.
    PhraseCounts count(std::span<const std::string_view> pieces, Watch& watch) const;
    // Writes it; `out` has counts.bytes() bytes, all zero.
    void write(std::span<const std::string_view> pieces, const PhraseCounts& counts, Watch& watch, char* out) const;

private:
    using Word = PhraseIndex::Word;

    void read_line(std::string_view line);
    void read_header(std::string_view line);
    void read_fields(std::string_view line, std::string_view separator);
    void read_terp(std::string_view line);
    double probability(std::string_view text);
    void add_phrases(std::string_view phrase, std::string_view paraphrase, double probability);
    std::size_t add_words(std::string_view phrase);
    Word number(std::string_view word);
    [[noreturn]] void bad(const std::string& reason) const { throw BadPhrase(line_, reason); }

    PhraseRules rules_;
    std::size_t line_ = 0, entries_ = 0, left_out_ = 0, above_one_ = 0;
    std::size_t phrase_column_ = 0, paraphrase_column_ = 1, probability_column_ = 2;
    bool has_header_ = false;
    std::vector<std::string> waiting_;  // the lines of an entry of METEOR's that has begun
    double waiting_probability_ = 0;

    std::vector<std::uint32_t> records_;
    std::vector<Key> slots_;
    std::vector<Word> slot_numbers_;
    std::vector<std::uint64_t> spelling_ends_;
    std::string spellings_;
    std::vector<Word> ranks_, by_rank_;

    std::string_view spelling(Word word) const {
        const std::uint64_t first = word == 0 ? 0 : spelling_ends_[word - 1];
        return std::string_view(spellings_).substr(first, spelling_ends_[word] - first);
    }
};

}  // namespace tertium
