// Which texts of a source are equal: references often come several times, once for each system that is scored.
//
//     texts   b a b c b      firsts 0 1 3  (b a c)      times 3 1 1      which 0 1 0 2 0

#pragma once

#include <cstdint>
#include <vector>

#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

// That is worth knowing if it costs little. So a text is compared with a few others alone, those of which a few bytes
// are equal, and may be taken for a different one though it is not; and if few texts are equal, or few of some lengths,
// all count as different.
struct EqualTexts {
    std::vector<std::uint32_t> firsts, times;  // of each different text: where it stands first, and how often
    std::vector<std::uint32_t> which;          // of each text: which of the different ones it is
};

EqualTexts equal_texts(const TokenSource& texts, Watch& watch);

}  // namespace tertium
