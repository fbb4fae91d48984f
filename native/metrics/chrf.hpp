// The rows of chrF and chrF++: per order, n-grams of the hypothesis, of the reference, and common ones.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

struct ChrfSettings {
    unsigned char_order = 6, word_order = 0;
    double beta = 2;
    bool lowercase = false, whitespace = false, eps_smoothing = false;
    Normalization normalization = Normalization::none;
};

// Texts as chrF sees them: characters, without blanks unless wanted, and words with their punctuation cut off.
class ChrfReader {
public:
    explicit ChrfReader(const ChrfSettings& settings);
    ~ChrfReader();
    // Adds the code points of the characters to one list and the keys of the words to the other.
    void read(std::string_view text, std::vector<std::uint64_t>& characters, std::vector<Key>& words);

private:
    struct Side;
    ChrfSettings settings_;
    std::unique_ptr<Side> side_;
};

// 0 to 100, from triples (hypothesis, reference, common) per order.
double chrf_score(std::span<const double> triples, const ChrfSettings& settings);

// The references of segment i are texts [offsets[i], offsets[i + 1]) of `references`; the one that scores best is
// kept, the first of equals.
void chrf_rows(std::span<const std::string_view> hypotheses, std::span<const std::string_view> references,
               std::span<const std::size_t> offsets, const ChrfSettings& settings, unsigned threads, Watch& watch,
               std::span<double> rows);

}  // namespace tertium
