// Shortest augmenting paths (Kuhn 1955 in the form of Jonker and Volgenant 1987). Rows are added one by one. Each
// looks for the cheapest chain "take this column, whose row takes another one instead, …" to a free column; prices
// of rows and columns keep all reduced costs at or above zero, so that the search is Dijkstra's.

#include "matching/assignment.hpp"

#include <algorithm>
#include <limits>

namespace tertium {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Search {
    std::span<const double* const> rows;
    std::size_t columns;
    std::vector<double> row_price, column_price, distance;
    std::vector<std::size_t> row_of, column_of, from;
    std::vector<std::size_t> open;  // columns not yet reached for good

    Watch& watch;
    std::size_t work = 0;  // columns looked at since the watch was

    void add(std::size_t start) {
        open.resize(columns);
        for (std::size_t j = 0; j < columns; ++j) open[j] = j;
        std::fill(distance.begin(), distance.end(), std::numeric_limits<double>::infinity());
        std::vector<std::size_t> settled;
        std::size_t row = start, column = kNone;
        double reached = 0;
        for (;;) {
            std::size_t next = kNone;
            double least = std::numeric_limits<double>::infinity();
            const double* const cost = rows[row];
            for (std::size_t k = 0; k < open.size(); ++k) {
                const std::size_t j = open[k];
                const double through = reached + cost[j] - row_price[row] - column_price[j];
                if (through < distance[j]) distance[j] = through, from[j] = row;
                // Of equals rather a free column, which ends the search.
                if (distance[j] < least || (distance[j] == least && row_of[j] == kNone)) least = distance[j], next = k;
            }
            if ((work += open.size()) > 1u << 20) watch.spend(work), work = 0;
            column = open[next];
            reached = least;
            open[next] = open.back();
            open.pop_back();
            if (row_of[column] == kNone) break;
            settled.push_back(column);
            row = row_of[column];
        }
        row_price[start] += reached;
        for (const std::size_t j : settled) {
            row_price[row_of[j]] += reached - distance[j];
            column_price[j] -= reached - distance[j];
        }
        for (;;) {
            const std::size_t taken_by = from[column];
            row_of[column] = taken_by;
            std::swap(column_of[taken_by], column);
            if (taken_by == start) break;
        }
    }
};

}  // namespace

std::vector<std::size_t> cheapest_assignment(std::span<const double* const> rows, std::size_t columns, Watch& watch) {
    Search search{rows,
                  columns,
                  std::vector<double>(rows.size()),
                  std::vector<double>(columns),
                  std::vector<double>(columns),
                  std::vector<std::size_t>(columns, kNone),
                  std::vector<std::size_t>(rows.size(), kNone),
                  std::vector<std::size_t>(columns),
                  {},
                  watch};
    for (std::size_t row = 0; row < rows.size(); ++row) search.add(row);
    return search.column_of;
}

}  // namespace tertium
