#include "metrics/ngram_pairs.hpp"

#include <algorithm>
#include <utility>

namespace tertium {
namespace {

double ngrams_in(std::size_t length, std::size_t n) { return length >= n ? static_cast<double>(length - n + 1) : 0.0; }

std::vector<std::span<const NgramIndex::Symbol>> part(const SymbolTexts& texts, std::size_t begin, std::size_t end) {
    std::vector<std::span<const NgramIndex::Symbol>> spans;
    for (std::size_t i = begin; i < end; ++i) spans.push_back(texts[i]);
    return spans;
}

std::vector<NgramKind> words_of(const TokenSource& source, unsigned longest) {
    NgramKind kind{{}, longest};
    Tokenizer::Scratch scratch;
    Tokens space;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::span<const Key> keys = source.tokens(i, scratch, space);
        kind.texts.symbols.insert(kind.texts.symbols.end(), keys.begin(), keys.end());
        kind.texts.close_text();
    }
    std::vector<NgramKind> kinds;
    kinds.push_back(std::move(kind));
    return kinds;
}

std::vector<NgramKind> kinds_of(std::span<const std::string_view> texts, const ChrfSettings& settings) {
    NgramKind characters{{}, settings.char_order}, words{{}, settings.word_order};
    ChrfReader reader(settings);
    for (const std::string_view text : texts) {
        reader.read(text, characters.texts.symbols, words.texts.symbols);
        characters.texts.close_text();
        words.texts.close_text();
    }
    std::vector<NgramKind> kinds;
    kinds.push_back(std::move(characters));
    if (settings.word_order > 0) kinds.push_back(std::move(words));
    return kinds;
}

// What one hypothesis has in common with the references of a block, kind by kind.
class Lookup {
public:
    explicit Lookup(std::size_t kinds) : counters_(kinds), matches_(kinds) {}

    void count(const std::vector<NgramIndex>& block, std::span<const std::span<const NgramIndex::Symbol>> texts) {
        for (std::size_t k = 0; k < block.size(); ++k) matches_[k] = counters_[k].count(block[k], texts[k]);
    }
    double matches(const std::vector<NgramIndex>& block, std::size_t kind, unsigned n, std::size_t reference) const {
        return matches_[kind][(n - 1) * block[kind].stride() + reference];
    }
    std::span<const double> weighted(const NgramIndex& index, std::span<const double> sums, std::size_t kind,
                                     std::span<const NgramIndex::Symbol> text) {
        return counters_[kind].count_weighted(index, sums, text);
    }

private:
    std::vector<NgramIndex::Counter> counters_;
    std::vector<std::span<const std::uint32_t>> matches_;
};

// The weighted mean over texts of how many n-grams they have.
double mean_ngrams(const SymbolTexts& texts, std::span<const double> weights, std::size_t n) {
    double sum = 0;
    for (std::size_t r = 0; r < texts.size(); ++r) sum += weights[r] * ngrams_in(texts[r].size(), n);
    return sum;
}

// Goes through all hypotheses; row(kinds, lookup, block, reference, first, out) fills one row for a pair, and
// mean_row(kinds, matches, out) one for a hypothesis against all references as one.
template <class Row, class MeanRow>
void fill_pairs(const std::vector<NgramKind>& hypotheses, const PreparedReferences& references,
                std::span<const double> weights, std::size_t columns, unsigned threads, Watch& watch,
                std::span<double> rows, Row row, MeanRow mean_row) {
    const std::size_t kinds = references.kinds().size(), count = references.size();
    std::vector<std::vector<double>> sums;
    if (!weights.empty())
        for (const NgramIndex& index : references.blocks().front()) sums.push_back(index.weighted_sums(weights));
    parallel_for(
        hypotheses.front().texts.size(), threads, watch,
        [&] {
            return [&, lookup = Lookup(kinds), texts = std::vector<std::span<const NgramIndex::Symbol>>(kinds),
                    means = std::vector<std::span<const double>>(kinds)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t h = begin; h < end; ++h) {
                    for (std::size_t k = 0; k < kinds; ++k) texts[k] = hypotheses[k].texts[h];
                    if (!weights.empty()) {
                        for (std::size_t k = 0; k < kinds; ++k)
                            means[k] = lookup.weighted(references.blocks().front()[k], sums[k], k, texts[k]);
                        mean_row(texts, means, rows.data() + h * columns);
                        continue;
                    }
                    std::size_t first = 0;
                    for (const std::vector<NgramIndex>& block : references.blocks()) {
                        lookup.count(block, texts);
                        const std::size_t last = std::min(first + NgramIndex::kBlock, count);
                        for (std::size_t r = first; r < last; ++r)
                            row(texts, lookup, block, r, r - first, rows.data() + (h * count + r) * columns);
                        first = last;
                    }
                }
            };
        },
        8, 1);
}

}  // namespace

