#include "text/lines.hpp"

#include <algorithm>
#include <cstring>

#include "machine/multiversion.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::size_t kNear = std::size_t{1}
                              << 16;  // bytes that are looked at several times while a core has them near
constexpr std::size_t kShort = 32;    // bytes that few lines are shorter than
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

bool has_odd_separator(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\v' || c == '\f' || c == '\r') return true;
        if (c == '\xC2' && begins(line.substr(i), "\xC2\x85")) return true;
        if (c == '\xE2' && (begins(line.substr(i), "\u2028") || begins(line.substr(i), "\u2029"))) return true;
    }
    return false;
}

// What a closer look is needed for: kOdd where NUL, VT, FF, CR, U+0085, U+2028 or U+2029 occur, kHigh where bytes are
// not ASCII. A loop without branches, so that most of a file is never looked at line by line.
constexpr unsigned kOdd = 1, kHigh = 0x80;

TERTIUM_INLINE unsigned closer_look(const char* bytes, std::size_t count) {
    const auto* const b = reinterpret_cast<const unsigned char*>(bytes);
    const auto is_odd = [](unsigned char c) { return (c == 0) | (c == 0x0B) | (c == 0x0C) | (c == 0x0D); };
    if (count < 3) return kOdd | kHigh;
    unsigned odd = is_odd(b[count - 2]) | is_odd(b[count - 1]) | (b[count - 2] == 0xC2);
    unsigned char all = b[count - 2] | b[count - 1];
    for (std::size_t i = 0; i + 2 < count; ++i) {
        const unsigned char c = b[i], d = b[i + 1], e = b[i + 2];
        all |= c;
        odd |= static_cast<unsigned>(is_odd(c) | ((c == 0xC2) & (d == 0x85)) |
                                     ((c == 0xE2) & (d == 0x80) & ((e & 0xFE) == 0xA8)));
    }
    return (odd ? kOdd : 0) | (all & kHigh);
}
TERTIUM_BY_PROCESSOR(needed_for, closer_look)

}  // namespace

Lines::Lines(std::string_view bytes, std::size_t lines_before) : bytes_(bytes), taken_(lines_before) {
    if (lines_before == 0 && begins(bytes, kByteOrderMark)) {
        had_byte_order_mark = true;
        bytes_.remove_prefix(3);
    }
    final_newline = bytes_.empty() || bytes_.back() == '\n';
}

bool Lines::take(std::size_t most, std::vector<std::string_view>& lines) {
    const std::size_t end = lines.size() + std::min(most, bytes_.size() - at_);
    lines.reserve(std::min(end, lines.size() + (bytes_.size() - at_) / kShort + 1));
    while (lines.size() < end && at_ < bytes_.size()) {
        const std::size_t first = lines.size(), begin = at_;
        while (lines.size() < end && at_ < bytes_.size() && at_ - begin < kNear) {
            const char* const start = bytes_.data() + at_;
            const auto* const stop = static_cast<const char*>(std::memchr(start, '\n', bytes_.size() - at_));
            const std::size_t length = stop ? static_cast<std::size_t>(stop - start) : bytes_.size() - at_;
            lines.emplace_back(start, length);
            at_ += length + (stop ? 1 : 0);
            if (begins(lines.back(), kByteOrderMark)) {
                lines.back().remove_prefix(kByteOrderMark.size());
                if (first_inner_mark == 0) first_inner_mark = taken_ + (lines.size() - first);
            }
        }
        const std::string_view block = bytes_.substr(begin, at_ - begin);
        const unsigned needed = needed_for(block.data(), block.size());
        const bool bad = (needed & kHigh) && utf8::first_invalid(block) != std::string_view::npos;
        if ((bad || (needed & kOdd)) && !check(lines, first)) return false;
        if ((needed & kHigh) && first_mark_within == 0 && block.find(kByteOrderMark) != std::string_view::npos)
            find_mark_within(lines, first);
        for (std::size_t i = first; i < lines.size(); ++i)
            if (!lines[i].empty() && lines[i].back() == '\r') lines[i].remove_suffix(1);
        taken_ += lines.size() - first;
    }
    return true;
}

void Lines::find_mark_within(const std::vector<std::string_view>& lines, std::size_t first) {
    for (std::size_t i = first; i < lines.size() && first_mark_within == 0; ++i)
        if (lines[i].find(kByteOrderMark) != std::string_view::npos) first_mark_within = taken_ + (i - first) + 1;
}

bool Lines::check(const std::vector<std::string_view>& lines, std::size_t first) {
    for (std::size_t i = first; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        const std::size_t number = taken_ + (i - first) + 1;
        const std::size_t bad = std::min(utf8::first_invalid(line), line.find('\0'));
        if (bad != std::string_view::npos) {
            bad_line = number;
            bad_column = bad + 1;
            bad_byte = static_cast<unsigned char>(line[bad]);
            return false;
        }
        const bool crlf = !line.empty() && line.back() == '\r';
        if (crlf && first_crlf == 0) first_crlf = number;
        if (first_odd_separator == 0 && has_odd_separator(line.substr(0, line.size() - (crlf ? 1 : 0))))
            first_odd_separator = number;
    }
    return true;
}

std::size_t take_field(std::vector<std::string_view>& lines, std::size_t index, std::size_t columns) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string_view rest = lines[i];
        for (std::size_t field = 0; field < index; ++field) {
            const std::size_t tab = rest.find('\t');
            if (tab == std::string_view::npos) return i;
            rest.remove_prefix(tab + 1);
        }
        const std::string_view field = rest.substr(0, rest.find('\t'));
        rest.remove_prefix(field.size());
        if (index + 1 + static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\t')) != columns) return i;
        lines[i] = field;
    }
    return lines.size();
}

}  // namespace tertium
