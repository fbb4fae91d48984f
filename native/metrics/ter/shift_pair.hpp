// Two texts that are compared, in words.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "text/tokens.hpp"

namespace tertium {

struct ShiftPair {
    std::size_t segment;
    std::span<const Key> hypothesis, reference;

    std::size_t longest() const { return std::max(hypothesis.size(), reference.size()); }
    bool has_empty_side() const { return hypothesis.empty() || reference.empty(); }
};

}  // namespace tertium
