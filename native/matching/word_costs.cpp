#include "matching/word_costs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"
#include "machine/vectors.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::size_t kVector = kVectorBytes;
constexpr std::size_t kMostStored = 8u << 20;  // costs, of which rows are remembered
constexpr std::size_t kMostAsked = 1u << 20;

// What a cell can hold.
template <class Cell>
struct CellTraits;
template <>
struct CellTraits<std::uint8_t> {
    static constexpr std::size_t kLongest = 14;
    static constexpr int kSubstitution = 7;
    static constexpr std::uint8_t kNoLetter = 0xFF;
};
template <>
struct CellTraits<std::int16_t> {
    static constexpr std::size_t kLongest = 120;
    static constexpr int kSubstitution = 128;
    static constexpr std::uint16_t kNoLetter = 0xFFFE;
};
// What a substitution gains; a match gains twice as much, and 1. That is enough if it is more than half of the matches
// that two words may have; if it is more than all of them, edits and matches are found without the words' lengths.
constexpr int kOfNarrow = CellTraits<std::uint8_t>::kSubstitution, kOfWide = CellTraits<std::int16_t>::kSubstitution;
constexpr std::size_t kMany = 22;  // letters that narrow cells serve for if the other word is short
static_assert((2 * kOfNarrow + 1) * CellTraits<std::uint8_t>::kLongest <= 0xFF);
static_assert(2 * kOfNarrow >= CellTraits<std::uint8_t>::kLongest);
static_assert((2 * kOfWide + 1) * CellTraits<std::int16_t>::kLongest <= 0x7FFF);
template <class Cell>
constexpr std::size_t kLanes = kVector / sizeof(Cell);
constexpr std::size_t kShort = CellTraits<std::uint8_t>::kLongest, kLong = CellTraits<std::int16_t>::kLongest;

template <class Cell>
using Cells = Vector<Cell>;

// Some words against those of a block, and room for what is found.
template <class Cell>
struct Comparison {
    const std::uint16_t* numbers;  // of the words' letters
    std::span<const WordLetters> words;
    std::span<const std::uint16_t> different;  // letters of the words
    const std::uint16_t* gains_of;             // of each letter, which of the gains
    const std::make_unsigned_t<Cell>*letters, *lengths;
    std::size_t longest;
    Cell *gains, *cells;
    Cell* found;  // per word, a cell for each lane: substitution * edits - matches
};

// What letters gain beside each letter of the words in the block; beyond the ends of these nothing does.
template <class Cell>
TERTIUM_INLINE void put_gains(const Comparison<Cell>& pair) {
    const Cells<Cell> none = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kNoLetter)),
                      least = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kSubstitution)),
                      more = all<Cell>(static_cast<Cell>(CellTraits<Cell>::kSubstitution + 1));
    const auto* const letters = pair.letters;
    const std::size_t size = kLanes<Cell> * pair.longest;
    Cell *const at_least = pair.cells, *gains = pair.gains;  // where no letter is equal
    for (std::size_t p = 0; p < size; p += kLanes<Cell>)
        put(least & ~where_equal(vector_at<Cell>(letters + p), none), at_least + p);
    for (const std::uint16_t letter : pair.different) {
        const Cells<Cell> here = all<Cell>(static_cast<Cell>(letter));
        for (std::size_t p = 0; p < size; p += kLanes<Cell>)
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
        return kLongest ? few[kLongest ? p : 0] : vector_at<Cell>(pair.cells + kLanes<Cell> * p);
    };
    const auto put_row = [&](std::size_t p) {
        if constexpr (kLongest)
            few[p] = left;
        else
            put(left, pair.cells + kLanes<Cell> * p);
    };
    const auto gains_of = [&](std::uint16_t letter) {
        return pair.gains + kLanes<Cell> * longest * pair.gains_of[letter];
    };
    if (word.length == 0) return nothing;
    const Cell* gains = gains_of(letters[0]);  // there is nothing above the first row
    for (std::size_t p = 0; p < longest; ++p) {
        left = higher(left, vector_at<Cell>(gains + kLanes<Cell> * p));
        put_row(p);
    }
    for (std::size_t k = 1; k < word.length; ++k) {
        gains = gains_of(letters[k]);
        Cells<Cell> diagonal = nothing;
        left = nothing;
        for (std::size_t p = 0; p < longest; ++p) {
            const Cells<Cell> above = row(p);
            const Cells<Cell> through = sum<Cell>(diagonal, vector_at<Cell>(gains + kLanes<Cell> * p));
            left = higher(left, higher(above, through));
            diagonal = above;
            put_row(p);
        }
    }
    return left;
}

