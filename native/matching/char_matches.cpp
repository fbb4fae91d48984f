#include "matching/char_matches.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "matching/ranked_ngrams.hpp"
#include "text/tokens.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::size_t kUsualOrders = 6, kMostOrders = 16;
constexpr std::size_t kSymbols = 256, kAsciiSymbols = 128;
// With masks of at most so many words, orders stand side by side; with more, words do.
constexpr std::size_t kFewWords = 5;

// With masks of more words than this, numbering n-grams is faster.
std::size_t most_words(std::size_t max_order) { return max_order == kUsualOrders && lanes_here() == 8 ? 32 : 16; }

// A mask word holds this many places of its own and sees the N - 1 before.
constexpr std::size_t places_per_word(std::size_t max_order) { return 64 - (max_order - 1); }
constexpr std::uint64_t only_seen(std::size_t max_order) { return (std::uint64_t{1} << (max_order - 1)) - 1; }

std::size_t words_for(std::size_t length, std::size_t max_order) {
    return (length + places_per_word(max_order) - 1) / places_per_word(max_order);
}

struct TextPair {
    std::span<const Symbol> hypothesis, reference;
    std::size_t symbols_end, max_order;
    std::size_t words() const { return words_for(hypothesis.size(), max_order); }
};

// The masks, of `words` words per symbol.
TERTIUM_INLINE const std::uint64_t* filled_table(const TextPair& pair, std::size_t words, CharMatches::Space& space) {
    if (space.table.size() < words * kSymbols) space.table.resize(words * kSymbols);
    std::uint64_t* word = space.table.data();
    std::fill_n(word, words * pair.symbols_end, 0);
    const std::span<const Symbol> text = pair.hypothesis;
    const std::size_t places = places_per_word(pair.max_order), seen = pair.max_order - 1;
    for (std::size_t own = 0; own < text.size(); own += places, ++word) {
        const std::size_t begin = own - std::min(own, seen), end = std::min(own + places, text.size());
        std::uint64_t bit = std::uint64_t{1} << (seen - (own - begin));
        for (std::size_t k = begin; k < end; ++k, bit <<= 1) word[words * text[k]] |= bit;
    }
    return space.table.data();
}

// Vectors for each of kWords words of a mask: lane n - 1 is for order n.
template <std::size_t kLanes, std::size_t kWords>
struct OrderLanes {
    static constexpr std::size_t kVectors = (kUsualOrders + kLanes - 1) / kLanes;
    Lanes<kLanes> of[kWords][kVectors];
};

// From the n-grams that end before a symbol to those that end with it.
template <std::size_t kLanes, std::size_t kWords>
TERTIUM_INLINE void go_on(const std::uint64_t* mask, OrderLanes<kLanes, kWords>& run) {
    for (std::size_t w = 0; w < kWords; ++w) {
        Lanes<kLanes> shorter = ~Lanes<kLanes>{};
        for (Lanes<kLanes>& orders : run.of[w]) {
            const Lanes<kLanes> next = orders + orders;
            orders = (Lanes<kLanes>{} + mask[w]) & moved_up(shorter, next);
            shorter = next;
        }
    }
}

// Adds, for each order, one place of `run` that is not in `used` yet, if there is one.
template <std::size_t kLanes, std::size_t kWords>
TERTIUM_INLINE void use_one_each(const OrderLanes<kLanes, kWords>& run, OrderLanes<kLanes, kWords>& used) {
    for (std::size_t v = 0; v < run.kVectors; ++v) {
        LaneSet<kLanes> open;
        for (std::size_t w = 0; w < kWords; ++w) use_lowest(run.of[w][v] & ~used.of[w][v], open, used.of[w][v]);
    }
}

