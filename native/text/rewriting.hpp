// What the programs' tokenizers have in common: mteval's classes of characters, and passes that rewrite a line.
//
// Each pass goes once from left to right; a character consumed by one match cannot begin the next match of the same
// pass, which shows in runs of punctuation. Passes work on bytes where all that is padded is ASCII, else on characters.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tertium {

inline bool is_ascii_blank(char c) { return c == ' ' || (c >= 0x09 && c <= 0x0D); }
inline bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
inline bool is_dot(char32_t c) { return c == '.' || c == ','; }
inline bool is_symbol(char32_t c) {
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
// Those that TER's programs leave out if asked to.
inline bool is_mark(char c) { return std::string_view(".,?:;!\"()").find(c) != std::string_view::npos; }

// Replaces, from left to right, every `from` by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);
// &quot; &amp; &lt; &gt;, in this order.
void undo_entities(std::string& text);

// Where two neighbours match, both are consumed and written with blanks around one of them.
template <class String, class First, class Second>
void pad_second(const String& in, String& out, First first, Second second) {
    out.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
        out.push_back(in[i]);
        if (i + 1 < in.size() && first(in[i]) && second(in[i + 1])) out.append({' ', in[++i], ' '});
    }
}
template <class String, class First, class Second>
void pad_first(const String& in, String& out, First first, Second second) {
    out.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (i + 1 < in.size() && first(in[i]) && second(in[i + 1])) {
            out.append({' ', in[i], ' ', in[i + 1]});
            ++i;
        } else {
            out.push_back(in[i]);
        }
    }
}
// Adds to `out`, with blanks around each of `which`.
template <class String, class Which>
void append_padded(const String& in, String& out, Which which) {
    for (const auto c : in) {
        if (which(c))
            out.append({' ', c, ' '});
        else
            out.push_back(c);
    }
}

}  // namespace tertium
