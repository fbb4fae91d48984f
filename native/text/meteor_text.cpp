// METEOR's normaliser is a chain of regular expressions over characters. Here each link is one pass over code points;
// `lab` and `rest` are the two buffers that passes read from and write to in turn.
//
// Most texts are plain: ASCII with curly quotes at most, and no two marks so close that one rule's match takes a
// character from another's. Then each rule is a question about a mark and its two neighbours, and one pass cuts all
// words:
//
//     The U.S.-based firm's 3,000 cats sat.
//              |         |   |            |
//              |         |   |            ends a word: is that an abbreviation, does a small letter follow?
//              |         |   between digits: belongs to the word
//              |         between letters: the word ends here, and the next begins with the mark
//              between a dot or sign and a sign: a blank
//
// Words lie in the text as they are found, but for case and the dots that "U.S." loses.

#include "text/meteor_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "text/splitting.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

using Alphabet = MeteorText::Alphabet;
using Apostrophe = MeteorText::Apostrophe;

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }
bool is_digit(char32_t c) { return within(c, '0', '9'); }
bool is_blank(char32_t c) { return c == ' ' || within(c, 0x09, 0x0D); }
// Java's StringTokenizer splits at these.
bool is_delimiter(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
// What the normaliser takes for a blank in the end; our own takes every blank there is.
bool is_space(char32_t c, Alphabet alphabet) {
    if (alphabet == Alphabet::any) return (unicode::properties(c) & unicode::kWhitespace) != 0;
    return is_delimiter(c) || c == 0xA0 || within(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Latin and Cyrillic, as METEOR lists them.
bool is_meteor_letter(char32_t c) {
    if (c < 0x80) return within(c | 0x20, 'a', 'z');
    return within(c, 0xC0, 0xD6) || within(c, 0xD8, 0xF6) || within(c, 0xF8, 0x17E) || within(c, 0x400, 0x527) ||
           within(c, 0xA640, 0xA66E) || within(c, 0xA67E, 0xA697) || within(c, 0x1D00, 0x1D7F);
}

bool is_ideographic(char32_t c) {
    return within(c, 0x3040, 0x30FF) || within(c, 0x31F0, 0x31FF) || within(c, 0x3400, 0x4DBF) ||
           within(c, 0x4E00, 0x9FFF) || within(c, 0xF900, 0xFAFF) || within(c, 0x20000, 0x323AF);
}

constexpr char32_t kZeroWidthNonJoiner = 0x200C, kZeroWidthJoiner = 0x200D, kDevanagariAbbreviation = 0x0970;

// Letters and their marks in any script. The joiners are spelling in Persian, say; Indic texts have lost theirs before.
bool is_any_letter(char32_t c) {
    if (c < 0x80) return within(c | 0x20, 'a', 'z');
    return (unicode::properties(c) & unicode::kLetterOrMark) != 0 || c == kZeroWidthNonJoiner ||
           c == kZeroWidthJoiner || c == kDevanagariAbbreviation;
}

// What an alphabet calls a letter, and a letter or number.
struct Letters {
    Alphabet alphabet;
    bool letter(char32_t c) const { return alphabet == Alphabet::meteor ? is_meteor_letter(c) : is_any_letter(c); }
    bool sign(char32_t c) const {
        return is_digit(c) || letter(c) ||
               (alphabet == Alphabet::any && c >= 0x80 && (unicode::properties(c) & unicode::kNumber) != 0);
    }
};

void pad(std::u32string& out, char32_t c) { out.append({U' ', c, U' '}); }

bool is_indic(char32_t c) { return within(c, 0x0900, 0x0DFF); }
bool is_invisible(char32_t c) { return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF; }

// Our own preparation for languages without a normaliser of METEOR's. The joiners only say how an Indic letter is
// drawn, so the same word is written with and without them.
void drop_invisible(const std::u32string& text, std::u32string& out) {
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char32_t c = text[i];
        const bool joiner = c == kZeroWidthJoiner || c == kZeroWidthNonJoiner;
        const bool indic = (!out.empty() && is_indic(out.back())) || (i + 1 < text.size() && is_indic(text[i + 1]));
        if (!is_invisible(c) && !(joiner && indic)) out.push_back(c);
    }
}

// Which steps have something to do.
struct Occurring {
    bool dots = false, commas = false, quotes = false, hyphens = false, apostrophes = false;
};

// 1: marks and symbols stand alone, but for those that later steps look at.
Occurring pad_symbols(const std::u32string& text, std::u32string& out, const Letters& letters) {
    out.assign(1, U' ');
    Occurring found;
    char32_t before = U' ';
    for (const char32_t c : text) {
        if (within(c | 0x20, 'a', 'z') || c == ' ' || is_digit(c)) {
            out.push_back(c);
        } else if (c == '.') {
            found.dots = found.dots || before == '.';
            out.push_back(c);
        } else if (c == ',') {
            found.commas = true;
            out.push_back(c);
        } else if (c == '-') {
            found.hyphens = true;
            out.push_back(c);
        } else if (c == '\'' || c == '`' || c == U'‘' || c == U'’') {
            found.apostrophes = true;
            found.quotes = found.quotes || c != '\'' || before == '\'';
            out.push_back(c);
        } else if (!(letters.alphabet == Alphabet::any && is_ideographic(c)) && (letters.sign(c) || is_blank(c))) {
            out.push_back(c);
        } else {
            found.quotes = found.quotes || c == U'“' || c == U'”';
            found.hyphens = found.hyphens || c == U'–';
            pad(out, c);
        }
        before = c;
    }
    out.push_back(U' ');
    return found;
}

// Where `before`, `mark` and `after` follow each other, `written` replaces the mark. All three are consumed, as by a
// regular expression: of two such places that share a character only the first is seen.
template <class Before, class After>
void rewrite(std::u32string& text, std::u32string& spare, Before before, char32_t mark, After after,
             std::u32string_view written) {
    spare.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        spare.push_back(text[i]);
        if (i + 2 < text.size() && text[i + 1] == mark && before(text[i]) && after(text[i + 2])) {
            spare.append(written);
            spare.push_back(text[i + 2]);
            i += 2;
        }
    }
    text.swap(spare);
}

// 2 and 8: runs of dots stay one word.
void pad_dots(std::u32string& text, std::u32string& out) {
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '.' || i + 1 == text.size() || text[i + 1] != '.') {
            out.push_back(text[i]);
            continue;
        }
        out.push_back(' ');
        for (; i < text.size() && text[i] == '.'; ++i) out.push_back('.');
        out.push_back(' ');
        --i;
    }
    text.swap(out);
}

