#include "matching/letter_lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"

namespace tertium {
namespace {

constexpr auto kNoLetters = ~std::uint64_t{0};  // eight times

// Eight rows of eight bytes change places with their columns: four by four, two by two, one by one.
inline void turn(std::array<std::uint64_t, 8>& rows) {
    const auto exchange = [&](std::size_t step, std::uint64_t lower) {
        for (std::size_t k = 0; k < 8; ++k) {
            if (k & step) continue;
            const std::uint64_t different = (rows[k] >> 8 * step ^ rows[k + step]) & lower;
            rows[k] ^= different << 8 * step;
            rows[k + step] ^= different;
        }
    };
    exchange(4, 0x00000000FFFFFFFFu);
    exchange(2, 0x0000FFFF0000FFFFu);
    exchange(1, 0x00FF00FF00FF00FFu);
}

template <class Cell>
void lay_out_cells(const std::vector<WordLetters>& words, const std::uint16_t* numbers, LaneBlocks& blocks,
                   WordLanes<Cell>& lanes) {
    using Letter = Unsigned<Cell>;
    constexpr std::size_t count = kWordLanes<Cell>;
    for (std::size_t first = 0; first < blocks.places.size(); first += count) {
        LaneBlock block{first, std::min(count, blocks.places.size() - first), 6, lanes.letters.size(),
                        lanes.lengths.size()};
        const std::uint32_t* const places = blocks.places.data() + first;
        lanes.lengths.resize(lanes.lengths.size() + count);
        for (std::size_t k = 0; k < block.count; ++k) {
            const std::size_t length = words[places[k]].length;
            block.longest = std::max(block.longest, length);
            lanes.lengths[block.lengths + k] = static_cast<Letter>(length);
        }
        block.longest += block.longest % 2;
        lanes.letters.resize(lanes.letters.size() + count * ((block.longest + 7) / 8 * 8), CellTraits<Cell>::kNoLetter);
        Letter* const letters = lanes.letters.data() + block.letters;
        if constexpr (sizeof(Cell) == 1) {
            for (std::size_t half = 0; 8 * half < block.longest; ++half)
                for (std::size_t k = 0; k < block.count; k += 8) {
                    std::array<std::uint64_t, 8> rows;
                    for (std::size_t i = 0; i < 8; ++i)
                        rows[i] = k + i < block.count ? words[places[k + i]].bytes[half] : kNoLetters;
                    turn(rows);
                    for (std::size_t p = 0; p < 8; ++p) std::memcpy(letters + count * (8 * half + p) + k, &rows[p], 8);
                }
        } else {
            for (std::size_t k = 0; k < block.count; ++k) {
                const WordLetters& word = words[places[k]];
                for (std::size_t p = 0; p < word.length; ++p) letters[count * p + k] = numbers[word.begin + p];
            }
        }
        blocks.blocks.push_back(block);
    }
}

template <class Cell>
using Cells = Vector<Cell>;

// What letters gain beside each letter of the words in the block; beyond the ends of these nothing does.
template <class Cell>
TERTIUM_INLINE void put_gains(const Comparison<Cell>& pair) {
    const Cells<Cell> none = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kNoLetter)),
                      least = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kSubstitution)),
                      more = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kSubstitution + 1));
    const auto* const letters = pair.letters;
    const std::size_t size = kWordLanes<Cell> * pair.longest;
    Cell *const at_least = pair.cells, *gains = pair.gains;  // where no letter is equal
    for (std::size_t p = 0; p < size; p += kWordLanes<Cell>)
        put(least & ~where_equal(vector_at<Cell>(letters + p), none), at_least + p);
    for (const std::uint16_t letter : pair.different) {
        const Cells<Cell> here = all<Cell>(static_cast<Cell>(letter));
        for (std::size_t p = 0; p < size; p += kWordLanes<Cell>)
            put(sum<Cell>(vector_at<Cell>(at_least + p), more & where_equal(vector_at<Cell>(letters + p), here)),
                gains + p);
        gains += size;
    }
}