template <class Cell, std::size_t kLongest>
TERTIUM_INLINE void compare_words(const Comparison<Cell>& pair) {
    constexpr std::size_t lanes = kLanes<Cell>;
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
TERTIUM_BY_FEW_LANES(compare_narrow_here, compare_narrow)
TERTIUM_BY_PROCESSOR(compare_wide_here, compare_wide)

constexpr double quotient(double above, double below) { return below > 0 ? above / below : 0.0; }

constexpr double cost_of(CostKind kind, double edits, double matches, double lengths) {
    return kind == CostKind::gld ? quotient(2 * edits, lengths + edits) : quotient(edits, edits + matches);
}

constexpr double prefix_cost(double common, double lengths) { return lengths > 0 ? 1.0 - common / (lengths / 2) : 0.0; }

// 1 - common beginning / mean length, for words that fit into narrow cells.
constexpr auto kPrefixCosts = [] {
    std::array<std::array<double, 2 * kShort + 1>, kShort + 1> costs{};
    for (std::size_t common = 0; common <= kShort; ++common)
        for (std::size_t lengths = 1; lengths <= 2 * kShort; ++lengths)
            costs[common][lengths] = prefix_cost(static_cast<double>(common), static_cast<double>(lengths));
    return costs;
}();

// One word against those of a block.
struct Beginnings {
    const std::uint16_t* word;
    std::size_t length;
    const void *letters, *lengths;
    std::size_t longest;
};

// A bit for each lane with all bits set.
TERTIUM_INLINE std::uint64_t set_lanes(Cells<std::int8_t> lanes) {
    Bytes<16> halves[2];
    std::memcpy(halves, &lanes, kVector);
    return bits_of(halves[0]) | bits_of(halves[1]) << 16;
}
TERTIUM_INLINE std::uint64_t set_lanes(Cells<std::int16_t> lanes) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < kVector / 2; ++k) bits |= std::uint64_t{lanes[k] != 0} << k;
    return bits;
}

// The costs of those that begin alike; all others cost 1, as the row says already.
template <class Cell>
TERTIUM_INLINE void prefixes_of_block(const Beginnings& pair, const std::uint32_t* places, double* row) {
    const auto* const letters = static_cast<const char*>(pair.letters);
    const auto* const sizes = static_cast<const Cell*>(pair.lengths);
    const auto equal_letters = [&](std::size_t p) {
        return where_equal(all<Cell>(static_cast<Cell>(pair.word[p])), vector_at<Cell>(letters + kVector * p));
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
    Cell found[kLanes<Cell>];  // the lengths of common beginnings, below 0
    put(common, found);
    for (; alike != 0; alike &= alike - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(alike));
        const auto length = static_cast<std::size_t>(-found[k]),
                   lengths = pair.length + static_cast<std::size_t>(sizes[k]);
        row[places[k]] = sizeof(Cell) == 1 ? kPrefixCosts[length][lengths]
                                           : prefix_cost(static_cast<double>(length), static_cast<double>(lengths));
    }
}
TERTIUM_INLINE void narrow_prefixes(const Beginnings& pair, const std::uint32_t* places, double* row) {
    prefixes_of_block<std::int8_t>(pair, places, row);
}
TERTIUM_INLINE void wide_prefixes(const Beginnings& pair, const std::uint32_t* places, double* row) {
    prefixes_of_block<std::int16_t>(pair, places, row);
}
// All rows at once: see WordCosts::fill_with_prefixes.
template <class Block>
TERTIUM_INLINE void rows_of_prefixes(std::span<const WordLetters> words, std::span<const Block> blocks,
                                     const std::uint16_t* numbers, const std::uint8_t* letters,
                                     const std::uint8_t* lengths, const std::uint32_t* places, std::size_t across,
                                     std::size_t width, double* row) {
    const Vector<double> one = all(1.0);
    for (const WordLetters& word : words) {
        for (std::size_t i = 0; i < width; i += kVector / sizeof(double)) put(one, row + i);
        for (std::size_t i = across; i < width; ++i) row[i] = std::numeric_limits<double>::infinity();
        for (const Block& block : blocks)
            prefixes_of_block<std::int8_t>(
                {numbers + word.begin, word.length, letters + block.letters, lengths + block.lengths, block.longest},
                places + block.first, row);
        row += width;
    }
}
TERTIUM_BY_PROCESSOR(rows_of_prefixes_here, rows_of_prefixes)
TERTIUM_BY_PROCESSOR(narrow_prefixes_here, narrow_prefixes)
TERTIUM_BY_PROCESSOR(wide_prefixes_here, wide_prefixes)

