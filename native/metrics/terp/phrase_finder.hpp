// Finds the paraphrases that might be used in a pair, and what they cost.
//
//     reference    ran fast           step("ran"), step("fast") leads to the entries of the phrase
//     entries      ran quickly        kept: the hypothesis has both words
//                  running quickly    sifted out by its first word
//
// The paraphrases of a frequent word are thousands, of which a hypothesis of twenty words has a few; so they are not
// gone through, but each word of the hypothesis is looked for among their first words. A table knows more words than a
// text has, too: of a phrase that comes again and again, those paraphrases are kept that some hypothesis can have.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lexicon/phrase_index.hpp"
#include "machine/elementary.hpp"
#include "machine/parallel.hpp"
#include "metrics/terp/pair.hpp"
#include "metrics/terp/search.hpp"
#include "metrics/terp/terp.hpp"

namespace tertium {

class PhraseFinder {
public:
    // Replaces pair.phrases.
    void find(TerpPair& pair, const TerpSettings& settings, Watch& watch) {
        pair.phrases.clear();
        if (!settings.phrases) return;
        const PhraseIndex& index = *settings.phrases;
        index_hypothesis(pair, index);
        if (ours_.empty()) return;
        theirs_.clear();
        for (const Key key : pair.reference_words()) theirs_.push_back(index.word(key));
        by_node_.clear();
        for (std::size_t start = 0; start < pair.reference.size(); ++start) {
            PhraseIndex::Node node = PhraseIndex::kRoot;
            for (std::size_t end = start; end < pair.reference.size(); ++end) {
                node = index.step(node, theirs_[pair.reference[end]]);
                if (node == PhraseIndex::kNoNode) break;
                take(pair, settings, watch, index, node, start, end + 1 - start);
            }
        }
    }

private:
    struct Range {
        std::size_t first, count;  // of pair.phrases
    };

    // Which of the table's words the hypothesis has; most entries are told apart by one look at a few bits.
    void index_hypothesis(const TerpPair& pair, const PhraseIndex& index) {
        ours_.clear();
        std::fill(std::begin(marks_), std::end(marks_), 0);
        for (TerpWord w = 0; w < pair.hypothesis_words().size(); ++w) {
            const PhraseIndex::Word word = index.word(pair.hypothesis_words()[w]);
            if (word == PhraseIndex::kNoWord) continue;
            ours_.emplace_back(word, w);
            marks_[word / 64 % kMarks] |= std::uint64_t{1} << (word % 64);
        }
        std::sort(ours_.begin(), ours_.end());
    }
    bool may_have(PhraseIndex::Word word) const { return marks_[word / 64 % kMarks] >> (word % 64) & 1; }

    void take(TerpPair& pair, const TerpSettings& settings, Watch& watch, const PhraseIndex& index,
              PhraseIndex::Node node, std::size_t start, std::size_t length) {
        const PhraseIndex::Entries entries = index.entries(node);
        if (entries.empty()) return;
        const auto [known, is_new] = by_node_.try_emplace(node, Range{pair.phrases.size(), 0});
        if (!is_new) {  // the same phrase once more
            for (std::size_t p = known->second.first; p < known->second.first + known->second.count; ++p)
                pair.phrases[p].starts.push_back(static_cast<std::uint32_t>(start));
            return;
        }
        const std::size_t first = pair.phrases.size();
        double edits = 0;
        sift_kept(settings, node, entries, [&](const PhraseIndex::Entry& entry) {
            if (!translate(entry.words) || is_identical(pair, start, length)) return;
            const bool repeated = pair.phrases.size() > first && pair.phrases.back().words == words_;
            if (!repeated) edits = distance(pair, settings, watch, start, length);
            PairPhrase phrase = costed(settings, edits, entry.probability);
            if (repeated && phrase.cost > pair.phrases.back().cost) return;
            phrase.words = words_;
            phrase.length = length;
            phrase.starts.assign(1, static_cast<std::uint32_t>(start));
            if (repeated)
                pair.phrases.back() = std::move(phrase);
            else
                pair.phrases.push_back(std::move(phrase));
        });
        known->second.count = pair.phrases.size() - first;
    }

