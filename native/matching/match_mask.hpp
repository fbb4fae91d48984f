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

    // The last vector of tokens overlaps the one before, so that none has to be filled up.
    template <std::size_t kLanes>
    TERTIUM_INLINE void build(std::span<const Key> hypothesis, std::span<const Key> reference) {
        words_ = (reference.size() + kWordBits - 1) / kWordBits;
        const std::size_t length = std::max(hypothesis.size(), kLanes);
        stride_ = length + kMargin;
        if (bits_.size() < stride_ * words_) bits_.resize(2 * stride_ * words_);
        const Key* keys = hypothesis.data();
        if (hypothesis.size() < kLanes) {
            padded_.assign(kLanes, kNoToken);
            std::copy(hypothesis.begin(), hypothesis.end(), padded_.begin());
            keys = padded_.data();
        }

        for (std::size_t word = 0; word < words_; ++word) {
            const std::span<const Key> part =
                reference.subspan(word * kWordBits, std::min(kWordBits, reference.size() - word * kWordBits));
            std::uint64_t* const row = bits_.data() + word * stride_;
            for (std::size_t begin = 0; begin < length; begin += 4 * kLanes) {
                const std::size_t blocks = (length - begin + kLanes - 1) / kLanes, last = length - kLanes;
                switch (blocks) {
                    case 1: compare<kLanes, 1>(keys, begin, last, part, row); break;
                    case 2: compare<kLanes, 2>(keys, begin, last, part, row); break;
                    case 3: compare<kLanes, 3>(keys, begin, last, part, row); break;
                    default: compare<kLanes, 4>(keys, begin, last, part, row);
                }
            }
            std::fill_n(row + length, kMargin, 0);
        }
    }

    std::size_t words() const { return words_; }
    // The masks of all hypothesis tokens over the reference positions 64 * word … 64 * word + 63.
    const std::uint64_t* row(std::size_t word) const { return bits_.data() + word * stride_; }

private:
    // The masks of kBlocks vectors of hypothesis tokens, from `begin` on; none begins behind `last`.
    template <std::size_t kLanes, std::size_t kBlocks>
    TERTIUM_INLINE static void compare(const Key* hypothesis, std::size_t begin, std::size_t last,
                                       std::span<const Key> reference, std::uint64_t* row) {
        Lanes<kLanes> keys[kBlocks], masks[kBlocks] = {};
        const auto place = [&](std::size_t b) { return std::min(begin + kLanes * b, last); };
        for (std::size_t b = 0; b < kBlocks; ++b) keys[b] = load<kLanes>(hypothesis + place(b));
        Lanes<kLanes> bit = Lanes<kLanes>{} + 1;
        for (const Key key : reference) {
            for (std::size_t b = 0; b < kBlocks; ++b) add_where_equal(keys[b], key, bit, masks[b]);
            bit += bit;
        }
        for (std::size_t b = 0; b < kBlocks; ++b) store(masks[b], row + place(b));
    }

    std::size_t words_ = 0, stride_ = 0;
    std::vector<Key> padded_;  // a hypothesis of few tokens
    std::vector<std::uint64_t> bits_;
};

}  // namespace tertium
