// Masks for tables of very many rows, built for some hundred rows at a time.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/multiversion.hpp"
#include "matching/match_mask.hpp"

namespace tertium {

template <std::size_t kLanes>
TERTIUM_INLINE void build_masks(MatchMask& masks, std::span<const Key> down, std::span<const Key> across) {
    masks.build<kLanes>(down, across);
}
TERTIUM_BY_LANES(masks_built, build_masks)

inline bool has_bit(const std::uint64_t* words, std::size_t bit) { return words[bit / 64] >> (bit % 64) & 1; }

// A row per word of `down`, a bit per word of `across`.
class MaskRows {
public:
    static constexpr std::size_t kRows = 512;

    MaskRows(MatchMask& masks, std::span<const Key> down, std::span<const Key> across)
        : masks_(masks), down_(down), across_(across) {}

    // Says where row `i` now stands in the masks; quick as long as rows are near each other.
    std::size_t place(std::size_t i) {
        if (i < from_ || i >= to_) {
            from_ = i / kRows * kRows;
            to_ = std::min(from_ + kRows, down_.size());
            masks_built(masks_, down_.subspan(from_, to_ - from_), across_);
        }
        return i - from_;
    }
    std::size_t words() const { return masks_.words(); }
    std::uint64_t word(std::size_t w, std::size_t place) const { return masks_.row(w)[place]; }

private:
    MatchMask& masks_;
    std::span<const Key> down_, across_;
    std::size_t from_ = 0, to_ = 0;
};

}  // namespace tertium
