// Lower case and normal forms.
//
// Most text is already in NFC, so normalization looks first for the rare place that needs work. A character is
// *inert* when it keeps its form and joins nothing before it: the text may be cut in front of it. For a place
// that needs work, the text between the nearest inert characters is rewritten and the rest is copied:
//
//     c a f e ´ s     e + U+0301 is not composed; e and s are inert
//           ^^^       so this stretch is decomposed, put in canonical order, and composed to é

#include "text/unicode.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <tuple>
#include <vector>

#include "machine/byte_masks.hpp"
#include "machine/multiversion.hpp"
#include "text/java.hpp"
#include "text/utf8.hpp"

namespace tertium::unicode {
namespace {

struct NormalizationTraits {
    std::uint8_t combining;  // canonical combining class
    std::uint8_t flags;
};
constexpr std::uint8_t kDecomposes = 1 << 0;            // canonically
constexpr std::uint8_t kDecomposesCompatibly = 1 << 1;  // and differently from the canonical decomposition
constexpr std::uint8_t kComposesBackward = 1 << 2;      // second of some pair that has a composite
constexpr std::uint8_t kNotNfc = 1 << 3;                // quick check: no or maybe
constexpr std::uint8_t kNotNfkc = 1 << 4;

struct Decomposition {
    char32_t code;
    std::uint16_t offset;  // into decomposition_pool
    std::uint8_t length;
};

struct Composition {
    char32_t first, second, composite;
};

}  // namespace

#include "text/unicode_tables.inc"

namespace {

// --- lower case ---------------------------------------------------------------------------------------------

constexpr char32_t kCapitalSigma = 0x03A3;
constexpr char32_t kSmallSigma = 0x03C3;
constexpr char32_t kFinalSigma = 0x03C2;
constexpr char32_t kCapitalIWithDot = 0x0130;
constexpr std::string_view kSmallIAndDot = "i\xCC\x87";

struct Copied {
    bool is_ascii, is_same;
};

// Writes bytes with A to Z in lower case, a vector at a time; the last one overlaps those before.
template <std::size_t kLanes>
TERTIUM_INLINE Copied copy_lower(std::string_view text, char* out) {
    constexpr std::size_t kWidth = 8 * kLanes;
    const char* from = text.data();
    char padded[kWidth] = {}, *to = out;
    if (text.size() < kWidth) {
        std::memcpy(padded, from, text.size());
        from = to = padded;
    }
    const std::size_t size = std::max(text.size(), kWidth);
    Bytes<kWidth> high{}, capital{};
    for (std::size_t at = 0; at < size; at += kWidth) {
        at = std::min(at, size - kWidth);
        Bytes<kWidth> bytes;
        std::memcpy(&bytes, from + at, kWidth);
        high = high | within(bytes, 0x80, 0xFF);
        capital = capital | within(bytes, 'A', 'Z');
        bytes = lower_case(bytes);
        std::memcpy(to + at, &bytes, kWidth);
    }
    if (to == padded) std::memcpy(out, padded, text.size());
    return {!bits_of(high), !bits_of(capital)};
}
TERTIUM_BY_FEW_LANES(copied_lower, copy_lower)

bool cased_before(std::string_view text, const char* p) {
    while (p != text.data()) {
        p = utf8::previous(p);
        const char* at = p;
        const auto bits = properties(utf8::decode(at));
        if (!(bits & kCaseIgnorable)) return bits & kCased;
    }
    return false;
}

bool cased_after(std::string_view text, const char* p) {
    while (p != text.data() + text.size()) {
        const auto bits = properties(utf8::decode(p));
        if (!(bits & kCaseIgnorable)) return bits & kCased;
    }
    return false;
}

bool is_final(Lower rule, std::string_view text, const char* begin, const char* end) {
    switch (rule) {
        case Lower::python: return cased_before(text, begin) && !cased_after(text, end);
        case Lower::java: return java::is_final_sigma(text, begin, end);
        case Lower::perl: break;
    }
    return false;
}

// Lower case of the character that stands in text from `begin` to `end`, apart from U+0130.
char32_t lower_of(char32_t code, Lower rule, std::string_view text, const char* begin, const char* end) {
    if (code == kCapitalSigma) return is_final(rule, text, begin, end) ? kFinalSigma : kSmallSigma;
    const std::int32_t delta = lower_deltas[lower_entries[entry_of(code, lower_blocks)]];
    return static_cast<char32_t>(static_cast<std::int32_t>(code) + delta);
}

// Lower-cases the other characters of `out`, a copy of `text`, as long as their UTF-8 length stays the same.
// Returns where that ends.
const char* lower_in_place(std::string_view text, std::string& out, Lower rule) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end;) {
        if (utf8::is_ascii(*p)) {
            p = utf8::skip_ascii(p, end);
            continue;
        }
        const char* const begin = p;
        const char32_t code = utf8::decode(p);
        const char32_t lowered = lower_of(code, rule, text, begin, p);
        if (code == kCapitalIWithDot) return begin;
        if (lowered == code) continue;
        char bytes[4];
        const std::size_t length = utf8::encode(lowered, bytes);
        if (length != static_cast<std::size_t>(p - begin)) return begin;
        std::copy_n(bytes, length, out.data() + (begin - text.data()));
    }
    return end;
}

