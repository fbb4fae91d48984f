// Which words of a hypothesis stand for which words of a reference, as METEOR 1.5 finds out.
//
// Four modules propose matches: words that are equal, that share a stem, that share a meaning, and phrases that are
// paraphrases of each other. A beam of 40 partial alignments then goes over the reference from left to right. Better
// is what matches more, then what falls into fewer chunks, then what moves words less far.
//
//     hypothesis   the dogs were running quickly .          exact     the-the, .-.
//     reference    the dog ran fast .                        stem      dogs-dog
//                                                            synonym   running-ran
//
// The original has three habits that change a quarter of all alignments, so they are kept:
// - matches weigh 1 if exact and 1/2 if not, *cut down to a whole number*: of the others a single word weighs nothing;
// - the distance of a chosen match is charged to the path it was copied from, so to the alternatives that follow;
// - a match that nothing competes with is fixed before the search, and charges its distance to itself.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lexicon/key_table.hpp"
#include "lexicon/phrase_index.hpp"
#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

enum class Module : std::uint8_t { exact, stem, synonym, paraphrase };
inline constexpr std::size_t kModules = 4;

// Hypothesis words [hyp, hyp + hyp_words) stand for reference words [ref, ref + ref_words).
struct WordMatch {
    Module module = Module::exact;
    std::uint32_t hyp = 0, hyp_words = 1, ref = 0, ref_words = 1;
};

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

// All that is asked of a word.
struct WordFacts {
    Key key = kNoToken;
    std::uint64_t code = 0, stem = 0;         // code: what makes words equal, their key or hash code
    std::span<const std::uint64_t> meanings;  // synset ids, ascending
    PhraseIndex::Word number = 0;             // in the table of paraphrases
    std::uint32_t size = 1;                   // 1, or its characters
    bool function = false;
};

// Words come again and again: what the tables say of them is asked once. A word that is new takes the place of another
// with the same slot, so that there are never more than the slots.
class KnownWords {
public:
    static constexpr std::size_t kFewest = 1 << 8, kMost = 1 << 14;

    // For about so many texts.
    KnownWords(const MatchModules& modules, const KeyTable* function_words, bool characters, std::size_t texts)
        : modules_(modules), function_words_(function_words), characters_(characters),
          slots_(std::clamp(std::bit_ceil(8 * texts), kFewest, kMost)) {}
    const WordFacts& operator()(const Words& words, std::size_t place);

private:
    MatchModules modules_;
    const KeyTable* function_words_;
    bool characters_;
    std::vector<WordFacts> slots_;
};

// The words of one text with what is known of them.
struct MatchWords {
    std::span<const Key> keys;
    std::vector<std::uint64_t> codes, stems;
    std::vector<std::span<const std::uint64_t>> meanings;
    std::vector<PhraseIndex::Word> numbers;
    std::vector<double> sizes;
    std::vector<std::uint8_t> functions;

    void look_up(const Words& words, KnownWords& known);
    std::size_t size() const { return keys.size(); }
};

// A one-word match as seen from the reference word.
struct Candidate {
    Module module;
    std::uint32_t hyp;
};

// Which words of a text have a meaning.
class MeaningIndex {
public:
    void index(std::span<const std::span<const std::uint64_t>> meanings);
    // Replaces `words` by the places of those that have one of the ids, ascending.
    void words_with_any(std::span<const std::uint64_t> ids, std::vector<std::uint32_t>& words) const;

private:
    struct Entry {
        std::uint64_t id;
        std::uint32_t word, next;  // next: in the chain of its slot, counted from 1; 0 ends it
    };
    std::vector<std::uint32_t> heads_;
    std::vector<Entry> entries_;
};

// Everything the modules propose. Equal reference words share their list of one-word candidates.
class Proposals {
public:
    void collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules, Watch& watch);

    // In METEOR's order: by module, then by place in the hypothesis; phrases last.
    std::span<const Candidate> words_at(std::size_t ref) const;
    std::span<const WordMatch> phrases_at(std::size_t ref) const;

    // The single match that begins at a reference word, if it shares no word with any other.
    bool is_fixed(std::size_t ref) const { return fixed_[ref] != 0; }

