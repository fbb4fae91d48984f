#include "text/cuts.hpp"

namespace tertium {
namespace {

// How many bytes the whitespace character at p takes, or 0 if it is none; p begins with C2, E1, E2 or E3.
std::size_t wide_space_length(const char* p, const char* end) {
    const auto byte = [p](int i) { return static_cast<unsigned>(static_cast<unsigned char>(p[i])); };
    if (byte(0) == 0xC2) return end - p >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0) ? 2 : 0;
    if (end - p < 3) return 0;
    const unsigned c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    const bool space = c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
                       c == 0x205F || c == 0x3000;
    return space ? 3 : 0;
}

bool begins(const char* p, const char* end, std::string_view with) {
    return static_cast<std::size_t>(end - p) >= with.size() && std::string_view(p, with.size()) == with;
}

// Whether 13a rewrites the line at p, which is & < or LF.
bool is_rewritten(const char* p, const char* end) {
    if (*p == '\n') return true;
    if (*p == '<') return begins(p, end, "<skipped>");
    return begins(p, end, "&quot;") || begins(p, end, "&amp;") || begins(p, end, "&lt;") || begins(p, end, "&gt;");
}

}  // namespace

Specials look_at_specials(std::uint64_t special, const char* block, const char* end) {
    Specials found;
    for (; special; special &= special - 1) {
        const int at = std::countr_zero(special);
        const char* const p = block + at;
        if (static_cast<unsigned char>(*p) < 0x80) {
            found.rewritten = found.rewritten || is_rewritten(p, end);
            found.marks = found.marks || *p != '\n';
            continue;
        }
        const std::size_t length = wide_space_length(p, end);
        const std::uint64_t bytes = (std::uint64_t{1} << length) - 1;
        found.wide_space |= bytes << at;
        if (static_cast<std::size_t>(at) + length > 64) found.wide_space_next = bytes >> (64 - at);
    }
    return found;
}

std::uint64_t attached_run_ends(std::uint64_t run_ends, std::string_view text, std::size_t base) {
    const auto is_dot = [](char c) { return c == '.' || c == ','; };
    std::uint64_t attached = 0;
    for (; run_ends; run_ends &= run_ends - 1) {
        const std::size_t last = base + static_cast<std::size_t>(std::countr_zero(run_ends));
        std::size_t first = last;
        while (first > 0 && is_dot(text[first - 1])) --first;
        const bool after_digit = first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9';
        const bool odd = (last - first + 1) % 2 == 1;
        if (odd == after_digit) attached |= run_ends & (~run_ends + 1);
    }
    return attached;
}

}  // namespace tertium
