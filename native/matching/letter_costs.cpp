#include "matching/letter_costs.hpp"

#include <string>
#include <vector>

#include "text/utf8.hpp"

namespace tertium {
namespace {

double cost_of_points(CostKind kind, std::u32string_view a, std::u32string_view b) {
    const auto lengths = static_cast<double>(a.size() + b.size());
    if (kind == CostKind::prefix) {
        const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        return prefix_cost(static_cast<double>(ends.first - a.begin()), lengths);
    }
    constexpr std::int64_t edit = std::int64_t{1} << 32;
    std::vector<std::int64_t> cells(b.size() + 1);
    for (std::size_t p = 0; p <= b.size(); ++p) cells[p] = static_cast<std::int64_t>(p) * edit;
    for (const char32_t letter : a) {
        std::int64_t diagonal = cells[0];
        cells[0] += edit;
        for (std::size_t p = 1; p <= b.size(); ++p) {
            const std::int64_t above = cells[p];
            const std::int64_t step = letter == b[p - 1] ? diagonal - 1 : diagonal + edit;
            cells[p] = std::min({step, above + edit, cells[p - 1] + edit});
            diagonal = above;
        }
    }
    const std::int64_t edits = (cells.back() + edit - 1) / edit, matches = edits * edit - cells.back();
    return cost_of(kind, static_cast<double>(edits), static_cast<double>(matches), lengths);
}

std::u32string decoded(std::string_view word) {
    std::u32string points;
    for (const char* p = word.data(); p != word.data() + word.size();) points.push_back(utf8::decode(p));
    return points;
}

}  // namespace

double cost_one_by_one(CostKind kind, std::string_view a, std::string_view b) {
    return cost_of_points(kind, decoded(a), decoded(b));
}

}  // namespace tertium
