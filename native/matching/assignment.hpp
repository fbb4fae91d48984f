// The cheapest way to give each row a column of its own.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/parallel.hpp"

namespace tertium {

// `rows` are arrays of `columns` costs; there are at most as many rows as columns. Returns the column of each row.
std::vector<std::size_t> cheapest_assignment(std::span<const double* const> rows, std::size_t columns, Watch& watch);

}  // namespace tertium
