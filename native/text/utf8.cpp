// Checking UTF-8, mostly without decoding it.
//
// Whether a byte may stand where it stands is told by the three bytes before it. So a block of text is checked
// by one loop without branches, which compilers vectorise and which costs the same for every script. The ends of
// the text, and a block that fails, are walked through one sequence at a time.

#include "text/utf8.hpp"

namespace tertium::utf8 {
namespace {

using Byte = unsigned char;

constexpr std::ptrdiff_t kReach = 3;   // how many bytes before it a byte depends on
constexpr std::ptrdiff_t kBlock = 64;  // long enough for vectors, short enough for lines of text

bool is_continuation(char byte) { return (static_cast<Byte>(byte) & 0xC0) == 0x80; }

// Non-zero if `byte` is not allowed after the given three (Unicode Standard, table 3-7).
inline Byte flaw(Byte third_last, Byte second_last, Byte last, Byte byte) {
    const auto is = [](bool condition) { return static_cast<Byte>(condition); };
    const Byte due = is(last >= 0xC0) | is(second_last >= 0xE0) | is(third_last >= 0xF0);
    const Byte continues = is((byte & 0xC0) == 0x80);
    const Byte never = is((byte & 0xFE) == 0xC0) | is(byte >= 0xF5);
    const Byte overlong = (is(last == 0xE0) & is(byte < 0xA0)) | (is(last == 0xF0) & is(byte < 0x90));
    const Byte surrogate = is(last == 0xED) & is(byte >= 0xA0);
    const Byte too_large = is(last == 0xF4) & is(byte >= 0x90);
    return static_cast<Byte>((due ^ continues) | never | overlong | surrogate | too_large);
}

// Checks the block at p, which kReach bytes precede.
bool block_is_valid(const char* p) {
    const auto* const bytes = reinterpret_cast<const Byte*>(p) - kReach;
    Byte flaws = 0;
    for (std::ptrdiff_t i = 0; i < kBlock; ++i) flaws |= flaw(bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]);
    return flaws == 0;
}

// Returns the length of the sequence of two or more bytes that begins at p, or 0 if it is not valid.
std::size_t sequence_length(const char* p, const char* end) {
    const auto lead = static_cast<Byte>(*p);
    const auto room = end - p;
    if (lead >= 0xC2 && lead < 0xE0) return room >= 2 && is_continuation(p[1]) ? 2 : 0;
    if (lead >= 0xE0 && lead < 0xF0) {
        if (room < 3 || !is_continuation(p[1]) || !is_continuation(p[2])) return 0;
        const char32_t code = decode(p);
        return code < 0x800 || (code >= 0xD800 && code < 0xE000) ? 0 : 3;
    }
    if (lead >= 0xF0 && lead < 0xF5) {
        if (room < 4 || !is_continuation(p[1]) || !is_continuation(p[2]) || !is_continuation(p[3])) return 0;
        const char32_t code = decode(p);
        return code < 0x10000 || code > 0x10FFFF ? 0 : 4;
    }
    return 0;
}

}  // namespace

std::size_t first_invalid(std::string_view bytes) {
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* p = begin;
    while (p != end) {
        if (is_ascii(*p)) {
            p = skip_ascii(p, end);
        } else if (p - begin >= kReach && end - p > kBlock && block_is_valid(p)) {
            p = previous(p + kBlock);  // the last character of the block may not be complete
        } else if (const std::size_t length = sequence_length(p, end)) {
            p += length;
        } else {
            return static_cast<std::size_t>(p - begin);
        }
    }
    return std::string_view::npos;
}

}  // namespace tertium::utf8