// 3: a comma stands alone, unless it is between digits.
void split_commas(std::u32string& text, std::u32string& spare) {
    const auto other = [](char32_t c) { return !is_digit(c); };
    rewrite(text, spare, other, ',', other, U" , ");
    rewrite(text, spare, is_digit, ',', other, U" , ");
    rewrite(text, spare, other, ',', is_digit, U" , ");
}

// 4: one apostrophe and one quotation mark for all.
void unify_quotes(std::u32string& text, std::u32string& out) {
    out.clear();
    const auto is_apostrophe = [](char32_t c) { return c == '\'' || c == '`' || c == U'‘' || c == U'’'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == U'“' || text[i] == U'”') {
            pad(out, '"');
        } else if (is_apostrophe(text[i]) && i + 1 < text.size() && is_apostrophe(text[i + 1])) {
            pad(out, '"');
            ++i;
        } else {
            out.push_back(is_apostrophe(text[i]) ? U'\'' : text[i]);
        }
    }
    text.swap(out);
}

// 5: dashes of all kinds are hyphens; one inside a word parts it.
void split_hyphens(std::u32string& text, std::u32string& out, const Letters& letters) {
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == U'–') {
            out.push_back('-');
        } else if (text[i] == '-' && i + 1 < text.size() && text[i + 1] == '-') {
            out.push_back('-');
            ++i;
        } else {
            out.push_back(text[i]);
        }
    }
    text.swap(out);
    const auto before = [&](char32_t c) { return letters.sign(c) || c == '.'; };
    rewrite(text, out, before, '-', [&](char32_t c) { return letters.sign(c); }, U" ");
}

