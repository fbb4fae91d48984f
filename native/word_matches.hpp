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

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "key_table.hpp"
#include "parallel.hpp"
#include "phrase_index.hpp"
#include "text.hpp"

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
};

// The words of one text with what the modules compare.
struct MatchWords {
    std::span<const Key> keys;
    std::vector<Key> stems;                                 // the word itself where it has none
    std::vector<std::span<const std::uint64_t>> meanings;  // synset ids, ascending
    std::vector<PhraseIndex::Word> numbers;                 // in the table of paraphrases

    void look_up(std::span<const Key> words, const MatchModules& modules);
    std::size_t size() const { return keys.size(); }
};

// A one-word match as seen from the reference word.
struct Candidate {
    Module module;
    std::uint32_t hyp;
};

// Everything the modules propose. Equal reference words share their list of one-word candidates.
class Proposals {
public:
    void collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules);

    // In METEOR's order: by module, then by place in the hypothesis; phrases last.
    std::span<const Candidate> words_at(std::size_t ref) const;
    std::span<const WordMatch> phrases_at(std::size_t ref) const;

    // The single match that begins at a reference word, if it shares no word with any other.
    bool is_fixed(std::size_t ref) const { return fixed_[ref] != 0; }

private:
    void collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules);
    void collect_phrases(const MatchWords& hypothesis, const MatchWords& reference, const PhraseIndex& index);
    void find_fixed(std::size_t hyp_words, std::size_t ref_words);

    std::vector<Candidate> candidates_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lists_;  // into candidates_, one per different word
    std::vector<std::uint32_t> list_of_, table_;
    std::vector<WordMatch> phrases_;                              // by reference place
    std::vector<std::uint32_t> phrase_ends_;
    std::vector<std::uint64_t> seen_ids_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::uint32_t> hyp_cover_, ref_cover_;
    std::vector<std::uint8_t> fixed_;
};

// Aligns one pair after the other; keeps its scratch space.
class BeamAligner {
public:
    static constexpr std::size_t kBeam = 40;

    // Replaces `matches`, ordered by place in the reference.
    void operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules, Watch& watch,
                    std::vector<WordMatch>& matches);

private:
    struct Path {
        std::uint32_t matched = 0, chunks = 0;  // matched: weighted, on both sides
        std::uint64_t distance = 0;
        std::int64_t last_end = -1;  // in the hypothesis; -1: no chunk is open
        std::size_t next = 0;        // reference words before it are covered
    };
    // A path at the next word, still to be made: which path it comes from and what is chosen.
    struct Step {
        std::uint64_t rank, distance;  // the lower the better
        std::uint32_t from;
        std::int32_t choice;  // of the word's candidates, then of its phrases; or one of the two below
    };
    static constexpr std::int32_t kSkip = -1, kInside = -2;

    void extend(std::size_t ref);
    void offer(const Step& step);
    void take_steps(std::size_t ref);
    WordMatch chosen(std::size_t ref, std::int32_t choice) const;
    bool is_free(std::size_t path, std::size_t hyp, std::size_t words) const;

    Proposals proposals_;
    std::vector<Path> paths_, next_paths_;
    std::vector<std::uint64_t> used_, next_used_;  // hypothesis words per path, as bits
    std::size_t used_width_ = 1;
    std::vector<Step> steps_;
    std::vector<std::uint8_t> came_from_;
    std::vector<std::int32_t> choices_;  // kBeam per reference word
};

// Runs of matches that are neighbours, in order, on both sides; `matches` is ordered by place in the reference.
std::size_t chunk_count(std::span<const WordMatch> matches);

}  // namespace tertium