// Masks of kWords words. A step waits for the one before; where it has little to do, the reference is gone through in
// two halves at once. (The second half begins a little earlier, with what leads to its first n-grams.)
template <std::size_t kLanes, std::size_t kWords>
TERTIUM_INLINE void count_by_orders(const TextPair& pair, double* matches, CharMatches::Space& space) {
    constexpr bool kHalves = kWords <= 2;
    const std::uint64_t* const table = filled_table(pair, kWords, space);
    const auto mask = [&](std::size_t p) { return table + kWords * pair.reference[p]; };
    OrderLanes<kLanes, kWords> run{}, second{}, used{};
    for (auto& vectors : used.of)
        for (Lanes<kLanes>& orders : vectors) orders = orders + only_seen(kUsualOrders);

    const std::size_t length = pair.reference.size(), half = kHalves ? (length + 1) / 2 : length;
    if (kHalves)
        for (std::size_t p = half - std::min(half, kUsualOrders - 1); p < half; ++p) go_on(mask(p), second);
    for (std::size_t p = 0; p < half; ++p) {
        go_on(mask(p), run);
        use_one_each(run, used);
        if (!kHalves || half + p == length) continue;
        go_on(mask(half + p), second);
        use_one_each(second, used);
    }
    for (std::size_t n = 0; n < kUsualOrders; ++n) {
        int count = 0;
        for (const auto& vectors : used.of)
            count += std::popcount(vectors[n / kLanes][n % kLanes] & ~only_seen(kUsualOrders));
        matches[n] = count;
    }
}

// Adds one place of `run` that is not in `used` yet, if there is one. Of several vectors the first that is not zero
// counts, lane by lane: what is left is one vector.
template <std::size_t kLanes, std::size_t kVectors>
TERTIUM_INLINE void use_one(const Lanes<kLanes>* run, Lanes<kLanes>* used) {
    Lanes<kLanes> zero[kVectors], any = run[kVectors - 1] & ~used[kVectors - 1];
    for (std::size_t v = kVectors - 1; v-- > 0;) {
        const Lanes<kLanes> free = run[v] & ~used[v];
        zero[v] = equal(free, 0);
        any = free | (any & zero[v]);
    }
    Lanes<kLanes> one = lowest_bit(any);
    for (std::size_t v = 0; v + 1 < kVectors; ++v) {
        used[v] |= one & ~zero[v];
        one &= zero[v];
    }
    used[kVectors - 1] |= one;
}

// Masks of kVectors vectors of kLanes words. kOrders is N, or 0 if it is only known at run time.
template <std::size_t kOrders, std::size_t kLanes, std::size_t kVectors>
TERTIUM_INLINE void count_by_words(const TextPair& pair, double* matches, CharMatches::Space& space) {
    constexpr std::size_t kWords = kLanes * kVectors, kArray = kOrders ? kOrders : kMostOrders;
    const std::size_t orders = kOrders ? kOrders : pair.max_order;
    const std::uint64_t* const table = filled_table(pair, kWords, space);
    Lanes<kLanes> run[kArray][kVectors] = {}, used[kArray][kVectors];
    for (auto& vectors : used) std::fill_n(vectors, kVectors, Lanes<kLanes>{} + only_seen(orders));
    for (const Symbol symbol : pair.reference) {
        const std::uint64_t* const mask = table + kWords * symbol;
        for (std::size_t n = orders; n-- > 0;) {
            for (std::size_t v = 0; v < kVectors; ++v) {
                const Lanes<kLanes> here = load<kLanes>(mask + kLanes * v);
                run[n][v] = n == 0 ? here : here & (run[n - 1][v] + run[n - 1][v]);
            }
            use_one<kLanes, kVectors>(run[n], used[n]);
        }
    }
    for (std::size_t n = 0; n < orders; ++n) {
        std::uint64_t words[kWords];
        for (std::size_t v = 0; v < kVectors; ++v) store(used[n][v], words + kLanes * v);
        int count = 0;
        for (const std::uint64_t word : words) count += std::popcount(word & ~only_seen(orders));
        matches[n] = count;
    }
}

template <std::size_t kLanes>
TERTIUM_INLINE void count_short(const TextPair& pair, double* matches, CharMatches::Space& space) {
    switch (pair.words()) {
        case 1: return count_by_orders<kLanes, 1>(pair, matches, space);
        case 2: return count_by_orders<kLanes, 2>(pair, matches, space);
        case 3: return count_by_orders<kLanes, 3>(pair, matches, space);
        case 4: return count_by_orders<kLanes, 4>(pair, matches, space);
        default: return count_by_orders<kLanes, kFewWords>(pair, matches, space);
    }
}
TERTIUM_BY_LANES(short_count, count_short)

