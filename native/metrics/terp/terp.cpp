#include "metrics/terp/terp.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "machine/elementary.hpp"
#include "metrics/ter/shift_rows.hpp"
#include "metrics/terp/pair.hpp"
#include "metrics/terp/table.hpp"

namespace tertium {
namespace {

using Constraint = TerpSettings::Constraint;

// A shift to try. Those of one size go from left to right, then by length, then by target; larger sizes go first.
struct Candidate {
    std::uint64_t key;      // all that its place in the order depends on
    std::uint32_t order;    // in which it was found
    std::int32_t aimed_at;  // the reference word whose place is the target

    static constexpr unsigned kPlaceBits = 20, kSizeBits = 12;
    static constexpr std::size_t kMostWords = (std::size_t{1} << kPlaceBits) - 2;
    static constexpr std::size_t kMostSize = (std::size_t{1} << kSizeBits) - 2;

    Candidate(std::size_t size, std::size_t start, std::size_t length, std::ptrdiff_t place, std::size_t order,
              std::ptrdiff_t aimed_at)
        : key((((kMostSize + 1 - size) << kPlaceBits | start) << kSizeBits | length) << kPlaceBits |
              static_cast<std::uint64_t>(place + 1)),
          order(static_cast<std::uint32_t>(order)), aimed_at(static_cast<std::int32_t>(aimed_at)) {}

    std::size_t size() const { return kMostSize + 1 - static_cast<std::size_t>(key >> (2 * kPlaceBits + kSizeBits)); }
    std::size_t start() const { return key >> (kPlaceBits + kSizeBits) & ((1u << kPlaceBits) - 1); }
    std::size_t length() const { return key >> kPlaceBits & ((1u << kSizeBits) - 1); }
    std::ptrdiff_t place() const { return static_cast<std::ptrdiff_t>(key & ((1u << kPlaceBits) - 1)) - 1; }

    // How far the block goes. Aimed into itself it goes right, over as many words.
    BlockMove move(std::size_t words) const {
        const auto first = static_cast<std::ptrdiff_t>(start()), end = first + static_cast<std::ptrdiff_t>(length());
        const std::ptrdiff_t to = place();
        const std::ptrdiff_t by = to < first ? to + 1 - first : to >= end ? to + 1 - end : to - first;
        return {start(), length(), std::min(by, static_cast<std::ptrdiff_t>(words) - end), aimed_at, to};
    }
};

// What an alignment says: errors on both sides as running totals, and for each word its place on the other side.
struct AlignedPlaces {
    std::vector<std::uint32_t> hypothesis_errors, reference_errors;    // before place i; one more at the end
    std::vector<std::uint32_t> hypothesis_content, reference_content;  // words outside the stop list
    std::vector<std::ptrdiff_t> of_reference, of_hypothesis;
    std::vector<TerpStep> steps;

    void read(const TerpTable& table, const TerpPair& pair, std::span<const TerpWord> words) {
        hypothesis_errors.assign(words.size() + 1, 0);
        reference_errors.assign(pair.reference.size() + 1, 0);
        of_reference.assign(pair.reference.size(), -1);
        of_hypothesis.assign(words.size(), -1);
        steps.clear();
        table.trace(words, [&](char kind, std::size_t i, std::size_t j, const PairPhrase* phrase) {
            const std::size_t taken = kind == 'I' ? 0 : phrase ? phrase->length : 1;
            const std::size_t given = kind == 'D' ? 0 : phrase ? phrase->words.size() : 1;
            for (std::size_t k = i; k < i + taken; ++k) {
                reference_errors[k + 1] = kind != ' ';
                of_reference[k] = static_cast<std::ptrdiff_t>(j) - (kind == 'D');
            }
            for (std::size_t k = j; k < j + given; ++k) {
                hypothesis_errors[k + 1] = kind != ' ';
                of_hypothesis[k] = static_cast<std::ptrdiff_t>(i) - (kind == 'I');
            }
            steps.push_back({kind, static_cast<std::uint32_t>(taken), static_cast<std::uint32_t>(given),
                             phrase ? phrase->cost : 0, phrase ? phrase->probability : 0, phrase ? phrase->edits : 0});
            if (phrase) used.push_back(phrase);
        });
        std::reverse(steps.begin(), steps.end());
        add_up(hypothesis_errors);
        add_up(reference_errors);
        if (pair.stop_hypothesis.empty()) return;
        hypothesis_content.assign(words.size() + 1, 0);
        reference_content.assign(pair.reference.size() + 1, 0);
        for (std::size_t j = 0; j < words.size(); ++j) hypothesis_content[j + 1] = !pair.stop_hypothesis[words[j]];
        for (std::size_t i = 0; i < pair.reference.size(); ++i)
            reference_content[i + 1] = !pair.stop_reference[pair.reference[i]];
        add_up(hypothesis_content);
        add_up(reference_content);
    }