void append_lower(std::string_view text, const char* p, std::string& out, Lower rule) {
    const char* const end = text.data() + text.size();
    while (p != end) {
        const char* const begin = p;
        const char32_t code = utf8::decode(p);
        if (code == kCapitalIWithDot)
            out += kSmallIAndDot;
        else
            utf8::encode(lower_of(code, rule, text, begin, p), out);
    }
}

// --- normalization ------------------------------------------------------------------------------------------

// Hangul syllables are arithmetic (Unicode Standard, section 3.12): lead, vowel and optional trail.
namespace hangul {
constexpr char32_t kSyllables = 0xAC00, kLeads = 0x1100, kVowels = 0x1161, kNoTrail = 0x11A7;
constexpr char32_t kLeadCount = 19, kVowelCount = 21, kTrailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;

// Differences are unsigned, so one comparison also refuses what lies below the range.
bool is_syllable(char32_t code) { return code - kSyllables < kSyllableCount; }
bool lacks_trail(char32_t code) { return is_syllable(code) && (code - kSyllables) % kTrailCount == 0; }

char32_t composite(char32_t first, char32_t second) {
    const char32_t lead = first - kLeads, vowel = second - kVowels, trail = second - kNoTrail;
    if (lead < kLeadCount && vowel < kVowelCount) return kSyllables + (lead * kVowelCount + vowel) * kTrailCount;
    if (lacks_trail(first) && trail > 0 && trail < kTrailCount) return first + trail;
    return 0;
}
}  // namespace hangul

struct Character {
    char32_t code;
    NormalizationTraits traits;
};
using Characters = std::vector<Character>;

std::uint8_t traits_index(char32_t code) { return traits_entries[entry_of(code, traits_blocks)]; }

void append(char32_t code, Characters& to) { to.push_back({code, traits_values[traits_index(code)]}); }

template <std::size_t size>
void append_listed(char32_t code, const Decomposition (&table)[size], Characters& to) {
    const auto* entry = std::lower_bound(std::begin(table), std::end(table), code,
                                         [](const Decomposition& one, char32_t key) { return one.code < key; });
    for (std::size_t i = 0; i < entry->length; ++i) append(decomposition_pool[entry->offset + i], to);
}

void append_hangul(char32_t syllable, Characters& to) {
    using namespace hangul;
    const char32_t index = syllable - kSyllables;
    append(kLeads + index / (kVowelCount * kTrailCount), to);
    append(kVowels + index / kTrailCount % kVowelCount, to);
    if (index % kTrailCount != 0) append(kNoTrail + index % kTrailCount, to);
}

void append_decomposed(char32_t code, Form form, Characters& to) {
    const NormalizationTraits traits = traits_values[traits_index(code)];
    if (form == Form::nfkc && traits.flags & kDecomposesCompatibly)
        append_listed(code, compatible_decompositions, to);
    else if (hangul::is_syllable(code))
        append_hangul(code, to);
    else if (traits.flags & kDecomposes)
        append_listed(code, canonical_decompositions, to);
    else
        to.push_back({code, traits});
}

// Sorts each run of combining characters by class.
void put_in_canonical_order(Characters& characters) {
    const auto is_starter = [](const Character& one) { return one.traits.combining == 0; };
    const auto by_class = [](const Character& a, const Character& b) {
        return a.traits.combining < b.traits.combining;
    };
    for (auto run = characters.begin(); run != characters.end();) {
        const auto begin = std::find_if_not(run, characters.end(), is_starter);
        run = std::find_if(begin, characters.end(), is_starter);
        if (!std::is_sorted(begin, run, by_class)) std::stable_sort(begin, run, by_class);
    }
}

