// What it costs to take one word for another, by their letters.
//
//     levenshtein   edits / steps of the alignment    usual, unusual   2 insertions, 5 matches    2/7
//     gld           2 edits / (lengths + edits)                                                   4/14
//     prefix        1 - common beginning / mean length                 u                          1 - 1/6
//     shared        0 if a table has an id for both (a stem, a synset), else 1
//
// Of several alignments with fewest edits `levenshtein` takes the longest, which is the one with most matches.
//
// A cell of the table for two words holds what matches and substitutions gain against deleting and inserting every
// letter; the most gained has the fewest edits and, of those, the most matches, if a substitution gains c and a match
// 2c + 1:
//
//     ab, axb    letters 2 + 3, c = 7      a and b match         2 * 15 = 30       edits 5 - 4 = 1
//                                          c * letters - gained = 35 - 30 = 5 = c * edits - matches
//
// What that is worth stands in a table for each length of the one word. Gains fit into bytes if one of both words has
// at most 14 letters and the other at most 22; longer ones (up to 120) take 16 bits a cell.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tertium {

enum class CostKind { exact, levenshtein, gld, prefix, shared, custom };

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
// What a substitution gains; a match gains twice as much, and 1. That is enough if it is at least half of the matches
// that two words may have; if it is more than all of them, edits and matches are found without the words' lengths.
inline constexpr int kOfNarrow = CellTraits<std::uint8_t>::kSubstitution,
                     kOfWide = CellTraits<std::int16_t>::kSubstitution;
inline constexpr std::size_t kLongerWord = 22;  // letters that narrow cells serve for if the other word is a short one
static_assert((2 * kOfNarrow + 1) * CellTraits<std::uint8_t>::kLongest <= 0xFF);
static_assert(2 * kOfNarrow >= CellTraits<std::uint8_t>::kLongest);
static_assert((2 * kOfWide + 1) * CellTraits<std::int16_t>::kLongest <= 0x7FFF);
inline constexpr std::size_t kShortWord = CellTraits<std::uint8_t>::kLongest,
                             kLongWord = CellTraits<std::int16_t>::kLongest;

constexpr double quotient(double above, double below) { return below > 0 ? above / below : 0.0; }

constexpr double cost_of(CostKind kind, double edits, double matches, double lengths) {
    return kind == CostKind::gld ? quotient(2 * edits, lengths + edits) : quotient(edits, edits + matches);
}

constexpr double prefix_cost(double common, double lengths) { return lengths > 0 ? 1.0 - common / (lengths / 2) : 0.0; }

// 1 - common beginning / mean length, for words that fit into narrow cells.
inline constexpr auto kPrefixCosts = [] {
    std::array<std::array<double, 2 * kShortWord + 1>, kShortWord + 1> costs{};
    for (std::size_t common = 0; common <= kShortWord; ++common)
        for (std::size_t lengths = 1; lengths <= 2 * kShortWord; ++lengths)
            costs[common][lengths] = prefix_cost(static_cast<double>(common), static_cast<double>(lengths));
    return costs;
}();

inline double wide_cost(CostKind kind, int found, double lengths) {
    const int edits = found > 0 ? (found + kOfWide - 1) / kOfWide : 0;
    return cost_of(kind, edits, edits * kOfWide - found, lengths);
}

// What narrow cells hold, substitution * edits - matches, is 42 with 6 edits and no match, and with 7 and 7. Whoever
// knows how long one of the words is knows which. Steps are at least as many as it has letters, and edits + 2 * matches
// at most as many as both words have; so if 7 matches and an edit more were possible, too, the other word would have at
// least 15 letters, but one of both has at most 14. `visit` gets all that is possible.
template <class Visit>
constexpr void visit_narrow(Visit visit) {
    for (std::size_t length = 0; length <= kLongerWord; ++length)
        for (std::size_t matches = 0; matches <= std::min(length, kShortWord); ++matches)
            for (std::size_t edits = length - matches;
                 edits <= std::min(std::max(length, kShortWord), length + kShortWord - 2 * matches); ++edits)
                visit(length, static_cast<std::uint8_t>(kOfNarrow * edits - matches), edits, matches);
}
inline constexpr auto kNarrowEdits = [] {
    std::array<std::array<std::uint8_t, 256>, kLongerWord + 1> all{};
    visit_narrow([&](std::size_t length, std::uint8_t found, std::size_t edits, std::size_t) {
        all[length][found] = static_cast<std::uint8_t>(edits);
    });
    return all;
}();
inline constexpr auto kNarrowCosts = [] {
    std::array<std::array<double, 256>, kLongerWord + 1> all{};
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
double cost_one_by_one(CostKind kind, std::string_view a, std::string_view b);

}  // namespace tertium
