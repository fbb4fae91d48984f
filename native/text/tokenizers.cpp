// The tokenizers, as chains of passes like the originals' (rewriting.hpp).

#include "text/tokenizers.hpp"

#include <algorithm>
#include <optional>

#include "text/keyed_words.hpp"
#include "text/rewriting.hpp"
#include "text/splitting.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

bool is_space(char32_t c) { return (unicode::properties(c) & unicode::kWhitespace) != 0; }

// sacreBLEU's idea of a Chinese character, with the accident that the first block is U+2001-2A6D.
bool is_chinese(char32_t c) {
    static constexpr char32_t ranges[][2] = {{0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F},
                                             {0x31A0, 0x31EF}, {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
                                             {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},
                                             {0xFF00, 0xFFEF}};
    return c >= 0x2001 && std::any_of(std::begin(ranges), std::end(ranges),
                                      [c](const auto& range) { return c >= range[0] && c <= range[1]; });
}

void decode(std::string_view text, std::u32string& points) {
    points.clear();
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) points.push_back(utf8::decode(p));
}

template <class Which>
void pad_each(const std::u32string& in, std::u32string& out, Which which) {
    out.clear();
    append_padded(in, out, which);
}

void encode_and_split(const std::u32string& points, Tokenizer::Scratch& scratch, Tokens& tokens) {
    std::string& bytes = scratch.rewritten;
    bytes.clear();
    for (const char32_t c : points) utf8::encode(c, bytes);
    take_words(bytes, split(bytes, Cut::unicode, scratch), scratch, tokens);
}

// Steps 3 to 6 of 13a: symbols, then dots and commas by their neighbours, then dashes after digits.
void mteval_passes(Tokenizer::Scratch& scratch) {
    const auto not_digit = [](char32_t c) { return !is_digit(c); };
    pad_each(scratch.points, scratch.other_points, is_symbol);
    pad_second(scratch.other_points, scratch.points, not_digit, is_dot);
    pad_first(scratch.points, scratch.other_points, is_dot, not_digit);
    pad_second(scratch.other_points, scratch.points, is_digit, [](char32_t c) { return c == '-'; });
}

std::string_view without_trailing_space(std::string_view text) {
    while (!text.empty()) {
        const char* const end = text.data() + text.size();
        const char* const last = utf8::previous(end);
        const char* p = last;
        if (!is_space(utf8::decode(p))) break;
        text.remove_suffix(static_cast<std::size_t>(end - last));
    }
    return text;
}

void fold_ascii(std::string& text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
}

// `fold` lower-cases A to Z, after entities are undone.
void tokenize_13a(std::string_view text, bool fold, Tokenizer::Scratch& scratch, Tokens& tokens) {
    const std::size_t words = split(text, Cut::mteval_13a, scratch);
    if (words != kNotOrdinary) {
        if (fold) {
            scratch.lowered.assign(text);
            fold_ascii(scratch.lowered);
            text = scratch.lowered;
        }
        return take_words(text, words, scratch, tokens);
    }
    std::string& line = scratch.rewritten;
    line.assign(without_trailing_space(text));  // first, so that a final line feed joins nothing
    replace_all(line, "<skipped>", "");
    replace_all(line, "-\n", "");
    replace_all(line, "\n", " ");
    undo_entities(line);
    if (fold) fold_ascii(line);
    line.insert(0, 1, ' ').push_back(' ');
    decode(line, scratch.points);
    mteval_passes(scratch);
    encode_and_split(scratch.points, scratch, tokens);
}

void tokenize_zh(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) {
    std::u32string& points = scratch.other_points;
    decode(without_trailing_space(text), points);
    points.erase(points.begin(), std::find_if_not(points.begin(), points.end(), is_space));
    pad_each(points, scratch.points, is_chinese);
    mteval_passes(scratch);
    encode_and_split(scratch.points, scratch, tokens);
}

