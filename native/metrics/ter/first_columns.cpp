#include "metrics/ter/first_columns.hpp"

#include <algorithm>
#include <bit>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "metrics/ter/edit_column.hpp"

namespace tertium {
namespace {

constexpr std::size_t kPairs = FirstColumns::kPairs;

TERTIUM_INLINE std::uint64_t low_bits(std::size_t count) { return (std::uint64_t{1} << count) - 1; }

// Where reference words, kBlocks vectors of them from `begin` on, are the hypothesis words; joined to what is there.
template <std::size_t kLanes, std::size_t kBlocks>
TERTIUM_INLINE void mark_equal(const ShiftPair& pair, std::size_t begin, std::uint64_t* eq) {
    Lanes<kLanes> words[kBlocks];
    for (std::size_t b = 0; b < kBlocks; ++b) {
        const std::size_t place = begin + kLanes * b;
        words[b] = load_some<kLanes>(pair.reference.data() + place, pair.reference.size() - place, kNoToken);
    }
    for (const Key key : pair.hypothesis) {
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < kBlocks; ++b) bits |= equal_bits(words[b], key) << kLanes * b;
        *eq |= bits << begin;
        eq += kPairs;
    }
}

template <std::size_t kLanes>
TERTIUM_INLINE void write_masks(const ShiftPair& pair, std::uint64_t* eq) {
    const std::size_t blocks = (pair.reference.size() + kLanes - 1) / kLanes;
    for (std::size_t b = 0; b < blocks; b += 4) switch (blocks - b) {
            case 1: mark_equal<kLanes, 1>(pair, kLanes * b, eq); break;
            case 2: mark_equal<kLanes, 2>(pair, kLanes * b, eq); break;
            case 3: mark_equal<kLanes, 3>(pair, kLanes * b, eq); break;
            default: mark_equal<kLanes, 4>(pair, kLanes * b, eq);
        }
}

// Up to kLanes pairs, in the lanes from `lane` on.
template <std::size_t kLanes>
TERTIUM_INLINE void fill_lanes(FirstColumns& table, std::span<const ShiftPair* const> pairs, std::size_t lane) {
    using Vector = Lanes<kLanes>;
    std::size_t longest = 0;
    std::uint64_t places[kLanes] = {};
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        longest = std::max(longest, pairs[k]->hypothesis.size());
        places[k] = low_bits(pairs[k]->reference.size());
    }
    for (std::size_t j = 0; j < longest; ++j) store(Vector{}, table.eq + j * kPairs + lane);
    for (std::size_t k = 0; k < pairs.size(); ++k) write_masks<kLanes>(*pairs[k], table.eq + lane + k);

    Vector free = load<kLanes>(places);  // what the bags have in common: each word takes the first place that is left
    Column<1, Vector> column{{~Vector{}}, {Vector{}}};
    for (std::size_t j = 0; j < longest; ++j) {
        const Vector eq = load<kLanes>(table.eq + j * kPairs + lane), there = eq & free;
        free &= ~(there & (~there + 1));
        typename Column<1, Vector>::Ways ways;
        column.advance(&eq, &ways);
        const std::size_t place = (j + 1) * kPairs + lane;
        store(column.up[0], table.up + place);
        store(column.down[0], table.down + place);
        store(ways.diagonal[0], table.diagonal + place);
        store(ways.insertion[0], table.insertion + place);
    }
    store(free, places);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::size_t H = pairs[k]->hypothesis.size(), R = pairs[k]->reference.size();
        const std::size_t last = H * kPairs + lane + k;
        const auto ups = static_cast<std::size_t>(std::popcount(table.up[last] & low_bits(R)));
        const auto downs = static_cast<std::size_t>(std::popcount(table.down[last] & low_bits(R)));
        table.distance[lane + k] = H + ups - downs;
        table.least[lane + k] = std::max(H, R) - (R - static_cast<std::size_t>(std::popcount(places[k])));
    }
}

template <std::size_t kLanes>
TERTIUM_INLINE void fill_columns(FirstColumns& table, std::span<const ShiftPair* const> pairs) {
    for (std::size_t lane = 0; lane < pairs.size(); lane += kLanes)
        fill_lanes<kLanes>(table, pairs.subspan(lane, std::min(kLanes, pairs.size() - lane)), lane);
}
TERTIUM_BY_LANES(fill_columns_here, fill_columns)

}  // namespace

void FirstColumns::fill(std::span<const ShiftPair* const> pairs) { fill_columns_here(*this, pairs); }

}  // namespace tertium