double wide_cost(CostKind kind, int found, double lengths) {
    const int edits = found > 0 ? (found + kOfWide - 1) / kOfWide : 0;
    return cost_of(kind, edits, edits * kOfWide - found, lengths);
}

// What narrow cells hold, substitution * edits - matches, is 42 with 6 edits and no match, and with 7 and 7. Whoever
// knows how long one of the words is knows which. Steps are at least as many as it has letters, and edits + 2 * matches
// at most as many as both words have; so if 7 matches and an edit more were possible, too, the other word would have at
// least 15 letters, but one of both has at most 14. `visit` gets all that is possible.
template <class Visit>
constexpr void visit_narrow(Visit visit) {
    for (std::size_t length = 0; length <= kMany; ++length)
        for (std::size_t matches = 0; matches <= std::min(length, kShort); ++matches)
            for (std::size_t edits = length - matches;
                 edits <= std::min(std::max(length, kShort), length + kShort - 2 * matches); ++edits)
                visit(length, static_cast<std::uint8_t>(kOfNarrow * edits - matches), edits, matches);
}
constexpr auto kNarrowEdits = [] {
    std::array<std::array<std::uint8_t, 256>, kMany + 1> all{};
    visit_narrow([&](std::size_t length, std::uint8_t found, std::size_t edits, std::size_t) {
        all[length][found] = static_cast<std::uint8_t>(edits);
    });
    return all;
}();
constexpr auto kNarrowCosts = [] {
    std::array<std::array<double, 256>, kMany + 1> all{};
    visit_narrow([&](std::size_t length, std::uint8_t found, std::size_t edits, std::size_t matches) {
        all[length][found] =
            cost_of(CostKind::levenshtein, static_cast<double>(edits), static_cast<double>(matches), 0);
    });
    return all;
}();
// `length`: of the word that may be the longer one.
inline double narrow_cost(CostKind kind, std::uint8_t found, std::size_t length, std::size_t other) {
    return kind == CostKind::levenshtein
               ? kNarrowCosts[length][found]
               : cost_of(kind, kNarrowEdits[length][found], 0, static_cast<double>(length + other));
}