    // Of the paraphrases of a phrase, those of one length that some hypothesis can have.
    struct Group {
        std::size_t size, count, first_word, first_entry;
    };
    struct Kept {
        unsigned visits = 0;
        std::size_t first = 0, end = 0;  // groups
        bool ready = false;
    };

    // As sift, from what was kept.
    template <class Visit>
    void sift_kept(const TerpSettings& settings, PhraseIndex::Node node, const PhraseIndex::Entries& entries,
                   Visit visit) {
        if (!settings.possible || entries.size() < kManyEntries) return sift(entries, visit);
        Kept& kept = kept_[node];
        if (!kept.ready && ++kept.visits > kVisits && kept_words_.size() < kMostKept)
            keep(*settings.possible, entries, kept);
        if (!kept.ready) return sift(entries, visit);
        for (std::size_t g = kept.first; g < kept.end; ++g) {
            const Group group = groups_[g];
            const PhraseIndex::Word* const words = kept_words_.data() + group.first_word;
            sift_words({words, group.count * group.size}, group.size, [&](const PhraseIndex::Word* found) {
                visit(entries[kept_entries_[group.first_entry + static_cast<std::size_t>(found - words) / group.size]]);
            });
        }
    }

    void keep(const PossibleWords& possible, const PhraseIndex::Entries& entries, Kept& kept) {
        kept.ready = true;
        kept.first = kept.end = groups_.size();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::span<const PhraseIndex::Word> words = entries[i].words;
            const auto is_possible = [&](PhraseIndex::Word word) {
                return word < possible.size() && possible[word].load(std::memory_order_relaxed);
            };
            if (words.empty() || !std::all_of(words.begin(), words.end(), is_possible)) continue;
            if (kept.first == kept.end || groups_.back().size != words.size()) {
                groups_.push_back({words.size(), 0, kept_words_.size(), kept_entries_.size()});
                ++kept.end;
            }
            ++groups_.back().count;
            kept_words_.insert(kept_words_.end(), words.begin(), words.end());
            kept_entries_.push_back(static_cast<std::uint32_t>(i));
        }
    }

    // Calls visit(entry) for all entries whose words may be in the hypothesis, in order. Frequent words have thousands
    // of paraphrases; as those of one length are ordered by their words, few of them need to be looked at.
    template <class Visit>
    void sift(const PhraseIndex::Entries& entries, Visit visit) {
        for (std::size_t first = 0; first < entries.size();) {
            const std::span<const PhraseIndex::Word> words = entries[first].words;
            const std::size_t end = end_of_length(entries, first, words.size());
            const std::size_t rest = (end - 1 - first) * words.size();  // words after the first entry's
            if (!words.empty() && entries[end - 1].words.data() == words.data() + rest)  // else the table is damaged
                sift_words({words.data(), rest + words.size()}, words.size(), [&](const PhraseIndex::Word* found) {
                    visit(entries[first + static_cast<std::size_t>(found - words.data()) / words.size()]);
                });
            first = end;
        }
    }