private:
    void collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                       Watch& watch);
    void collect_phrases(const MatchWords& hypothesis, const MatchWords& reference, const PhraseIndex& index,
                         Watch& watch);
    void find_fixed(std::size_t hyp_words, std::size_t ref_words);

    struct Found {
        double number;
        std::uint32_t place;
        std::size_t words;
    };

    std::vector<Candidate> candidates_;
    std::vector<Found> found_;                                    // paraphrases of one phrase
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lists_;  // into candidates_, one per different word
    std::vector<std::uint32_t> list_of_, list_uses_, table_;
    std::vector<WordMatch> found_phrases_, phrases_;  // as found; by reference place
    std::vector<std::uint32_t> phrase_ends_;
    MeaningIndex meanings_;
    std::vector<std::uint32_t> same_meaning_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::uint32_t> hyp_cover_, ref_cover_;
    std::vector<std::uint8_t> fixed_;
};

// Aligns one pair after the other; keeps its scratch space.
class BeamAligner {
public:
    static constexpr std::size_t kBeam = 40;

    // Replaces `matches`, ordered by place in the reference.
    void operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                    Watch& watch, std::vector<WordMatch>& matches);

private:
    // How good a path is, the lower the better: more matches, fewer chunks, less distance; of equals the one that the
    // original makes first, which is what the number says.
    struct Rank {
        std::uint64_t high, low;
        bool operator<(const Rank& other) const {
#if defined(__SIZEOF_INT128__)
            __extension__ using Wide = unsigned __int128;
            return (static_cast<Wide>(high) << 64 | low) < (static_cast<Wide>(other.high) << 64 | other.low);
#else
            return high < other.high || (high == other.high && low < other.low);
#endif
        }
        std::uint64_t distance() const { return low >> kNumberBits; }
        std::size_t number() const { return low & ((1u << kNumberBits) - 1); }
    };
    static constexpr int kNumberBits = 24;
    static constexpr std::uint64_t kFurthest = (std::uint64_t{1} << (64 - kNumberBits)) - 1;

    struct Path {
        std::uint64_t high = ~std::uint64_t{0} << 32;  // of its rank: weighted matches, counting down, and chunks
        std::uint64_t distance = 0;
        std::int64_t last_end = -1;  // in the hypothesis; -1: no chunk is open
        std::size_t next = 0;        // reference words before it are covered
    };

    void begin_word(std::size_t ref);
    void extend();
    void extend_alike();
    void offer(std::size_t path, std::size_t choice, std::uint64_t high, std::uint64_t distance);
    void take_best();
    Rank rank_of(std::size_t path, std::size_t choice, std::uint64_t high, std::uint64_t distance) const {
        return {high, (distance < kFurthest ? distance : kFurthest) << kNumberBits | path << choice_bits_ | choice};
    }
    WordMatch chosen(std::size_t ref, std::size_t choice) const;
    bool is_free(std::size_t path, const WordMatch& match) const;

    Proposals proposals_;
    std::vector<Path> paths_, next_paths_;
    std::vector<std::uint64_t> used_, next_used_;  // hypothesis words per path, as bits
    std::size_t used_width_ = 1;
    // The word at hand: its matches are numbered, then come leaving it alone, and being inside a match already.
    std::size_t ref_ = 0, skip_ = 0, inside_ = 0;
    int choice_bits_ = 1;
    std::span<const Candidate> words_;
    std::span<const WordMatch> phrases_;
    std::size_t inside_until_ = 0;  // before it, a path may be inside a phrase
    std::array<std::uint64_t, kBeam> distances_;
    std::array<Rank, kBeam> ranks_, broken_;  // the best so far, in order
    std::size_t rank_count_ = 0;
    std::vector<std::uint8_t> came_from_;  // kBeam per reference word
    std::vector<std::int32_t> choices_;    // -1: none
};

// Runs of matches that are neighbours, in order, on both sides; `matches` is ordered by place in the reference.
std::size_t chunk_count(std::span<const WordMatch> matches);

}  // namespace tertium
