#include "matching/word_costs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "machine/byte_masks.hpp"

namespace tertium {
namespace {

constexpr std::size_t kMostStored = 8u << 20;  // costs, of which rows are remembered
constexpr std::size_t kMostAsked = 1u << 20;

}  // namespace

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

void WordCosts::spell() {
    spelling_.clear();
    spelling_.spell(across_.spelling, across_letters_);
    different_words_.clear();
    for (const std::uint32_t first : firsts_) different_words_.push_back(down_.spelling[first]);
    spelling_.spell(different_words_, down_letters_);
    // With too many different letters for a byte, all words are wide.
    narrow_letters_ = spelling_.narrow();
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
    for (LaneBlocks* blocks : {&narrow_, &long_, &wide_, &widened_, &turned_}) blocks->clear();
    endless_.clear();
    for (std::uint32_t i = 0; i < across_letters_.size(); ++i) {
        const std::size_t length = across_letters_[i].length;
        (length > kLongWord                         ? endless_
         : length > kLongerWord || !narrow_letters_ ? wide_.places
         : length > kShortWord                      ? long_.places
                                                    : narrow_.places)
            .push_back(i);
    }
    narrow_lanes_.clear();
    wide_lanes_.clear();
    lay_out(across_letters_, spelling_.numbers(), narrow_, narrow_lanes_);
    lay_out(across_letters_, spelling_.numbers(), wide_, wide_lanes_);
    filled_ = false;
    if (substitution_.kind == CostKind::prefix)
        fill_with_prefixes();
    else
        fill_with_edits();
}

// Where all words are short, as they mostly are, the calls for single rows would take longer than the comparing.
void WordCosts::fill_with_prefixes() {
    const auto is_short = [](const WordLetters& word) { return word.length > 0 && word.length <= kShortWord; };
    if (!keeps_ || narrow_.places.size() < across_.size()) return;
    if (!std::all_of(down_letters_.begin(), down_letters_.end(), is_short)) return;
    if (rows_.size() < width_ * firsts_.size()) rows_.resize(width_ * firsts_.size());
    put_rows_of_prefixes(down_letters_, spelling_.numbers(), narrow_, narrow_lanes_, across_.size(), width_,
                         rows_.data());
    std::fill(known_.begin(), known_.end(), char{1});
}

// All at once, so that what a letter gains is found once. What is endless is left. Nobody asks for Ctrl-C on the way,
// so what takes long is left as well, and computed row by row.
void WordCosts::fill_with_edits() {
    constexpr std::size_t kManyLetters = 1024 + 128;     // whose gains would take much memory
    constexpr double kManyCells = std::size_t{1} << 30;  // a tenth of a second, or less
    if (!keeps_ || firsts_.empty() || spelling_.different() > kManyLetters) return;
    const std::size_t across_letters = down_letters_[0].begin, down_letters = spelling_.letters() - across_letters;
    if (static_cast<double>(across_letters) * static_cast<double>(down_letters) > kManyCells) return;
    if (rows_.size() < width_ * firsts_.size()) rows_.resize(width_ * firsts_.size());
    compare_edits(0, firsts_.size(), rows_.data());
    filled_ = true;
    if (!endless_.empty()) return;
    for (std::size_t word = 0; word < known_.size(); ++word) {
        if (down_letters_[word].length > kLongWord) continue;
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
void WordCosts::compare_prefixes(const LaneBlocks& blocks, const WordLanes<Cell>& lanes, const WordLetters& word,
                                 double* row) {
    for (const LaneBlock& block : blocks.blocks) {
        const auto* const sizes = lanes.lengths.data() + block.lengths;
        const Beginnings<Unsigned<Cell>> pair{spelling_.numbers() + word.begin, word.length,
                                              lanes.letters.data() + block.letters, sizes, block.longest};
        const std::uint32_t* const places = blocks.places.data() + block.first;
        put_prefixes(pair, places, row);
        if (word.length == 0)
            for (std::size_t k = 0; k < block.count; ++k) row[places[k]] = sizes[k] == 0 ? 0.0 : 1.0;
    }
}

// The words [first, last) of `down`, one row after the other, but for what is endless.
void WordCosts::compare_edits(std::size_t first, std::size_t last, double* rows) {
    find_letters(down_letters_[first].begin, last < firsts_.size() ? down_letters_[last].begin : spelling_.letters());
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
        if (choose(0, kLongerWord)) compare_chosen(narrow_, narrow_lanes_);
        if (choose(kLongerWord + 1, kLongWord)) compare_chosen(for_wide(widened_, narrow_), wide_lanes_);
    }
    const bool turns = last - first == firsts_.size();
    if (!long_.places.empty() && choose(turns ? kShortWord + 1 : 0, kLongWord))
        compare_chosen(for_wide(long_, long_), wide_lanes_);
    if (!wide_.places.empty() && choose(0, kLongWord)) compare_chosen(wide_, wide_lanes_);
    if (!long_.places.empty() && turns) compare_turned(rows);
}

// A few long words of `across` against all short ones of `down`, which lie side by side for that.
void WordCosts::compare_turned(double* rows) {
    if (turned_.blocks.empty()) {  // they may be already, if all rows are one that is not kept
        for (std::uint32_t word = 0; word < down_letters_.size(); ++word)
            if (down_letters_[word].length <= kShortWord) turned_.places.push_back(word);
        lay_out(down_letters_, spelling_.numbers(), turned_, narrow_lanes_);
    }
    for (const std::uint32_t place : long_.places) {
        const WordLetters word = across_letters_[place];
        find_letters(word.begin, word.begin + word.length);
        compared_.assign(1, word);
        compare_each(turned_, narrow_lanes_, [&](const LaneBlock& block, const auto& pair) {
            for (std::size_t k = 0; k < block.count; ++k)
                rows[turned_.places[block.first + k] * width_ + place] =
                    narrow_cost(substitution_.kind, pair.found[k], word.length, pair.lengths[k]);
        });
    }
}

// The different letters of words that were spelt one after the other.
void WordCosts::find_letters(std::size_t begin, std::size_t end) {
    const std::size_t letters = spelling_.different();
    // A byte for each that is there, looked through sixty-four at a time.
    present_.assign((letters + 63) / 64 * 64, 0);
    const std::uint16_t* const numbers = spelling_.numbers();
    for (std::size_t i = begin; i < end; ++i) present_[std::min<std::size_t>(numbers[i], letters - 1)] = 0xFF;
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
void WordCosts::compare_each(const LaneBlocks& blocks, const WordLanes<Cell>& lanes, Put put_found) {
    for (const LaneBlock& block : blocks.blocks) {
        const std::size_t row = kWordLanes<Cell> * block.longest;
        const std::size_t room = (row * (different_.size() + 1) + kWordLanes<Cell> * compared_.size()) * sizeof(Cell);
        if (gains_.size() < room / sizeof(std::uint64_t)) gains_.resize(room / sizeof(std::uint64_t));
        auto* const cells = reinterpret_cast<Cell*>(gains_.data());
        const Comparison<Cell> pair{spelling_.numbers(),
                                    compared_,
                                    different_,
                                    gains_of_.data(),
                                    lanes.letters.data() + block.letters,
                                    lanes.lengths.data() + block.lengths,
                                    block.longest,
                                    cells + row,
                                    cells,
                                    cells + row * (different_.size() + 1)};
        find_edits(pair);
        put_found(block, pair);
    }
}

template <class Cell>
void WordCosts::compare_chosen(const LaneBlocks& blocks, const WordLanes<Cell>& lanes) {
    compare_each(blocks, lanes, [&](const LaneBlock& block, const auto& pair) {
        const Cell* found = pair.found;
        for (std::size_t word = 0; word < compared_.size(); ++word, found += kWordLanes<Cell>)
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
const LaneBlocks& WordCosts::for_wide(LaneBlocks& blocks, const LaneBlocks& same) {
    if (!blocks.blocks.empty()) return blocks;
    if (&blocks != &same) blocks.places = same.places;
    lay_out(across_letters_, spelling_.numbers(), blocks, wide_lanes_);
    return blocks;
}

void WordCosts::compute(std::size_t distinct_word, double* row) {
    const std::size_t place = firsts_[distinct_word];
    if (substitution_.kind == CostKind::custom) return compute_custom(place, row);
    if (substitution_.kind == CostKind::shared) return compute_shared(place, row);
    const WordLetters& word = down_letters_[distinct_word];
    if (word.length > kLongWord) {
        for (const LaneBlocks* blocks : {&narrow_, &long_, &wide_}) compute_one_by_one(place, blocks->places, row);
    } else if (substitution_.kind != CostKind::prefix) {
        if (!filled_) compare_edits(distinct_word, distinct_word + 1, row);
    } else {
        if (word.length > kShortWord)
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
    const std::string_view word = down_.spelling[down_place];
    for (const std::uint32_t place : places)
        row[place] = cost_one_by_one(substitution_.kind, word, across_.spelling[place]);
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
