// The rows of BLEU and chrF for every pair of a hypothesis and a reference, each side prepared once.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "machine/parallel.hpp"
#include "matching/ngram_index.hpp"
#include "metrics/bleu.hpp"
#include "metrics/chrf.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Texts as lists of symbols: tokens, or characters.
struct SymbolTexts {
    std::vector<NgramIndex::Symbol> symbols;
    std::vector<std::size_t> offsets{0};

    void close_text() { offsets.push_back(symbols.size()); }
    std::size_t size() const { return offsets.size() - 1; }
    std::span<const NgramIndex::Symbol> operator[](std::size_t i) const {
        return std::span(symbols).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

// N-grams of one kind: those of words, or those of characters.
struct NgramKind {
    SymbolTexts texts;
    unsigned longest = 0;
};

// References whose n-grams can be looked up. A metric may count several kinds of n-grams.
class PreparedReferences {
public:
    PreparedReferences(std::vector<NgramKind> kinds, bool in_blocks, Watch& watch);

    std::size_t size() const { return kinds_.front().texts.size(); }
    const std::vector<NgramKind>& kinds() const { return kinds_; }
    const std::vector<std::vector<NgramIndex>>& blocks() const { return blocks_; }  // by block, then by kind

private:
    std::vector<NgramKind> kinds_;
    std::vector<std::vector<NgramIndex>> blocks_;
};

// BLEU without sentence boundaries. Rows are filled hypothesis by hypothesis, reference by reference.
class BleuPairs {
public:
    BleuPairs(const TokenSource& references, std::vector<unsigned> orders, std::span<const double> weights,
              Watch& watch);
    std::size_t references() const { return weights_.empty() ? prepared_.size() : 1; }
    std::size_t columns() const { return 2 + 2 * orders_.size(); }
    void fill(const TokenSource& hypotheses, unsigned threads, Watch& watch, std::span<double> rows) const;

private:
    std::vector<unsigned> orders_;
    std::vector<double> weights_;  // if there are any, all references count as one, with these shares
    PreparedReferences prepared_;
};

class ChrfPairs {
public:
    ChrfPairs(std::span<const std::string_view> references, const ChrfSettings& settings,
              std::span<const double> weights, Watch& watch);
    std::size_t references() const { return weights_.empty() ? prepared_.size() : 1; }
    std::size_t columns() const { return 3 * std::size_t{settings_.char_order + settings_.word_order}; }
    void fill(std::span<const std::string_view> hypotheses, unsigned threads, Watch& watch,
              std::span<double> rows) const;

private:
    ChrfSettings settings_;
    std::vector<double> weights_;
    PreparedReferences prepared_;
};

}  // namespace tertium