// Two words of any length.
double slow_cost(CostKind kind, std::u32string_view a, std::u32string_view b) {
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

void LetterNumbers::clear() {
    for (const std::uint32_t slot : used_) slots_[slot] = {};
    used_.clear();
}

std::uint16_t LetterNumbers::other(char32_t code) {
    std::size_t slot = place(code);
    while (slots_[slot].code != 0 && slots_[slot].code != code) slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot].code == code) return slots_[slot].number;
    const std::size_t number = 128 + used_.size();
    if (number >= CellTraits<std::int16_t>::kNoLetter) return kNone;
    slots_[slot] = {code, static_cast<std::uint16_t>(number)};
    used_.push_back(static_cast<std::uint32_t>(slot));
    if (2 * used_.size() > slots_.size()) {
        std::vector<Slot> before;
        for (const std::uint32_t filled : used_) before.push_back(slots_[filled]);
        slots_.assign(4 * slots_.size(), {});
        used_.clear();
        for (const Slot& one : before) {
            std::size_t to = place(one.code);
            while (slots_[to].code != 0) to = (to + 1) & (slots_.size() - 1);
            slots_[to] = one;
            used_.push_back(static_cast<std::uint32_t>(to));
        }
    }
    return static_cast<std::uint16_t>(number);
}

void WordCosts::find_distinct(std::span<const Key> keys) {
    std::size_t size = 16;
    while (size < 8 * keys.size()) size *= 2;  // so empty that a search nearly always ends at once
    table_.assign(size, 0);
    ids_.resize(keys.size());
    firsts_.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::size_t slot = (keys[i] * 0x9E3779B97F4A7C15u) >> 32 & (size - 1);
        while (table_[slot] != 0 && keys[firsts_[table_[slot] - 1]] != keys[i]) slot = (slot + 1) & (size - 1);
        if (table_[slot] == 0) {
            firsts_.push_back(static_cast<std::uint32_t>(i));
            table_[slot] = static_cast<std::uint32_t>(firsts_.size());
        }
        ids_[i] = table_[slot] - 1;
    }
}

namespace {

// All bits of the first 0 … 16 bytes.
constexpr auto kInside = [] {
    std::array<std::array<std::uint64_t, 2>, 17> bits{};
    for (std::size_t length = 0; length <= 16; ++length)
        for (std::size_t k = 0; k < length; ++k) bits[length][k / 8] |= std::uint64_t{0xFF} << 8 * (k % 8);
    return bits;
}();
static_assert(std::endian::native == std::endian::little);

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

}  // namespace

// A word with a letter that has no number counts as endless. Bytes up to `readable` may be read.
TERTIUM_INLINE WordLetters WordCosts::spelt(std::string_view word, const char* readable) {
    const std::size_t begin = spelt_;
    std::uint16_t* out = numbers_.data() + begin;
    const char *p = word.data(), *const end = p + word.size();
    if (word.size() <= 16 && readable - p >= 16) {  // mostly a short word of ASCII: sixteen bytes at once
        constexpr std::uint64_t not_ascii = 0x8080808080808080u;
        const auto& inside = kInside[word.size()];
        std::uint64_t halves[2];
        std::memcpy(halves, p, 16);
        if ((((halves[0] & inside[0]) | (halves[1] & inside[1])) & not_ascii) == 0) {
            put_wider(halves, out);
            spelt_ += word.size();
            return {begin, word.size(), {halves[0] | ~inside[0], halves[1] | ~inside[1]}};
        }
    }
    bool endless = false;
    while (p != end) {
        *out = numbers_of_(utf8::decode(p));
        endless |= *out++ == LetterNumbers::kNone;
    }
    spelt_ = static_cast<std::size_t>(out - numbers_.data());
    WordLetters letters{begin, spelt_ - begin, {}};
    std::uint8_t bytes[16];
    std::fill_n(bytes, 16, CellTraits<std::uint8_t>::kNoLetter);
    for (std::size_t k = 0; k < std::min<std::size_t>(letters.length, 16); ++k)
        bytes[k] = static_cast<std::uint8_t>(numbers_[begin + k]);
    std::memcpy(letters.bytes, bytes, 16);
    if (endless) letters.length = std::max(letters.length, kLong + 1);
    return letters;
}

