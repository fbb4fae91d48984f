// Java cuts a text into words, and a capital sigma is final if a letter with case comes before it in its word, but none
// after it. A word goes on over letters and digits, over one joint between two letters (a hyphen, an apostrophe, a full
// stop) and over one between two digits:
//
//     ΟΔΟΣ        final: οδος
//     ΑΣ-Α, ΑΣ.Α  one word each, and Α comes after: ασ-α, ασ.α
//     ΑΣ1Α        one word: ασ1α
//     ΑΣ, Α       two words: ας, α
//
// Unicode's rule, which Python follows, knows no words: it looks past some characters, of which the full stop is one
// and the hyphen and digits are none.

#include "text/java.hpp"

#include <algorithm>
#include <array>

#include "text/unicode.hpp"

namespace tertium::java {
namespace {

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// What words are made of. An accent belongs to the character before it; what is invisible is as if it were not there.
enum class Kind { other, letter, digit, joint, accent, invisible };

// Dashes, connectors, and a few more.
bool joins_letters(char32_t c) {
    static constexpr std::array joints = std::to_array<char32_t>(
        {0x0022, 0x0027, 0x002D, 0x002E, 0x005F, 0x00AD, 0x058A, 0x05BE, 0x1400, 0x1806, 0x2010, 0x2011, 0x2012,
         0x2013, 0x2014, 0x2015, 0x2027, 0x203F, 0x2040, 0x2054, 0x2E17, 0x2E1A, 0x2E3A, 0x2E3B, 0x2E40, 0x301C,
         0x3030, 0x30A0, 0xFE31, 0xFE32, 0xFE33, 0xFE34, 0xFE4D, 0xFE4E, 0xFE4F, 0xFE58, 0xFE63, 0xFF0D, 0xFF3F});
    return std::binary_search(joints.begin(), joints.end(), c);
}
bool joins_digits(char32_t c) { return c == '"' || c == '\'' || c == ',' || c == '.' || c == 0x066B; }

// Kana and ideographs make words of their own.
bool is_east_asian(char32_t c) {
    return within(c, 0x3041, 0x3094) || within(c, 0x309D, 0x309E) || within(c, 0x30A1, 0x30FE) || c == 0x3005 ||
           within(c, 0x4E00, 0x9FA5) || within(c, 0xF900, 0xFA2D);
}

// Small letters above the line and the like; of characters that are neither symbols nor numbers.
bool is_modifier_letter(char32_t c) {
    return within(c, 0x02B0, 0x02EE) || c == 0x0374 || c == 0x037A || within(c, 0x1D2C, 0x1DBF) ||
           within(c, 0x2071, 0x209C);
}

Kind kind_of(char32_t c) {
    using namespace unicode;
    if (joins_letters(c) || joins_digits(c)) return Kind::joint;
    const std::uint8_t bits = properties(c);
    if (bits & kNumber) return Kind::digit;
    if (bits & (kPunctuation | kSymbol) || is_east_asian(c)) return Kind::other;
    if (!(bits & kCaseIgnorable)) return bits & kLetterOrMark ? Kind::letter : Kind::other;
    return !(bits & kLetterOrMark) ? Kind::invisible : is_modifier_letter(c) ? Kind::letter : Kind::accent;
}

// Java's letters with case are Unicode's without those that were added later.
bool is_cased(char32_t c) {
    const std::uint8_t bits = unicode::properties(c);
    if (!(bits & unicode::kCased)) return false;
    if (bits & unicode::kCaseIgnorable) return c <= 0x037A || within(c, 0x1D2C, 0x1D61);
    return c != 0xAA && c != 0xBA;
}

// Moves p, which is not at the beginning, to the character before it.
char32_t step_back(const char*& p) {
    p = utf8::previous(p);
    const char* at = p;
    return utf8::decode(at);
}

// Moves p to the next character before it that is neither an accent nor invisible; says whether there were accents.
// Returns 0, which no word has, if there is none.
char32_t base_before(std::string_view text, const char*& p, bool& accented) {
    accented = false;
    while (p != text.data()) {
        const char32_t c = step_back(p);
        const Kind kind = kind_of(c);
        if (kind != Kind::accent && kind != Kind::invisible) return c;
        accented = accented || kind == Kind::accent;
    }
    return 0;
}

// Whether a word that has these on both sides of a joint goes on over it.
bool goes_over(char32_t joint, Kind before, Kind after) {
    return before == after &&
           ((before == Kind::letter && joins_letters(joint)) || (before == Kind::digit && joins_digits(joint)));
}

// Whether the characters on both sides of p, which is not at the end, are in the same word.
bool is_inside_word(std::string_view text, const char* p) {
    const char *right = p, *const end = text.data() + text.size();
    const char32_t next = utf8::decode(right);
    const Kind after = kind_of(next);
    if (after == Kind::accent || after == Kind::invisible) return true;
    if (after == Kind::other) return false;
    bool accented;
    const char32_t last = base_before(text, p, accented);
    const Kind before = kind_of(last);
    if (after == Kind::joint) {
        Kind beyond = Kind::invisible;
        while (beyond == Kind::invisible && right != end) beyond = kind_of(utf8::decode(right));
        return goes_over(next, before, beyond);
    }
    if (before == Kind::joint) return !accented && goes_over(last, kind_of(base_before(text, p, accented)), after);
    return before == Kind::letter || before == Kind::digit;
}

}  // namespace

bool is_final_sigma(std::string_view text, const char* begin, const char* end) {
    bool cased = false;
    while (!cased && begin != text.data() && is_inside_word(text, begin)) cased = is_cased(step_back(begin));
    if (!cased) return false;
    while (end != text.data() + text.size() && is_inside_word(text, end))
        if (is_cased(utf8::decode(end))) return false;
    return true;
}

}  // namespace tertium::java
