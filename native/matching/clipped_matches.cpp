// An n-gram of the hypothesis that begins at s and one of the reference that begins at j are equal when bit
// j + k of mask(s + k) is set for k = 0 … n-1. So the reference places of the n-gram at s are
//
//     X = mask(s) & mask(s+1) >> 1 & … & mask(s+n-1) >> n-1
//
// Clipping: each occurrence in the hypothesis takes the first place in X that no earlier occurrence took. It is
// a match if there is one. With several references an occurrence matches if it finds a place in any of them,
// which is the clip at the largest count in one reference.

#include "matching/clipped_matches.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "machine/multiversion.hpp"
#include "matching/ranked_ngrams.hpp"

namespace tertium {
namespace {

// Beyond this many tokens, numbering n-grams is faster than masks.
constexpr std::size_t kLongSegment = 384;
// The usual orders, 1 to 2 for chrF++, 1 to 4 for BLEU and 1 to 5 for NIST, have versions without loops over orders.
constexpr std::size_t kUnrolledOrders = 5;
// The only reference may have so many words of masks; one that is longer is asked like one of several.
constexpr std::size_t kMostWords = 3;

// Hypothesis and reference of at most 64 tokens: a mask is one word, and so is the set of hypothesis places that
// found a free place in some reference. No step depends on what the text holds, so nothing is mispredicted.
template <std::size_t kOrders>
TERTIUM_INLINE void match_short(const MatchMask& masks, std::size_t length, std::uint64_t* matched) {
    const std::uint64_t* const row = masks.row(0);
    std::uint64_t used[kOrders] = {};
    for (std::size_t s = 0; s < length; ++s) {
        std::uint64_t run = ~std::uint64_t{0};
        for (std::size_t n = 0; n < kOrders; ++n) {
            run &= row[s + n] >> n;
            const std::uint64_t free = run & ~used[n];
            used[n] |= lowest_bit(free);
            matched[n] |= static_cast<std::uint64_t>(free != 0) << s;
        }
    }
}

// If there is only one reference, the set of places taken does instead: it is as large. Equal n-grams have the same X,
// and others have no place in common. So where X is a single place it is taken, whoever comes first, and all of these
// are collected in vectors, for kLanes n-grams of the hypothesis at a time; those that the reference has several times,
// seldom more than a few words, are left to take the first free place one after the other.
template <std::size_t kLanes, std::size_t kOrders, std::size_t kWords>
class OneReference {
public:
    TERTIUM_INLINE OneReference(const MatchMask& masks, std::size_t length) : masks_(masks), length_(length) {}

    // Writes the places taken, kWords words for each order.
    TERTIUM_INLINE void match(std::uint64_t* taken) const {
        Lanes<kLanes> single[kOrders][kWords] = {}, several[kOrders] = {};
        for (std::size_t s = 0; s < length_; s += kLanes) {
            Lanes<kLanes> run[kWords];
            for (std::size_t n = 0; n < kOrders; ++n) {
                go_on(s, n, run);
                const Lanes<kLanes> others = all_but_one(run);
                several[n] |= others;
                for (std::size_t w = 0; w < kWords; ++w) single[n][w] |= run[w] & equal(others, 0);
            }
        }
        for (std::size_t n = 0; n < kOrders; ++n)
            for (std::size_t w = 0; w < kWords; ++w) taken[n * kWords + w] = any_bits(single[n][w]);
        // What comes several times with its next word does so without it.
        for (std::size_t n = 0; n < kOrders && equal_bits(several[n], 0) != kAll; ++n)
            take_several(n, taken + n * kWords);
    }

private:
    static constexpr std::uint64_t kAll = (std::uint64_t{1} << kLanes) - 1;

    // From the places of the n-grams that begin at s to those of one word more.
    template <class Vector>
    TERTIUM_INLINE void go_on(std::size_t s, std::size_t n, Vector* run) const {
        const int part = static_cast<int>(n);
        for (std::size_t w = 0; w < kWords; ++w) {
            Vector places, beyond;
            std::memcpy(&places, masks_.row(w) + s + n, sizeof places);
            if (n == 0) {
                run[w] = places;
                continue;
            }
            places = places >> part;
            if (w + 1 < kWords) {
                std::memcpy(&beyond, masks_.row(w + 1) + s + n, sizeof beyond);
                places |= beyond << (64 - part);
            }
            run[w] &= places;
        }
    }
    // Not zero where there is more than one place.
    TERTIUM_INLINE static Lanes<kLanes> all_but_one(const Lanes<kLanes>* run) {
        Lanes<kLanes> others = run[0] & (run[0] - 1), before = run[0];
        for (std::size_t w = 1; w < kWords; ++w) {
            others |= (run[w] & (run[w] - 1)) | (run[w] & ~equal(before, 0));
            before |= run[w];
        }
        return others;
    }
    TERTIUM_INLINE void take_several(std::size_t n, std::uint64_t* taken) const {
        for (std::size_t base = 0; base < length_; base += 64) {
            std::uint64_t left = 0;
            for (std::size_t s = base; s < std::min(base + 64, length_); s += kLanes) {
                Lanes<kLanes> run[kWords];
                for (std::size_t k = 0; k <= n; ++k) go_on(s, k, run);
                left |= (equal_bits(all_but_one(run), 0) ^ kAll) << (s - base);
            }
            for (; left; left &= left - 1) {
                std::uint64_t run[kWords];
                for (std::size_t k = 0; k <= n; ++k)
                    go_on(base + static_cast<std::size_t>(std::countr_zero(left)), k, run);
                std::size_t w = 0;
                while (w + 1 < kWords && (run[w] & ~taken[w]) == 0) ++w;
                taken[w] |= lowest_bit(run[w] & ~taken[w]);
            }
        }
    }

