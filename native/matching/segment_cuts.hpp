// Where a stream of words must be cut so that its pieces fit given segments best.
//
// A speech translator, or a model that returns whole documents, knows nothing of the reference's segments. All words of
// the references, end to end, are aligned with all words of the stream, and the stream is cut where the alignment
// crosses from one segment to the next. Let Y(k, j) be the best alignment of the first k reference words with the first
// j words of the stream, where a pair adds how alike it is and a word without a partner adds nothing:
//
//     Y(k, j) = max( Y(k-1, j),  Y(k, j-1),  Y(k-1, j-1) + alike(k, j) )
//
// What words without a partner cost is hidden in `alike`: with costs c for each of them, a pair saves 2 c. So the same
// table gives the edit distance (alike = 2 for equal words, 1 for others; words without a partner cost 1) and softer
// kinds of alignment. At the end of a segment, each place of the stream gets what speaks for a cut there: behind a full
// stop, if the segment ends with one; before a capital. Inside a word no cut is allowed.
//
// Only the rows at the ends of segments are kept, or some of them if they are many; the rest is made again when needed.
// The cuts are found from the end: given where a segment ends, its words are aligned backwards with a short stretch of
// the stream before that place. If the best start found there reaches what the forward table promises, it is the best
// of all; else the stretch was too short, and a longer one is tried. Memory stays linear in the length of the stream,
// and no optimum is missed.
//
// How sure a cut is: forward and backward values together say what the best segmentation is worth that cuts elsewhere.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/parallel.hpp"
#include "matching/likeness.hpp"
#include "text/token_source.hpp"

namespace tertium {

// What speaks for a cut, in thousandths of a pair of equal words.
struct CutSigns {
    std::int32_t final = 0;      // behind a mark that ends sentences, where the segment ends with one, too
    std::int32_t any_final = 0;  // behind such a mark, where the segment ends otherwise
    std::int32_t large = 0;      // before a capital or digit, where the next segment begins with one
    std::int32_t pause = 0;      // behind a comma, where the segment does not end with one
    std::int32_t mark = 0;       // before a mark that opens nothing
    std::int32_t line = 0;       // where a line of the stream ends
};

struct CutSettings {
    bool letters = true;                      // whether tokens are compared by their letters, or are equal or not
    std::int32_t equal = 2000, other = 1000;  // what a pair is worth if they are not
    std::int32_t alone = 500;                 // what a token without a partner costs
    CutSigns signs;
    double doubt = 250;  // differences of worth that are told apart with some certainty
};

// One document: units of the stream (words, or characters of a script without blanks), each of one or more tokens, and
// the segments that they are cut for, each with one or more references.
struct CutDocument {
    std::size_t first_unit, last_unit, first_segment, last_segment;
};

struct SegmentCut {
    std::size_t unit;       // the segment ends before this one
    double confidence;      // between 0 and 1
    std::size_t reference;  // which of several fits
};

struct CutStream {
    const TokenSource& units;
    std::span<const std::uint8_t> line_ends;  // of each unit: whether a line ends behind it
    const GroupedTokens& references;
};

// Fills a cut for each segment and a cost for each document.
void segment_cuts(const CutStream& stream, std::span<const CutDocument> documents, const CutSettings& settings,
                  unsigned threads, Watch& watch, std::span<SegmentCut> cuts, std::span<double> costs);

}  // namespace tertium
