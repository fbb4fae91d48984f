#include "text/equal_texts.hpp"

#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tertium {
namespace {

// Of the length and a few bytes: whether two texts are equal is asked of the texts themselves.
std::uint64_t hint_of(std::string_view text) {
    if (text.empty()) return 0;  // it may be nowhere
    if (text.size() < 8) return folded_product(key_of(text), 0x9E3779B97F4A7C15u);
    const std::uint64_t ends = eight_bytes(text.data()) + std::rotl(eight_bytes(text.data() + text.size() - 8), 23);
    return folded_product(ends ^ text.size(), eight_bytes(text.data() + (text.size() - 8) / 2) ^ 0x9E3779B97F4A7C15u);
}

}  // namespace

EqualTexts equal_texts(const TokenSource& texts, Watch& watch) {
    constexpr std::size_t kMostTries = 8;
    if (texts.size() >= std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("there are too many texts to look for equal ones");
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
    if (result.firsts.size() > texts.size() / 4 * 3) {
        result.firsts.resize(texts.size());
        std::iota(result.firsts.begin(), result.firsts.end(), 0);
        result.which = result.firsts;
        result.times.assign(texts.size(), 1);
    }
    return result;
}

}  // namespace tertium
