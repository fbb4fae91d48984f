// What one segment may cost: steps and bytes that sentences never come near.
//
// A few words that repeat without end make searches grow with the square or the cube of the length, or beyond. Kernels
// count what they do for a segment, about one step for a cell of a table, and refuse it when that is too much. So a
// budget changes no score, and is no setting of a metric.

#pragma once

#include <cstddef>
#include <string>

#include "machine/refused.hpp"

namespace tertium {

struct Budget {
    double times = 1;  // what the user multiplies both by
    double steps = 4e9;
    double bytes = 1u << 30;
};

struct TooCostly : Refused {
    TooCostly(std::size_t segment, double limit, double times, const std::string& what);

    std::size_t segment;
};

}  // namespace tertium
