// Which n-grams match is clipped_matches.hpp's business; here each match gets its weight: what is known of it is looked
// up or, if the reference was learnt from, stands beside the reference. Both add up in the same order.

#include "metrics/nist.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

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

// The same for marks in the only reference, if it was learnt from. `log` is that of a count in a chain, or of none.
template <class Log>
void weigh_learnt(std::span<const Key> tokens, const LearntTexts& texts, std::size_t text,
                  const Information& information, bool zero_prefix, Log log, Scratch& scratch, double* sums) {
    const unsigned order = information.order();
    const Key zero = short_key('0', 1);
    const std::span<const std::uint32_t> words = texts.words(text), longest = texts.longest(text);
    double sum = 0;
    for_each_bit(scratch.matcher.marks(1), [&](std::size_t s, std::uint64_t) {
        sum += information.log_total() - texts.known[words[s]].log_count;
    });
    sums[0] = sum;
    if (order < 2) return;

    for_each_bit(scratch.matcher.marks(2), [&](std::size_t s, std::uint64_t) { texts.prefetch_chain(longest[s]); });
    sum = 0;
    for_each_bit(scratch.matcher.marks(2), [&](std::size_t s, std::uint64_t) {
        const bool is_first = zero_prefix && tokens[s] == zero;
        const double before = is_first ? information.log_total() : texts.known[words[s]].log_count;
        sum += before - log(texts.chain(longest[s])[0]);
    });
    sums[1] = sum;
    for (unsigned n = 3; n <= order; ++n) {
        sum = 0;
        for_each_bit(scratch.matcher.marks(n), [&](std::size_t s, std::uint64_t) {
            const std::uint32_t* const last = texts.chain(longest[s]) + n - 2;
            sum += log(last[-1]) - log(last[0]);
        });
        sums[n - 1] = sum;
    }
}

void weigh_learnt(std::span<const Key> tokens, const LearntTexts& texts, std::size_t text,
                  const Information& information, bool zero_prefix, Scratch& scratch, double* sums) {
    // What has no other place is not in the chain, and counts what the text does: mostly 1, of which the log is 0.
    const auto weigh_by = [&](auto log) {
        weigh_learnt(tokens, texts, text, information, zero_prefix, log, scratch, sums);
    };
    if (const std::uint32_t times = texts.times_of(text); times > 1)
        weigh_by([&, times](std::uint32_t count) { return information.log(count != 0 ? count : times); });
    else
        weigh_by([&](std::uint32_t count) { return information.log(count); });
}

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
                    weigh_learnt(matched, *learnt, references.first(i), information, zero_prefix, scratch, row + 2);
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
