#include "matching/char_matches.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "matching/ranked_ngrams.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::size_t kUsualOrders = 6, kMostOrders = 16;
constexpr std::size_t kSymbols = 256, kAsciiSymbols = 128;
// With more words than this, numbering n-grams is faster than masks.
constexpr std::size_t kMostWords = 16;

// A mask word holds this many places of its own and sees the next N - 1.
constexpr std::size_t places_per_word(std::size_t max_order) { return 64 - (max_order - 1); }

std::size_t words_for(std::size_t length, std::size_t max_order) {
    return (length + places_per_word(max_order) - 1) / places_per_word(max_order);
}

struct TextPair {
    std::span<const Symbol> hypothesis, reference;
    std::size_t symbols_end, max_order;
    std::size_t words() const { return words_for(hypothesis.size(), max_order); }
};

// `table` has kWords words per symbol.
template <std::size_t kWords>
TERTIUM_INLINE void fill_table(const TextPair& pair, std::uint64_t* table) {
    std::fill_n(table, kWords * pair.symbols_end, 0);
    const std::span<const Symbol> text = pair.hypothesis;
    const std::size_t places = places_per_word(pair.max_order);
    for (std::size_t begin = 0; begin < text.size(); begin += places, ++table) {
        const std::size_t count = std::min<std::size_t>(64, text.size() - begin);
        std::uint64_t bit = 1;
        for (std::size_t k = 0; k < count; ++k, bit <<= 1) table[kWords * text[begin + k]] |= bit;
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

// Counts with masks of kVectors vectors of kLanes words. kOrders is N, or 0 if it is only known at run time.
template <std::size_t kOrders, std::size_t kLanes, std::size_t kVectors>
TERTIUM_INLINE void count_with(const TextPair& pair, double* matches, CharMatches::Space& space) {
    constexpr std::size_t kWords = kLanes * kVectors, kArray = kOrders ? kOrders : kMostOrders;
    const std::size_t orders = kOrders ? kOrders : pair.max_order;
    if (space.table.size() < kWords * kSymbols) space.table.resize(kWords * kSymbols);
    std::uint64_t* const table = space.table.data();
    fill_table<kWords>(pair, table);

    // What a word only sees counts as used.
    const std::uint64_t only_seen = ~(~std::uint64_t{0} >> (orders - 1));
    Lanes<kLanes> run[kArray][kVectors] = {}, used[kArray][kVectors];
    for (auto& vectors : used) std::fill_n(vectors, kVectors, Lanes<kLanes>{} + only_seen);
    for (std::size_t p = pair.reference.size(); p-- > 0;) {
        const std::uint64_t* const mask = table + kWords * pair.reference[p];
        for (std::size_t n = orders; n-- > 0;) {
            for (std::size_t v = 0; v < kVectors; ++v) {
                const Lanes<kLanes> here = load<kLanes>(mask + kLanes * v);
                run[n][v] = n == 0 ? here : here & run[n - 1][v] >> 1;
            }
            use_one<kLanes, kVectors>(run[n], used[n]);
        }
    }
    for (std::size_t n = 0; n < orders; ++n) {
        std::uint64_t words[kWords];
        for (std::size_t v = 0; v < kVectors; ++v) store(used[n][v], words + kLanes * v);
        int count = 0;
        for (const std::uint64_t word : words) count += std::popcount(word & ~only_seen);
        matches[n] = count;
    }
}

// Masks of up to four words.
template <std::size_t kLanes>
TERTIUM_INLINE void count_short(const TextPair& pair, double* matches, CharMatches::Space& space) {
    if (pair.max_order != kUsualOrders) return count_with<0, kLanes, 4 / kLanes>(pair, matches, space);
    if (pair.words() == 1) return count_with<kUsualOrders, 1, 1>(pair, matches, space);
    if (pair.words() == 2) return count_with<kUsualOrders, 2, 1>(pair, matches, space);
    return count_with<kUsualOrders, kLanes, 4 / kLanes>(pair, matches, space);
}
TERTIUM_BY_FEW_LANES(short_count, count_short)

template <std::size_t kLanes>
TERTIUM_INLINE void count_long(const TextPair& pair, double* matches, CharMatches::Space& space) {
    if (pair.max_order != kUsualOrders) return count_with<0, kLanes, kMostWords / kLanes>(pair, matches, space);
    if (pair.words() <= 8) return count_with<kUsualOrders, kLanes, 8 / kLanes>(pair, matches, space);
    return count_with<kUsualOrders, kLanes, kMostWords / kLanes>(pair, matches, space);
}
TERTIUM_BY_LANES(long_count, count_long)

void count_by_masks(TextPair pair, double* matches, CharMatches::Space& space) {
    // Matches are the same with the roles exchanged, and the masks of the shorter text have fewer words.
    if (pair.reference.size() < pair.hypothesis.size()) std::swap(pair.hypothesis, pair.reference);
    pair.words() <= 4 ? short_count(pair, matches, space) : long_count(pair, matches, space);
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
    byte_count_ = bytes;
    size_ = characters_in(this->bytes());
}

Symbol& Alphabet::number_of(char32_t c) {
    constexpr std::size_t plane = 0x10000, planes = 17;
    std::vector<Symbol>& numbers = c < plane ? first_plane_ : other_planes_;
    if (numbers.empty()) [[unlikely]]
        numbers.resize(c < plane ? plane : (planes - 1) * plane);
    return numbers[c < plane ? c : c - plane];
}

bool Alphabet::number(const Characters& hypothesis, const Characters& reference, Symbol* hypothesis_symbols,
                      Symbol* reference_symbols) {
    const bool learnt = learn(reference, reference_symbols);
    if (learnt) each_character(hypothesis, [&](char32_t c) { *hypothesis_symbols++ = number_of(c); });
    forget();
    return learnt;
}

bool Alphabet::learn(const Characters& reference, Symbol* symbols) {
    learnt_.resize(kSymbols + 1);
    end_ = 1;
    bool fits = true;
    each_character(reference, [&](char32_t c) {
        Symbol& number = number_of(c);
        const bool is_new = number == 0;
        number = static_cast<Symbol>(is_new ? end_ : number);
        *symbols++ = number;
        learnt_[end_] = c;
        fits = fits && number != 0;
        end_ += is_new && fits;
    });
    return fits;
}

void Alphabet::forget() {
    for (std::size_t number = 1; number < end_; ++number) number_of(learnt_[number]) = 0;
}

void CharMatches::count(const Characters& hypothesis, const Characters& reference, std::size_t max_order,
                        double* matches, Watch& watch) {
    std::fill(matches, matches + max_order, 0.0);
    if (hypothesis.size() == 0 || reference.size() == 0 || max_order == 0) return;
    if (max_order > kMostOrders || words_for(std::min(hypothesis.size(), reference.size()), max_order) > kMostWords)
        return count_by_numbers(hypothesis, reference, max_order, matches, watch);
    if (hypothesis.is_ascii() && reference.is_ascii())
        return count_by_masks({symbols(hypothesis), symbols(reference), kAsciiSymbols, max_order}, matches, space_);
    space_.hypothesis.resize(hypothesis.size());
    space_.reference.resize(reference.size());
    if (!alphabet_.number(hypothesis, reference, space_.hypothesis.data(), space_.reference.data()))
        return count_by_numbers(hypothesis, reference, max_order, matches, watch);
    count_by_masks({space_.hypothesis, space_.reference, alphabet_.end(), max_order}, matches, space_);
}

}  // namespace tertium