    // The first entry after `first` that has not this many words.
    static std::size_t end_of_length(const PhraseIndex::Entries& entries, std::size_t first, std::size_t words) {
        std::size_t low = first + 1, high = entries.size();
        for (std::size_t step = 1; low < high; step *= 2) {
            const std::size_t next = std::min(low + step, high);
            if (entries[next - 1].words.size() != words) {
                high = next - 1;
                break;
            }
            low = next;
        }
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (entries[middle].words.size() != words)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    // Of paraphrases in a row that have `size` words each.
    template <class Visit>
    void sift_words(std::span<const PhraseIndex::Word> all, std::size_t size, Visit visit) {
        const std::size_t count = all.size() / size;
        const auto look_at = [&](const PhraseIndex::Word* one) {
            bool may = true;
            for (std::size_t k = 0; k < size && may; ++k) may = may_have(one[k]);
            if (may) visit(one);
        };
        if (count <= kFewEntries * ours_.size()) {
            for (std::size_t at = 0; at < count; ++at) look_at(&all[at * size]);
            return;
        }
        // Where each word of the hypothesis would stand as a first word: halving goes on for all of them at once, as
        // one alone would wait for memory at each step.
        places_.assign(ours_.size(), 0);
        for (std::size_t left = count; left > 0;) {
            const std::size_t half = (left + 1) / 2;
            for (std::size_t w = 0; w < ours_.size(); ++w) {
                const std::size_t next = std::min(places_[w] + half, count);
                places_[w] = all[(next - 1) * size] < ours_[w].first ? next : places_[w];
            }
            left = left > 1 ? left - half : 0;
        }
        for (std::size_t w = 0; w < ours_.size(); ++w)
            for (std::size_t at = places_[w]; at < count && all[at * size] == ours_[w].first; ++at)
                look_at(&all[at * size]);
    }

    // The paraphrase in words of the hypothesis; false if it has others.
    bool translate(std::span<const PhraseIndex::Word> words) {
        words_.clear();
        for (const PhraseIndex::Word word : words) {
            const auto found = std::lower_bound(ours_.begin(), ours_.end(), std::pair(word, TerpWord{0}));
            if (found == ours_.end() || found->first != word) return false;
            words_.push_back(found->second);
        }
        return !words_.empty();
    }

    bool is_identical(const TerpPair& pair, std::size_t start, std::size_t length) const {
        if (words_.size() != length) return false;
        for (std::size_t k = 0; k < length; ++k)
            if (pair.hypothesis_words()[words_[k]] != pair.reference_words()[pair.reference[start + k]]) return false;
        return true;
    }

    // Of a phrase and its paraphrase, without phrases.
    double distance(TerpPair& pair, const TerpSettings& settings, Watch& watch, std::size_t start, std::size_t length) {
        if (length == 1 && words_.size() == 1)
            return std::min(pair.cost(words_[0], start), settings.insertion + settings.deletion);
        part_.read_part(pair, words_, start, length, settings);
        return search_.run(part_, settings, watch, nullptr).edits;
    }

    static PairPhrase costed(const TerpSettings& settings, double edits, double probability) {
        PairPhrase phrase;
        phrase.probability = probability;
        if (settings.phrase_cost == TerpSettings::PhraseCost::table) {
            phrase.cost = probability;
        } else {
            const bool inverse = settings.phrase_cost == TerpSettings::PhraseCost::inverse;
            const bool no_edits = settings.phrase_cost == TerpSettings::PhraseCost::no_edits;
            const double p = inverse ? std::max(1 - probability, kLeastProbability) : probability;
            const double times = no_edits ? 1 : edits;
            phrase.edits = no_edits ? 0 : edits;
            phrase.log = times * logarithm10(p);
            phrase.share = times * (inverse ? 1 - probability : p);
            phrase.cost =
                settings.w1 + settings.w2 * phrase.log + settings.w3 * phrase.share + settings.w4 * phrase.edits;
        }
        phrase.cost = std::clamp(phrase.cost, settings.phrase_minimum, settings.phrase_maximum);
        return phrase;
    }

    // A paraphrase that is certain has 1 - p = 0, whose logarithm no sum could hold.
    static constexpr double kLeastProbability = 1e-300;
    static constexpr std::size_t kMarks = 64;
    static constexpr std::size_t kManyEntries = 16;    // of a phrase: worth keeping some
    static constexpr unsigned kVisits = 2;             // after so many
    static constexpr std::size_t kMostKept = 1 << 22;  // words
    static constexpr std::size_t kFewEntries = 8;      // for each word of the hypothesis; they are looked at one by one

    std::vector<std::pair<PhraseIndex::Word, TerpWord>> ours_;
    std::vector<PhraseIndex::Word> theirs_;
    std::uint64_t marks_[kMarks] = {};
    std::unordered_map<PhraseIndex::Node, Range> by_node_;
    std::vector<TerpWord> words_;
    std::vector<std::size_t> places_;
    std::unordered_map<PhraseIndex::Node, Kept> kept_;
    std::vector<Group> groups_;
    std::vector<PhraseIndex::Word> kept_words_;
    std::vector<std::uint32_t> kept_entries_;  // by their place among the phrase's
    TerpPair part_;
    PairSearch search_;
};

}  // namespace tertium
