// What Java takes a word for: units of UTF-16, where characters beyond the first plane are two. And where it ends.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/utf8.hpp"

namespace tertium::java {

inline std::size_t length(std::string_view word) {
    std::size_t units = 0;
    for (const char *p = word.data(), *const end = p + word.size(); p < end;) units += utf8::decode(p) > 0xFFFF ? 2 : 1;
    return units;
}

// String.hashCode. Words that have the same need not be the same: n' and le, g7 and eu.
inline std::uint32_t hash_code(std::string_view word) {
    std::uint32_t code = 0;
    for (const char *p = word.data(), *const end = p + word.size(); p < end;) {
        const char32_t c = utf8::decode(p);
        if (c <= 0xFFFF) {
            code = 31 * code + static_cast<std::uint32_t>(c);
        } else {
            const auto rest = static_cast<std::uint32_t>(c - 0x10000);
            code = 31 * (31 * code + (0xD800 + (rest >> 10))) + (0xDC00 + (rest & 0x3FF));
        }
    }
    return code;
}

// Whether String.toLowerCase makes a final one of the capital sigma that stands in `text` from `begin` to `end`.
bool is_final_sigma(std::string_view text, const char* begin, const char* end);

}  // namespace tertium::java
