// Letters are 16-bit units: a code point of the basic plane is itself, each other one that occurs gets one of the
// surrogates, which no text has. That is exact as long as no pair of segments has more than about 2,000 different
// ones of those; beyond it, they share the last, and words that hold it are compared letter by letter elsewhere.

#include "word_costs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "multiversion.hpp"
#include "utf8.hpp"

namespace tertium {
namespace {

constexpr std::uint16_t kNoLetter = 0xDFFF, kFirstAstral = 0xD800, kLastAstral = 0xDFFD;
constexpr std::size_t kLongAcross = 32, kLongDown = 96;  // longer words are compared one by one
constexpr std::size_t kCrowded = std::size_t{1} << 30;    // added to a length, so that the word counts as long
constexpr int kEdit = 256;
constexpr std::size_t kMostStored = 8u << 20;  // costs, of which rows are remembered
constexpr std::size_t kMostAsked = 1u << 20;
constexpr std::size_t kLanes = WordCosts::kLanes;

#if defined(__GNUC__) || defined(__clang__)
typedef std::int16_t Sixteen __attribute__((vector_size(2 * kLanes)));
TERTIUM_INLINE Sixteen least(Sixteen a, Sixteen b) { return a < b ? a : b; }
TERTIUM_INLINE Sixteen where_equal(Sixteen a, Sixteen b) { return reinterpret_cast<Sixteen>(a == b); }
TERTIUM_INLINE Sixteen all(int value) { return Sixteen{} + static_cast<std::int16_t>(value); }
#else
struct Sixteen {
    std::int16_t lane[kLanes]{};
    template <class F>
    Sixteen with(const Sixteen& other, F f) const {
        Sixteen result;
        for (std::size_t k = 0; k < kLanes; ++k) result.lane[k] = static_cast<std::int16_t>(f(lane[k], other.lane[k]));
        return result;
    }
    Sixteen operator+(const Sixteen& o) const { return with(o, [](int a, int b) { return a + b; }); }
    Sixteen operator&(const Sixteen& o) const { return with(o, [](int a, int b) { return a & b; }); }
};
inline Sixteen least(const Sixteen& a, const Sixteen& b) { return a.with(b, [](int x, int y) { return x < y ? x : y; }); }
inline Sixteen where_equal(const Sixteen& a, const Sixteen& b) { return a.with(b, [](int x, int y) { return x == y ? -1 : 0; }); }
inline Sixteen all(int value) {
    Sixteen result;
    for (auto& lane : result.lane) lane = static_cast<std::int16_t>(value);
    return result;
}
#endif

TERTIUM_INLINE Sixteen load16(const void* from) {
    Sixteen lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
TERTIUM_INLINE void store16(const Sixteen& lanes, void* to) { std::memcpy(to, &lanes, sizeof lanes); }

// A group's words with the lengths of each, and where the result of each goes.
struct GroupView {
    const std::uint16_t* letters;  // letter p of the sixteen words begins at letters + 16 p
    const std::uint32_t* words;    // their numbers
    const WordCosts::Letters* spelt;
    std::size_t count, longest;
    double* values;
};

inline double quotient(double edits, double below) { return below > 0 ? edits / below : 0.0; }

TERTIUM_INLINE double cost_of(CostKind kind, int edits, int matches, std::size_t lengths) {
    return kind == CostKind::gld ? quotient(2.0 * edits, static_cast<double>(lengths) + edits)
                                 : quotient(edits, edits + matches);
}

TERTIUM_INLINE void edits_of_group(const GroupView& group, const std::uint16_t* word, std::size_t length,
                                   CostKind kind, std::int16_t* cells) {
    const std::size_t longest = group.longest;
    const Sixteen edit = all(kEdit), match_bonus = all(-kEdit - 1);
    for (std::size_t p = 0; p <= longest; ++p) store16(all(static_cast<int>(p) * kEdit), cells + kLanes * p);
    for (std::size_t k = 0; k < length; ++k) {
        const Sixteen letter = all(static_cast<std::int16_t>(word[k]));
        Sixteen diagonal = load16(cells);
        Sixteen left = diagonal + edit;
        store16(left, cells);
        for (std::size_t p = 1; p <= longest; ++p) {
            const Sixteen above = load16(cells + kLanes * p);
            const Sixteen equal = where_equal(letter, load16(group.letters + kLanes * (p - 1)));
            // An edit more than the best neighbour; or the diagonal as it is, with a match more.
            left = least(least(left, above), diagonal + (equal & match_bonus)) + edit;
            diagonal = above;
            store16(left, cells + kLanes * p);
        }
    }
    int edits[kLanes] = {}, matches[kLanes] = {};
    for (std::size_t k = 0; k < group.count; ++k) {
        const int value = cells[kLanes * group.spelt[group.words[k]].length + k];
        edits[k] = (value + kEdit - 1) >> 8;
        matches[k] = edits[k] * kEdit - value;
    }
    if (kind == CostKind::levenshtein) {
        double quotients[kLanes];
        for (std::size_t k = 0; k < kLanes; ++k) {
            const int below = edits[k] + matches[k];
            quotients[k] = static_cast<double>(edits[k]) / static_cast<double>(below > 0 ? below : 1);
        }
        std::copy_n(quotients, group.count, group.values);
    } else {
        for (std::size_t k = 0; k < group.count; ++k)
            group.values[k] = cost_of(kind, edits[k], matches[k], length + group.spelt[group.words[k]].length);
    }
}
TERTIUM_BY_PROCESSOR(group_edits, edits_of_group)

inline double prefix_cost(std::size_t common, std::size_t lengths) {
    return lengths == 0 ? 0.0 : 1.0 - static_cast<double>(common) / (static_cast<double>(lengths) / 2.0);
}

TERTIUM_INLINE void prefixes_of_group(const GroupView& group, const std::uint16_t* word, std::size_t length) {
    Sixteen common = all(0), alive = all(-1);
    for (std::size_t p = 0; p < std::min(length, group.longest); ++p) {
        alive = alive & where_equal(all(static_cast<std::int16_t>(word[p])), load16(group.letters + kLanes * p));
        std::uint64_t any[4];
        std::memcpy(any, &alive, sizeof any);
        if ((any[0] | any[1] | any[2] | any[3]) == 0) break;
        common = common + alive;
    }
    std::int16_t counts[kLanes];
    store16(common, counts);
    double costs[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) {
        const std::size_t lengths = length + (k < group.count ? group.spelt[group.words[k]].length : 1);
        costs[k] = 1.0 - static_cast<double>(-counts[k]) / (static_cast<double>(lengths ? lengths : 1) / 2.0);
        if (lengths == 0) costs[k] = 0.0;
    }
    std::copy_n(costs, group.count, group.values);
}
TERTIUM_BY_PROCESSOR(group_prefixes, prefixes_of_group)

// The same for two words of any length.
double slow_cost(CostKind kind, std::u32string_view a, std::u32string_view b) {
    const std::size_t lengths = a.size() + b.size();
    if (kind == CostKind::prefix) {
        const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        return prefix_cost(static_cast<std::size_t>(ends.first - a.begin()), lengths);
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
    return cost_of(kind, static_cast<int>(edits), static_cast<int>(matches), lengths);
}

std::u32string decoded(std::string_view word) {
    std::u32string points;
    for (const char* p = word.data(); p != word.data() + word.size();) points.push_back(utf8::decode(p));
    return points;
}

}  // namespace

void WordCosts::Distinct::find(std::span<const Key> keys) {
    std::size_t size = 16;
    while (size < 2 * keys.size()) size *= 2;
    table.assign(size, 0);
    ids.resize(keys.size());
    firsts.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::size_t slot = (keys[i] * 0x9E3779B97F4A7C15u) >> 32 & (size - 1);
        while (table[slot] != 0 && keys[firsts[table[slot] - 1]] != keys[i]) slot = (slot + 1) & (size - 1);
        if (table[slot] == 0) {
            firsts.push_back(static_cast<std::uint32_t>(i));
            table[slot] = static_cast<std::uint32_t>(firsts.size());
        }
        ids[i] = table[slot] - 1;
    }
}

std::uint16_t WordCosts::unit(char32_t code) {
    if (code < 0x10000) return static_cast<std::uint16_t>(code);
    const auto found = std::find(astral_.begin(), astral_.end(), code);
    const auto index = static_cast<std::size_t>(found - astral_.begin());
    if (kFirstAstral + index > kLastAstral) return kLastAstral + 1;
    if (found == astral_.end()) astral_.push_back(code);
    return static_cast<std::uint16_t>(kFirstAstral + index);
}

void WordCosts::spell(const Words& words, const Distinct& distinct, std::vector<Letters>& spelt) {
    spelt.resize(distinct.size());
    for (std::size_t d = 0; d < distinct.size(); ++d) {
        const std::string_view word = words.spelling[distinct.firsts[d]];
        const char *p = word.data(), *const end = p + word.size();
        spelt[d].begin = units_.size();
        bool crowded = false;
        while (p != end) {
            const char32_t code = utf8::is_ascii(*p) ? static_cast<char32_t>(*p++) : utf8::decode(p);
            units_.push_back(unit(code));
            crowded |= units_.back() == kLastAstral + 1;
        }
        spelt[d].length = units_.size() - spelt[d].begin;
        if (crowded) spelt[d].length += kCrowded;
    }
}

void WordCosts::lay_side_by_side() {
    const std::size_t count = across_distinct_.size();
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return across_letters_[a].length < across_letters_[b].length;
    });
    places_.resize(count);
    for (std::size_t k = 0; k < count; ++k) places_[order_[k]] = static_cast<std::uint32_t>(k);
    groups_.clear();
    lanes_.clear();
    for (std::size_t first = 0; first < count && across_letters_[order_[first]].length <= kLongAcross; first += kLanes) {
        Group group{lanes_.size(), 0, 0};
        while (group.count < kLanes && first + group.count < count &&
               across_letters_[order_[first + group.count]].length <= kLongAcross)
            group.longest = across_letters_[order_[first + group.count++]].length;
        lanes_.resize(lanes_.size() + kLanes * group.longest, kNoLetter);
        for (std::size_t k = 0; k < group.count; ++k) {
            const Letters& word = across_letters_[order_[first + k]];
            for (std::size_t p = 0; p < word.length; ++p)
                lanes_[group.begin + kLanes * p + k] = units_[word.begin + p];
        }
        groups_.push_back(group);
    }
    cells_.resize(kLanes * (kLongAcross + 1));
    values_.resize(count);
}

