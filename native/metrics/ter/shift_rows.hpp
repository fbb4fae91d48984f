// The rows of metrics that search for shifts, TER and TERp: which reference counts, and what edits are divided by.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "machine/parallel.hpp"
#include "machine/refused.hpp"
#include "metrics/reference_length.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct ShiftRowSettings {
    const char* metric;
    ReferenceLength reference_length;
    std::size_t most_tokens, max_tokens;  // most_tokens: what the search can hold, if that is less
    std::size_t columns;
};

// Fills the rows of all segments; make_search() gives each thread its own, search(hypothesis, reference, watch) counts
// and write(counts, reference_length, hypothesis_length, row) writes. The reference with the fewest edits counts, the
// first of equals. Where `lengths_from` is given, its texts say how long the reference is.
template <class MakeSearch, class Write>
void shift_rows(const TokenSource& hypotheses, const GroupedTokens& references, const GroupedTokens* lengths_from,
                const ShiftRowSettings& settings, unsigned threads, Watch& watch, std::span<double> rows,
                MakeSearch make_search, Write write) {
    const auto check_length = [&](std::size_t length, const char* side, std::size_t i) {
        if (length <= settings.max_tokens && length <= settings.most_tokens) return;
        throw Refused(std::string(side) + "[" + std::to_string(i) + "] has " + std::to_string(length) +
                      " tokens, but " + settings.metric + " takes at most " + std::to_string(settings.max_tokens) +
                      " in a segment, since the search for shifts takes long. Split the text into segments, or raise "
                      "max_tokens.");
    };
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, search = make_search(), ours = WordReader(false), theirs = WordReader(false),
                lengths = std::vector<std::size_t>()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                watch.begin(i);
                hypotheses.prefetch(i + 3);
                references.texts.prefetch(references.first(i) + 3);
                const std::span<const Key> hypothesis = ours(hypotheses, i).keys;
                check_length(hypothesis.size(), "hypotheses", i);
                decltype(search(hypothesis, hypothesis, watch)) best;
                std::size_t best_index = 0;
                lengths.clear();
                for (std::size_t r = 0; r < references.count(i); ++r) {
                    const std::span<const Key> reference = theirs(references.texts, references.first(i) + r).keys;
                    check_length(reference.size(), "references", i);
                    const auto counts = search(hypothesis, reference, watch);
                    if (r == 0 || counts.edits < best.edits) best = counts, best_index = r;
                    lengths.push_back(reference.size());
                }
                if (lengths_from) {
                    lengths.clear();
                    for (std::size_t r = 0; r < lengths_from->count(i); ++r)
                        lengths.push_back(theirs(lengths_from->texts, lengths_from->first(i) + r).size());
                }
                const auto length = [&](std::size_t r) { return lengths[r]; };
                write(
                    best,
                    reference_length(hypothesis.size(), lengths.size(), length, settings.reference_length, best_index),
                    static_cast<double>(hypothesis.size()), rows.data() + i * settings.columns);
            }
        };
    });
}

}  // namespace tertium
