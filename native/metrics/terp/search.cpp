#include "metrics/terp/search.hpp"

#include <algorithm>
#include <cmath>

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
    static_assert(PairSearch::kMostWords == (std::size_t{1} << kPlaceBits) - 2);
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

    void read(TerpTable& table, const TerpPair& pair, std::span<const TerpWord> words) {
        hypothesis_errors.assign(words.size() + 1, 0);
        reference_errors.assign(pair.reference.size() + 1, 0);
        of_reference.assign(pair.reference.size(), -1);
        of_hypothesis.assign(words.size(), -1);
        steps.clear();
        for (const auto& [kind, i, j, phrase] : table.path(words)) {
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
        }
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

}  // namespace

// What a search keeps between pairs.
struct PairSearch::Space {
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

PairSearch::PairSearch() : space_(std::make_unique<Space>()) {}
PairSearch::PairSearch(PairSearch&&) noexcept = default;
PairSearch::~PairSearch() = default;

TerpCounts PairSearch::run(TerpPair& pair, const TerpSettings& settings, Watch& watch, TerpRecord* record) {
    return space_->run(pair, settings, watch, record);
}

}  // namespace tertium