// The last cells of the table for one word. If there are few letters a row stays in registers.
template <class Cell, std::size_t kLongest>
TERTIUM_INLINE Cells<Cell> best_gain(const Comparison<Cell>& pair, const WordLetters& word) {
    const std::size_t longest = kLongest ? kLongest : pair.longest;
    const std::uint16_t* const letters = pair.numbers + word.begin;
    const Cells<Cell> nothing = all<Cell>(0);
    Cells<Cell> few[kLongest ? kLongest : 1], left = nothing;
    const auto row = [&](std::size_t p) {
        return kLongest ? few[kLongest ? p : 0] : vector_at<Cell>(pair.cells + kWordLanes<Cell> * p);
    };
    const auto put_row = [&](std::size_t p) {
        if constexpr (kLongest)
            few[p] = left;
        else
            put(left, pair.cells + kWordLanes<Cell> * p);
    };
    const auto gains_of = [&](std::uint16_t letter) {
        return pair.gains + kWordLanes<Cell> * longest * pair.gains_of[letter];
    };
    if (word.length == 0) return nothing;
    const Cell* gains = gains_of(letters[0]);  // there is nothing above the first row
    for (std::size_t p = 0; p < longest; ++p) {
        left = higher(left, vector_at<Cell>(gains + kWordLanes<Cell> * p));
        put_row(p);
    }
    for (std::size_t k = 1; k < word.length; ++k) {
        gains = gains_of(letters[k]);
        Cells<Cell> diagonal = nothing;
        left = nothing;
        for (std::size_t p = 0; p < longest; ++p) {
            const Cells<Cell> above = row(p);
            const Cells<Cell> through = sum<Cell>(diagonal, vector_at<Cell>(gains + kWordLanes<Cell> * p));
            left = higher(left, higher(above, through));
            diagonal = above;
            put_row(p);
        }
    }
    return left;
}

template <class Cell, std::size_t kLongest>
TERTIUM_INLINE void compare_words(const Comparison<Cell>& pair) {
    constexpr std::size_t lanes = kWordLanes<Cell>;
    Cell most[lanes];  // if nothing were gained
    for (std::size_t k = 0; k < lanes; ++k)
        most[k] = static_cast<Cell>(CellTraits<Cell>::kSubstitution * pair.lengths[k]);
    Cell* found = pair.found;
    for (const WordLetters& word : pair.words) {
        const Cells<Cell> own =
            all<Cell>(static_cast<Cell>(CellTraits<Cell>::kSubstitution * static_cast<int>(word.length)));
        put(difference<Cell>(sum<Cell>(vector_at<Cell>(most), own), best_gain<Cell, kLongest>(pair, word)), found);
        found += lanes;
    }
}

template <std::size_t kRegisters>
TERTIUM_INLINE void compare_narrow(const Comparison<std::uint8_t>& pair) {
    using Cell = std::uint8_t;
    put_gains(pair);
    if constexpr (kRegisters > 2) {  // wide enough for a row
        switch (pair.longest) {
            case 6: return compare_words<Cell, 6>(pair);
            case 8: return compare_words<Cell, 8>(pair);
            case 10: return compare_words<Cell, 10>(pair);
            case 12: return compare_words<Cell, 12>(pair);
            default: return compare_words<Cell, 14>(pair);
        }
    } else {
        compare_words<Cell, 0>(pair);
    }
}
TERTIUM_INLINE void compare_wide(const Comparison<std::int16_t>& pair) {
    put_gains(pair);
    compare_words<std::int16_t, 0>(pair);
}
TERTIUM_BY_FEW_LANES(narrow_edits, compare_narrow)
TERTIUM_BY_PROCESSOR(wide_edits, compare_wide)

// A bit for each lane with all bits set.
TERTIUM_INLINE std::uint64_t set_lanes(Cells<std::int8_t> lanes) {
    Bytes<16> halves[2];
    std::memcpy(halves, &lanes, kVectorBytes);
    return bits_of(halves[0]) | bits_of(halves[1]) << 16;
}
TERTIUM_INLINE std::uint64_t set_lanes(Cells<std::int16_t> lanes) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < kVectorBytes / 2; ++k) bits |= std::uint64_t{lanes[k] != 0} << k;
    return bits;
}

