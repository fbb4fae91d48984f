// Unicode 17.0: what a character is, its lower case, and the composed normal forms.
//
// Text in and out is valid UTF-8. Results equal Python's `str.lower` (unless another language's is asked for) and
// `unicodedata.normalize` for every character the oldest supported Python knows, and do not change with the Python in
// use.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tertium::unicode {

inline constexpr std::string_view version = "17.0";

inline constexpr std::uint8_t kPunctuation = 1 << 0;    // general category P*
inline constexpr std::uint8_t kSymbol = 1 << 1;         // S*
inline constexpr std::uint8_t kNumber = 1 << 2;         // N*
inline constexpr std::uint8_t kSeparator = 1 << 3;      // Z*
inline constexpr std::uint8_t kWhitespace = 1 << 4;     // Python's str.isspace
inline constexpr std::uint8_t kCased = 1 << 5;          // derived core property Cased
inline constexpr std::uint8_t kCaseIgnorable = 1 << 6;  // derived core property Case_Ignorable
inline constexpr std::uint8_t kLetterOrMark = 1 << 7;   // L* or M*

// A two-stage table: code points in blocks of 128, each distinct block stored once.
inline constexpr int kBlockBits = 7;
inline constexpr char32_t kLastCodePoint = 0x10FFFF;
extern const std::uint8_t property_blocks[];
extern const std::uint8_t property_entries[];

inline std::size_t entry_of(char32_t code, const std::uint8_t* blocks) {
    constexpr char32_t within_block = (char32_t{1} << kBlockBits) - 1;
    return std::size_t{blocks[code >> kBlockBits]} << kBlockBits | (code & within_block);
}

inline std::uint8_t properties(char32_t code) {
    return code <= kLastCodePoint ? property_entries[entry_of(code, property_blocks)] : std::uint8_t{0};
}

// Which language's lower case: they differ in what makes a capital sigma final. Perl never takes one for final.
enum class Lower { python, java, perl };

// Replaces `out`, which must not be the string `text` views, by `text` in lower case. False if nothing changed, as far
// as a look at the bytes tells.
bool lower(std::string_view text, std::string& out, Lower rule = Lower::python);

// Whether a character is its own lower case, whatever stands around it.
bool stays_in_lower_case(char32_t code);

enum class Form { nfc, nfkc };

// Whether a character stays as it is in the normal form, whatever stands before it. All below U+0300, from U+0400 to
// U+047F and from U+4000 to U+9FFF do in NFC.
bool stays_in_form(char32_t code, Form form);

// The normal form of `text`: itself if it has it already, else written to `space`, which `text` must not view.
std::string_view normalized(std::string_view text, Form form, std::string& space);

}  // namespace tertium::unicode