    const MatchMask& masks_;
    std::size_t length_;
};

// (Few segments are so long as to have several words of masks: one version of these does for all orders.)
template <std::size_t kLanes>
TERTIUM_INLINE void match_in_one(const MatchMask& masks, std::size_t length, std::size_t max_order,
                                 std::uint64_t* taken) {
    if (masks.words() == 3)
        OneReference<kLanes, kUnrolledOrders, 3>(masks, length).match(taken);
    else if (masks.words() == 2)
        OneReference<kLanes, kUnrolledOrders, 2>(masks, length).match(taken);
    else if (max_order > 4)
        OneReference<kLanes, kUnrolledOrders, 1>(masks, length).match(taken);
    else if (max_order > 2)
        OneReference<kLanes, 4, 1>(masks, length).match(taken);
    else
        OneReference<kLanes, 2, 1>(masks, length).match(taken);
}

// The same for references of kWords words of masks; the hypothesis may have any length.
template <std::size_t kWords>
TERTIUM_INLINE void match_wide(std::size_t length, std::size_t max_order, ClippedMatches::Space& space) {
    const std::size_t words = kWords ? kWords : space.masks.words(), length_words = (length + 63) / 64;
    space.used.assign(max_order * words, 0);
    space.run.resize(words);
    for (std::size_t s = 0; s < length; ++s) {
        std::uint64_t few[kWords ? kWords : 1];
        std::uint64_t* const run = kWords ? few : space.run.data();
        for (std::size_t w = 0; w < words; ++w) run[w] = space.masks.row(w)[s];
        const std::size_t orders = std::min(max_order, length - s);
        for (std::size_t n = 0;;) {
            std::uint64_t* const used = space.used.data() + n * words;
            std::uint64_t any = 0, taken = 0;
            for (std::size_t w = 0; w < words; ++w) {
                const std::uint64_t free = run[w] & ~used[w];
                used[w] |= free & (~free + 1) & (taken - 1);  // only while nothing is taken
                taken |= free != 0;
                any |= run[w];
            }
            if (any == 0) break;
            space.matched[n * length_words + s / 64] |= taken << (s % 64);
            if (++n == orders) break;
            const std::size_t whole = n / 64, part = n % 64;
            for (std::size_t w = 0; w < words; ++w) {
                std::uint64_t next = w + whole < words ? space.masks.row(w + whole)[s + n] >> part : 0;
                if (part != 0 && w + whole + 1 < words) next |= space.masks.row(w + whole + 1)[s + n] << (64 - part);
                run[w] &= next;
            }
        }
    }
}

TERTIUM_INLINE void match_long(std::size_t length, std::size_t max_order, ClippedMatches::Space& space) {
    switch (max_order < 64 ? space.masks.words() : 0) {
        case 1: return match_wide<1>(length, max_order, space);
        case 2: return match_wide<2>(length, max_order, space);
        case 3: return match_wide<3>(length, max_order, space);
        default: return match_wide<0>(length, max_order, space);
    }
}

[[gnu::noinline]] void count_by_numbers(const SegmentView& segment, std::span<const unsigned> orders, double* matches,
                                        Watch& watch) {
    std::vector<std::span<const std::uint64_t>> sequences{segment.hypothesis};
    for (std::size_t r = 0; r < segment.references(); ++r) sequences.push_back(segment.reference(r));
    RankedNgrams ngrams(std::move(sequences), watch);
    unsigned order = 1;
    for (const unsigned n : orders) {
        for (; order < n && order < segment.hypothesis.size(); ++order) ngrams.next_order();
        *matches++ = n <= segment.hypothesis.size() ? static_cast<double>(ngrams.matches()) : 0.0;
    }
}

[[gnu::noinline]] void mark_by_numbers(const SegmentView& segment, unsigned max_order,
                                       std::vector<std::uint64_t>& marks, Watch& watch) {
    const std::size_t words = (segment.hypothesis.size() + 63) / 64;
    marks.assign(max_order * words, 0);
    std::vector<std::span<const std::uint64_t>> sequences{segment.hypothesis};
    for (std::size_t r = 0; r < segment.references(); ++r) sequences.push_back(segment.reference(r));
    RankedNgrams ngrams(std::move(sequences), watch);
    for (unsigned n = 1; n <= max_order && n <= segment.hypothesis.size(); ++n) {
        if (n > 1) ngrams.next_order();
        ngrams.mark(std::span(marks).subspan((n - 1) * words, words));
    }
}

// Sets bits in space.matched, as many as there are matches: of hypothesis places or, where it returns true, of places
// in the only reference.
template <std::size_t kLanes>
TERTIUM_INLINE bool match_by_masks(const SegmentView& segment, std::size_t max_order, ClippedMatches::Space& space) {
    const std::size_t length = segment.hypothesis.size(), words = (segment.reference_keys.size() + 63) / 64;
    const bool one = segment.references() == 1;
    if (one && length > 0 && words > 0 && words <= kMostWords && max_order <= kUnrolledOrders) {
        if (space.matched.size() < kUnrolledOrders * words) space.matched.resize(kUnrolledOrders * words);
        space.masks.build<kLanes>(segment.hypothesis, segment.reference_keys);
        match_in_one<kLanes>(space.masks, length, max_order, space.matched.data());
        return true;
    }
    max_order = std::min(max_order, length);
    const std::size_t length_words = (length + 63) / 64;
    space.matched.assign(std::max(max_order, kUnrolledOrders) * length_words, 0);
    for (std::size_t r = 0; r < segment.references() && length > 0; ++r) {
        if (segment.reference(r).empty()) continue;
        space.masks.build<kLanes>(segment.hypothesis, segment.reference(r));
        const bool is_short = !one && space.masks.words() == 1 && length_words == 1 && max_order <= kUnrolledOrders;
        if (is_short && max_order <= 4)
            match_short<4>(space.masks, length, space.matched.data());
        else if (is_short)
            match_short<5>(space.masks, length, space.matched.data());
        else
            match_long(length, max_order, space);
    }
    return false;
}

TERTIUM_BY_LANES(masks_match, match_by_masks)

// The matches per order, of those that are marked in `words` words for each.
TERTIUM_INLINE void count_marked(const std::vector<std::uint64_t>& matched, std::size_t words, std::size_t length,
                                 std::span<const unsigned> orders, double* matches) {
    for (const unsigned n : orders) {
        int count = 0;
        for (std::size_t w = 0; w < words && n <= length; ++w) count += std::popcount(matched[(n - 1) * words + w]);
        *matches++ = count;
    }
}
TERTIUM_BY_PROCESSOR(marked_count, count_marked)

void count_by_masks(const SegmentView& segment, std::span<const unsigned> orders, double* matches,
                    ClippedMatches::Space& space) {
    const std::size_t max_order = orders.back(), length = segment.hypothesis.size();
    const bool on_reference = masks_match(segment, max_order, space);
    const std::size_t words = ((on_reference ? segment.reference_keys.size() : length) + 63) / 64;
    marked_count(space.matched, words, length, orders, matches);
}

bool mark_by_masks(const SegmentView& segment, std::size_t max_order, ClippedMatches::Space& space) {
    if (masks_match(segment, max_order, space)) return true;
    if (segment.references() != 1 || segment.hypothesis.empty() || segment.reference_keys.empty()) return false;
    std::swap(space.matched, space.used);  // of the only reference, as many places are taken as match
    return true;
}

}  // namespace

void ClippedMatches::count(const SegmentView& segment, std::span<const unsigned> orders, double* matches,
                           Watch& watch) {
    if (segment.longest() <= kLongSegment)
        count_by_masks(segment, orders, matches, space_);
    else
        count_by_numbers(segment, orders, matches, watch);
}

std::span<const Key> ClippedMatches::mark(const SegmentView& segment, unsigned max_order, Watch& watch) {
    bool on_reference = false;
    if (segment.longest() <= kLongSegment)
        on_reference = mark_by_masks(segment, max_order, space_);
    else
        mark_by_numbers(segment, max_order, space_.matched, watch);
    mark_words_ = ((on_reference ? segment.reference_keys.size() : segment.hypothesis.size()) + 63) / 64;
    space_.matched.resize(std::max<std::size_t>(space_.matched.size(), max_order * mark_words_), 0);
    return on_reference ? segment.reference(0) : segment.hypothesis;
}

}  // namespace tertium