// 6: the apostrophe goes with what follows (English 's), with what comes before (French l'), or stands alone.
void split_apostrophes(std::u32string& text, std::u32string& spare, const Letters& letters, Apostrophe rule) {
    const auto letter = [&](char32_t c) { return letters.letter(c); };
    const auto other = [&](char32_t c) { return !letters.letter(c); };
    const auto neither = [&](char32_t c) { return !letters.letter(c) && !is_digit(c); };
    if (rule == Apostrophe::alone) {
        spare.clear();
        for (const char32_t c : text) c == '\'' ? pad(spare, c) : spare.push_back(c);
        text.swap(spare);
        return;
    }
    rewrite(text, spare, other, '\'', other, U" ' ");
    if (rule == Apostrophe::french) {
        rewrite(text, spare, other, '\'', letter, U" ' ");
        rewrite(text, spare, letter, '\'', other, U" ' ");
        rewrite(text, spare, letter, '\'', letter, U"' ");
    } else {
        rewrite(text, spare, neither, '\'', letter, U" ' ");
        rewrite(text, spare, letter, '\'', other, U" ' ");
        rewrite(text, spare, letter, '\'', letter, U" '");
        rewrite(text, spare, is_digit, '\'', [](char32_t c) { return c == 's'; }, U" '");
    }
}

// 7: a full stop at the end of a word leaves it, unless it belongs to an abbreviation.
void split_stops(const std::u32string& text, std::u32string& out, const Letters& letters,
                 const DottedPrefixes& prefixes) {
    out.clear();
    const auto next_word = [&](std::size_t at) {
        while (at < text.size() && is_delimiter(text[at])) ++at;
        return at;
    };
    std::size_t begin = next_word(0);
    while (begin < text.size()) {
        std::size_t end = begin;
        while (end < text.size() && !is_delimiter(text[end])) ++end;
        const std::size_t following = next_word(end);
        const std::u32string_view word(text.data() + begin, end - begin);
        out.push_back(' ');
        const std::u32string_view stem = word.substr(0, word.size() - 1);
        const bool only_dots = stem.find_first_not_of(U'.') == std::u32string_view::npos;
        if (word.back() != '.' || only_dots) {
            out.append(word);
        } else if (stem.find(U'.') != std::u32string_view::npos &&
                   std::any_of(stem.begin(), stem.end(), [&](char32_t c) { return letters.letter(c); })) {
            std::copy_if(word.begin(), word.end(), std::back_inserter(out), [](char32_t c) { return c != '.'; });
        } else {
            const char32_t after = following < text.size() ? text[following] : U' ';
            out.append(stem);
            out.append(prefixes.keep_dot(key_of(utf8::bytes(stem)), after) ? U"." : U" .");
        }
        begin = following;
    }
}

// What a byte of a plain text is.
enum class Kind : std::uint8_t { letter, digit, dot, blank, comma, hyphen, apostrophe, symbol, not_plain };

constexpr std::array<Kind, 256> kKinds = [] {
    std::array<Kind, 256> kinds{};
    for (int c = 0; c < 256; ++c) {
        const int small = c | 0x20;
        kinds[static_cast<std::size_t>(c)] = c >= '0' && c <= '9'                      ? Kind::digit
                                             : small >= 'a' && small <= 'z' && c < 128 ? Kind::letter
                                             : c > ' ' && c < 0x7F                     ? Kind::symbol
                                                                                       : Kind::not_plain;
    }
    for (const char c : {' ', '\t', '\n', '\f', '\r'}) kinds[static_cast<std::size_t>(c)] = Kind::blank;
    kinds['.'] = Kind::dot;
    kinds[','] = Kind::comma;
    kinds['-'] = Kind::hyphen;
    kinds['\''] = Kind::apostrophe;
    kinds['`'] = Kind::not_plain;  // two of them are a quotation mark
    return kinds;
}();

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }
bool is_sign(Kind kind) { return kind <= Kind::digit; }

// Cuts the words of a plain text in one pass.
class PlainWords {
public:
    PlainWords(std::string_view text, Apostrophe rule, const DottedPrefixes& prefixes, std::string& space,
               Tokens& tokens)
        : text_(text), rule_(rule), prefixes_(prefixes), tokens_(tokens) {
        space.resize(text.size() + 8);
        out_ = word_ = space.data();
        end_ = space.data() + space.size();
    }

    // Returns whether the text was plain; if not, some words may have been added.
    bool cut() {
        while (at_ < text_.size()) {
            put_signs();
            if (at_ < text_.size() && !take_mark()) return false;
        }
        close(at_);
        return plain_;
    }

private:
    Kind around(std::size_t at) const { return at < text_.size() ? kind_of(text_[at]) : Kind::blank; }
    Kind before() const { return around(at_ - 1); }  // also before the beginning
    Kind after() const { return around(at_ + 1); }

