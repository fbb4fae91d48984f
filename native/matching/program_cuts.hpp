// Where two programs cut a stream, to the last tie: mwerSegmenter (and mweralign), and OmniSTEval's SoftSegmenter.
//
// Both are tables like that of segment_cuts.hpp, with rules of their own. They are here so that numbers printed by
// those programs can be had again; segment_cuts.hpp finds better cuts.
//
// mwerSegmenter counts word edits over all references end to end. Of equal costs it takes a substitution or match only
// if that is cheaper than both others, else a deletion (of a reference word) unless an insertion is cheaper. Before the
// first word of the stream it counts the end of a segment as a word, so that leading segments left empty cost one too
// much:
//
//     references  b / c      stream  c      mwerSegmenter  "c" / "", 2 edits      best  "" / "c", 1 edit
//
// SoftSegmenter takes the highest sum of likenesses, where words without a partner cost nothing. Two words are as alike
// as the share of letters that both have. Of equal sums a pair comes first, then a reference word alone, then one of
// the stream. Words of the stream without partners go with the last reference word, until one of them is more like the
// next: from there on they go with that. Whether those two have partners does not matter.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "machine/parallel.hpp"
#include "text/tokens.hpp"

namespace tertium {

struct ProgramCuts {
    std::vector<std::size_t> ends;  // of each segment: how many tokens are before its end
    double cost = 0;                // edits, or the sum of likenesses
};

// `references[s]` has the alternatives of segment s. A segment other than the last should not end before a token that
// is `inside` a word.
ProgramCuts mwer_segmenter_cuts(std::span<const Key> stream, std::span<const std::uint8_t> inside,
                                std::span<const std::vector<std::vector<Key>>> references, Watch& watch);

// A mark at the very beginning that has no partner goes nowhere: it is lost.
inline constexpr std::uint32_t kLost = static_cast<std::uint32_t>(-1);

// Which segment each token of the stream goes to, those of `references` being in segments `segment_of`.
std::vector<std::uint32_t> soft_segmenter_segments(std::span<const std::string_view> stream,
                                                   std::span<const std::string_view> references,
                                                   std::span<const std::uint32_t> segment_of, bool characters,
                                                   Watch& watch);

}  // namespace tertium
