#include "metrics/ter/beamless_moves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "machine/multiversion.hpp"

namespace tertium {
namespace {

// Goes on by a hypothesis word that the reference has at `equal`.
TERTIUM_INLINE void advance(const std::uint64_t* equal, std::size_t width, std::uint64_t* column) {
    std::uint64_t *const rises = column, *const falls = column + width;
    std::uint64_t carry = 0, rise_before = 1, fall_before = 0;
    for (std::size_t w = 0; w < width; ++w) {
        const std::uint64_t eq = equal[w], up = rises[w], down = falls[w];
        const std::uint64_t first = eq & up, part = first + up, sum = part + carry;
        carry = static_cast<std::uint64_t>(part < up) | static_cast<std::uint64_t>(sum < part);
        const std::uint64_t same = (sum ^ up) | eq | down;  // as the cell one up and left
        const std::uint64_t right_up = down | ~(same | up), right_down = same & up;
        const std::uint64_t up_here = right_up << 1 | rise_before, down_here = right_down << 1 | fall_before;
        rise_before = right_up >> 63;
        fall_before = right_down >> 63;
        rises[w] = down_here | ~(same | up_here);
        falls[w] = up_here & same;
    }
}

// Two rows at a time: by how much F + B changes over them, and the least on the way.
struct TwoRows {
    std::int8_t least, sum;
};
constexpr std::array<TwoRows, 256> kTwoRows = [] {
    std::array<TwoRows, 256> table{};
    for (unsigned bits = 0; bits < 256; ++bits) {
        int sum = 0, least = 0;
        for (unsigned k = 0; k < 2; ++k) {
            const auto bit = [&](unsigned set) { return static_cast<int>(bits >> (2 * set + k) & 1); };
            sum += bit(0) - bit(1) - bit(2) + bit(3);
            least = sum < least ? sum : least;
        }
        table[bits] = {static_cast<std::int8_t>(least), static_cast<std::int8_t>(sum)};
    }
    return table;
}();

// The least F + B, if it is below `least`; `at_top` is that of row 0. Behind the last row there are no bits in `back`,
// and what `front` has there is left out.
TERTIUM_INLINE std::int32_t meet(const std::uint64_t* front, const std::uint64_t* back, std::size_t width,
                                 std::size_t rows, std::int32_t at_top, std::int32_t least) {
    std::int32_t here = at_top;
    least = std::min(least, here);
    for (std::size_t w = 0; w < width; ++w) {
        const std::size_t used = std::min<std::size_t>(64, rows - 64 * w);
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - used);
        const std::uint64_t front_up = front[w] & mask, front_down = front[width + w] & mask;
        const std::uint64_t back_up = back[w], back_down = back[width + w];
        const std::int32_t more = std::popcount(front_up) + std::popcount(back_down),
                           less = std::popcount(front_down) + std::popcount(back_up);
        if (here - less < least) {
            std::int32_t inside = here;
            for (std::size_t k = 0; k < used; k += 2) {
                const TwoRows steps = kTwoRows[(front_up >> k & 3) | (front_down >> k & 3) << 2 |
                                               (back_up >> k & 3) << 4 | (back_down >> k & 3) << 6];
                least = std::min(least, inside + steps.least);
                inside += steps.sum;
            }
        }
        here += more - less;
    }
    return least;
}

TERTIUM_INLINE std::int32_t total(const std::uint64_t* turned, std::size_t width) {
    std::int32_t sum = 0;
    for (std::size_t w = 0; w < width; ++w) sum += std::popcount(turned[w]) - std::popcount(turned[width + w]);
    return sum;
}

TERTIUM_INLINE std::uint64_t turned_word(std::uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
    bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
    bits = (bits >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (bits & 0x0F0F0F0F0F0F0F0Fu) << 4;
    bits = (bits >> 8 & 0x00FF00FF00FF00FFu) | (bits & 0x00FF00FF00FF00FFu) << 8;
    bits = (bits >> 16 & 0x0000FFFF0000FFFFu) | (bits & 0x0000FFFF0000FFFFu) << 16;
    return bits >> 32 | bits << 32;
}

// The first `rows` bits of a set in the opposite order; no others are set.
TERTIUM_INLINE void turn(const std::uint64_t* bits, std::size_t width, std::size_t rows, std::uint64_t* turned) {
    const std::size_t empty = 64 * width - rows;  // fewer than 64
    for (std::size_t w = 0; w < width; ++w) {
        turned[w] = turned_word(bits[width - 1 - w]) >> empty;
        if (empty > 0 && w + 1 < width) turned[w] |= turned_word(bits[width - 2 - w]) << (64 - empty);
    }
}

// All columns of a hypothesis, the first being there; and all of them turned.
TERTIUM_INLINE void fill_columns(const std::uint64_t* equal, std::span<const WordNumber> words, std::size_t width,
                                 std::size_t rows, std::uint64_t* columns, std::uint64_t* turned) {
    for (std::size_t j = 0; j <= words.size(); ++j, columns += 2 * width, turned += 2 * width) {
        turn(columns, width, rows, turned);
        turn(columns + width, width, rows, turned + width);
        if (j == words.size()) break;
        std::copy(columns, columns + 2 * width, columns + 2 * width);
        advance(equal + words[j] * width, width, columns + 2 * width);
    }
}
TERTIUM_BY_PROCESSOR(fill_columns_here, fill_columns)

// A block goes over so many words, the next move after it over more.
struct Chain {
    const std::uint64_t* equal;
    const WordNumber *block, *after;  // its words, and those behind it
    std::size_t length, width, rows;
    std::uint64_t *without, *with;  // columns: without the block, and room for one with it
};

// Goes from having passed `from` words to having passed `to`, puts the block in, and meets `back`.
TERTIUM_INLINE std::int32_t follow_chain(const Chain& chain, std::size_t from, std::size_t to,
                                         const std::uint64_t* back, std::int32_t length, std::int32_t least) {
    for (std::size_t k = from; k < to; ++k)
        advance(chain.equal + chain.after[k] * chain.width, chain.width, chain.without);
    std::copy(chain.without, chain.without + 2 * chain.width, chain.with);
    for (std::size_t k = 0; k < chain.length; ++k)
        advance(chain.equal + chain.block[k] * chain.width, chain.width, chain.with);
    return meet(chain.with, back, chain.width, chain.rows, length + total(back, chain.width), least);
}
TERTIUM_BY_PROCESSOR(follow_chain_here, follow_chain)

}  // namespace

BeamlessMoves::BeamlessMoves(const NumberedWords& words, Watch& watch)
    : watch_(watch), reference_length_(words.reference.size()), width_((words.reference.size() + 63) / 64) {
    watch_.hold(2 * (words.places.size() + 1 + 4 * (words.hypothesis.size() + 1)) * width_, sizeof(std::uint64_t));
    for (std::size_t s = 0; s < 2; ++s) {
        Side& side = sides_[s];
        side.equal.resize((words.places.size() + 1) * width_);
        for (std::size_t i = 0; i < reference_length_; ++i) {
            const std::size_t row = s == 0 ? i : reference_length_ - 1 - i;
            side.equal[words.reference[i] * width_ + row / 64] |= std::uint64_t{1} << row % 64;
        }
    }
    without_.resize(2 * width_);
    with_.resize(2 * width_);
}

void BeamlessMoves::read(std::span<const WordNumber> hypothesis) {
    length_ = hypothesis.size();
    const std::size_t size = 2 * width_;
    const auto lacking = static_cast<WordNumber>(width_ == 0 ? 0 : sides_[0].equal.size() / width_ - 1);
    for (std::size_t s = 0; s < 2; ++s) {
        Side& side = sides_[s];
        side.words.assign(hypothesis.begin(), hypothesis.end());
        std::replace(side.words.begin(), side.words.end(), NumberedWords::kElsewhere, lacking);
        if (s == 1) std::reverse(side.words.begin(), side.words.end());
        side.columns.resize((length_ + 1) * size);
        side.turned.resize((length_ + 1) * size);
        std::fill_n(side.columns.begin(), width_, ~std::uint64_t{0});
        std::fill_n(side.columns.begin() + static_cast<std::ptrdiff_t>(width_), width_, 0);
        fill_columns_here(side.equal.data(), std::span<const WordNumber>(side.words), width_, reference_length_,
                          side.columns.data(), side.turned.data());
    }
    watch_.spend(2 * length_ * width_);
}

void BeamlessMoves::evaluate(std::span<const BlockMove> moves, std::int32_t distance, std::int32_t least,
                             std::vector<std::int32_t>& there) {
    there.assign(moves.size(), least);
    for (std::size_t k = 0; k < moves.size(); ++k) {
        const BlockMove& move = moves[k];
        const auto over = static_cast<std::size_t>(std::abs(move.by));
        // Words that are taken out and put in again cost an edit each; so do those that the block goes over.
        if (over > 0 && distance - 2 * static_cast<std::int32_t>(std::min(move.length, over)) < least)
            targets_[move.by < 0].push_back({over, k});
        if (k + 1 < moves.size() && moves[k + 1].start == move.start) continue;
        follow(0, move.start, move.length, least, there);
        follow(1, length_ - move.start - move.length, move.length, least, there);
    }
}

void BeamlessMoves::follow(std::size_t side, std::size_t start, std::size_t length, std::int32_t least,
                           std::vector<std::int32_t>& there) {
    std::vector<Target>& targets = targets_[side];
    if (targets.empty()) return;
    std::sort(targets.begin(), targets.end(), [](const Target& a, const Target& b) { return a.over < b.over; });
    const Side &front = sides_[side], &back = sides_[1 - side];
    const std::size_t size = 2 * width_;
    std::copy_n(front.columns.begin() + static_cast<std::ptrdiff_t>(start * size), size, without_.begin());
    const Chain chain{front.equal.data(),
                      front.words.data() + start,
                      front.words.data() + start + length,
                      length,
                      width_,
                      reference_length_,
                      without_.data(),
                      with_.data()};
    std::size_t passed = 0;
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const auto [over, move] = targets[k];
        if (k > 0 && over == targets[k - 1].over) {
            there[move] = there[targets[k - 1].move];
            continue;
        }
        const std::size_t behind = length_ - start - length - over;
        there[move] = follow_chain_here(chain, passed, over, back.turned.data() + behind * size,
                                        static_cast<std::int32_t>(length_), least);
        watch_.spend((over - passed + length + 1) * width_);
        passed = over;
    }
    targets.clear();
}

}  // namespace tertium
