#include "char_matches.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "lanes.hpp"
#include "multiversion.hpp"
#include "ranked_ngrams.hpp"

namespace tertium {
namespace {

// Beyond this many characters, sorting is faster than masks.
constexpr std::size_t kLongText = 2048;
constexpr std::size_t kMaskOrders = 16;
constexpr std::size_t kUsualOrders = 6;
constexpr std::size_t kSymbols = 256;
constexpr std::size_t kMostLanes = 8;

// A mask word holds `stride` places of its own and sees the next N - 1.
struct Words {
    std::size_t stride, hypothesis, all;

    Words(std::size_t max_order, std::size_t hypothesis_length, std::size_t reference_length)
        : stride(64 - (max_order - 1)), hypothesis((hypothesis_length + stride - 1) / stride),
          all(hypothesis + (reference_length + stride - 1) / stride) {}
};

// Which bits of a mask word lie before and after a place, for places around the word: entry i is for the place
// i - kMostLanes of the word. Places before the word have all of it after them, places behind it all before.
struct Sides {
    std::array<std::uint64_t, 64 + 2 * kMostLanes> before{}, after{};
    std::uint64_t own;

    explicit constexpr Sides(std::size_t stride) : own(~std::uint64_t{0} >> (64 - stride)) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            const std::uint64_t bit =
                i >= kMostLanes && i < kMostLanes + stride ? std::uint64_t{1} << (i - kMostLanes) : 0;
            before[i] = i < kMostLanes ? 0 : bit ? bit - 1 : own;
            after[i] = i < kMostLanes ? own : bit ? own & ~(bit | (bit - 1)) : 0;
        }
    }
    static TERTIUM_INLINE std::size_t entry(std::size_t place, std::size_t word_begin, std::size_t stride) {
        return place + kMostLanes < word_begin ? 0 : std::min(place + kMostLanes - word_begin, stride + kMostLanes);
    }
};

TERTIUM_INLINE void fill_table(std::span<const Symbol> text, std::size_t stride, std::uint64_t* table) {
    for (std::size_t begin = 0; begin < text.size(); begin += stride, table += kSymbols) {
        const std::size_t count = std::min<std::size_t>(64, text.size() - begin);
        std::uint64_t bit = 1;
        for (std::size_t k = 0; k < count; ++k, bit <<= 1) table[text[begin + k]] |= bit;
    }
}

TERTIUM_INLINE double shared_symbols(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
    std::array<std::uint16_t, kSymbols> in_hypothesis{}, in_reference{};
    for (const Symbol symbol : hypothesis) ++in_hypothesis[symbol];
    for (const Symbol symbol : reference) ++in_reference[symbol];
    std::uint16_t shared = 0;
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol)
        shared = static_cast<std::uint16_t>(shared + std::min(in_hypothesis[symbol], in_reference[symbol]));
    return shared;
}

