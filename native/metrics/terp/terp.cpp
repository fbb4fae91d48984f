#include "metrics/terp/terp.hpp"

#include <algorithm>
#include <memory>

#include "metrics/ter/shift_rows.hpp"
#include "metrics/terp/pair.hpp"
#include "metrics/terp/phrase_finder.hpp"
#include "metrics/terp/search.hpp"

namespace tertium {

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

namespace {

// Of few segments it is not worth while.
PossibleWords possible_words(const TokenSource& hypotheses, const PhraseIndex* phrases, unsigned threads,
                             Watch& watch) {
    constexpr std::size_t many = 64;
    if (!phrases || hypotheses.size() < many) return {};
    PossibleWords possible(phrases->words());
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, scratch = Tokenizer::Scratch(), space = Tokens()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i)
                for (const Key key : hypotheses.tokens(i, scratch, space)) {
                    const PhraseIndex::Word word = phrases->word(key);
                    if (word < possible.size()) possible[word].store(true, std::memory_order_relaxed);
                }
        };
    });
    return possible;
}

}  // namespace

void terp_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
               const TerpSettings& settings, ReferenceLength reference_length, unsigned threads, Watch& watch,
               std::span<double> rows) {
    const PossibleWords possible = possible_words(hypotheses, settings.phrases, threads, watch);
    TerpSettings known = settings;
    if (!possible.empty()) known.possible = &possible;
    shift_rows<TerpCounts>(
        hypotheses, references, lengths_from,
        {"terp", reference_length, PairSearch::kMostWords, settings.max_tokens, kTerpColumns}, threads, watch, rows,
        [&] {
            return [search = TerpSearch(known)](std::span<const ShiftPair> pairs, Watch& watch,
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