void WordCosts::spell() {
    // The words of a text lie in one piece of memory, but stored ones in the order in which they came first in any
    // text.
    std::size_t most = 16;
    const auto last_byte = [&most](const Words& words) {
        const char* last = nullptr;
        for (const std::string_view word : words.spelling) {
            most += word.size();
            last = std::max(last, word.data() + word.size(), std::less<>());
        }
        return last;
    };
    const char *const last_across = last_byte(across_), *const last_down = last_byte(down_);
    if (numbers_.size() < most) numbers_.resize(2 * most);
    numbers_of_.clear();
    spelt_ = 0;
    across_letters_.resize(across_.size());
    down_letters_.resize(firsts_.size());
    for (std::size_t i = 0; i < across_.size(); ++i) across_letters_[i] = spelt(across_.spelling[i], last_across);
    for (std::size_t d = 0; d < firsts_.size(); ++d) down_letters_[d] = spelt(down_.spelling[firsts_[d]], last_down);
    // With too many different letters for a byte, all words are wide.
    narrow_letters_ = numbers_of_.others() < CellTraits<std::uint8_t>::kNoLetter - 128;
}

template <class Cell>
void WordCosts::lay_out(const std::vector<WordLetters>& words, Blocks& blocks, Lanes<Cell>& lanes) {
    using Letter = std::make_unsigned_t<Cell>;
    constexpr std::size_t count = kLanes<Cell>;
    for (std::size_t first = 0; first < blocks.places.size(); first += count) {
        Block block{first, std::min(count, blocks.places.size() - first), 6, lanes.letters.size(),
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
                        rows[i] = k + i < block.count ? words[places[k + i]].bytes[half] : kInside[8][0];
                    turn(rows);
                    for (std::size_t p = 0; p < 8; ++p) std::memcpy(letters + count * (8 * half + p) + k, &rows[p], 8);
                }
        } else {
            for (std::size_t k = 0; k < block.count; ++k) {
                const WordLetters& word = words[places[k]];
                for (std::size_t p = 0; p < word.length; ++p) letters[count * p + k] = numbers_[word.begin + p];
            }
        }
        blocks.blocks.push_back(block);
    }
}

void WordCosts::begin(const Words& across, const Words& down, bool swapped) {
    across_ = across, down_ = down, swapped_ = swapped;
    find_distinct(down.keys);
    width_ = (across.size() + kPadding - 1) / kPadding * kPadding;
    keeps_ = width_ * firsts_.size() <= kMostStored;
    known_.assign(firsts_.size(), 0);
    if (substitution_.kind == CostKind::custom) return;
    if (substitution_.kind == CostKind::shared) {
        across_ids_.clear();
        for (const Key word : across.keys) across_ids_.push_back(substitution_.table->find(word));
        return;
    }

    spell();
    for (Blocks* blocks : {&narrow_, &long_, &wide_, &widened_, &turned_}) blocks->clear();
    endless_.clear();
    for (std::uint32_t i = 0; i < across_letters_.size(); ++i) {
        const std::size_t length = across_letters_[i].length;
        (length > kLong                       ? endless_
         : length > kMany || !narrow_letters_ ? wide_.places
         : length > kShort                    ? long_.places
                                              : narrow_.places)
            .push_back(i);
    }
    narrow_lanes_.clear();
    wide_lanes_.clear();
    lay_out<std::uint8_t>(across_letters_, narrow_, narrow_lanes_);
    lay_out<std::int16_t>(across_letters_, wide_, wide_lanes_);
    filled_ = false;
    if (substitution_.kind == CostKind::prefix)
        fill_with_prefixes();
    else
        fill_with_edits();
}

// Where all words are short, as they mostly are, the calls for single rows would take longer than the comparing.
void WordCosts::fill_with_prefixes() {
    const auto is_short = [](const WordLetters& word) { return word.length > 0 && word.length <= kShort; };
    if (!keeps_ || narrow_.places.size() < across_.size()) return;
    if (!std::all_of(down_letters_.begin(), down_letters_.end(), is_short)) return;
    if (rows_.size() < width_ * firsts_.size()) rows_.resize(width_ * firsts_.size());
    rows_of_prefixes_here(std::span<const WordLetters>(down_letters_), std::span<const Block>(narrow_.blocks),
                          numbers_.data(), narrow_lanes_.letters.data(), narrow_lanes_.lengths.data(),
                          narrow_.places.data(), across_.size(), width_, rows_.data());
    std::fill(known_.begin(), known_.end(), char{1});
}