// Orders 2 … N; kOrder is N, or 0 if it is only known at run time.
template <std::size_t kLanes, std::size_t kOrder>
TERTIUM_INLINE void count_higher(std::size_t length, const Words& words, const Sides& sides, std::size_t max_order,
                         std::size_t row_length, double* matches, CharMatches::Space& space) {
    constexpr std::size_t kArray = kOrder ? kOrder : kMaskOrders;
    const std::size_t orders = kOrder ? kOrder : max_order;
    using Vector = Lanes<kLanes>;
    Vector found[kArray] = {};
    for (std::size_t p = 0; p < length; p += kLanes) {
        Vector here[kArray] = {}, earlier[kArray] = {}, later[kArray] = {};
        const std::uint64_t* row = space.masks.data() + p;
        for (std::size_t word = 0; word < words.hypothesis; ++word, row += row_length) {
            Vector run = load<kLanes>(row) & sides.own;
            for (std::size_t n = 1; n < orders; ++n) {
                run &= load<kLanes>(row + n) >> static_cast<int>(n);
                here[n] |= run;
            }
        }
        for (std::size_t word = words.hypothesis; word < words.all; ++word, row += row_length) {
            const std::size_t entry = Sides::entry(p, (word - words.hypothesis) * words.stride, words.stride);
            Vector before = load<kLanes>(row) & load<kLanes>(sides.before.data() + entry);
            Vector after = load<kLanes>(row) & load<kLanes>(sides.after.data() + entry);
            for (std::size_t n = 1; n < orders; ++n) {
                const Vector next = load<kLanes>(row + n) >> static_cast<int>(n);
                before &= next;
                after &= next;
                earlier[n] |= before;
                later[n] |= after;
            }
        }
        Vector repeated{};
        for (std::size_t n = 1; n < orders; ++n) {
            const Vector shared = nonzero(here[n]);
            found[n] -= shared;
            repeated |= (shared & nonzero(later[n]) & ~nonzero(earlier[n])) & (std::uint64_t{1} << n);
        }
        store(repeated, space.repeated.data() + p);
    }
    for (std::size_t n = 1; n < orders; ++n) {
        std::uint64_t sum = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum += found[n][lane];
        matches[n] = static_cast<double>(sum);
    }
}

// Takes back what the reference has more often than the hypothesis, of n-grams that it repeats.
TERTIUM_INLINE void correct(std::size_t length, const Words& words, const Sides& sides, std::size_t row_length,
                    double* matches, CharMatches::Space& space) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < length; ++p) {
        space.places[count] = static_cast<std::uint32_t>(p);
        count += space.repeated[p] != 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t p = space.places[i];
        const std::uint64_t orders = space.repeated[p];
        const auto highest = static_cast<std::size_t>(std::bit_width(orders)) - 1;
        std::array<int, kMaskOrders> surplus{};
        const std::uint64_t* row = space.masks.data() + p;
        for (std::size_t word = 0; word < words.all; ++word, row += row_length) {
            std::uint64_t run = row[0] & sides.own;
            const int sign = word < words.hypothesis ? -1 : 1;
            for (std::size_t n = 1; n <= highest; ++n) {
                run &= row[n] >> n;
                surplus[n] += sign * std::popcount(run);
            }
        }
        for (std::size_t n = 1; n <= highest; ++n)
            if ((orders >> n & 1) && surplus[n] > 0) matches[n] -= surplus[n];
    }
}

template <std::size_t kLanes>
TERTIUM_INLINE void count_by_masks(std::span<const Symbol> hypothesis, std::span<const Symbol> reference,
                           std::size_t symbols_end, std::size_t max_order, double* matches,
                           CharMatches::Space& space) {
    matches[0] = shared_symbols(hypothesis, reference);
    if (max_order == 1) return;
    static constexpr Sides usual_sides(64 - (kUsualOrders - 1));
    const Words words(max_order, hypothesis.size(), reference.size());
    const std::size_t row_length = (reference.size() + 2 * kMostLanes + kMaskOrders) / kMostLanes * kMostLanes;
    if (space.table.size() < words.all * kSymbols) space.table.resize(words.all * kSymbols);
    if (space.masks.size() < words.all * row_length) space.masks.resize(words.all * row_length);
    if (space.repeated.size() < row_length) {
        space.repeated.resize(row_length);
        space.places.resize(row_length);
    }
    std::uint64_t* table = space.table.data();
    for (std::size_t word = 0; word < words.all; ++word) std::fill_n(table + word * kSymbols, symbols_end, 0);
    fill_table(hypothesis, words.stride, table);
    fill_table(reference, words.stride, table + words.hypothesis * kSymbols);
    std::uint64_t* row = space.masks.data();
    for (std::size_t word = 0; word < words.all; ++word, row += row_length, table += kSymbols) {
        for (std::size_t p = 0; p < reference.size(); ++p) row[p] = table[reference[p]];
        std::fill(row + reference.size(), row + row_length, 0);
    }
    if (max_order == kUsualOrders) {
        count_higher<kLanes, kUsualOrders>(reference.size(), words, usual_sides, max_order, row_length, matches, space);
        correct(reference.size(), words, usual_sides, row_length, matches, space);
    } else {
        const Sides sides(words.stride);
        count_higher<kLanes, 0>(reference.size(), words, sides, max_order, row_length, matches, space);
        correct(reference.size(), words, sides, row_length, matches, space);
    }
}
TERTIUM_BY_LANES(masks_count, count_by_masks)