// Punctuation (P*) beside anything but a number, then symbols (S*).
void category_passes(Tokenizer::Scratch& scratch) {
    using namespace unicode;
    const auto is = [](std::uint8_t property) {
        return [property](char32_t c) { return (properties(c) & property) != 0; };
    };
    const auto not_number = [](char32_t c) { return (properties(c) & kNumber) == 0; };
    pad_second(scratch.points, scratch.other_points, not_number, is(kPunctuation));
    pad_first(scratch.other_points, scratch.points, is(kPunctuation), not_number);
    pad_each(scratch.points, scratch.other_points, is(kSymbol));
}

void tokenize_intl(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) {
    decode(without_trailing_space(text), scratch.points);
    category_passes(scratch);
    encode_and_split(scratch.other_points, scratch, tokens);
}

// The script's own international mode: it rewrites the line before it folds case. Where the file has a blank at both
// ends of segments, it sees them.
void tokenize_mteval_intl(std::string_view text, bool lowercase, bool bare, Tokenizer::Scratch& scratch,
                          Tokens& tokens) {
    std::string& line = scratch.rewritten;
    line.assign(text);
    replace_all(line, "<skipped>", "");
    replace_all(line, "-\u2028", "");
    replace_all(line, "\u2028", " ");
    undo_entities(line);
    replace_all(line, "&apos;", "'");
    if (lowercase) {
        unicode::lower(line, scratch.lowered, unicode::Lower::perl);
        line.swap(scratch.lowered);
    }
    if (!bare) line.insert(0, 1, ' ').push_back(' ');
    decode(line, scratch.points);
    category_passes(scratch);
    encode_and_split(scratch.other_points, scratch, tokens);
}

void split_characters(std::string_view text, Tokens& tokens) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const char* const here = p;
        if (!is_space(utf8::decode(p))) tokens.add(here, p, end);
    }
}

std::optional<unicode::Form> form_of(Normalization normalization) {
    if (normalization == Normalization::none) return {};
    return normalization == Normalization::nfc ? unicode::Form::nfc : unicode::Form::nfkc;
}

// Where a rule only cuts, and how.
std::optional<Cut> cut_of(Rule rule) {
    switch (rule) {
        case Rule::none: return Cut::unicode;
        case Rule::space: return Cut::ascii;
        case Rule::blank: return Cut::u0020;
        case Rule::mteval_13a: return Cut::mteval_13a;
        default: return {};
    }
}

}  // namespace

std::string_view prepared(std::string_view text, Normalization normalization, bool lowercase,
                          Tokenizer::Scratch& scratch, unicode::Lower rule) {
    if (const auto form = form_of(normalization)) text = unicode::normalized(text, *form, scratch.normalized);
    if (lowercase && unicode::lower(text, scratch.lowered, rule)) text = scratch.lowered;
    return text;
}

void Tokenizer::operator()(std::string_view text, Scratch& scratch, Tokens& tokens) const {
    tokens.clear();
    const std::optional<Cut> cut = cut_of(rule_);
    const std::optional<unicode::Form> form = form_of(normalization_);
    const bool takes_keys = cut && !tokens.keep_words;
    if (takes_keys && take_keys(text, *cut, lowercase_, form, tokens)) return;
    if (form) {
        text = unicode::normalized(text, *form, scratch.normalized);
        if (takes_keys && take_keys(text, *cut, lowercase_, {}, tokens)) return;
    }
    const bool folds_itself = rule_ == Rule::mteval || rule_ == Rule::mteval_intl || rule_ == Rule::mteval_intl_bare;
    text = prepared(text, Normalization::none, lowercase_ && !folds_itself, scratch);
    switch (rule_) {
        case Rule::none:
        case Rule::space:
        case Rule::blank: return take_words(text, split(text, *cut, scratch), scratch, tokens);
        case Rule::mteval_13a: return tokenize_13a(text, false, scratch, tokens);
        case Rule::mteval: return tokenize_13a(text, lowercase_, scratch, tokens);
        case Rule::intl: return tokenize_intl(text, scratch, tokens);
        case Rule::mteval_intl: return tokenize_mteval_intl(text, lowercase_, false, scratch, tokens);
        case Rule::mteval_intl_bare: return tokenize_mteval_intl(text, lowercase_, true, scratch, tokens);
        case Rule::zh: return tokenize_zh(text, scratch, tokens);
        case Rule::characters: return split_characters(text, tokens);
    }
}

}  // namespace tertium
