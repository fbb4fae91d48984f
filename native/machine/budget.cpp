#include "machine/budget.hpp"

#include <cstdio>

namespace tertium {
namespace {

std::string grouped(double number) {
    std::string digits = std::to_string(static_cast<unsigned long long>(number + 0.5));
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string plain(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", number);
    return digits;
}

}  // namespace

TooCostly::TooCostly(std::size_t segment, double limit, double times, const std::string& what)
    : Refused(std::string("takes more than ").append(grouped(limit)).append(" ").append(what) +
              " to compare with a reference, which sentences never do: it is very long, or few words repeat in "
              "it. Split it, leave it out, or set TERTIUM_BUDGET=" +
              plain(10 * times) + " in the environment for ten times as many."),
      segment(segment) {}

}  // namespace tertium
