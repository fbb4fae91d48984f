// Which n-grams match is clipped_matches.hpp's business; here each match gets its weight: what is known of it is looked
// up or, if the reference was learnt from, stands beside the reference. Both add up in the same order.

#include "metrics/nist.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "matching/clipped_matches.hpp"
#include "text/segment_tokens.hpp"

namespace tertium {
namespace {

struct Scratch {
    SegmentTokens segment;
    ClippedMatches matcher;
    std::vector<InformationLookup::Found> words, ngrams;  // of each place: the word, the n-gram that begins there
    std::vector<std::uint64_t> wanted;  // per order, places whose n-gram is marked there or in a higher one
    std::vector<std::uint64_t> within;  // places of words that a marked n-gram holds
};

template <class Visit>
void for_each_bit(std::span<const std::uint64_t> bits, Visit visit) {
    for (std::size_t w = 0; w < bits.size(); ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            visit(64 * w + static_cast<std::size_t>(std::countr_zero(left)), left & (~left + 1));
}

// An n-gram is known through the one before its last word, and holds the words of two shorter ones: the one that
// begins with it, and the one that begins a word later.
void find_wanted(unsigned order, std::size_t size, Scratch& scratch) {
    auto &wanted = scratch.wanted, &within = scratch.within;
    wanted.resize(order * size);
    within.assign(size, 0);
    for (unsigned n = order; n > 0; --n) {
        const auto marks = scratch.matcher.marks(n);
        std::uint64_t carried = 0;
        for (std::size_t w = 0; w < size; ++w) {
            wanted[(n - 1) * size + w] = marks[w] | (n < order ? wanted[n * size + w] : 0);
            const std::uint64_t longer = within[w];
            within[w] = marks[w] | longer | longer << 1 | carried;
            carried = longer >> 63;
        }
    }
}

// Writes what the marked n-grams of each order tell.
void weigh(std::span<const Key> tokens, const Information& information, bool zero_prefix, Scratch& scratch,
           double* sums) {
    auto &words = scratch.words, &ngrams = scratch.ngrams;
    const unsigned order = information.order();
    const auto of_words = scratch.matcher.marks(1);
    if (std::all_of(of_words.begin(), of_words.end(), [](std::uint64_t marks) { return marks == 0; })) {
        std::fill_n(sums, order, 0.0);
        return;  // and the tables, which take a while to make, are perhaps never needed
    }
    const InformationLookup& lookup = information.lookup();
    const std::size_t size = (tokens.size() + 63) / 64;
    const Key zero = short_key('0', 1);

    find_wanted(order, size, scratch);
    words.resize(tokens.size());
    ngrams.resize(tokens.size());
    for_each_bit(scratch.within, [&](std::size_t s, std::uint64_t) {
        const InformationLookup::Found word = lookup.word(tokens[s]);
        words[s] = word;
        ngrams[s] = word;
    });
    sums[0] = 0;
    for_each_bit(scratch.matcher.marks(1),
                 [&](std::size_t s, std::uint64_t) { sums[0] += information.log_total() - words[s].log_count; });
    for (unsigned n = 2; n <= order; ++n) {
        const auto marks = scratch.matcher.marks(n);
        const auto here = std::span(scratch.wanted).subspan((n - 1) * size, size);
        const auto is_known = [&](std::size_t s) {
            return ngrams[s].place != Information::kUnknown && words[s + n - 1].place != Information::kUnknown;
        };
        for_each_bit(here, [&](std::size_t s, std::uint64_t) {
            if (is_known(s)) lookup.prefetch_longer(ngrams[s], words[s + n - 1]);
        });
        double sum = 0;
        for_each_bit(here, [&](std::size_t s, std::uint64_t bit) {
            const InformationLookup::Found prefix = ngrams[s];
            InformationLookup::Found ngram;
            if (is_known(s)) ngram = lookup.longer(prefix, words[s + n - 1]);
            ngrams[s] = ngram;
            const bool is_first = zero_prefix && n == 2 && tokens[s] == zero;
            const double before = is_first ? information.log_total() : prefix.log_count;
            sum += marks[s / 64] & bit ? before - ngram.log_count : 0;
        });
        sums[n - 1] = sum;
    }
}

// The same for marks in the only reference, if it was learnt from. A word and the n-grams that begin there are marked
// or not as chance has it, so what all of them tell is worked out, and what is not marked adds 0: an n-gram tells the
// difference between two logarithms that stand side by side, and a vector takes several at once.
class LearntReference {
public:
    LearntReference(const LearntTexts& texts, std::size_t text, const Information& information, bool zero_prefix)
        : texts_(texts), words_(texts.words(text).data()), longest_(texts.longest(text).data()),
          times_(texts.times_of(text)), information_(information), zero_(zero_prefix ? texts.zero : 0) {}

    TERTIUM_INLINE void weigh(const ClippedMatches& matcher, double* sums) const {
        // What has no other place is not in the chain, and counts what the text does: mostly 1, of which the log is 0.
        const std::uint32_t alone = times_ > 1 ? information_.place_of_log(times_) : 0;
        if (alone == 0) return weigh_by([](std::uint32_t place) { return place; }, matcher, sums);
        weigh_by([alone](std::uint32_t place) { return place != 0 ? place : alone; }, matcher, sums);
    }

private:
    static constexpr std::size_t kAtOnce = LearntTexts::kBeyondChain;
    using Logs = Lanes<kAtOnce, double>;

    // `place` is where a log stands, by what a chain says.
    template <class Place>
    TERTIUM_INLINE void weigh_by(Place place, const ClippedMatches& matcher, double* sums) const {
        sums[0] = 0;
        add_orders<true>(1, place, matcher, sums);
        for (std::size_t first = 1 + kAtOnce; first < information_.order(); first += kAtOnce)
            add_orders<false>(first, place, matcher, sums);
    }

    // Writes the sums of the next kAtOnce orders, of n-grams of more than `first` words; and adds that of words.
    template <bool kWords, class Place>
    TERTIUM_INLINE void add_orders(std::size_t first, Place place, const ClippedMatches& matcher, double* sums) const {
        const std::size_t orders = std::min(information_.order() - first, kAtOnce);
        const double* const logs = information_.logs().data();
        const auto log = [&](std::uint32_t of_chain) { return logs[place(of_chain)]; };
        const double log_total = information_.log_total();
        Logs told = {};
        double of_words = 0;
        for (std::size_t w = 0; w < matcher.marks(1).size(); ++w) {
            const std::uint64_t words = kWords ? matcher.marks(1)[w] : 0;
            std::uint64_t ngrams[kAtOnce] = {}, left = words;
            for (std::size_t k = 0; k < orders; ++k)
                left |= ngrams[k] = matcher.marks(static_cast<unsigned>(first + k + 1))[w];
            Lanes<kAtOnce> marks;
            std::memcpy(&marks, ngrams, sizeof marks);
            for (; left != 0; left &= left - 1) {
                const int bit = std::countr_zero(left);
                const std::size_t s = 64 * w + static_cast<std::size_t>(bit);
                const std::uint32_t* const chain = texts_.chain(longest_[s]) + first - 1;
                const Logs logs_here = {log(chain[0]), log(chain[1]), log(chain[2]), log(chain[3])};
                double before;
                if constexpr (kWords) {
                    const double of_word = texts_.known_logs[words_[s]];
                    of_words += if_marked(words >> bit & 1, log_total - of_word);
                    before = words_[s] == zero_ ? log_total : of_word;
                } else {
                    before = log(chain[-1]);
                }
                const Lanes<kAtOnce> marked = Lanes<kAtOnce>{} - (marks >> bit & 1);
                add_where(marked, moved_up(before, logs_here) - logs_here, told);
            }
        }
        sums[0] += of_words;
        for (std::size_t k = 0; k < orders; ++k) sums[first + k] = told[k];
    }
    TERTIUM_INLINE static double if_marked(std::uint64_t is_marked, double value) {
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & (0 - is_marked));
    }

    const LearntTexts& texts_;
    const std::uint32_t *words_, *longest_;
    std::uint32_t times_;
    const Information& information_;
    std::uint32_t zero_;  // the word that counts as no prefix, or 0
};

TERTIUM_INLINE void weigh_places(const LearntReference& reference, const ClippedMatches& matcher, double* sums) {
    reference.weigh(matcher, sums);
}
TERTIUM_BY_PROCESSOR(weigh_learnt, weigh_places)

}  // namespace

void nist_rows(const TokenSource& hypotheses, const GroupedTokens& references, const Information& information,
               bool zero_prefix, unsigned threads, Watch& watch, std::span<double> rows) {
    const LearntTexts* const learnt = &references.texts == information.texts() ? information.texts() : nullptr;
    const unsigned order = information.order();
    const std::size_t columns = 2 + 2 * std::size_t{order};
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, scratch = Scratch{}](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                hypotheses.prefetch(i + 3);
                references.texts.prefetch(references.first(i) + 3);
                const SegmentView segment = scratch.segment.load(hypotheses, references, i);
                double* const row = rows.data() + i * columns;
                row[0] = static_cast<double>(segment.hypothesis.size());
                row[1] = static_cast<double>(segment.reference_keys.size()) / static_cast<double>(segment.references());
                const std::span<const Key> matched = scratch.matcher.mark(segment, order, watch);
                if (learnt && matched.data() == segment.reference_keys.data())
                    weigh_learnt(LearntReference(*learnt, references.first(i), information, zero_prefix),
                                 scratch.matcher, row + 2);
                else
                    weigh(matched, information, zero_prefix, scratch, row + 2);
                for (unsigned n = 0; n < order; ++n)
                    row[2 + order + n] = std::max(0.0, row[0] - static_cast<double>(n));
            }
        };
    });
}

void nist_rows_of_learnt(const TokenSource& hypotheses, std::span<const std::size_t> offsets, std::size_t first,
                         const Information& information, bool zero_prefix, unsigned threads, Watch& watch,
                         std::span<double> rows) {
    const LearntTexts* const learnt = information.texts();
    if (!learnt || first + offsets.back() > learnt->size())
        throw std::invalid_argument("nist_rows_of_learnt: these texts are not known");
    std::vector<std::size_t> places(offsets.begin(), offsets.end());
    for (std::size_t& place : places) place += first;
    nist_rows(hypotheses, {*learnt, places}, information, zero_prefix, threads, watch, rows);
}

}  // namespace tertium