template <std::size_t kLanes>
TERTIUM_INLINE void count_long(const TextPair& pair, double* matches, CharMatches::Space& space) {
    if (pair.words() <= 8) return count_by_words<kUsualOrders, kLanes, 8 / kLanes>(pair, matches, space);
    if (kLanes < 8 || pair.words() <= 16)
        return count_by_words<kUsualOrders, kLanes, 16 / kLanes>(pair, matches, space);
    if constexpr (kLanes == 8) return count_by_words<kUsualOrders, kLanes, 4>(pair, matches, space);
}
TERTIUM_BY_LANES(long_count, count_long)

template <std::size_t kLanes>
TERTIUM_INLINE void count_unusual(const TextPair& pair, double* matches, CharMatches::Space& space) {
    if (pair.words() <= 4) return count_by_words<0, kLanes, 4 / kLanes>(pair, matches, space);
    return count_by_words<0, kLanes, 16 / kLanes>(pair, matches, space);
}
TERTIUM_BY_FEW_LANES(unusual_count, count_unusual)

void count_by_masks(TextPair pair, double* matches, CharMatches::Space& space) {
    // Matches are the same with the roles exchanged, and the masks of the shorter text have fewer words.
    if (pair.reference.size() < pair.hypothesis.size()) std::swap(pair.hypothesis, pair.reference);
    if (pair.max_order != kUsualOrders) return unusual_count(pair, matches, space);
    pair.words() <= kFewWords ? short_count(pair, matches, space) : long_count(pair, matches, space);
}

// Calls visit(c) for each character.
template <class Visit>
void each_character(const Characters& text, Visit visit) {
    const char *p = text.bytes().data(), *const end = p + text.bytes().size();
    while (p < end) visit(utf8::decode(p));
}

std::vector<std::uint64_t> decoded(const Characters& text) {
    std::vector<std::uint64_t> points;
    points.reserve(text.size());
    each_character(text, [&](char32_t c) { points.push_back(c); });
    return points;
}

void count_by_numbers(const Characters& hypothesis, const Characters& reference, std::size_t max_order, double* matches,
                      Watch& watch) {
    const std::vector<std::uint64_t> hypothesis_points = decoded(hypothesis), reference_points = decoded(reference);
    RankedNgrams ngrams({hypothesis_points, reference_points}, watch);
    for (std::size_t n = 1; n <= max_order && n <= std::min(hypothesis.size(), reference.size()); ++n) {
        if (n > 1) ngrams.next_order();
        matches[n - 1] = static_cast<double>(ngrams.matches());
    }
}

TERTIUM_INLINE std::size_t count_characters(std::string_view utf8) {
    std::size_t continuations = 0;
    for (const char byte : utf8) continuations += static_cast<signed char>(byte) < -64;
    return utf8.size() - continuations;
}
TERTIUM_BY_PROCESSOR(characters_in, count_characters)

std::span<const Symbol> symbols(const Characters& text) {
    return {reinterpret_cast<const Symbol*>(text.bytes().data()), text.bytes().size()};
}

}  // namespace

char* Characters::replace(std::size_t most) {
    if (bytes_.size() < most + kMargin) bytes_.resize(2 * most + kMargin);
    return bytes_.data();
}

void Characters::finish(std::size_t bytes) {
    byte_count_ = size_ = bytes;
    // The margin is read with the rest, so that all is read in whole pieces.
    char* const data = bytes_.data();
    std::memset(data + bytes, 0, kMargin);
    std::uint64_t any[4] = {};
    for (std::size_t at = 0; at < bytes; at += kMargin)
        for (std::size_t k = 0; k < 4; ++k) any[k] |= eight_bytes(data + at + 8 * k);
    if ((any[0] | any[1] | any[2] | any[3]) & 0x8080808080808080u) size_ = characters_in(this->bytes());
}