PreparedReferences::PreparedReferences(std::vector<NgramKind> kinds, bool in_blocks, Watch& watch)
    : kinds_(std::move(kinds)) {
    const std::size_t step = in_blocks ? NgramIndex::kBlock : std::max<std::size_t>(size(), 1);
    for (std::size_t begin = 0; begin < size(); begin += step) {
        watch.checkpoint();
        std::vector<NgramIndex>& block = blocks_.emplace_back();
        for (const NgramKind& kind : kinds_)
            block.emplace_back(part(kind.texts, begin, std::min(begin + step, size())), kind.longest);
    }
}

BleuPairs::BleuPairs(const TokenSource& references, std::vector<unsigned> orders, std::span<const double> weights,
                     Watch& watch)
    : orders_(std::move(orders)), weights_(weights.begin(), weights.end()),
      prepared_(words_of(references, orders_.back()), weights.empty(), watch) {}

void BleuPairs::fill(const TokenSource& hypotheses, unsigned threads, Watch& watch, std::span<double> rows) const {
    const SymbolTexts& references = prepared_.kinds().front().texts;
    const std::size_t orders = orders_.size();
    const double mean_length = weights_.empty() ? 0 : mean_ngrams(references, weights_, 1);
    fill_pairs(
        words_of(hypotheses, orders_.back()), prepared_, weights_, columns(), threads, watch, rows,
        [&](const auto& texts, const Lookup& lookup, const auto& block, std::size_t r, std::size_t place, double* row) {
            row[0] = static_cast<double>(texts[0].size());
            row[1] = static_cast<double>(references[r].size());
            for (std::size_t k = 0; k < orders; ++k) {
                row[2 + k] = lookup.matches(block, 0, orders_[k], place);
                row[2 + orders + k] = ngrams_in(texts[0].size(), orders_[k]);
            }
        },
        [&](const auto& texts, const auto& matches, double* row) {
            row[0] = static_cast<double>(texts[0].size());
            row[1] = mean_length;
            for (std::size_t k = 0; k < orders; ++k) {
                row[2 + k] = matches[0][orders_[k] - 1];
                row[2 + orders + k] = ngrams_in(texts[0].size(), orders_[k]);
            }
        });
}

ChrfPairs::ChrfPairs(std::span<const std::string_view> references, const ChrfSettings& settings,
                     std::span<const double> weights, Watch& watch)
    : settings_(settings), weights_(weights.begin(), weights.end()),
      prepared_(kinds_of(references, settings), weights.empty(), watch) {}

void ChrfPairs::fill(std::span<const std::string_view> hypotheses, unsigned threads, Watch& watch,
                     std::span<double> rows) const {
    const std::vector<NgramKind>& kinds = prepared_.kinds();
    std::vector<std::vector<double>> mean_totals(kinds.size());
    if (!weights_.empty())
        for (std::size_t k = 0; k < kinds.size(); ++k)
            for (unsigned n = 1; n <= kinds[k].longest; ++n)
                mean_totals[k].push_back(mean_ngrams(kinds[k].texts, weights_, n));
    fill_pairs(
        kinds_of(hypotheses, settings_), prepared_, weights_, columns(), threads, watch, rows,
        [&](const auto& texts, const Lookup& lookup, const auto& block, std::size_t r, std::size_t place, double* row) {
            for (std::size_t k = 0; k < kinds.size(); ++k)
                for (unsigned n = 1; n <= kinds[k].longest; ++n) {
                    const double wanted = ngrams_in(kinds[k].texts[r].size(), n);
                    *row++ = wanted > 0 ? ngrams_in(texts[k].size(), n) : 0;
                    *row++ = wanted;
                    *row++ = lookup.matches(block, k, n, place);
                }
        },
        [&](const auto& texts, const auto& matches, double* row) {
            for (std::size_t k = 0; k < kinds.size(); ++k)
                for (unsigned n = 1; n <= kinds[k].longest; ++n) {
                    const double wanted = mean_totals[k][n - 1];
                    *row++ = wanted > 0 ? ngrams_in(texts[k].size(), n) : 0;
                    *row++ = wanted;
                    *row++ = matches[k][n - 1];
                }
        });
}

}  // namespace tertium