// Returns the primary composite of a pair, or 0.
char32_t composite_of(char32_t first, const Character& second) {
    if (!(second.traits.flags & kComposesBackward)) return 0;
    if (const char32_t syllable = hangul::composite(first, second.code)) return syllable;
    const auto* pair =
        std::lower_bound(std::begin(compositions), std::end(compositions), std::tie(first, second.code),
                         [](const Composition& one, const auto& key) { return std::tie(one.first, one.second) < key; });
    const bool found = pair != std::end(compositions) && pair->first == first && pair->second == second.code;
    return found ? pair->composite : 0;
}

// Joins each character to the last starter, unless one of the same or a higher class stands between them.
void compose(Characters& characters) {
    std::size_t kept = 0, starter = 0;
    bool started = false;
    for (std::size_t i = 0; i < characters.size(); ++i) {
        const Character next = characters[i];
        const bool reachable =
            started && (kept == starter + 1 || characters[kept - 1].traits.combining < next.traits.combining);
        if (const char32_t composite = reachable ? composite_of(characters[starter].code, next) : 0) {
            characters[starter].code = composite;
            continue;
        }
        if (next.traits.combining == 0) {
            starter = kept;
            started = true;
        }
        characters[kept++] = next;
    }
    characters.resize(kept);
}

void append_normalized(const char* p, const char* end, Form form, Characters& scratch, std::string& out) {
    scratch.clear();
    while (p != end) append_decomposed(utf8::decode(p), form, scratch);
    put_in_canonical_order(scratch);
    compose(scratch);
    for (const Character& character : scratch) utf8::encode(character.code, out);
}

std::uint8_t inert_in(Form form) { return form == Form::nfc ? kInertInNfc : kInertInNfkc; }

// The quick check of Unicode Standard Annex 15, and where to cut around what it finds.
class QuickCheck {
public:
    explicit QuickCheck(Form form) : inert_(inert_in(form)), not_yes_(form == Form::nfc ? kNotNfc : kNotNfkc) {}

    // Returns the first character in [p, end) that may not stay as it is, or end. The text can be cut at p.
    const char* first_problem(const char* p, const char* end) const {
        std::uint8_t last_class = 0;
        while (p != end) {
            if (utf8::is_ascii(*p)) {
                p = utf8::skip_ascii(p, end);
                last_class = 0;
                continue;
            }
            const char* const begin = p;
            const std::uint8_t index = traits_index(utf8::decode(p));
            if (index < inert_) {
                last_class = 0;
                continue;
            }
            const NormalizationTraits traits = traits_values[index];
            if (traits.flags & not_yes_ || traits.combining < last_class) return begin;
            last_class = traits.combining;
        }
        return end;
    }

    // Returns the last inert character in [begin, p), or begin.
    const char* inert_before(const char* begin, const char* p) const {
        while (p != begin) {
            p = utf8::previous(p);
            const char* at = p;
            if (is_inert(utf8::decode(at))) break;
        }
        return p;
    }

    // Returns the first inert character in [p, end), or end.
    const char* inert_from(const char* p, const char* end) const {
        while (p != end) {
            const char* const begin = p;
            if (is_inert(utf8::decode(p))) return begin;
        }
        return end;
    }

private:
    bool is_inert(char32_t code) const { return traits_index(code) < inert_; }

    std::uint8_t inert_;
    std::uint8_t not_yes_;
};

}  // namespace

bool lower(std::string_view text, std::string& out, Lower rule) {
    out.resize(text.size());
    const Copied copied = copied_lower(text, out.data());
    if (copied.is_ascii) return !copied.is_same;
    const char* const reached = lower_in_place(text, out, rule);
    if (reached == text.data() + text.size()) return true;
    out.resize(static_cast<std::size_t>(reached - text.data()));
    append_lower(text, reached, out, rule);
    return true;
}

bool stays_in_lower_case(char32_t code) {
    return code != kCapitalIWithDot && lower_deltas[lower_entries[entry_of(code, lower_blocks)]] == 0;
}

bool stays_in_form(char32_t code, Form form) { return traits_index(code) < inert_in(form); }

std::string_view normalized(std::string_view text, Form form, std::string& space) {
    const QuickCheck check(form);
    const char* const end = text.data() + text.size();
    const char* done = text.data();
    const char* problem = check.first_problem(done, end);
    if (problem == end) return text;
    space.clear();
    space.reserve(text.size());
    Characters scratch;
    for (; done != end; problem = check.first_problem(done, end)) {
        const char* const begin = problem == end ? end : check.inert_before(done, problem);
        const char* const stop = check.inert_from(problem, end);
        space.append(done, begin);
        append_normalized(begin, stop, form, scratch, space);
        done = stop;
    }
    return space;
}

}  // namespace tertium::unicode