TERTIUM_INLINE bool narrowed(std::u32string_view hypothesis, std::u32string_view reference, Symbol* hypothesis_symbols,
                 Symbol* reference_symbols) {
    char32_t seen = 0;
    for (const char32_t c : hypothesis) seen |= c;
    for (const char32_t c : reference) seen |= c;
    if (seen > 0xFF) return false;
    for (std::size_t i = 0; i < hypothesis.size(); ++i) hypothesis_symbols[i] = static_cast<Symbol>(hypothesis[i]);
    for (std::size_t i = 0; i < reference.size(); ++i) reference_symbols[i] = static_cast<Symbol>(reference[i]);
    return true;
}
TERTIUM_BY_PROCESSOR(narrow_both, narrowed)

}  // namespace

bool Alphabet::number(std::u32string_view hypothesis, std::u32string_view reference, Symbol* hypothesis_symbols,
                      Symbol* reference_symbols) {
    if (narrow_both(hypothesis, reference, hypothesis_symbols, reference_symbols)) {
        end_ = 256;
        return true;
    }
    const bool learnt = learn(reference, reference_symbols);
    for (std::size_t i = 0; i < hypothesis.size() && learnt; ++i)
        hypothesis_symbols[i] = hypothesis[i] > 0xFFFF ? Symbol{0} : numbers_[hypothesis[i]];
    forget(reference);
    return learnt;
}

bool Alphabet::learn(std::u32string_view reference, Symbol* symbols) {
    end_ = 1;
    for (const char32_t c : reference) {
        if (c > 0xFFFF) return false;
        Symbol& number = numbers_[c];
        if (number == 0) {
            if (end_ == 256) return false;
            number = static_cast<Symbol>(end_++);
        }
        *symbols++ = number;
    }
    return true;
}

void Alphabet::forget(std::u32string_view reference) {
    for (const char32_t c : reference)
        if (c <= 0xFFFF) numbers_[c] = 0;
}

void CharMatches::count(std::u32string_view hypothesis, std::u32string_view reference, std::size_t max_order,
                        double* matches, Watch& watch) {
    std::fill(matches, matches + max_order, 0.0);
    if (hypothesis.empty() || reference.empty() || max_order == 0) return;
    if (std::max(hypothesis.size(), reference.size()) <= kLongText && max_order <= kMaskOrders) {
        if (space_.hypothesis.size() < kLongText) {
            space_.hypothesis.resize(kLongText);
            space_.reference.resize(kLongText);
        }
        if (alphabet_.number(hypothesis, reference, space_.hypothesis.data(), space_.reference.data()))
            return masks_count(std::span<const Symbol>(space_.hypothesis.data(), hypothesis.size()),
                               std::span<const Symbol>(space_.reference.data(), reference.size()), alphabet_.end(),
                               max_order, matches, space_);
    }
    const std::vector<std::uint64_t> wide_hypothesis(hypothesis.begin(), hypothesis.end());
    const std::vector<std::uint64_t> wide_reference(reference.begin(), reference.end());
    RankedNgrams ngrams({wide_hypothesis, wide_reference}, watch);
    for (std::size_t n = 1; n <= max_order && n <= std::min(hypothesis.size(), reference.size()); ++n) {
        if (n > 1) ngrams.next_order();
        matches[n - 1] = static_cast<double>(ngrams.matches());
    }
}

}  // namespace tertium
