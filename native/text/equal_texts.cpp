#include "text/equal_texts.hpp"

#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "text/taken_texts.hpp"

namespace tertium {
namespace {

// Of the length and a few bytes: whether two texts are equal is asked of the texts themselves.
std::uint64_t hint_of(std::string_view text) {
    if (text.empty()) return 0;  // it may be nowhere
    if (text.size() < 8) return folded_product(key_of(text), 0x9E3779B97F4A7C15u);
    const std::uint64_t ends = eight_bytes(text.data()) + std::rotl(eight_bytes(text.data() + text.size() - 8), 23);
    return folded_product(ends ^ text.size(), eight_bytes(text.data() + (text.size() - 8) / 2) ^ 0x9E3779B97F4A7C15u);
}

// Whether so few texts are equal that it is not worth knowing.
bool are_few(const EqualTexts& equal, std::size_t texts) { return equal.firsts.size() > texts / 4 * 3; }

EqualTexts found_equal(const TokenSource& texts, Watch& watch) {
    constexpr std::size_t kMostTries = 8;
    struct Slot {
        std::uint32_t text = 0;  // of the different ones, counted from 1
        std::uint32_t hint = 0;
    };
    const std::size_t last = std::bit_ceil(2 * texts.size() + 1) - 1;
    std::vector<Slot> slots(last + 1);
    EqualTexts result;
    result.which.reserve(texts.size());
    result.firsts.reserve(texts.size());
    result.times.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i % 4096 == 0) watch.checkpoint();
        texts.prefetch(i + 3);
        const std::string_view text = texts.made_from(i);
        const std::uint64_t hash = hint_of(text);
        const auto hint = static_cast<std::uint32_t>(hash >> 32);
        std::size_t at = hash & last;
        std::uint32_t found = 0;
        for (std::size_t tries = 0; tries < kMostTries && slots[at].text != 0; ++tries, at = (at + 1) & last) {
            if (slots[at].hint != hint || texts.made_from(result.firsts[slots[at].text - 1]) != text) continue;
            found = slots[at].text;
            break;
        }
        if (found == 0) {
            result.firsts.push_back(static_cast<std::uint32_t>(i));
            result.times.push_back(0);
            found = static_cast<std::uint32_t>(result.firsts.size());
            if (slots[at].text == 0) slots[at] = {found, hint};
        }
        ++result.times[found - 1];
        result.which.push_back(found - 1);
    }
    return result;
}

// Texts of some lengths tell of all: they are equal to none of another length. (The bytes of stored tokens are a
// multiple of 8, so lengths are told apart by another number.)
bool seem_few(const TokenSource& texts, Watch& watch) {
    constexpr std::size_t kLengths = 9, kFewest = 512;
    if (texts.size() < kLengths * kFewest) return false;
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i % 4096 == 0) watch.checkpoint();
        if (texts.made_from(i).size() % kLengths == 4) some.push_back(static_cast<std::uint32_t>(i));
    }
    return some.size() >= kFewest && are_few(found_equal(TakenTexts(texts, some), watch), some.size());
}

EqualTexts all_different(std::size_t texts) {
    EqualTexts result;
    result.firsts.resize(texts);
    std::iota(result.firsts.begin(), result.firsts.end(), 0);
    result.which = result.firsts;
    result.times.assign(texts, 1);
    return result;
}

}  // namespace

EqualTexts equal_texts(const TokenSource& texts, Watch& watch) {
    if (texts.size() >= std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("there are too many texts to look for equal ones");
    if (seem_few(texts, watch)) return all_different(texts.size());
    EqualTexts result = found_equal(texts, watch);
    return are_few(result, texts.size()) ? all_different(texts.size()) : result;
}

}  // namespace tertium
