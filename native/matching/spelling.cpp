#include "matching/spelling.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"
#include "machine/vectors.hpp"
#include "matching/letter_costs.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

// All bits of the first 0 … 16 bytes.
constexpr auto kInside = [] {
    std::array<std::array<std::uint64_t, 2>, 17> bits{};
    for (std::size_t length = 0; length <= 16; ++length)
        for (std::size_t k = 0; k < length; ++k) bits[length][k / 8] |= std::uint64_t{0xFF} << 8 * (k % 8);
    return bits;
}();
static_assert(std::endian::native == std::endian::little);

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

void Spelling::clear() {
    numbers_of_.clear();
    letters_ = 0;
}

// Bytes up to `readable` may be read.
TERTIUM_INLINE WordLetters Spelling::spelt(std::string_view word, const char* readable) {
    const std::size_t begin = letters_;
    std::uint16_t* out = numbers_.data() + begin;
    const char *p = word.data(), *const end = p + word.size();
    if (word.size() <= 16 && readable - p >= 16) {  // mostly a short word of ASCII: sixteen bytes at once
        constexpr std::uint64_t not_ascii = 0x8080808080808080u;
        const auto& inside = kInside[word.size()];
        std::uint64_t halves[2];
        std::memcpy(halves, p, 16);
        if ((((halves[0] & inside[0]) | (halves[1] & inside[1])) & not_ascii) == 0) {
            put_wider(halves, out);
            letters_ += word.size();
            return {begin, word.size(), {halves[0] | ~inside[0], halves[1] | ~inside[1]}};
        }
    }
    bool endless = false;
    while (p != end) {
        *out = numbers_of_(utf8::decode(p));
        endless |= *out++ == LetterNumbers::kNone;
    }
    letters_ = static_cast<std::size_t>(out - numbers_.data());
    WordLetters letters{begin, letters_ - begin, {}};
    std::uint8_t bytes[16];
    std::fill_n(bytes, 16, CellTraits<std::uint8_t>::kNoLetter);
    for (std::size_t k = 0; k < std::min<std::size_t>(letters.length, 16); ++k)
        bytes[k] = static_cast<std::uint8_t>(numbers_[begin + k]);
    std::memcpy(letters.bytes, bytes, 16);
    if (endless) letters.length = std::max(letters.length, kLongWord + 1);
    return letters;
}

void Spelling::spell(std::span<const std::string_view> words, std::vector<WordLetters>& spelt_words) {
    // The words of a text lie in one piece of memory, but stored ones in the order in which they came first in any
    // text.
    std::size_t most = letters_ + 16;
    const char* last = nullptr;
    for (const std::string_view word : words) {
        most += word.size();
        last = std::max(last, word.data() + word.size(), std::less<>());
    }
    if (numbers_.size() < most) numbers_.resize(2 * most);
    spelt_words.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) spelt_words[i] = spelt(words[i], last);
}

bool Spelling::narrow() const { return different() < CellTraits<std::uint8_t>::kNoLetter; }

}  // namespace tertium