    std::vector<const PairPhrase*> used;  // phrases, over all readings since it was cleared

private:
    static void add_up(std::vector<std::uint32_t>& counts) {
        for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
    }
};

// Finds the shifts worth trying.
class CandidateFinder {
public:
    std::vector<Candidate> found;

    void find(const TerpPair& pair, const TerpTable& table, std::span<const TerpWord> words,
              const AlignedPlaces& places, const TerpSettings& settings, Watch& watch) {
        pair_ = &pair;
        table_ = &table;
        words_ = words;
        places_ = &places;
        settings_ = &settings;
        found.clear();
        if (settings.constraint == Constraint::noshift || words.empty() || settings.max_shift_size == 0) return;
        phrases_ = settings.constraint == Constraint::relax && !pair.phrases.empty();
        if (phrases_) find_phrases();
        for (std::size_t m = 0; m < pair.reference.size(); ++m) {
            const auto [first, last] = within_distance(m);
            const bool any_start = settings.constraint == Constraint::allow_mismatch;
            if ((work_ += last - first) > 1u << 16) {
                watch.spend(work_);
                watch.hold(found.size(), sizeof(Candidate));
                work_ = 0;
            }
            for (std::size_t start = first; start < last; ++start)
                if (any_start || pair.alike(words[start], m) || (phrases_ && begins(start, m)))
                    extend(start, m, start, m, false);
        }
        std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
            return a.key != b.key ? a.key < b.key : a.order < b.order;
        });
        const auto same = [](const Candidate& a, const Candidate& b) { return a.key == b.key; };
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
    }

private:
    // The hypothesis places [first, last) from which a block may be aimed at reference place m.
    std::pair<std::size_t, std::size_t> within_distance(std::size_t m) const {
        if (settings_->max_shift_distance >= static_cast<double>(words_.size())) return {0, words_.size()};
        const auto distance = static_cast<std::ptrdiff_t>(settings_->max_shift_distance);
        const std::ptrdiff_t at = places_->of_reference[m];
        return {static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - distance)),
                std::min(words_.size(), static_cast<std::size_t>(at + distance + 1))};
    }

    // The block that begins at `start` and at `m` has come to j and i: goes on with all that may follow there.
    void extend(std::size_t start, std::size_t m, std::size_t j, std::size_t i, bool mismatch) {
        for (; j < words_.size() && i < pair_->reference.size() && j - start < settings_->max_shift_size; ++j, ++i) {
            ++work_;
            if (phrases_ && begins(j, i) && is_visible(j, i)) jump(start, m, j, i);
            if (pair_->alike(words_[j], i)) {
                emit(start, j - start + 1, m, i - m + 1);
            } else {
                if (settings_->constraint != Constraint::allow_mismatch || mismatch) return;
                mismatch = true;
            }
        }
    }

    void jump(std::size_t start, std::size_t m, std::size_t j, std::size_t i) {
        for (const PairPhrase* const phrase : from_[j])
            if (std::binary_search(phrase->starts.begin(), phrase->starts.end(), i))
                extend(start, m, j + phrase->words.size(), i + phrase->length, false);
    }

    void find_phrases() {
        if (from_.size() < words_.size()) from_.resize(words_.size());
        lanes_ = pair_->reference.size() / 64 + 1;
        begins_.assign(words_.size() * lanes_, 0);
        for (std::size_t j = 0; j < words_.size(); ++j) {
            from_[j].clear();
            table_->phrases_from(words_, j, [&](const PairPhrase& phrase) {
                from_[j].push_back(&phrase);
                for (const std::uint32_t start : phrase.starts)
                    begins_[j * lanes_ + start / 64] |= std::uint64_t{1} << (start % 64);
            });
        }
    }

    // Whether a phrase begins at these places.
    bool begins(std::size_t j, std::size_t i) const { return begins_[j * lanes_ + i / 64] >> (i % 64) & 1; }

    // Phrases are looked up between the partners of the first and last hypothesis word within the distance.
    bool is_visible(std::size_t j, std::size_t i) const {
        const double distance = settings_->max_shift_distance;
        const std::size_t low = distance < static_cast<double>(j) ? j - static_cast<std::size_t>(distance) : 0;
        const std::size_t high = distance < static_cast<double>(words_.size() - 1 - j)
                                     ? j + static_cast<std::size_t>(distance)
                                     : words_.size() - 1;
        const auto at = static_cast<std::ptrdiff_t>(i);
        return places_->of_hypothesis[low] <= at && at <= places_->of_hypothesis[high];
    }

    void emit(std::size_t start, std::size_t length, std::size_t m, std::size_t reference_length) {
        const auto any = [](const std::vector<std::uint32_t>& totals, std::size_t begin, std::size_t size) {
            return totals[begin + size] > totals[begin];
        };
        if (!any(places_->hypothesis_errors, start, length) || !any(places_->reference_errors, m, reference_length))
            return;
        if (!pair_->stop_hypothesis.empty() &&
            (!any(places_->hypothesis_content, start, length) || !any(places_->reference_content, m, reference_length)))
            return;
        const auto first = static_cast<std::ptrdiff_t>(start), end = first + static_cast<std::ptrdiff_t>(length);
        const std::ptrdiff_t home = places_->of_reference[m];
        if (home >= first && home < end) return;
        const std::size_t size = std::min(std::max(length, reference_length), settings_->max_shift_size + 1);
        const auto aim = [&](std::ptrdiff_t place, std::ptrdiff_t at) {
            found.emplace_back(size, start, length, place, found.size(), at);
        };
        if (m == 0) aim(-1, -1);
        for (std::size_t r = m == 0 ? 0 : m - 1; r < std::min(m + length, places_->of_reference.size()); ++r) {
            const std::ptrdiff_t place = places_->of_reference[r];
            if (place != first && (r == m || place != home)) aim(place, static_cast<std::ptrdiff_t>(r));
        }
    }

    const TerpPair* pair_ = nullptr;
    const TerpTable* table_ = nullptr;
    std::span<const TerpWord> words_;
    const AlignedPlaces* places_ = nullptr;
    const TerpSettings* settings_ = nullptr;
    bool phrases_ = false;
    std::vector<std::vector<const PairPhrase*>> from_;  // the phrases that begin at each place
    std::vector<std::uint64_t> begins_;                 // for each place, a bit for each reference place where one does
    std::size_t lanes_ = 0;                             // of bits, for each place
    std::size_t work_ = 0;                              // places looked at since the watch was
};

