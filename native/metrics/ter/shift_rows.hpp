// The rows of metrics that search for shifts, TER and TERp: which reference counts, and what edits are divided by.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "machine/parallel.hpp"
#include "machine/refused.hpp"
#include "metrics/reference_length.hpp"
#include "metrics/ter/shift_pair.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct ShiftRowSettings {
    const char* metric;
    ReferenceLength reference_length;
    std::size_t most_tokens, max_tokens;  // most_tokens: what the search can hold, if that is less
    std::size_t columns;

    bool refuses(std::size_t length) const { return length > max_tokens || length > most_tokens; }
    [[noreturn]] void refuse(std::size_t length, const char* side, std::size_t segment) const;
};

inline void ShiftRowSettings::refuse(std::size_t length, const char* side, std::size_t segment) const {
    throw Refused(std::string(side) + "[" + std::to_string(segment) + "] has " + std::to_string(length) +
                  " tokens, but " + metric + " takes at most " + std::to_string(max_tokens) +
                  " in a segment, since the search for shifts takes long. Split the text into segments, or raise "
                  "max_tokens.");
}

// Reads segments that are all wanted at the same time.
class PairReader {
public:
    // Each hypothesis of the segments [begin, end) with each of its references; valid until the next call.
    std::span<const ShiftPair> read(const TokenSource& hypotheses, const GroupedTokens& references,
                                    const ShiftRowSettings& settings, std::size_t begin, std::size_t end) {
        const std::size_t first = references.first(begin);
        space_.let_go();
        const std::size_t ours = read(hypotheses, begin, end, settings, ours_);
        // Of several texts that are too long that of the first segment is told, whoever is read first.
        const std::size_t last = references.first(begin + ours);
        if (const auto k = read(references.texts, first, last, settings, theirs_); k < theirs_.size())
            settings.refuse(theirs_[k].size(), "references", references.segment_of(first + k));
        if (ours < ours_.size()) settings.refuse(ours_[ours].size(), "hypotheses", begin + ours);
        pairs_.resize(theirs_.size());
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t place = references.first(i); place < references.first(i + 1); ++place)
                pairs_[place - first] = {i, ours_[i - begin], theirs_[place - first]};
        return pairs_;
    }

private:
    // Reads texts up to one that is too long, and says which that is.
    std::size_t read(const TokenSource& source, std::size_t begin, std::size_t end, const ShiftRowSettings& settings,
                     std::vector<std::span<const Key>>& texts) {
        texts.resize(end - begin);
        for (std::size_t k = 0, known = 0; k < texts.size(); ++k) {
            if (k == known) known += source.read(begin + k, std::span(texts).subspan(k), scratch_, space_);
            if (settings.refuses(texts[k].size())) return k;
        }
        return texts.size();
    }

    Tokenizer::Scratch scratch_;
    Tokens space_;
    std::vector<std::span<const Key>> ours_, theirs_;
    std::vector<ShiftPair> pairs_;
};

// So many segments are read before they are searched: each of the two goes faster by itself.
inline constexpr std::size_t kShiftStep = 32;

// Fills the rows of all segments; make_search() gives each thread its own, search(pairs, watch, counts) counts for
// some pairs and write(counts, reference_length, hypothesis_length, row) writes. The reference with the fewest edits
// counts, the first of equals. Where `lengths_from` is given, its texts say how long the reference is.
template <class Counts, class MakeSearch, class Write>
void shift_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
                const ShiftRowSettings& settings, unsigned threads, Watch& watch, std::span<double> rows,
                MakeSearch make_search, Write write) {
    const auto make_worker = [&] {
        return [&, search = make_search(), reader = PairReader(), theirs = WordReader(false),
                counts = std::vector<Counts>(),
                lengths = std::vector<std::size_t>()](std::size_t begin, std::size_t end) mutable {
            const std::span<const ShiftPair> pairs = reader.read(hypotheses, references, settings, begin, end);
            if (counts.size() < pairs.size()) counts.resize(pairs.size());
            search(pairs, watch, counts.data());
            for (std::size_t i = begin, pair = 0; i < end; ++i) {
                const std::size_t first = pair;
                std::size_t best = first;
                for (const std::size_t last = first + references.count(i); pair < last; ++pair)
                    if (counts[pair].edits < counts[best].edits) best = pair;
                lengths.clear();
                for (std::size_t r = 0; lengths_from && r < lengths_from->count(i); ++r)
                    lengths.push_back(theirs(lengths_from->texts, lengths_from->first(i) + r).size());
                const auto length = [&](std::size_t r) {
                    return lengths_from ? lengths[r] : pairs[first + r].reference.size();
                };
                const std::size_t words = pairs[first].hypothesis.size();
                write(counts[best],
                      reference_length(words, lengths_from ? lengths.size() : pair - first, length,
                                       settings.reference_length, best - first),
                      static_cast<double>(words), rows.data() + i * settings.columns);
            }
        };
    };
    parallel_for(hypotheses.size(), threads, watch, make_worker, 2 * kShiftStep, kShiftStep);
}

}  // namespace tertium
