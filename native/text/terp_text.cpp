#include "text/terp_text.hpp"

#include <algorithm>

#include "text/rewriting.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

template <class Visit>
void each_word(std::string_view text, Visit visit) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const char* const word = std::find_if_not(p, end, is_ascii_blank);
        p = std::find_if(word, end, is_ascii_blank);
        if (p > word) visit(std::string_view(word, static_cast<std::size_t>(p - word)));
    }
}

// Punctuation off words: "u.s." keeps its dots, the full stop of "end." goes. For it the program gives up one of the
// blanks in front of the word, which is the only one after a symbol: "$5," becomes "$5 ,", but "$5" becomes "$ 5".
void normalize(std::string& text, std::string& spare) {
    replace_all(text, "<skipped>", "");
    undo_entities(text);
    spare.assign(2, ' ');
    append_padded(text, spare, is_symbol);
    spare.push_back(' ');
    text.swap(spare);
    replace_all(text, "'s ", " 's ");
    spare.clear();
    each_word(text, [&](std::string_view word) {
        const bool dotted =
            word.size() > 1 && is_dot(word.back()) && std::none_of(word.begin(), word.end() - 1, is_dot);
        if (dotted && !is_ascii_blank(*(word.data() - 2))) spare.pop_back();
        const std::string_view stem = dotted ? word.substr(0, word.size() - 1) : word;
        for (std::size_t i = 0; i < stem.size(); ++i) {
            spare.push_back(stem[i]);
            if (i + 1 < stem.size() && is_digit(stem[i]) && stem[i + 1] == '-') spare.append(" - "), ++i;
        }
        if (dotted) spare.append({' ', word.back()});
        spare.push_back(' ');
    });
    text.swap(spare);
}

// Letters, digits and the underscore, as Java's \b sees them.
bool is_word_character(char32_t c) {
    return c == '_' || (unicode::properties(c) & (unicode::kLetterOrMark | unicode::kNumber)) != 0;
}

// A hyphen that no word touches is a blank, both of "--" too; "boys'" is "boys 's", and "boy's" is "boy 's".
void normalize_further(std::string& text, std::string& spare) {
    spare.clear();
    char32_t before = ' ';
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const char* const begin = p;
        const char32_t c = utf8::decode(p);
        const char* following = p;
        const char32_t after = p < end ? utf8::decode(following) : U' ';
        if (c == '-' && !is_word_character(before) && !is_word_character(after))
            spare.push_back(' ');
        else
            spare.append(begin, p);
        before = c;
    }
    text.swap(spare);
    spare.clear();
    each_word(text, [&](std::string_view word) {
        if (word.ends_with("s'"))
            spare.append(word.substr(0, word.size() - 1)).append(" 's ");
        else if (word.ends_with("'s"))
            spare.append(word.substr(0, word.size() - 2)).append(" 's ");
        else
            spare.append(word).push_back(' ');
    });
    text.swap(spare);
}

void normalize_numbers_in(std::string& text, std::string& spare) {
    spare.clear();
    each_word(text, [&](std::string_view word) {
        const std::string digits = digits_of(word);
        spare.append(digits.empty() ? word : std::string_view(digits)).push_back(' ');
    });
    text.swap(spare);
}

void squeeze(std::string& text, std::string& spare) {
    spare.assign(1, ' ');
    each_word(text, [&](std::string_view word) { spare.append(word).push_back(' '); });
    text.swap(spare);
}

}  // namespace

std::string digits_of(std::string_view word) {
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"zero", "0"},      {"one", "1"},         {"two", "2"},           {"three", "3"},
        {"four", "4"},      {"five", "5"},        {"six", "6"},           {"seven", "7"},
        {"eight", "8"},     {"nine", "9"},        {"ten", "10"},          {"eleven", "11"},
        {"twelve", "12"},   {"thirteen", "13"},   {"fourteen", "14"},     {"fifteen", "15"},
        {"sixteen", "16"},  {"seventeen", "17"},  {"eighteen", "18"},     {"nineteen", "19"},
        {"twenty", "20"},   {"thirty", "30"},     {"forty", "40"},        {"fifty", "50"},
        {"sixty", "60"},    {"seventy", "70"},    {"eighty", "80"},       {"ninety", "90"},
        {"hundred", "100"}, {"thousand", "1000"}, {"million", "1000000"}, {"billion", "1000000000"}};
    std::string bare;
    for (const char c : word)
        if (std::string_view("-,.$%").find(c) == std::string_view::npos) bare.push_back(c);
    if (!bare.empty() && std::all_of(bare.begin(), bare.end(), is_digit)) return bare;
    for (const auto& [name, digits] : kWords)
        if (bare == name) return std::string(digits);
    return {};
}

void TerpText::add_equivalence(std::span<const std::string> phrases) {
    const auto spaced = [](const std::string& phrase) { return std::string(1, ' ').append(phrase).append(1, ' '); };
    for (std::size_t k = 1; k < phrases.size(); ++k)
        equivalences.emplace_back(spaced(phrases[k]), phrases[0].empty() ? " " : spaced(phrases[0]));
}

void TerpText::operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
    tokens.clear();
    text = prepared(text, normalization, !case_sensitive, scratch, unicode::Lower::java);
    if (normalized || new_normalization || no_punct || normalize_numbers || !equivalences.empty()) {
        std::string &line = scratch.rewritten, &spare = scratch.normalized;
        line.assign(text);
        if (normalized) squeeze(line, spare), normalize(line, spare);
        if (new_normalization) normalize_further(line, spare);
        if (no_punct) std::erase_if(line, is_mark);
        if (normalize_numbers) normalize_numbers_in(line, spare);
        if (!equivalences.empty()) squeeze(line, spare);
        for (const auto& [from, to] : equivalences)
            for (std::size_t at = line.find(from); at != std::string::npos; at = line.find(from, at + to.size() - 1))
                line.replace(at, from.size(), to);
        text = line;
    }
    const char* const end = text.data() + text.size();
    each_word(text, [&](std::string_view word) { tokens.add(word.data(), word.data() + word.size(), end); });
}

}  // namespace tertium
