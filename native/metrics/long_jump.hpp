// The long-jump distance: edits and jumps when every word of both sides is covered exactly once.

#pragma once

#include <cstddef>
#include <optional>

#include "machine/parallel.hpp"
#include "matching/word_costs.hpp"
#include "matching/word_pairs.hpp"

namespace tertium {

// The exact distance of two texts, if they are short enough: the search takes 2^shorter * shorter * longer steps.
std::optional<double> long_jump_distance(const Words& hypothesis, const Words& reference,
                                         const Substitution& substitution, Watch& watch);

}  // namespace tertium