// The greedy search in one pair.
class PairSearch {
public:
    TerpCounts run(TerpPair& pair, const TerpSettings& settings, Watch& watch, TerpRecord* record) {
        words_.assign(pair.hypothesis.begin(), pair.hypothesis.end());
        table_.start(pair, settings, watch);
        TerpCounts counts;
        for (;;) {
            places_.used.clear();
            places_.read(table_, pair, words_);
            finder_.find(pair, table_, words_, places_, settings, watch);
            const Candidate* const best = best_candidate(settings);
            if (!best) break;
            const BlockMove move = best->move(words_.size());
            counts.shifts += 1;
            counts.shifted_words += static_cast<double>(move.length);
            if (record) record->moves.push_back(move);
            shift(words_, move);
            table_.fill(words_, begin_of(move));
        }
        count(settings, counts);
        counts.edits = table_.distance() + counts.shifts * settings.shift;
        if (record) take_steps(settings, *record);
        return counts;
    }

private:
    static std::size_t begin_of(const BlockMove& move) {
        return move.by < 0 ? move.start - static_cast<std::size_t>(-move.by) : move.start;
    }
    static std::size_t end_of(const BlockMove& move) {
        return move.start + move.length + (move.by < 0 ? 0 : static_cast<std::size_t>(move.by));
    }
    static void shift(std::vector<TerpWord>& words, const BlockMove& move) {
        const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t middle = move.by < 0 ? move.start : move.start + move.length;
        std::rotate(at(begin_of(move)), at(middle), at(end_of(move)));
    }

    const Candidate* best_candidate(const TerpSettings& settings) {
        const double distance = table_.distance();
        const Candidate* best = nullptr;
        double least = distance, paid = 0;  // of the best so far: the distance, and the shift's cost
        moved_ = words_;
        for (const Candidate& candidate : finder_.found) {
            const auto limit = static_cast<double>(2 * candidate.size());
            const double fixed = distance - (paid + least);
            if (fixed > limit || (paid != 0 && fixed == limit)) break;
            const BlockMove move = candidate.move(words_.size());
            if (move.by == 0) continue;
            const std::size_t begin = begin_of(move), end = end_of(move);
            shift(moved_, move);
            const double there = table_.distance_of(words_, moved_, begin, end, least + paid - settings.shift);
            std::copy(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                      words_.begin() + static_cast<std::ptrdiff_t>(end),
                      moved_.begin() + static_cast<std::ptrdiff_t>(begin));
            const double gain = (least + paid) - (there + settings.shift);
            // A shift that changes nothing is never made, even if shifts cost nothing.
            if (there < distance && (gain > 0 || (!best && gain == 0))) {
                best = &candidate;
                least = there;
                paid = settings.shift;
            }
        }
        return best;
    }

