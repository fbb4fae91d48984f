// What one segment may cost: steps and bytes that sentences never come near.
//
// A few words that repeat without end make searches grow with the square or the cube of the length, or beyond. Kernels
// count what they do for a segment, about one step for a cell of a table, and refuse it when that is too much. So a
// budget changes no score, and is no setting of a metric.

#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "machine/refused.hpp"

namespace tertium {

struct Budget {
    double times = 1;  // what the user multiplies both by
    double steps = 4e9;
    double bytes = 1u << 30;
};

struct TooCostly : Refused {
    TooCostly(std::size_t segment, double limit, double times, const std::string& what)
        : Refused(std::string("takes more than ").append(grouped(limit)).append(" ").append(what) +
                  " to compare with a reference, which sentences never do: it is very long, or few words repeat in "
                  "it. Split it, leave it out, or set TERTIUM_BUDGET=" +
                  plain(10 * times) + " in the environment for ten times as many."),
          segment(segment) {}

    std::size_t segment;

private:
    static std::string grouped(double number) {
        std::string digits = std::to_string(static_cast<unsigned long long>(number + 0.5));
        for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
        return digits;
    }
    static std::string plain(double number) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%g", number);
        return digits;
    }
};

}  // namespace tertium
