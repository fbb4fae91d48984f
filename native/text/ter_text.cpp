// Both programs go over the text with a chain of regular expressions. Most of them look at ASCII alone, so they run
// over bytes; those for East Asian scripts only put blanks between characters, which one pass over characters does.

#include "text/ter_text.hpp"

#include <algorithm>
#include <string>

#include "text/rewriting.hpp"
#include "text/splitting.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

using Style = TerText::Style;

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_asian_mark(char32_t c) {
    return c == 0x3001 || c == 0x3002 || within(c, 0x3008, 0x3011) || within(c, 0x3014, 0x301F) || c == 0x30FB ||
           within(c, 0xFF61, 0xFF65) || c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B ||
           within(c, 0xFF01, 0xFF02) || within(c, 0xFF08, 0xFF09);
}

// Characters that become words of their own: Unified (with Extension A), Strokes, Radicals, Compatibility (with
// Ideographs and Forms), Enclosed. sacreBLEU's last range ends at U+3F22, not U+32FF.
bool is_ideograph(char32_t c, Style style) {
    return within(c, 0x4E00, 0x9FFF) || within(c, 0x3400, 0x4DBF) || within(c, 0x31C0, 0x31EF) ||
           within(c, 0x2E80, 0x2EFF) || within(c, 0x3300, 0x33FF) || within(c, 0xF900, 0xFAFF) ||
           within(c, 0xFE30, 0xFE4F) || within(c, 0x3200, style == Style::sacrebleu ? 0x3F22 : 0x32FF);
}

// Runs of one script become words in tercom; sacreBLEU's expressions for them never match.
int run_of(char32_t c, Style style) {
    if (style == Style::sacrebleu) return 0;
    return within(c, 0x3040, 0x309F) ? 1 : within(c, 0x30A0, 0x30FF) ? 2 : within(c, 0x31F0, 0x31FF) ? 3 : 0;
}

// Before 0.8 a dot or comma was split off only at the end of a word without another, and only if the word before had
// none split off, since a match took the blanks on both sides with it.
void split_final_dots(std::string& text, std::string& spare) {
    spare.assign(1, ' ');
    bool taken = false;
    for (auto p = text.begin(); p != text.end();) {
        const auto word = std::find_if_not(p, text.end(), is_ascii_blank);
        p = std::find_if(word, text.end(), is_ascii_blank);
        if (p == word) break;
        taken = !taken && p - word > 1 && is_dot(p[-1]) && std::none_of(word, p - 1, is_dot);
        spare.append(word, taken ? p - 1 : p).push_back(' ');
        if (taken) spare.append({p[-1], ' '});
    }
    text.swap(spare);
}

void normalize_western(std::string& text, std::string& spare, Style style, bool release_0_7) {
    if (style == Style::tercom) {
        replace_all(text, "<skipped>", "");
        replace_all(text, "-\n", "");
    } else {
        replace_all(text, "\n-", "");
    }
    replace_all(text, "\n", " ");
    undo_entities(text);
    spare.assign(1, ' ');
    append_padded(text, spare, is_symbol);
    text.swap(spare);
    text.append("   ");  // the final blank is a symbol too
    replace_all(text, "'s ", " 's ");
    if (release_0_7) {
        split_final_dots(text, spare);
    } else {
        const auto not_digit = [](char c) { return !is_digit(c); };
        pad_second(text, spare, not_digit, is_dot);
        pad_first(spare, text, is_dot, not_digit);
    }
    pad_second(text, spare, is_digit, [](char c) { return c == '-'; });
    text.swap(spare);
}

void normalize_asian(std::string& text, std::string& spare, Style style) {
    spare.clear();
    int before = 0;
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const char32_t c = utf8::decode(p);
        const bool alone = is_ideograph(c, style) || is_asian_mark(c);
        if (alone || run_of(c, style) != before) spare.push_back(' ');
        utf8::encode(c, spare);
        if (alone) spare.push_back(' ');
        before = run_of(c, style);
    }
    text.swap(spare);
}

void remove_marks(std::string& text, std::string& spare, bool asian) {
    std::erase_if(text, is_mark);
    if (!asian) return;
    spare.clear();
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const char32_t c = utf8::decode(p);
        if (!is_asian_mark(c)) utf8::encode(c, spare);
    }
    text.swap(spare);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_ascii_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_ascii_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view without_final_blanks(std::string_view text) {
    while (!text.empty()) {
        const char* const last = utf8::previous(text.data() + text.size());
        const char* p = last;
        if (!(unicode::properties(utf8::decode(p)) & unicode::kWhitespace)) break;
        text = text.substr(0, static_cast<std::size_t>(last - text.data()));
    }
    return text;
}

// Leaves one blank between words, of whatever kind those between them were.
void join_words(Tokenizer::Scratch& scratch) {
    const std::string_view text = scratch.rewritten;
    const std::size_t count = split(text, Cut::unicode, scratch);
    scratch.normalized.clear();
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) scratch.normalized.push_back(' ');
        scratch.normalized.append(text.substr(scratch.starts[i], scratch.ends[i] - scratch.starts[i] + 1));
    }
    scratch.rewritten.swap(scratch.normalized);
}

void split_at_ascii_blanks(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) {
    take_words(text, split(text, Cut::ascii, scratch), scratch, tokens);
}

// As Java does: before a leading blank stands an empty word, and a text without any blank is one word, even if it is
// empty.
void split_like_java(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) {
    const bool only_blanks = std::all_of(text.begin(), text.end(), is_ascii_blank);
    if (!text.empty() && (!is_ascii_blank(text.front()) || only_blanks))
        return split_at_ascii_blanks(text, scratch, tokens);
    const char* const end = text.data() + text.size();
    tokens.add(text.data(), text.data(), end);
    const std::size_t count = split(text, Cut::ascii, scratch);
    for (std::size_t i = 0; i < count; ++i)
        tokens.add(text.data() + scratch.starts[i], text.data() + scratch.ends[i] + 1, end);
}

}  // namespace

void TerText::rewrite(std::string& line, std::string& spare) const {
    if (normalized) normalize_western(line, spare, style, release_0_7);
    if (normalized && asian_support) normalize_asian(line, spare, style);
    if (normalized && style == Style::tercom) line = trimmed(line);
    if (no_punct) remove_marks(line, spare, asian_support);
}

void TerText::split_odd(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
    if (style == Style::tercom) text = trimmed(text);
    tokens.clear();
    if (!text.empty()) rewrite_and_split(text, scratch, tokens);
}

void TerText::rewrite_and_split(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
    const bool rewrites = normalized || no_punct;
    const auto rule = style == Style::tercom ? unicode::Lower::java : unicode::Lower::python;
    text = prepared(text, normalization, !case_sensitive, scratch, rule);
    if (rewrites) {
        scratch.rewritten.assign(style == Style::sacrebleu ? without_final_blanks(text) : text);
        rewrite(scratch.rewritten, scratch.normalized);
        if (twice) {
            join_words(scratch);
            rewrite(scratch.rewritten, scratch.normalized);
        }
        text = scratch.rewritten;
    }
    if (style == Style::sacrebleu) return take_words(text, split(text, Cut::unicode, scratch), scratch, tokens);
    if (rewrites) return split_like_java(text, scratch, tokens);
    split_at_ascii_blanks(text, scratch, tokens);
}

}  // namespace tertium
