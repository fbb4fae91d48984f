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

// What a cell can hold; `kLongest` so that the value of kLongest edits, and one edit more, still fits.
template <class Cell>
struct CellTraits;
template <>
struct CellTraits<std::int8_t> {
    static constexpr int kEdit = 16, kLeast = -113;  // no edits and no matches are stored as kLeast
    static constexpr std::size_t kLongest = 14;
    static constexpr std::uint8_t kNoLetter = 0xFF;
};
template <>
struct CellTraits<std::int16_t> {
    static constexpr int kEdit = 256, kLeast = 0;
    static constexpr std::size_t kLongest = 120;
    static constexpr std::uint16_t kNoLetter = 0xFFFE;
};
template <class Cell>
constexpr std::size_t kLanes = kVector / sizeof(Cell);
constexpr std::size_t kShort = CellTraits<std::int8_t>::kLongest, kLong = CellTraits<std::int16_t>::kLongest;

template <class Cell>
using Cells = Vector<Cell>;

// One word against those of a block: their lengths, letter after letter, and room for a row of the table.
struct Comparison {
    const std::uint16_t* word;
    std::size_t length;
    const void* letters;
    const void* lengths;
    std::size_t longest;
    void* cells;
    void* found;  // one cell per lane: the value for the whole words
};

template <class Cell>
TERTIUM_INLINE void edits_of_block(const Comparison& pair) {
    constexpr int edit_cost = CellTraits<Cell>::kEdit;
    const Cells<Cell> edit = all<Cell>(static_cast<Cell>(edit_cost)),
                      match = all<Cell>(static_cast<Cell>(-edit_cost - 1));
    auto* const cells = static_cast<char*>(pair.cells);
    const auto* const letters = static_cast<const char*>(pair.letters);
    const std::size_t longest = pair.longest, length = pair.length;
    Cells<Cell> value = all<Cell>(CellTraits<Cell>::kLeast);
    for (std::size_t p = 0; p <= longest; ++p, value = sum<Cell>(value, edit)) put(value, cells + kVector * p);
    for (std::size_t k = 0; k < length; ++k) {
        const Cells<Cell> letter = all<Cell>(static_cast<Cell>(pair.word[k]));
        Cells<Cell> diagonal_edit = sum<Cell>(vector_at<Cell>(cells), edit);
        Cells<Cell> left = diagonal_edit;
        put(left, cells);
        for (std::size_t p = 1; p <= longest; ++p) {
            const Cells<Cell> above_edit = sum<Cell>(vector_at<Cell>(cells + kVector * p), edit);
            const Cells<Cell> equal = where_equal(letter, vector_at<Cell>(letters + kVector * (p - 1)));
            // A match takes the edit back that the diagonal was charged with.
            const Cells<Cell> other = lower(above_edit, sum<Cell>(diagonal_edit, equal & match));
            left = lower(sum<Cell>(left, edit), other);
            diagonal_edit = above_edit;
            put(left, cells + kVector * p);
        }
    }
    const Cells<Cell> lengths = vector_at<Cell>(pair.lengths);
    Cells<Cell> result = vector_at<Cell>(cells);
    for (std::size_t p = 1; p <= longest; ++p) {
        const Cells<Cell> here = where_equal(lengths, all<Cell>(static_cast<Cell>(p)));
        result = (vector_at<Cell>(cells + kVector * p) & here) | (result & ~here);
    }
    put(result, pair.found);
}

TERTIUM_INLINE void narrow_edits(const Comparison& pair) { edits_of_block<std::int8_t>(pair); }
TERTIUM_INLINE void wide_edits(const Comparison& pair) { edits_of_block<std::int16_t>(pair); }
TERTIUM_BY_PROCESSOR(narrow_edits_here, narrow_edits)
TERTIUM_BY_PROCESSOR(wide_edits_here, wide_edits)

inline double quotient(double above, double below) { return below > 0 ? above / below : 0.0; }

