#include "metrics/ter/first_columns.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "metrics/ter/edit_column.hpp"

namespace tertium {
namespace {

template <class Number>
TERTIUM_INLINE Number low_bits(std::size_t count) {
    return static_cast<Number>((std::uint64_t{1} << count) - 1);
}

// Where reference words, kBlocks vectors of them from `begin` on, are the hypothesis words; joined to what is there.
template <std::size_t kLanes, std::size_t kBlocks, class Number>
TERTIUM_INLINE void mark_equal(const ShiftPair& pair, std::size_t begin, Number* eq) {
    Lanes<kLanes> words[kBlocks];
    for (std::size_t b = 0; b < kBlocks; ++b) {
        const std::size_t place = begin + kLanes * b;
        words[b] = load_some<kLanes>(pair.reference.data() + place, pair.reference.size() - place, kNoToken);
    }
    for (const Key key : pair.hypothesis) {
        const std::uint64_t bits = equal_bits_of<kLanes>(words, key);
        *eq = static_cast<Number>(begin == 0 ? bits : *eq | bits << begin);
        eq += FirstColumns<Number>::kPairs;
    }
}

template <std::size_t kLanes, class Number>
TERTIUM_INLINE void write_masks(const ShiftPair& pair, Number* eq) {
    const std::size_t blocks = (pair.reference.size() + kLanes - 1) / kLanes;
    for (std::size_t b = 0; b < blocks; b += 4) switch (blocks - b) {
            case 1: mark_equal<kLanes, 1>(pair, kLanes * b, eq); break;
            case 2: mark_equal<kLanes, 2>(pair, kLanes * b, eq); break;
            case 3: mark_equal<kLanes, 3>(pair, kLanes * b, eq); break;
            default: mark_equal<kLanes, 4>(pair, kLanes * b, eq);
        }
}

// The columns of two vectors of pairs, in the lanes from `lane` on: while one waits for its last column, the other goes
// on.
template <std::size_t kCount, class Number>
TERTIUM_INLINE void fill_lanes(FirstColumns<Number>& table, std::span<const ShiftPair* const> pairs, std::size_t lane) {
    using Vector = Lanes<kCount, Number>;
    constexpr std::size_t kPairs = FirstColumns<Number>::kPairs;
    std::size_t longest = 0;
    Number places[2 * kCount] = {};
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        longest = std::max(longest, pairs[k]->hypothesis.size());
        places[k] = low_bits<Number>(pairs[k]->reference.size());
    }
    struct Half {
        Vector free;  // what the bags have in common: each word takes the first place that is left
        Column<1, Vector> column{{~Vector{}}, {Vector{}}};
    } halves[2];
    for (std::size_t half = 0; half < 2; ++half) halves[half].free = load<kCount>(places + half * kCount);
    for (std::size_t j = 0; j < longest; ++j)
        for (std::size_t half = 0; half < 2; ++half) {
            auto& [free, column] = halves[half];
            const std::size_t before = j * kPairs + lane + half * kCount, place = before + kPairs;
            const Vector eq = load<kCount>(table.eq + before), there = eq & free;
            free &= ~(there & (~there + 1));
            typename Column<1, Vector>::Ways ways;
            column.advance(&eq, &ways);
            store(column.up[0], table.up + place);
            store(column.down[0], table.down + place);
            store(ways.diagonal[0], table.diagonal + place);
            store(ways.insertion[0], table.insertion + place);
        }
    for (std::size_t half = 0; half < 2; ++half) store(halves[half].free, places + half * kCount);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::size_t H = pairs[k]->hypothesis.size(), R = pairs[k]->reference.size();
        const std::size_t last = H * kPairs + lane + k;
        const auto ups = static_cast<std::size_t>(std::popcount(table.up[last] & low_bits<Number>(R)));
        const auto downs = static_cast<std::size_t>(std::popcount(table.down[last] & low_bits<Number>(R)));
        table.distance[lane + k] = H + ups - downs;
        table.least[lane + k] = std::max(H, R) - (R - static_cast<std::size_t>(std::popcount(places[k])));
    }
}

template <std::size_t kLanes>
TERTIUM_INLINE void fill_columns(auto& table, std::span<const ShiftPair* const> pairs) {
    constexpr std::size_t kPairs = std::remove_reference_t<decltype(table)>::kPairs, kCount = kLanes * kPairs / 16;
    std::size_t longest = 0;
    for (const ShiftPair* const pair : pairs) longest = std::max(longest, pair->hypothesis.size());
    std::fill(table.eq, table.eq + longest * kPairs, 0);
    for (std::size_t k = 0; k < pairs.size(); ++k) write_masks<kLanes>(*pairs[k], table.eq + k);
    for (std::size_t lane = 0; lane < pairs.size(); lane += 2 * kCount)
        fill_lanes<kCount>(table, pairs.subspan(lane, std::min(2 * kCount, pairs.size() - lane)), lane);
}
TERTIUM_BY_LANES(fill_columns_here, fill_columns)

}  // namespace

template <class Number>
void FirstColumns<Number>::fill(std::span<const ShiftPair* const> pairs) {
    fill_columns_here(*this, pairs);
}
template struct FirstColumns<std::uint32_t>;
template struct FirstColumns<std::uint64_t>;

}  // namespace tertium
