// The rows of NIST: what the matched n-grams tell, and how many n-grams there are.

#pragma once

#include <span>

#include "metrics/information.hpp"
#include "metrics/bleu.hpp"

namespace tertium {

// Fills, per segment: hypothesis length, mean reference length, information per order, totals per order. With
// `zero_prefix`, two words of which the first is "0" tell as much as if they were one, as in a Perl script that
// takes the string "0" for no prefix.
void nist_rows(const TokenSource& hypotheses, const Grouped& references, const Information& information,
               bool zero_prefix, unsigned threads, Watch& watch, std::span<double> rows);

}  // namespace tertium