inline double cost_of(CostKind kind, double edits, double matches, double lengths) {
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
TERTIUM_INLINE void prefixes_of_block(const Comparison& pair, const std::uint32_t* places, double* row) {
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
TERTIUM_INLINE void narrow_prefixes(const Comparison& pair, const std::uint32_t* places, double* row) {
    prefixes_of_block<std::int8_t>(pair, places, row);
}
TERTIUM_INLINE void wide_prefixes(const Comparison& pair, const std::uint32_t* places, double* row) {
    prefixes_of_block<std::int16_t>(pair, places, row);
}
// All rows at once: see WordCosts::fill_with_prefixes.
template <class Letters, class Block>
TERTIUM_INLINE void rows_of_prefixes(std::span<const Letters> words, std::span<const Block> blocks,
                                     const std::uint16_t* numbers, const std::uint8_t* letters,
                                     const std::int8_t* lengths, const std::uint32_t* places, std::size_t across,
                                     std::size_t width, double* row) {
    const Vector<double> one = all(1.0);
    for (const Letters& word : words) {
        for (std::size_t i = 0; i < width; i += kVector / sizeof(double)) put(one, row + i);
        for (std::size_t i = across; i < width; ++i) row[i] = std::numeric_limits<double>::infinity();
        for (const Block& block : blocks)
            prefixes_of_block<std::int8_t>({numbers + word.begin, word.length, letters + block.letters,
                                            lengths + block.lengths, block.longest, nullptr, nullptr},
                                           places + block.first, row);
        row += width;
    }
}
TERTIUM_BY_PROCESSOR(rows_of_prefixes_here, rows_of_prefixes)
TERTIUM_BY_PROCESSOR(narrow_prefixes_here, narrow_prefixes)
TERTIUM_BY_PROCESSOR(wide_prefixes_here, wide_prefixes)

template <class Cell>
inline std::pair<int, int> edits_and_matches(Cell found) {
    constexpr int edit = CellTraits<Cell>::kEdit;
    const int value = found - CellTraits<Cell>::kLeast, edits = (value + edit - 1) / edit;
    return {edits, edits * edit - value};
}

// The cost for each value of a narrow cell.
const std::array<double, 256>& levenshtein_costs() {
    static const std::array<double, 256> costs = [] {
        std::array<double, 256> made{};
        for (int found = -127; found < 128; ++found) {
            const auto [edits, matches] = edits_and_matches(static_cast<std::int8_t>(found));
            made[static_cast<std::uint8_t>(found)] = cost_of(CostKind::levenshtein, edits, matches, 0);
        }
        return made;
    }();
    return costs;
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

// The high bits of the first 0 … 16 bytes, which ASCII has not.
constexpr auto kHighBits = [] {
    std::array<std::array<std::uint64_t, 2>, 17> bits{};
    for (std::size_t length = 0; length <= 16; ++length)
        for (std::size_t k = 0; k < length; ++k) bits[length][k / 8] |= std::uint64_t{0x80} << 8 * (k % 8);
    return bits;
}();
static_assert(std::endian::native == std::endian::little);

}  // namespace

// A word with a letter that has no number counts as endless. Bytes up to `readable` may be read.
TERTIUM_INLINE WordCosts::Letters WordCosts::spelt(std::string_view word, const char* readable) {
    const std::size_t begin = spelt_;
    std::uint16_t* out = numbers_.data() + begin;
    const char *p = word.data(), *const end = p + word.size();
    if (word.size() <= 16 && readable - p >= 16) {  // mostly a short word of ASCII: sixteen bytes at once
        std::uint64_t halves[2];
        std::memcpy(halves, p, 16);
        if (((halves[0] & kHighBits[word.size()][0]) | (halves[1] & kHighBits[word.size()][1])) == 0) {
            for (std::size_t k = 0; k < 16; ++k) out[k] = static_cast<std::uint8_t>(p[k]);
            spelt_ += word.size();
            return {begin, word.size()};
        }
    }
    bool endless = false;
    while (p != end) {
        *out = numbers_of_(utf8::decode(p));
        endless |= *out++ == LetterNumbers::kNone;
    }
    spelt_ = static_cast<std::size_t>(out - numbers_.data());
    return {begin, endless ? std::max(spelt_ - begin, kLong + 1) : spelt_ - begin};
}

void WordCosts::spell() {
    // The words of a text lie in one piece of memory, in order.
    const auto last_byte = [](const Words& words) {
        return words.empty() ? nullptr : words.spelling.back().data() + words.spelling.back().size();
    };
    std::size_t most = 16;
    for (const Words* words : {&across_, &down_})
        for (const std::string_view word : words->spelling) most += word.size();
    if (numbers_.size() < most) numbers_.resize(2 * most);
    numbers_of_.clear();
    spelt_ = 0;
    across_letters_.resize(across_.size());
    down_letters_.resize(firsts_.size());
    for (std::size_t i = 0; i < across_.size(); ++i)
        across_letters_[i] = spelt(across_.spelling[i], last_byte(across_));
    for (std::size_t d = 0; d < firsts_.size(); ++d)
        down_letters_[d] = spelt(down_.spelling[firsts_[d]], last_byte(down_));
    // With too many different letters for a byte, all words are wide.
    narrow_letters_ = numbers_of_.others() < CellTraits<std::int8_t>::kNoLetter - 128;
}

template <class Cell>
void WordCosts::lay_out(Blocks& blocks, std::vector<std::make_unsigned_t<Cell>>& letters, std::vector<Cell>& lengths) {
    using Letter = std::make_unsigned_t<Cell>;
    constexpr std::size_t lanes = kLanes<Cell>, kAtOnce = 8;
    for (std::size_t first = 0; first < blocks.places.size(); first += lanes) {
        Block block{first, std::min(lanes, blocks.places.size() - first), 0, letters.size(), lengths.size()};
        const std::uint32_t* const places = blocks.places.data() + first;
        for (std::size_t k = 0; k < block.count; ++k)
            block.longest = std::max(block.longest, across_letters_[places[k]].length);
        letters.resize(letters.size() + lanes * std::max(block.longest, kAtOnce), CellTraits<Cell>::kNoLetter);
        lengths.resize(lengths.size() + lanes);
        for (std::size_t k = 0; k < block.count; ++k) {
            const Letters word = across_letters_[places[k]];
            const std::uint16_t* const numbers = numbers_.data() + word.begin;
            auto* const lane = letters.data() + block.letters + k;
            // The first letters without a branch that hangs on the length of the word.
            for (std::size_t p = 0; p < kAtOnce; ++p)
                lane[lanes * p] = p < word.length ? static_cast<Letter>(numbers[p]) : CellTraits<Cell>::kNoLetter;
            for (std::size_t p = kAtOnce; p < word.length; ++p) lane[lanes * p] = static_cast<Letter>(numbers[p]);
            lengths[block.lengths + k] = static_cast<Cell>(word.length);
        }
        blocks.blocks.push_back(block);
        const std::size_t needed = (block.longest + 1) * kVector / sizeof(std::uint64_t);
        if (cells_.size() < needed) cells_.resize(needed);
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
    narrow_.clear();
    wide_.clear();
    widened_narrow_.clear();
    endless_.clear();
    for (std::uint32_t i = 0; i < across_letters_.size(); ++i) {
        const std::size_t length = across_letters_[i].length;
        (length > kLong ? endless_ : length > kShort || !narrow_letters_ ? wide_.places : narrow_.places).push_back(i);
    }
    narrow_lanes_.clear();
    wide_lanes_.clear();
    narrow_lengths_.clear();
    wide_lengths_.clear();
    widened_ = false;
    lay_out<std::int8_t>(narrow_, narrow_lanes_, narrow_lengths_);
    lay_out<std::int16_t>(wide_, wide_lanes_, wide_lengths_);
    if (substitution_.kind == CostKind::prefix) fill_with_prefixes();
}

// Where all words are short, as they mostly are, the calls for single rows would take longer than the comparing.
void WordCosts::fill_with_prefixes() {
    const auto is_short = [](const Letters& word) { return word.length > 0 && word.length <= kShort; };
    if (!keeps_ || !narrow_letters_ || !wide_.places.empty() || !endless_.empty()) return;
    if (!std::all_of(down_letters_.begin(), down_letters_.end(), is_short)) return;
    if (rows_.size() < width_ * firsts_.size()) rows_.resize(width_ * firsts_.size());
    rows_of_prefixes_here(std::span<const Letters>(down_letters_), std::span<const Block>(narrow_.blocks),
                          numbers_.data(), narrow_lanes_.data(), narrow_lengths_.data(), narrow_.places.data(),
                          across_.size(), width_, rows_.data());
    std::fill(known_.begin(), known_.end(), char{1});
}

const double* WordCosts::row(std::size_t index) {
    const std::size_t word = ids_[index];
    const std::size_t needed = width_ * (keeps_ ? firsts_.size() : 1);
    if (rows_.size() < needed) rows_.resize(needed);
    double* const target = rows_.data() + (keeps_ ? word * width_ : 0);
    if (keeps_ && known_[word]) return target;
    if (substitution_.kind == CostKind::prefix) std::fill_n(target, across_.size(), 1.0);
    compute(word, target);
    std::fill(target + across_.size(), target + width_, std::numeric_limits<double>::infinity());
    known_[word] = 1;
    return target;
}

template <class Cell>
void WordCosts::compare(const Blocks& blocks, const std::vector<std::make_unsigned_t<Cell>>& letters,
                        const std::vector<Cell>& lengths, const Letters& word, double* row) {
    constexpr bool narrow = sizeof(Cell) == 1;
    const CostKind kind = substitution_.kind;
    for (const Block& block : blocks.blocks) {
        Cell found[kLanes<Cell>];
        const Cell* const sizes = lengths.data() + block.lengths;
        const Comparison pair{numbers_.data() + word.begin,
                              word.length,
                              letters.data() + block.letters,
                              sizes,
                              block.longest,
                              cells_.data(),
                              found};
        const std::uint32_t* const places = blocks.places.data() + block.first;
        if (kind == CostKind::prefix) {
            narrow ? narrow_prefixes_here(pair, places, row) : wide_prefixes_here(pair, places, row);
            if (word.length == 0)
                for (std::size_t k = 0; k < block.count; ++k) row[places[k]] = sizes[k] == 0 ? 0.0 : 1.0;
            continue;
        }
        narrow ? narrow_edits_here(pair) : wide_edits_here(pair);
        if (narrow && kind == CostKind::levenshtein) {
            const std::array<double, 256>& costs = levenshtein_costs();
            for (std::size_t k = 0; k < block.count; ++k) row[places[k]] = costs[static_cast<std::uint8_t>(found[k])];
        } else {
            for (std::size_t k = 0; k < block.count; ++k) {
                const auto [edits, matches] = edits_and_matches(found[k]);
                row[places[k]] = cost_of(kind, edits, matches, static_cast<double>(word.length) + sizes[k]);
            }
        }
    }
}

void WordCosts::compute(std::size_t distinct_word, double* row) {
    const std::size_t place = firsts_[distinct_word];
    if (substitution_.kind == CostKind::custom) return compute_custom(place, row);
    if (substitution_.kind == CostKind::shared) return compute_shared(place, row);
    const Letters& word = down_letters_[distinct_word];
    if (word.length > kLong) {
        for (const Blocks* blocks : {&narrow_, &wide_}) compute_one_by_one(place, blocks->places, row);
    } else if (word.length > kShort) {
        if (!widened_) {
            widened_narrow_.places = narrow_.places;
            lay_out<std::int16_t>(widened_narrow_, wide_lanes_, wide_lengths_);
            widened_ = true;
        }
        compare<std::int16_t>(widened_narrow_, wide_lanes_, wide_lengths_, word, row);
        compare<std::int16_t>(wide_, wide_lanes_, wide_lengths_, word, row);
    } else {
        compare<std::int8_t>(narrow_, narrow_lanes_, narrow_lengths_, word, row);
        if (!wide_.blocks.empty()) compare<std::int16_t>(wide_, wide_lanes_, wide_lengths_, word, row);
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
