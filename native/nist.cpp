// Which n-grams match is clipped_matches.hpp's business; here each match gets its weight.

#include "nist.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "clipped_matches.hpp"
#include "segment_tokens.hpp"

namespace tertium {
namespace {

struct Scratch {
    SegmentTokens tokens;
    ClippedMatches matcher;
    std::vector<Information::Found> words, ngrams;  // of each hypothesis place: the word, the n-gram that begins there
    std::vector<std::uint64_t> wanted;              // places whose n-gram is marked in this order or a higher one
};

template <class Visit>
void for_each_bit(std::span<const std::uint64_t> bits, Visit visit) {
    for (std::size_t w = 0; w < bits.size(); ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
            visit(64 * w + static_cast<std::size_t>(std::countr_zero(left)), left & (~left + 1));
}

// Has the words' entries brought into the cache; they are read a little later.
void announce(std::span<const Key> hypothesis, const Information& information) {
    for (const Key key : hypothesis) information.prefetch_word(key);
}

// Looks the words up, and announces pairs of them.
void find_words(std::span<const Key> hypothesis, const Information& information,
                std::vector<Information::Found>& words) {
    words.resize(hypothesis.size());
    std::uint32_t before = Information::kUnknown;
    for (std::size_t s = 0; s < hypothesis.size(); ++s) {
        words[s] = information.word(hypothesis[s]);
        if (before != Information::kUnknown && words[s].number != Information::kUnknown)
            information.prefetch_longer(before, words[s].number);
        before = words[s].number;
    }
}

// Writes what the marked n-grams of each order tell.
void weigh(std::span<const Key> hypothesis, const Information& information, bool zero_prefix, Scratch& scratch,
           double* sums) {
    auto& [tokens, matcher, words, ngrams, wanted] = scratch;
    const unsigned order = information.order();
    const std::size_t size = (hypothesis.size() + 63) / 64;
    const Key zero = short_key('0', 1);

    wanted.assign(order * size, 0);
    for (unsigned n = order; n > 0; --n) {
        const auto marks = matcher.marks(n);
        for (std::size_t w = 0; w < size; ++w)
            wanted[(n - 1) * size + w] = marks[w] | (n < order ? wanted[n * size + w] : 0);
    }
    ngrams = words;
    sums[0] = 0;
    for_each_bit(matcher.marks(1), [&](std::size_t s, std::uint64_t) {
        sums[0] += information.log_total() - words[s].log_count;
    });
    for (unsigned n = 2; n <= order; ++n) {
        const auto marks = matcher.marks(n);
        const auto here = std::span(wanted).subspan((n - 1) * size, size);
        const auto is_known = [&](std::size_t s) {
            return ngrams[s].number != Information::kUnknown && words[s + n - 1].number != Information::kUnknown;
        };
        if (n > 2)
            for_each_bit(here, [&](std::size_t s, std::uint64_t) {
                if (is_known(s)) information.prefetch_longer(ngrams[s].number, words[s + n - 1].number);
            });
        double sum = 0;
        for_each_bit(here, [&](std::size_t s, std::uint64_t bit) {
            const Information::Found prefix = ngrams[s];
            ngrams[s] = is_known(s) ? information.longer(prefix.number, words[s + n - 1].number) : Information::Found{};
            const bool is_first = zero_prefix && n == 2 && hypothesis[s] == zero;
            if (marks[s / 64] & bit)
                sum += (is_first ? information.log_total() : prefix.log_count) - ngrams[s].log_count;
        });
        sums[n - 1] = sum;
    }
}

}  // namespace

void nist_rows(const TokenSource& hypotheses, const Grouped& references, const Information& information,
               bool zero_prefix, unsigned threads, Watch& watch, std::span<double> rows) {
    const unsigned order = information.order();
    const std::size_t columns = 2 + 2 * std::size_t{order};
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, scratch = Scratch{}](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                hypotheses.prefetch(i + 3);
                references.texts.prefetch(references.first(i) + 3);
                const SegmentView segment = scratch.tokens.load(
                    hypotheses, references, i, [&](auto hypothesis) { announce(hypothesis, information); });
                double* const row = rows.data() + i * columns;
                row[0] = static_cast<double>(segment.hypothesis.size());
                row[1] = static_cast<double>(segment.reference_keys.size()) / static_cast<double>(segment.references());
                find_words(segment.hypothesis, information, scratch.words);
                scratch.matcher.mark(segment, order, watch);
                weigh(segment.hypothesis, information, zero_prefix, scratch, row + 2);
                for (unsigned n = 0; n < order; ++n)
                    row[2 + order + n] = std::max(0.0, row[0] - static_cast<double>(n));
            }
        };
    });
}

}  // namespace tertium