// All at once, so that what a letter gains is found once. What is endless is left. Nobody asks for Ctrl-C on the way,
// so what takes long is left as well, and computed row by row.
void WordCosts::fill_with_edits() {
    constexpr std::size_t kManyLetters = 1024;           // whose gains would take much memory
    constexpr double kManyCells = std::size_t{1} << 30;  // a tenth of a second, or less
    if (!keeps_ || firsts_.empty() || numbers_of_.others() > kManyLetters) return;
    const std::size_t across_letters = down_letters_[0].begin, down_letters = spelt_ - across_letters;
    if (static_cast<double>(across_letters) * static_cast<double>(down_letters) > kManyCells) return;
    if (rows_.size() < width_ * firsts_.size()) rows_.resize(width_ * firsts_.size());
    compare_edits(0, firsts_.size(), rows_.data());
    filled_ = true;
    if (!endless_.empty()) return;
    for (std::size_t word = 0; word < known_.size(); ++word) {
        if (down_letters_[word].length > kLong) continue;
        known_[word] = 1;
        double* const row = rows_.data() + word * width_;
        std::fill(row + across_.size(), row + width_, std::numeric_limits<double>::infinity());
    }
}

const double* WordCosts::new_row(std::size_t word) {
    const std::size_t needed = width_ * (keeps_ ? firsts_.size() : 1);
    if (rows_.size() < needed) rows_.resize(needed);
    double* const target = rows_.data() + (keeps_ ? word * width_ : 0);
    if (substitution_.kind == CostKind::prefix) std::fill_n(target, across_.size(), 1.0);
    compute(word, target);
    std::fill(target + across_.size(), target + width_, std::numeric_limits<double>::infinity());
    known_[word] = 1;
    return target;
}

template <class Cell>
void WordCosts::compare_prefixes(const Blocks& blocks, const Lanes<Cell>& lanes, const WordLetters& word, double* row) {
    for (const Block& block : blocks.blocks) {
        const auto* const sizes = lanes.lengths.data() + block.lengths;
        const Beginnings pair{numbers_.data() + word.begin, word.length, lanes.letters.data() + block.letters, sizes,
                              block.longest};
        const std::uint32_t* const places = blocks.places.data() + block.first;
        sizeof(Cell) == 1 ? narrow_prefixes_here(pair, places, row) : wide_prefixes_here(pair, places, row);
        if (word.length == 0)
            for (std::size_t k = 0; k < block.count; ++k) row[places[k]] = sizes[k] == 0 ? 0.0 : 1.0;
    }
}

// The words [first, last) of `down`, one row after the other, but for what is endless.
void WordCosts::compare_edits(std::size_t first, std::size_t last, double* rows) {
    find_letters(down_letters_[first].begin, last < firsts_.size() ? down_letters_[last].begin : spelt_);
    const auto choose = [&](std::size_t shortest, std::size_t longest) {
        compared_.clear();
        compared_rows_.clear();
        for (std::size_t word = first; word < last; ++word) {
            const WordLetters letters = down_letters_[word];
            if (letters.length < shortest || letters.length > longest) continue;
            compared_.push_back(letters);
            compared_rows_.push_back(rows + (word - first) * width_);
        }
        return !compared_.empty();
    };
    if (!narrow_.places.empty()) {
        if (choose(0, kMany)) compare_chosen(narrow_, narrow_lanes_);
        if (choose(kMany + 1, kLong)) compare_chosen(for_wide(widened_, narrow_), wide_lanes_);
    }
    const bool turns = last - first == firsts_.size();
    if (!long_.places.empty() && choose(turns ? kShort + 1 : 0, kLong))
        compare_chosen(for_wide(long_, long_), wide_lanes_);
    if (!wide_.places.empty() && choose(0, kLong)) compare_chosen(wide_, wide_lanes_);
    if (!long_.places.empty() && turns) compare_turned(rows);
}