void WordCosts::begin(const Words& across, const Words& down, bool swapped) {
    across_ = across, down_ = down, swapped_ = swapped;
    across_distinct_.find(across.keys);
    down_distinct_.find(down.keys);
    width_ = (across.size() + kPadding - 1) / kPadding * kPadding;
    keeps_ = width_ * down_distinct_.size() <= kMostStored;
    known_.assign(down_distinct_.size(), 0);
    if (substitution_.kind == CostKind::custom) {
        places_.resize(across_distinct_.size());
        std::iota(places_.begin(), places_.end(), 0u);
        values_.resize(across_distinct_.size());
        return;
    }
    units_.clear();
    astral_.clear();
    spell(across, across_distinct_, across_letters_);
    spell(down, down_distinct_, down_letters_);
    lay_side_by_side();
}

const double* WordCosts::row(std::size_t index) {
    const std::size_t word = down_distinct_.ids[index];
    const std::size_t needed = width_ * (keeps_ ? down_distinct_.size() : 1);
    if (rows_.size() < needed) rows_.resize(needed);
    double* const target = rows_.data() + (keeps_ ? word * width_ : 0);
    if (keeps_ && known_[word]) return target;
    compute(word, target);
    known_[word] = 1;
    return target;
}

void WordCosts::compute(std::size_t word, double* row) {
    if (substitution_.kind == CostKind::custom) {
        compute_custom(word);
    } else {
        const Letters& letters = down_letters_[word];
        std::size_t place = 0;
        for (const Group& group : groups_) {
            if (letters.length > kLongDown) break;
            const GroupView view{lanes_.data() + group.begin, order_.data() + place, across_letters_.data(),
                                 group.count, group.longest, values_.data() + place};
            if (substitution_.kind == CostKind::prefix)
                group_prefixes(view, units_.data() + letters.begin, letters.length);
            else
                group_edits(view, units_.data() + letters.begin, letters.length, substitution_.kind, cells_.data());
            place += group.count;
        }
        if (place < order_.size()) {
            const std::u32string mine = decoded(down_.spelling[down_distinct_.firsts[word]]);
            for (; place < order_.size(); ++place) {
                const std::uint32_t first = across_distinct_.firsts[order_[place]];
                values_[place] = slow_cost(substitution_.kind, mine, decoded(across_.spelling[first]));
            }
        }
    }
    const std::size_t count = across_.size();
    for (std::size_t i = 0; i < count; ++i) row[i] = values_[places_[across_distinct_.ids[i]]];
    std::fill(row + count, row + width_, std::numeric_limits<double>::infinity());
}

void WordCosts::compute_custom(std::size_t word) {
    const std::size_t mine = down_distinct_.firsts[word];
    for (std::size_t d = 0; d < across_distinct_.size(); ++d) {
        const std::size_t other = across_distinct_.firsts[d];
        std::pair<Key, Key> keys{across_.keys[other], down_.keys[mine]};
        std::pair<std::string_view, std::string_view> words{across_.spelling[other], down_.spelling[mine]};
        if (swapped_) std::swap(keys.first, keys.second), std::swap(words.first, words.second);
        if (keys.first == keys.second) {
            values_[d] = 0;
            continue;
        }
        if (asked_.size() >= kMostAsked) asked_.clear();
        const auto [entry, is_new] = asked_.try_emplace(keys, 0.0);
        if (is_new) {
            try {
                entry->second = substitution_.custom(words.first, words.second);
            } catch (...) {
                asked_.erase(entry);
                throw;
            }
        }
        values_[d] = entry->second;
    }
}

}  // namespace tertium