template <class Letter>
TERTIUM_INLINE void prefixes_of_block(const Beginnings<Letter>& pair, const std::uint32_t* places, double* row) {
    using Cell = std::make_signed_t<Letter>;
    const auto equal_letters = [&](std::size_t p) {
        return where_equal(all<Cell>(static_cast<Cell>(pair.word[p])),
                           vector_at<Cell>(pair.letters + kWordLanes<Cell> * p));
    };
    const std::size_t most = std::min(pair.length, pair.longest);
    if (most == 0) return;
    Cells<Cell> alive = equal_letters(0), common = alive;
    std::uint64_t alike = set_lanes(alive);
    for (std::size_t p = 1; p < most && alike != 0; ++p) {
        alive = alive & equal_letters(p);
        if (set_lanes(alive) == 0) break;
        common = sum<Cell>(common, alive);
    }
    Cell found[kWordLanes<Cell>];  // the lengths of common beginnings, below 0
    put(common, found);
    for (; alike != 0; alike &= alike - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(alike));
        const auto length = static_cast<std::size_t>(-found[k]),
                   lengths = pair.length + static_cast<std::size_t>(pair.lengths[k]);
        row[places[k]] = sizeof(Cell) == 1 ? kPrefixCosts[length][lengths]
                                           : prefix_cost(static_cast<double>(length), static_cast<double>(lengths));
    }
}
TERTIUM_INLINE void rows_of_prefixes(std::span<const WordLetters> words, const std::uint16_t* numbers,
                                     const LaneBlocks& blocks, const WordLanes<std::uint8_t>& lanes, std::size_t across,
                                     std::size_t width, double* row) {
    const Vector<double> one = all(1.0);
    const std::uint8_t *const letters = lanes.letters.data(), *const lengths = lanes.lengths.data();
    const std::uint32_t* const places = blocks.places.data();
    const std::span<const LaneBlock> all_blocks(blocks.blocks);  // by value: a row might be anything's memory
    for (const WordLetters& word : words) {
        for (std::size_t i = 0; i < width; i += kVectorBytes / sizeof(double)) put(one, row + i);
        for (std::size_t i = across; i < width; ++i) row[i] = std::numeric_limits<double>::infinity();
        for (const LaneBlock& block : all_blocks)
            prefixes_of_block<std::uint8_t>(
                {numbers + word.begin, word.length, letters + block.letters, lengths + block.lengths, block.longest},
                places + block.first, row);
        row += width;
    }
}
TERTIUM_BY_PROCESSOR(rows_of_prefixes_here, rows_of_prefixes)
TERTIUM_BY_PROCESSOR(narrow_prefixes, prefixes_of_block<std::uint8_t>)
TERTIUM_BY_PROCESSOR(wide_prefixes, prefixes_of_block<std::uint16_t>)

}  // namespace

void lay_out(const std::vector<WordLetters>& words, const std::uint16_t* numbers, LaneBlocks& blocks,
             WordLanes<std::uint8_t>& lanes) {
    lay_out_cells(words, numbers, blocks, lanes);
}
void lay_out(const std::vector<WordLetters>& words, const std::uint16_t* numbers, LaneBlocks& blocks,
             WordLanes<std::int16_t>& lanes) {
    lay_out_cells(words, numbers, blocks, lanes);
}
void find_edits(const Comparison<std::uint8_t>& pair) { narrow_edits(pair); }
void find_edits(const Comparison<std::int16_t>& pair) { wide_edits(pair); }
void put_prefixes(const Beginnings<std::uint8_t>& pair, const std::uint32_t* places, double* row) {
    narrow_prefixes(pair, places, row);
}
void put_prefixes(const Beginnings<std::uint16_t>& pair, const std::uint32_t* places, double* row) {
    wide_prefixes(pair, places, row);
}
void put_rows_of_prefixes(std::span<const WordLetters> words, const std::uint16_t* numbers, const LaneBlocks& blocks,
                          const WordLanes<std::uint8_t>& lanes, std::size_t across, std::size_t width, double* rows) {
    rows_of_prefixes_here(words, numbers, blocks, lanes, across, width, rows);
}

}  // namespace tertium
