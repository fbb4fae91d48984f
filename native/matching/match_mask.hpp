// Where two token sequences agree: for each hypothesis token, the reference positions that hold the same token,
// as bits. Bit j of the mask of i is set when hypothesis[i] == reference[j].
//
//     reference    the cat saw the dog
//     bits           0   1   2   3   4
//     "the"          1   .   .   1   .     mask = 0b01001
//     "dog"          .   .   .   .   1     mask = 0b10000
//
// Keys are compared one by one, all of them, several hypothesis tokens at a time: a handful of vector instructions
// per reference token, with no hash table and no branch that could be predicted wrongly.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "text/tokens.hpp"

namespace tertium {

class MatchMask {
public:
    static constexpr std::size_t kWordBits = 64;
    // Empty masks behind the last token, so that n-grams may reach over the end.
    static constexpr std::size_t kMargin = 16;

    template <std::size_t kLanes>
    TERTIUM_INLINE void build(std::span<const Key> hypothesis, std::span<const Key> reference) {
        words_ = (reference.size() + kWordBits - 1) / kWordBits;
        const std::size_t blocks = (hypothesis.size() + kLanes - 1) / kLanes;
        stride_ = kLanes * blocks + kMargin;
        if (padded_.size() < kLanes * blocks) padded_.resize(kLanes * blocks);
        std::copy(hypothesis.begin(), hypothesis.end(), padded_.begin());
        std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(hypothesis.size()),
                  padded_.begin() + static_cast<std::ptrdiff_t>(kLanes * blocks), kNoToken);
        if (bits_.size() < stride_ * words_) bits_.resize(stride_ * words_);

        for (std::size_t word = 0; word < words_; ++word) {
            const std::span<const Key> part =
                reference.subspan(word * kWordBits, std::min(kWordBits, reference.size() - word * kWordBits));
            std::uint64_t* const row = bits_.data() + word * stride_;
            std::size_t block = 0;
            for (; block + 4 <= blocks; block += 4) compare<kLanes, 4>(part, kLanes * block, row);
            switch (blocks - block) {
                case 3: compare<kLanes, 3>(part, kLanes * block, row); break;
                case 2: compare<kLanes, 2>(part, kLanes * block, row); break;
                case 1: compare<kLanes, 1>(part, kLanes * block, row); break;
            }
            std::fill(row + kLanes * blocks, row + stride_, 0);
        }
    }

    std::size_t words() const { return words_; }
    // The masks of all hypothesis tokens over the reference positions 64 * word … 64 * word + 63.
    const std::uint64_t* row(std::size_t word) const { return bits_.data() + word * stride_; }

private:
    // The masks of kBlocks vectors of hypothesis tokens, from `begin` on.
    template <std::size_t kLanes, std::size_t kBlocks>
    TERTIUM_INLINE void compare(std::span<const Key> reference, std::size_t begin, std::uint64_t* row) const {
        Lanes<kLanes> keys[kBlocks], masks[kBlocks] = {};
        for (std::size_t b = 0; b < kBlocks; ++b) keys[b] = load<kLanes>(padded_.data() + begin + kLanes * b);
        Lanes<kLanes> bit = Lanes<kLanes>{} + 1;
        for (const Key key : reference) {
            for (std::size_t b = 0; b < kBlocks; ++b) masks[b] |= equal(keys[b], key) & bit;
            bit += bit;
        }
        for (std::size_t b = 0; b < kBlocks; ++b) store(masks[b], row + begin + kLanes * b);
    }

    std::size_t words_ = 0, stride_ = 0;
    std::vector<Key> padded_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace tertium