    void count(const TerpSettings&, TerpCounts& counts) const {
        for (const TerpStep& step : places_.steps) {
            counts.matches += step.kind == ' ';
            counts.insertions += step.kind == 'I';
            counts.deletions += step.kind == 'D';
            counts.substitutions += step.kind == 'S';
            counts.stems += step.kind == 'T';
            counts.synonyms += step.kind == 'Y';
            counts.phrases += step.kind == 'P';
        }
        for (auto phrase = places_.used.rbegin(); phrase != places_.used.rend(); ++phrase) {
            counts.phrase_logs += (*phrase)->log;
            counts.phrase_probabilities += (*phrase)->share;
            counts.phrase_edits += (*phrase)->edits;
            counts.phrase_cost += (*phrase)->cost;
        }
    }

    void take_steps(const TerpSettings& settings, TerpRecord& record) const {
        record.steps = places_.steps;
        for (TerpStep& step : record.steps) {
            switch (step.kind) {
                case ' ': step.cost = settings.match; break;
                case 'I': step.cost = settings.insertion; break;
                case 'D': step.cost = settings.deletion; break;
                case 'S': step.cost = settings.substitution; break;
                case 'T': step.cost = settings.stem; break;
                case 'Y': step.cost = settings.synonym; break;
                default: break;
            }
        }
    }

    TerpTable table_;
    AlignedPlaces places_;
    CandidateFinder finder_;
    std::vector<TerpWord> words_, moved_;
};

// Finds the paraphrases that might be used in a pair, and what they cost.
class PhraseFinder {
public:
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
        sift(entries, [&](const PhraseIndex::Entry& entry) {
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
    static constexpr std::size_t kFewEntries = 8;  // for each word of the hypothesis; they are looked at one by one

    std::vector<std::pair<PhraseIndex::Word, TerpWord>> ours_;
    std::vector<PhraseIndex::Word> theirs_;
    std::uint64_t marks_[kMarks] = {};
    std::unordered_map<PhraseIndex::Node, Range> by_node_;
    std::vector<TerpWord> words_;
    std::vector<std::size_t> places_;
    TerpPair part_;
    PairSearch search_;
};

}  // namespace

struct TerpSearch::Space {
    explicit Space(const TerpSettings& chosen) : settings(chosen) {}
    const TerpSettings& settings;
    TerpPair pair;
    PhraseFinder phrases;
    PairSearch search;
};

TerpSearch::TerpSearch(const TerpSettings& settings) : space_(std::make_unique<Space>(settings)) {}
TerpSearch::TerpSearch(TerpSearch&&) noexcept = default;
TerpSearch::~TerpSearch() = default;

TerpCounts TerpSearch::operator()(std::span<const Key> hypothesis, std::span<const Key> reference, Watch& watch,
                                  TerpRecord* record) {
    space_->pair.read(hypothesis, reference, space_->settings);
    space_->phrases.find(space_->pair, space_->settings, watch);
    return space_->search.run(space_->pair, space_->settings, watch, record);
}

void terp_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
               const TerpSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
               std::span<double> rows) {
    shift_rows<TerpCounts>(
        hypotheses, references, lengths_from,
        {"terp", reference_length, Candidate::kMostWords, settings.max_tokens, kTerpColumns}, threads, watch, rows,
        [&] {
            return [search = TerpSearch(settings)](std::span<const ShiftPair> pairs, Watch& watch,
                                                   TerpCounts* counts) mutable {
                for (const ShiftPair& pair : pairs) {
                    watch.begin(pair.segment);
                    *counts++ = search(pair.hypothesis, pair.reference, watch);
                }
            };
        },
        [](const TerpCounts& counts, double reference_length, double, double* row) {
            const double values[kTerpColumns] = {counts.insertions,
                                                 counts.deletions,
                                                 counts.substitutions,
                                                 counts.stems,
                                                 counts.synonyms,
                                                 counts.phrases,
                                                 counts.shifts,
                                                 counts.shifted_words,
                                                 counts.matches,
                                                 counts.phrase_logs,
                                                 counts.phrase_probabilities,
                                                 counts.phrase_edits,
                                                 counts.phrase_cost,
                                                 reference_length};
            std::copy(std::begin(values), std::end(values), row);
        });
}

}  // namespace tertium