// A few long words of `across` against all short ones of `down`, which lie side by side for that.
void WordCosts::compare_turned(double* rows) {
    if (turned_.blocks.empty()) {  // they may be already, if all rows are one that is not kept
        for (std::uint32_t word = 0; word < down_letters_.size(); ++word)
            if (down_letters_[word].length <= kShort) turned_.places.push_back(word);
        lay_out<std::uint8_t>(down_letters_, turned_, narrow_lanes_);
    }
    for (const std::uint32_t place : long_.places) {
        const WordLetters word = across_letters_[place];
        find_letters(word.begin, word.begin + word.length);
        compared_.assign(1, word);
        compare_each(turned_, narrow_lanes_, [&](const Block& block, const auto& pair) {
            for (std::size_t k = 0; k < block.count; ++k)
                rows[turned_.places[block.first + k] * width_ + place] =
                    narrow_cost(substitution_.kind, pair.found[k], word.length, pair.lengths[k]);
        });
    }
}

// The different letters of words that were spelt one after the other.
void WordCosts::find_letters(std::size_t begin, std::size_t end) {
    const std::size_t letters = 128 + numbers_of_.others();
    // A byte for each that is there, looked through sixty-four at a time.
    present_.assign((letters + 63) / 64 * 64, 0);
    for (std::size_t i = begin; i < end; ++i) present_[std::min<std::size_t>(numbers_[i], letters - 1)] = 0xFF;
    if (gains_of_.size() < letters) gains_of_.resize(letters);
    different_.clear();
    for (std::size_t first = 0; first < letters; first += 64) {
        std::uint64_t there = 0;
        for (std::size_t k = 0; k < 64; k += 16) {
            Bytes<16> flags;
            std::memcpy(&flags, present_.data() + first + k, 16);
            there |= bits_of(flags) << k;
        }
        for (; there != 0; there &= there - 1) {
            const std::size_t letter = first + static_cast<std::size_t>(std::countr_zero(there));
            gains_of_[letter] = static_cast<std::uint16_t>(different_.size());
            different_.push_back(static_cast<std::uint16_t>(letter));
        }
    }
}

// Compares the chosen words with those of each block, and has what was found put where it belongs.
template <class Cell, class Put>
void WordCosts::compare_each(const Blocks& blocks, const Lanes<Cell>& lanes, Put put_found) {
    for (const Block& block : blocks.blocks) {
        const std::size_t row = kLanes<Cell> * block.longest;
        const std::size_t room = (row * (different_.size() + 1) + kLanes<Cell> * compared_.size()) * sizeof(Cell);
        if (gains_.size() < room / sizeof(std::uint64_t)) gains_.resize(room / sizeof(std::uint64_t));
        auto* const cells = reinterpret_cast<Cell*>(gains_.data());
        const Comparison<Cell> pair{numbers_.data(),
                                    compared_,
                                    different_,
                                    gains_of_.data(),
                                    lanes.letters.data() + block.letters,
                                    lanes.lengths.data() + block.lengths,
                                    block.longest,
                                    cells + row,
                                    cells,
                                    cells + row * (different_.size() + 1)};
        if constexpr (sizeof(Cell) == 1)
            compare_narrow_here(pair);
        else
            compare_wide_here(pair);
        put_found(block, pair);
    }
}

template <class Cell>
void WordCosts::compare_chosen(const Blocks& blocks, const Lanes<Cell>& lanes) {
    compare_each(blocks, lanes, [&](const Block& block, const auto& pair) {
        const Cell* found = pair.found;
        for (std::size_t word = 0; word < compared_.size(); ++word, found += kLanes<Cell>)
            put_costs(blocks.places.data() + block.first, pair.lengths, block.count, compared_[word].length, found,
                      compared_rows_[word]);
    });
}

