// The rows of NIST: what the matched n-grams tell, and how many n-grams there are.

#pragma once

#include <span>

#include "metrics/information.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Fills, per segment: hypothesis length, mean reference length, information per order, totals per order. With
// `zero_prefix`, two words of which the first is "0" tell as much as if they were one, as in a Perl script that
// takes the string "0" for no prefix.
void nist_rows(const TokenSource& hypotheses, const GroupedTokens& references, const Information& information,
               bool zero_prefix, unsigned threads, Watch& watch, std::span<double> rows);

// The same for references that are texts first, first + 1, … of those the information was learnt from; segment i has
// as many as the offsets say.
void nist_rows_of_learnt(const TokenSource& hypotheses, std::span<const std::size_t> offsets, std::size_t first,
                         const Information& information, bool zero_prefix, unsigned threads, Watch& watch,
                         std::span<double> rows);

}  // namespace tertium
