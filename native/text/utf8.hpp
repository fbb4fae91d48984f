// UTF-8, one code point at a time. Text is checked once, by `first_invalid`, where it enters; everything
// else here trusts it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tertium::utf8 {

// Returns where the first sequence that is not strict UTF-8 begins, or npos. Surrogates, overlong forms and
// code points above U+10FFFF are refused; the offset is the one Python's UnicodeDecodeError calls `start`.
std::size_t first_invalid(std::string_view bytes);

inline bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

// Returns the first byte in [p, end) that is not ASCII, or end.
inline const char* skip_ascii(const char* p, const char* end) {
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    const auto is_clean = [](const char* from) {
        std::uint64_t words[4];
        std::memcpy(words, from, sizeof words);
        return !((words[0] | words[1] | words[2] | words[3]) & high_bits);
    };
    const char* const begin = p;
    while (end - p >= 32 && is_clean(p)) p += 32;
    // Few are left: with some that were seen before, they are thirty-two, or eight.
    if (end - p < 32 && end - begin >= 32 && is_clean(end - 32)) return end;
    for (; end - p >= 8; p += 8) {
        std::uint64_t word;
        std::memcpy(&word, p, sizeof word);
        if (word & high_bits) break;
    }
    if (end - p < 8 && end - begin >= 8) {
        std::uint64_t word;
        std::memcpy(&word, end - 8, sizeof word);
        if (!(word & high_bits)) return end;
    }
    while (p != end && is_ascii(*p)) ++p;
    return p;
}

// Returns the code point at p and moves p behind it.
inline char32_t decode(const char*& p) {
    const auto low_bits = [&p](int offset) -> char32_t { return static_cast<unsigned char>(p[offset]) & 0x3F; };
    const char32_t lead = static_cast<unsigned char>(*p);
    char32_t code = lead;
    if (lead < 0x80) {
        p += 1;
    } else if (lead < 0xE0) {
        code = (lead & 0x1F) << 6 | low_bits(1);
        p += 2;
    } else if (lead < 0xF0) {
        code = (lead & 0x0F) << 12 | low_bits(1) << 6 | low_bits(2);
        p += 3;
    } else {
        code = (lead & 0x07) << 18 | low_bits(1) << 12 | low_bits(2) << 6 | low_bits(3);
        p += 4;
    }
    return code;
}

// Returns the start of the code point that ends before p.
inline const char* previous(const char* p) {
    do --p;
    while ((static_cast<unsigned char>(*p) & 0xC0) == 0x80);
    return p;
}

// Writes one to four bytes and returns how many.
inline std::size_t encode(char32_t code, char* out) {
    const auto continuation = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        out[0] = static_cast<char>(code);
        return 1;
    }
    if (code < 0x800) {
        out[0] = static_cast<char>(0xC0 | code >> 6);
        out[1] = continuation(0);
        return 2;
    }
    if (code < 0x10000) {
        out[0] = static_cast<char>(0xE0 | code >> 12);
        out[1] = continuation(6);
        out[2] = continuation(0);
        return 3;
    }
    out[0] = static_cast<char>(0xF0 | code >> 18);
    out[1] = continuation(12);
    out[2] = continuation(6);
    out[3] = continuation(0);
    return 4;
}

inline void encode(char32_t code, std::string& out) {
    char bytes[4];
    out.append(bytes, encode(code, bytes));
}

inline std::string bytes(std::u32string_view codes) {
    std::string text;
    for (const char32_t code : codes) encode(code, text);
    return text;
}

inline std::u32string points(std::string_view text) {
    std::u32string codes;
    for (const char *p = text.data(), *const end = p + text.size(); p < end;) codes.push_back(decode(p));
    return codes;
}

}  // namespace tertium::utf8
