#include "matching/likeness.hpp"

#include <algorithm>

#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::uint64_t kBegin = unicode::kLastCodePoint + 1, kEnd = kBegin + 1;  // marks at the ends of a word
constexpr int kPointBits = 21;
// Any two words are a little alike: those that share nothing pair up in order, and lengths stay in proportion.
constexpr std::int32_t kLeast = 150;

constexpr std::u32string_view kFinal = U".!?…。！？｡‽؟۔।॥።၊။៕";
constexpr std::u32string_view kPause = U",;:-–—、，；：､،؛";
constexpr std::u32string_view kClosing = U"\"'”’»)]}」』）】》›";
constexpr std::u32string_view kOpening = U"“‘«([{「『（【《„‚‹¿¡";

bool within(std::u32string_view points, char32_t code) { return points.find(code) != points.npos; }

bool is_mark(char32_t code) { return unicode::properties(code) & (unicode::kPunctuation | unicode::kSymbol); }

// Two marks: the same, or at least both at the end of a sentence.
std::int32_t alike_marks(Mark one, Mark two) {
    return one == Mark::final && two == Mark::final ? Likeness::kWhole / 2 : Likeness::kWhole / 5;
}

}  // namespace

Mark mark_of(std::string_view token) {
    char32_t last = 0;
    for (const char *p = token.data(), *const end = p + token.size(); p < end;)
        if (last = utf8::decode(p); !is_mark(last)) return Mark::none;
    return within(kFinal, last)     ? Mark::final
           : within(kPause, last)   ? Mark::pause
           : within(kClosing, last) ? Mark::closing
           : within(kOpening, last) ? Mark::opening
                                    : Mark::other;
}

bool begins_large(std::string_view token) {
    if (token.empty()) return false;
    const char* p = token.data();
    const char32_t first = utf8::decode(p);
    if (unicode::properties(first) & unicode::kNumber) return true;
    if (!(unicode::properties(first) & unicode::kCased)) return false;
    const std::string_view letter(token.data(), static_cast<std::size_t>(p - token.data()));
    std::string lowered;
    unicode::lower(letter, lowered);
    return lowered != letter;
}

std::uint32_t Likeness::add(std::string_view token) {
    unicode::lower(token, lowered_);
    const auto [found, is_new] = numbers_.try_emplace(lowered_, static_cast<std::uint32_t>(words_.size()));
    if (!is_new) return found->second;
    words_.push_back({0, letters_ ? mark_of(lowered_) : Mark::none});
    if (letters_ && words_.back().mark == Mark::none) {
        find_groups(lowered_);
        words_.back().groups = static_cast<std::uint32_t>(groups_.size());
        for (const std::uint64_t group : groups_) having_[group].push_back(found->second);
    }
    return found->second;
}

void Likeness::find_groups(std::string_view lowered) {
    groups_.clear();
    std::uint64_t before = 0, last = kBegin;
    const auto take = [&](std::uint64_t point) {
        if (point != kEnd) groups_.push_back(point);
        groups_.push_back(last << kPointBits | point);
        if (before) groups_.push_back(before << 2 * kPointBits | last << kPointBits | point);
        before = last;
        last = point;
    };
    for (const char *p = lowered.data(), *const end = p + lowered.size(); p < end;) take(utf8::decode(p));
    take(kEnd);
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
}

// Only words that share a group are more than a little alike.
void Likeness::compare_groups(std::span<std::int16_t> alike) {
    shared_.resize(words_.size(), 0);
    find_groups(lowered_);
    for (const std::uint64_t group : groups_)
        if (const auto found = having_.find(group); found != having_.end())
            for (const std::uint32_t word : found->second)
                if (shared_[word]++ == 0) sharing_.push_back(word);
    for (const std::uint32_t word : sharing_) {
        const auto all = static_cast<std::int32_t>(groups_.size() + words_[word].groups - shared_[word]);
        const auto shared = static_cast<std::int32_t>(shared_[word]);
        alike[word] = static_cast<std::int16_t>(kLeast + ((kWhole - kLeast) * shared + all / 2) / all);
        shared_[word] = 0;
    }
    sharing_.clear();
}

void Likeness::row(std::string_view token, std::span<std::int16_t> alike) {
    unicode::lower(token, lowered_);
    const auto same = numbers_.find(lowered_);
    if (!letters_) {
        std::fill(alike.begin(), alike.end(), static_cast<std::int16_t>(other_));
        if (same != numbers_.end()) alike[same->second] = static_cast<std::int16_t>(equal_);
        return;
    }
    const Mark mark = mark_of(lowered_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const Mark other = words_[i].mark;
        const std::int32_t value = (mark == Mark::none) != (other == Mark::none) ? -kWhole  // a mark and a word
                                   : mark == Mark::none                          ? kLeast
                                                                                 : alike_marks(mark, other);
        alike[i] = static_cast<std::int16_t>(value);
    }
    if (mark == Mark::none) compare_groups(alike);
    if (same != numbers_.end()) alike[same->second] = kWhole;
}

}  // namespace tertium