    // Letters and digits up to the next mark, eight bytes at a time: as many as a vector in a register, where the
    // highest bit of each byte says what it is.
    void put_signs() {
        constexpr std::uint64_t kEach = 0x0101010101010101u, kHigh = 0x80 * kEach;
        while (at_ + 8 <= text_.size()) {
            const std::uint64_t bytes = eight_bytes(text_.data() + at_), low = bytes & ~kHigh,
                                small = low | 0x20 * kEach;
            const auto is_within = [&](std::uint64_t c, std::uint64_t first, std::uint64_t last) {
                return (c + (0x80 - first) * kEach) & ~(c + (0x7F - last) * kEach) & ~bytes & kHigh;
            };
            const std::uint64_t letters = is_within(small, 'a', 'z'), digits = is_within(low, '0', '9');
            const std::uint64_t lowered = bytes | ((letters & ~(bytes << 2)) >> 2);
            std::memcpy(out_, &lowered, 8);
            const auto signs = static_cast<std::size_t>(std::countr_zero(~(letters | digits) & kHigh)) / 8;
            at_ += signs;
            out_ += signs;
            if (signs < 8) return;
        }
        for (; at_ < text_.size() && is_sign(kind_of(text_[at_])); ++at_) put();
    }
    void put() {
        const char c = text_[at_];
        *out_++ = static_cast<char>(c | (c >= 'A' && c <= 'Z' ? 0x20 : 0));
    }
    void put_alone() { put_alone(text_[at_]); }
    void put_alone(char c) {
        close(at_);
        *out_++ = c;
        end_word();
    }
    // Of two equal marks, the second must have neighbours of its own.
    bool is_near(std::size_t& last) {
        const bool near = last != 0 && at_ + 1 - last <= 2;
        last = at_ + 1;
        return near;
    }

    bool take_mark() {
        switch (kind_of(text_[at_])) {
            case Kind::blank: close(at_); break;
            case Kind::symbol: put_alone(); break;
            case Kind::dot:
                if (after() == Kind::dot) return false;
                put();
                break;
            case Kind::comma:
                if (is_near(last_comma_)) return false;
                before() == Kind::digit&& after() == Kind::digit ? put() : put_alone();
                break;
            case Kind::hyphen:
                if (is_near(last_hyphen_)) return false;
                (is_sign(before()) || before() == Kind::dot) && is_sign(after()) ? close(at_ + 1) : put();
                break;
            case Kind::apostrophe:
                if (!take_apostrophe(1)) return false;
                break;
            default: return take_typographic();
        }
        ++at_;
        return true;
    }

    // Curly quotation marks and the dash, of three bytes, do as symbols do, curly apostrophes as straight ones.
    bool take_typographic() {
        const std::string_view mark = text_.substr(at_, 3);
        if (mark == "\u201C" || mark == "\u201D") {
            put_alone('"');
        } else if (mark == "\u2013") {
            put_alone('-');
        } else if ((mark == "\u2018" || mark == "\u2019") && take_apostrophe(3)) {
            last_comma_ += last_comma_ == 0 ? 0 : 2;  // one character further, not three
        } else {
            return false;
        }
        at_ += 3;
        return true;
    }

    bool take_apostrophe(std::size_t bytes) {
        if (last_apostrophe_ != 0 && at_ - last_apostrophe_ <= 1) return false;
        last_apostrophe_ = at_ + bytes;
        const Kind after = around(at_ + bytes);
        const bool letters = before() == Kind::letter && after == Kind::letter;
        const auto put_it = [&] {
            *out_++ = '\'';
            rewritten_ = rewritten_ || bytes > 1;
        };
        if (rule_ == Apostrophe::french && letters) {
            put_it();
            end_word();
        } else if (rule_ == Apostrophe::english && before() == Kind::digit && after == Kind::letter) {
            if (text_[at_ + bytes] == 's') close(at_);
            put_it();
        } else if (rule_ == Apostrophe::english && letters) {
            close(at_);
            put_it();
        } else {
            put_alone('\'');
        }
        return true;
    }

    // Ends the word at hand, if there is one, at `at_`; the next begins at `next` or behind blanks.
    void close(std::size_t next) {
        if (out_ - word_ > 1 && out_[-1] == '.') split_stop(next);
        end_word();
    }
    void end_word() {
        if (out_ > word_) tokens_.add(word_, out_, end_);
        word_ = out_;
        rewritten_ = false;
    }