namespace {

constexpr Symbol kUnknown = kAsciiSymbols;

// Letters of ASCII that neither text has may stand for others; 0 is not among them.
std::vector<Symbol> unused_ascii(const Characters& hypothesis, const Characters& reference) {
    bool used[kSymbols] = {true};
    for (const Characters* text : {&hypothesis, &reference})
        for (const char byte : text->bytes()) used[static_cast<Symbol>(byte)] = true;
    std::vector<Symbol> unused;
    for (std::size_t c = 0; c < kAsciiSymbols; ++c)
        if (!used[c]) unused.push_back(static_cast<Symbol>(c));
    return unused;
}

// Writes ASCII as it is, eight bytes at a time, and what number(c) says of other characters.
template <class Number>
TERTIUM_INLINE void write_symbols(std::string_view text, Symbol* symbols, Number number) {
    const char *p = text.data(), *const end = p + text.size();
    while (p < end) {
        const std::uint64_t high_bits = eight_bytes(p) & 0x8080808080808080u;
        std::memcpy(symbols, p, 8);
        const int ascii = std::countr_zero(high_bits) / 8;  // 8 if there is nothing else
        p += ascii;
        symbols += ascii;
        if (high_bits && p < end) *symbols++ = number(utf8::decode(p));
    }
}

}  // namespace

Symbol& Alphabet::number_of(char32_t c) {
    constexpr std::size_t plane = 0x10000, planes = 17;
    std::vector<Symbol>& numbers = c < plane ? first_plane_ : other_planes_;
    if (numbers.empty()) [[unlikely]]
        numbers.resize(c < plane ? plane : (planes - 1) * plane);
    return numbers[c < plane ? c : c - plane];
}

bool Alphabet::number(const Characters& hypothesis, const Characters& reference, Symbol* hypothesis_symbols,
                      Symbol* reference_symbols) {
    learnt_.clear();
    end_ = kUnknown + 1;
    std::vector<Symbol> unused;
    bool fits = true;
    write_symbols(reference.bytes(), reference_symbols, [&](char32_t c) {
        Symbol& number = number_of(c);
        if (number != 0) return number;
        if (end_ == kSymbols && unused.empty() && fits) unused = unused_ascii(hypothesis, reference);
        fits = fits && (end_ < kSymbols || learnt_.size() < kSymbols - 1 - kUnknown + unused.size());
        if (!fits) return kUnknown;
        number = end_ < kSymbols ? static_cast<Symbol>(end_++) : unused[learnt_.size() - (kSymbols - 1 - kUnknown)];
        learnt_.push_back(c);
        return number;
    });
    if (fits)
        write_symbols(hypothesis.bytes(), hypothesis_symbols, [&](char32_t c) {
            const Symbol number = number_of(c);
            return number == 0 ? kUnknown : number;
        });
    for (const char32_t c : learnt_) number_of(c) = 0;
    return fits;
}

void CharMatches::count(const Characters& hypothesis, const Characters& reference, std::size_t max_order,
                        double* matches, Watch& watch) {
    std::fill(matches, matches + max_order, 0.0);
    if (hypothesis.size() == 0 || reference.size() == 0 || max_order == 0) return;
    if (max_order > kMostOrders ||
        words_for(std::min(hypothesis.size(), reference.size()), max_order) > most_words(max_order))
        return count_by_numbers(hypothesis, reference, max_order, matches, watch);
    if (hypothesis.is_ascii() && reference.is_ascii())
        return count_by_masks({symbols(hypothesis), symbols(reference), kAsciiSymbols, max_order}, matches, space_);
    space_.hypothesis.resize(hypothesis.size() + Characters::kMargin);
    space_.reference.resize(reference.size() + Characters::kMargin);
    if (!alphabet_.number(hypothesis, reference, space_.hypothesis.data(), space_.reference.data()))
        return count_by_numbers(hypothesis, reference, max_order, matches, watch);
    count_by_masks({std::span(space_.hypothesis).first(hypothesis.size()),
                    std::span(space_.reference).first(reference.size()), alphabet_.end(), max_order},
                   matches, space_);
}

}  // namespace tertium