void WordCosts::put_costs(const std::uint32_t* places, const std::uint8_t* lengths, std::size_t count,
                          std::size_t length, const std::uint8_t* found, double* row) const {
    if (substitution_.kind == CostKind::levenshtein && places[0] % kPadding == 0 &&
        places[count - 1] - places[0] == count - 1) {
        // Side by side, as they nearly always are; what is written behind them is put right later.
        const double* const costs = kNarrowCosts[length].data();
        row += places[0];
        for (std::size_t k = 0; k < count; k += kPadding)
            for (std::size_t i = k; i < k + kPadding; ++i) row[i] = costs[found[i]];
    } else {
        for (std::size_t k = 0; k < count; ++k)
            row[places[k]] = narrow_cost(substitution_.kind, found[k], length, lengths[k]);
    }
}
void WordCosts::put_costs(const std::uint32_t* places, const std::uint16_t* lengths, std::size_t count,
                          std::size_t length, const std::int16_t* found, double* row) const {
    for (std::size_t k = 0; k < count; ++k)
        row[places[k]] = wide_cost(substitution_.kind, found[k], static_cast<double>(length + lengths[k]));
}

// Words for wide cells, if they are not laid out so already.
const WordCosts::Blocks& WordCosts::for_wide(Blocks& blocks, const Blocks& same) {
    if (!blocks.blocks.empty()) return blocks;
    if (&blocks != &same) blocks.places = same.places;
    lay_out<std::int16_t>(across_letters_, blocks, wide_lanes_);
    return blocks;
}

void WordCosts::compute(std::size_t distinct_word, double* row) {
    const std::size_t place = firsts_[distinct_word];
    if (substitution_.kind == CostKind::custom) return compute_custom(place, row);
    if (substitution_.kind == CostKind::shared) return compute_shared(place, row);
    const WordLetters& word = down_letters_[distinct_word];
    if (word.length > kLong) {
        for (const Blocks* blocks : {&narrow_, &long_, &wide_}) compute_one_by_one(place, blocks->places, row);
    } else if (substitution_.kind != CostKind::prefix) {
        if (!filled_) compare_edits(distinct_word, distinct_word + 1, row);
    } else {
        if (word.length > kShort)
            compare_prefixes<std::int16_t>(for_wide(widened_, narrow_), wide_lanes_, word, row);
        else
            compare_prefixes<std::uint8_t>(narrow_, narrow_lanes_, word, row);
        compare_prefixes<std::int16_t>(for_wide(long_, long_), wide_lanes_, word, row);
        compare_prefixes<std::int16_t>(wide_, wide_lanes_, word, row);
    }
    if (!endless_.empty()) compute_one_by_one(place, endless_, row);
}

void WordCosts::compute_one_by_one(std::size_t down_place, std::span<const std::uint32_t> places, double* row) {
    if (places.empty()) return;
    const std::u32string word = decoded(down_.spelling[down_place]);
    for (const std::uint32_t place : places)
        row[place] = slow_cost(substitution_.kind, word, decoded(across_.spelling[place]));
}

void WordCosts::compute_shared(std::size_t down_place, double* row) const {
    const Key word = down_.keys[down_place];
    const std::span<const std::uint64_t> ids = substitution_.table->find(word);
    for (std::size_t i = 0; i < across_.size(); ++i)
        row[i] = across_.keys[i] == word || share_id(across_ids_[i], ids) ? 0 : 1;
}

void WordCosts::compute_custom(std::size_t down_place, double* row) {
    for (std::size_t i = 0; i < across_.size(); ++i) {
        std::pair<Key, Key> keys{across_.keys[i], down_.keys[down_place]};
        std::pair<std::string_view, std::string_view> words{across_.spelling[i], down_.spelling[down_place]};
        if (swapped_) std::swap(keys.first, keys.second), std::swap(words.first, words.second);
        if (keys.first == keys.second) {
            row[i] = 0;
            continue;
        }
        if (asked_.size() >= kMostAsked) asked_.clear();
        const auto found = asked_.find(keys);
        row[i] = found != asked_.end() ? found->second : substitution_.custom(words.first, words.second);
        if (found == asked_.end()) asked_.emplace(keys, row[i]);
    }
}

}  // namespace tertium
