// How long the reference is, where there are several.

#pragma once

#include <cstddef>

namespace tertium {

enum class ReferenceLength { average, best, closest, shortest };

// Of `count` references, of which length(r) is a length; `best` is the one that `ReferenceLength::best` means. Of
// lengths that are as close to the hypothesis's, the shorter.
template <class Length>
double reference_length(std::size_t hypothesis, std::size_t count, Length length, ReferenceLength rule,
                        std::size_t best = 0) {
    if (count == 1) return static_cast<double>(length(0));
    if (rule == ReferenceLength::best) return static_cast<double>(length(best));
    const auto distance = [hypothesis](std::size_t n) { return n > hypothesis ? n - hypothesis : hypothesis - n; };
    std::size_t result = length(0), sum = result;
    for (std::size_t r = 1; r < count; ++r) {
        const std::size_t other = length(r);
        sum += other;
        const bool closer =
            distance(other) < distance(result) || (distance(other) == distance(result) && other < result);
        if (rule == ReferenceLength::shortest ? other < result : closer) result = other;
    }
    return rule == ReferenceLength::average ? static_cast<double>(sum) / static_cast<double>(count)
                                            : static_cast<double>(result);
}

}  // namespace tertium