    void split_stop(std::size_t next) {
        const std::string_view stem(word_, static_cast<std::size_t>(out_ - word_) - 1);
        if (stem.find('.') != std::string_view::npos &&
            std::any_of(stem.begin(), stem.end(), [](char c) { return kind_of(c) == Kind::letter; })) {
            out_ = std::remove(word_, out_, '.');
            return;
        }
        plain_ = plain_ && !rewritten_;
        while (next < text_.size() && kind_of(text_[next]) == Kind::blank) ++next;
        const char follows = next < text_.size() ? text_[next] : ' ';
        const Key key = key_of(text_.substr(at_ - stem.size() - 1, stem.size()));
        if (prefixes_.keep_dot(key, static_cast<unsigned char>(follows))) return;
        --out_;
        end_word();
        *out_++ = '.';
    }

    std::string_view text_;
    Apostrophe rule_;
    const DottedPrefixes& prefixes_;
    Tokens& tokens_;
    std::size_t at_ = 0;
    char *out_, *word_, *end_;
    std::size_t last_comma_ = 0, last_hyphen_ = 0, last_apostrophe_ = 0;  // counted from 1; where the last ends
    bool rewritten_ = false, plain_ = true;  // the word at hand has other bytes than the text; not found out otherwise
};

void drop_punctuation(std::u32string& text, const Letters& letters) {
    for (char32_t& c : text)
        if (!letters.sign(c)) c = ' ';
}

// As Java trims: control characters go too.
std::u32string_view trimmed(std::u32string_view text, Alphabet alphabet) {
    const auto is_low = [&](char32_t c) { return c <= ' ' || is_space(c, alphabet); };
    while (!text.empty() && is_low(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_low(text.back())) text.remove_suffix(1);
    return text;
}

template <class IsBlank>
void split_at(std::string_view text, IsBlank is_blank, Tokens& tokens) {
    const char* const end = text.data() + text.size();
    const char* word = nullptr;
    for (const char* p = text.data(); p < end;) {
        const char* const at = p;
        const bool blank = is_blank(utf8::decode(p));
        if (blank && word) tokens.add(word, at, end);
        word = blank ? nullptr : word ? word : at;
    }
    if (word) tokens.add(word, end, end);
}

}  // namespace

void MeteorText::operator()(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
    tokens.clear();
    if (style != Style::normalize) {
        text = prepared(text, normalization, style == Style::lower, scratch, unicode::Lower::java);
        return split_at(text, is_delimiter, tokens);
    }
    if (punctuation && PlainWords(text, apostrophe, *prefixes, scratch.lowered, tokens).cut()) return;
    tokens.clear();
    normalize(text, scratch, tokens);
}

void MeteorText::normalize(std::string_view text, Tokenizer::Scratch& scratch, Tokens& tokens) const {
    const Letters letters{alphabet};
    const bool composed = alphabet == Alphabet::any && normalization == Normalization::none;
    text = prepared(text, composed ? Normalization::nfc : normalization, false, scratch);
    std::u32string &lab = scratch.points, &rest = scratch.other_points;
    lab.resize(text.size());
    char32_t* point = lab.data();
    for (const char *p = text.data(), *const end = p + text.size(); p < end;) *point++ = utf8::decode(p);
    lab.resize(static_cast<std::size_t>(point - lab.data()));
    if (alphabet == Alphabet::any) {
        drop_invisible(lab, rest);
        lab.swap(rest);
    }
    const Occurring found = pad_symbols(lab, rest, letters);
    lab.swap(rest);
    if (found.dots) pad_dots(lab, rest);
    if (found.commas) split_commas(lab, rest);
    if (found.quotes) unify_quotes(lab, rest);
    if (found.hyphens) split_hyphens(lab, rest, letters);
    if (found.apostrophes) split_apostrophes(lab, rest, letters, apostrophe);
    split_stops(lab, rest, letters, *prefixes);
    lab.swap(rest);
    if (!punctuation) drop_punctuation(lab, letters);
    const std::u32string_view line = trimmed(lab, alphabet);
    scratch.rewritten.resize(4 * line.size());
    char* end = scratch.rewritten.data();
    for (const char32_t c : line) end += utf8::encode(c, end);
    scratch.rewritten.resize(static_cast<std::size_t>(end - scratch.rewritten.data()));
    unicode::lower(scratch.rewritten, scratch.lowered, unicode::Lower::java);
    split_at(scratch.lowered, [this](char32_t c) { return is_space(c, alphabet); }, tokens);
}

}  // namespace tertium
