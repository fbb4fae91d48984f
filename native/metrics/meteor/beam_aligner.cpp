#include "metrics/meteor/beam_aligner.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "machine/multiversion.hpp"
#include "machine/refused.hpp"
#include "metrics/meteor/best_ranks.hpp"

namespace tertium {
namespace {

// What a match adds to both sides: half its words, cut down, unless it is exact. Single words add both or nothing.
constexpr std::uint32_t kExact = 2;
std::uint32_t weight_of(const WordMatch& match) {
    return match.module == Module::exact ? match.hyp_words + match.ref_words
                                         : match.hyp_words / 2 + match.ref_words / 2;
}

std::uint32_t distance_of(const WordMatch& match) {
    return match.ref > match.hyp ? match.ref - match.hyp : match.hyp - match.ref;
}

WordMatch match_at(const Proposals& proposals, std::size_t ref, std::size_t choice) {
    const auto words = proposals.words_at(ref);
    if (choice < words.size()) return {words[choice].module, words[choice].hyp, 1, static_cast<std::uint32_t>(ref), 1};
    return proposals.phrases_at(ref)[choice - words.size()];
}

// A choice: what it adds to a rank, a chunk that it closes, the distance; where it begins; the bit of its word.
template <class Rank>
struct Offer {
    Rank added, chunk, moved, begin, nowhere, mask;
};

// What paths become by a choice; those whose taken words are in the mask cannot choose it. A path that has an open
// chunk closes it unless the match begins there. As in the original, the distance is charged to what follows.
template <std::size_t kBytes, class Rank, class Lane>
TERTIUM_INLINE void offer_to_all(Rank* ranks, const Rank* ends, std::size_t count, const Offer<Rank>& offer,
                                 const Lane* taken, Rank* children) {
    constexpr Rank kWorst = BeamSearch<Rank>::kWorst;
    if constexpr (sizeof(Rank) > sizeof(Lane)) {
        for (std::size_t p = 0; p < count; ++p) {
            // All bits or none, since no processor can foretell these.
            const auto closed = Rank{0} - static_cast<Rank>((ends[p] != offer.nowhere) & (ends[p] != offer.begin));
            const auto free = Rank{0} - static_cast<Rank>((taken[p] & offer.mask) == 0);
            const Rank rank = ranks[p], child = rank + offer.added + (offer.chunk & closed);
            children[p] = (child & free) | (kWorst & ~free);
            ranks[p] = rank + (offer.moved & free);
        }
    } else {
        using Number = std::make_signed_t<Rank>;
        const auto at = [](const auto* from) { return vector_at<Number, kBytes>(from); };
        const auto each = [](Rank value) { return all<Number, kBytes>(static_cast<Number>(value)); };
        const auto added = each(offer.added), chunk = each(offer.chunk), moved = each(offer.moved),
                   begin = each(offer.begin), nowhere = each(offer.nowhere), mask = each(offer.mask),
                   none = each(kWorst), zero = each(0);
        for (std::size_t p = 0; p < count; p += kBytes / sizeof(Number)) {
            const auto rank = at(ranks + p), end = at(ends + p);
            const auto goes_on = where_equal(end, nowhere) | where_equal(end, begin);
            const auto free = where_equal(at(taken + p) & mask, zero);
            const auto child = sum<Number, kBytes>(sum<Number, kBytes>(rank, added), chunk & ~goes_on);
            put((child & free) | (none & ~free), children + p);
            put(sum<Number, kBytes>(rank, moved & free), ranks + p);
        }
    }
}

template <std::size_t kBytes, class Rank, class Lane>
TERTIUM_INLINE std::size_t add_offered(Rank* ranks, const Rank* ends, std::size_t count, const Offer<Rank>& offer,
                                       const Lane* taken, Rank worst, Rank* found) {
    Rank children[kBeam];
    offer_to_all<kBytes>(ranks, ends, count, offer, taken, children);
    std::size_t good = 0;
    for (std::size_t p = 0; p < count; ++p) {
        found[good] = children[p];
        good += children[p] < worst;
    }
    return good;
}

TERTIUM_BY_V3(add_children, add_offered<kVectorBytes>, add_offered<16>)
TERTIUM_BY_V3(sort_best_here, sort_best<Vector<std::int32_t>>, sort_best<HalvesOfEight>)

// Writes the forty smallest of at most kMostRanks, or all, into `best`, and returns how many. None is negative. Their
// order is lost; there is room for kMostRanks. Ranks of more bits take part with 31, if those that matter have no more.
template <class Rank>
std::size_t order_best(Rank* ranks, std::size_t count, Rank* best) {
    const std::size_t wanted = std::min(count, kBeam);
    const auto take_all = [&](const std::int32_t* numbers, const std::uint8_t* places) {
        for (std::size_t k = 0; k < wanted; ++k) best[k] = static_cast<Rank>(numbers[places[k]]);
    };
    if constexpr (sizeof(Rank) == sizeof(std::int32_t)) {
        auto* const numbers = reinterpret_cast<std::int32_t*>(ranks);
        take_all(numbers, sort_best_here(numbers, count));
        return wanted;
    } else if constexpr (sizeof(Rank) == sizeof(std::int64_t)) {
        std::int32_t numbers[kMostRanks];
        for (std::size_t k = 0; k < count; ++k)
            numbers[k] = ranks[k] < static_cast<Rank>(kFar) ? static_cast<std::int32_t>(ranks[k]) : kFar;
        const std::uint8_t* const places = sort_best_here(&numbers[0], count);
        if (numbers[places[wanted - 1]] < kFar) {
            take_all(numbers, places);
            return wanted;
        }
    }
    std::nth_element(ranks, ranks + (wanted - 1), ranks + count);
    std::sort(ranks, ranks + wanted);
    std::copy_n(ranks, wanted, best);
    return wanted;
}

}  // namespace

// Every path takes the fixed match [begin, end), or every path leaves the word alone.
template <class Rank>
void BeamSearch<Rank>::go_alike(std::size_t ref, Outcome outcome, std::uint32_t begin, std::uint32_t end) {
    of_all_[ref] = outcome;
    end_ = end;
    if (std::exchange(alike_, true)) return;
    std::size_t broken = 0;
    const Rank chunk = one_chunk_;
    for (std::size_t p = 0, count = count_; p < count; ++p) {
        const bool closed = (ends_[p] != kNowhere) & (ends_[p] != begin);
        found_[p] = ranks_[p] + (closed ? chunk : Rank{0});
        broken += closed;
    }
    if (broken == 0 || broken == count_) return;
    of_all_[ref] = Outcome::chosen;
    found_count_ = count_;
    put_in_order();
    take_places(ref, [](std::size_t, std::size_t) {});
}

// The best of what was found.
template <class Rank>
void BeamSearch<Rank>::put_in_order() {
    best_count_ = order_best(found_, found_count_, best_);
}

// The paths that have the best ranks take their places, with the words that they had taken; visit(place, number) says
// more of each.
template <class Rank>
template <class Visit>
void BeamSearch<Rank>::take_places(std::size_t ref, Visit visit) {
    std::uint32_t* const steps = steps_.data() + ref * kBeam;
    const Rank mask = number_mask_, best = best_[0] & ~mask;
    const std::size_t count = best_count_;
    const int shift = choice_bits_;
    used_.swap(spare_used_);
    const Lane* const before = spare_used_.data();
    Lane* const after = used_.data();
    const auto take = [&](const auto width) {
        for (std::size_t s = 0; s < count; ++s) {
            const Rank rank = best_[s] - best;
            const auto number = static_cast<std::uint32_t>(rank & mask);
            steps[s] = number;
            ranks_[s] = (rank & ~mask) | static_cast<Rank>(s) << shift;
            for (std::size_t lane = 0; lane < width; ++lane)
                after[lane * kBeam + s] = before[lane * kBeam + (number >> shift)];
            visit(s, number);
        }
    };
    if (width_ == 1)  // mostly
        take(std::integral_constant<std::size_t, 1>{});
    else
        take(width_);
    fits_ = fits_ && ranks_[count - 1] < limit_;
}

template <class Rank>
std::size_t BeamSearch<Rank>::offer(std::size_t choice, std::uint32_t begin, Rank missed, Rank moved, const Lane* taken,
                                    Lane mask) {
    const Rank added = static_cast<Rank>(choice) + missed;
    if (!phrases_) {  // with them, a later choice may weigh more, and the distance counts for it
        if (added >= worst_) live_ = 0;
        while (live_ > 0 && ranks_[live_ - 1] + added >= worst_) --live_;
    }
    if (live_ == 0) return 0;
    if (found_count_ + live_ > kMostRanks) {
        put_in_order();
        found_count_ = best_count_;
        std::copy_n(best_, best_count_, found_);
        if (best_count_ == kBeam) worst_ = std::min(worst_, best_[kBeam - 1]);
    }
    const Offer<Rank> what{added, one_chunk_, moved, begin, kNowhere, mask};
    Rank* const children = found_ + found_count_;
    const std::size_t offered = add_children(ranks_, ends_, live_, what, taken, worst_, children);
    found_count_ += offered;
    // All that is worse than forty others goes.
    if (offered == kBeam) worst_ = std::min(worst_, *std::max_element(children, children + kBeam));
    return offered;
}

// Match by match rather than path by path: those that weigh most come first, so that most of the others are not good
// enough. The numbers keep the original's order.
template <class Rank>
void BeamSearch<Rank>::extend(std::size_t ref, const Proposals& proposals, const BeamPlan& plan) {
    if (std::exchange(alike_, false)) std::fill_n(ends_, count_, end_);
    const auto words = proposals.words_at(ref);
    // Exact ones come first.
    const Rank missed = words[0].module == Module::exact ? one_match_ : Rank{0};
    found_count_ = 0;
    live_ = count_;
    worst_ = kWorst;
    // After the last choice, the place where a path goes on.
    const bool match_follows = ref == plan.last_open && ref + 1 < plan.ref_words && proposals.is_fixed(ref + 1);
    const std::uint32_t next = match_follows ? proposals.words_at(ref + 1)[0].hyp : kNowhere;
    Rank going_on = kWorst;
    choices_.resize(words.size() + 1);
    for (std::size_t choice = 0; choice < words.size(); ++choice) {
        const auto [module, hyp] = words[choice];
        const std::size_t distance = ref > hyp ? ref - hyp : hyp - ref, bit = plan.bit_of[hyp], lane = bit / kLaneBits;
        const Lane mask = Lane{1} << bit % kLaneBits;
        choices_[choice] = {hyp + 1, static_cast<std::uint32_t>(lane), mask};
        const std::size_t offered = offer(choice, hyp, module == Module::exact ? Rank{0} : missed,
                                          one_move_ * static_cast<Rank>(distance), used_.data() + lane * kBeam, mask);
        if (hyp + 1 == next) going_on = std::min(going_on, best_of_last(offered));
    }
    choices_[words.size()] = {kNowhere, 0, 0};
    const std::size_t skipped = offer(words.size(), kNowhere, missed, 0, used_.data(), 0);
    if (ref == plan.last_open) return finish(ref, std::min(going_on, best_of_last(skipped)));
    put_in_order();
    const Choice* const choices = choices_.data();
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1;
    Lane* const used = spare_used_.data();  // which is used_ then
    take_places(ref, [&](std::size_t s, std::uint32_t number) {
        const Choice& choice = choices[number & choice_mask];
        ends_[s] = choice.end;
        used[choice.lane * kBeam + s] |= choice.mask;
    });
    count_ = best_count_;
    of_all_[ref] = Outcome::chosen;
}

// After the last choice only the best path is wanted: what follows does the same to all, but that some go on where the
// next match begins. Either the first of all wins and closes its chunk, or else the first of those that go on, unless
// forty come before it.
template <class Rank>
void BeamSearch<Rank>::finish(std::size_t ref, Rank going_on) {
    const Rank first = *std::min_element(found_, found_ + found_count_);
    const auto before = [&] {
        return std::count_if(found_, found_ + found_count_, [&](Rank rank) { return rank < going_on; });
    };
    const bool closes = first + one_chunk_ <= (going_on | number_mask_) || before() >= static_cast<int>(kBeam);
    steps_[ref * kBeam] = static_cast<std::uint32_t>((closes ? first : going_on) & number_mask_);
    of_all_[ref] = Outcome::chosen;
    count_ = 1;
    alike_ = true;
}

// The same where there are phrases.
template <class Rank>
void BeamSearch<Rank>::extend_by_phrases(std::size_t ref, const Proposals& proposals, const BeamPlan& plan) {
    if (std::exchange(alike_, false)) std::fill_n(ends_, count_, end_);
    const auto words = proposals.words_at(ref);
    const auto phrases = proposals.phrases_at(ref);
    const std::size_t skip = words.size() + phrases.size();
    std::uint32_t most = 0;
    for (std::size_t choice = 0; choice < skip; ++choice)
        most = std::max(most, weight_of(match_at(proposals, ref, choice)));
    found_count_ = 0;
    live_ = count_;
    worst_ = kWorst;
    bool some_inside = false;
    if (inside_until_ > ref)
        for (std::size_t p = 0; p < count_; ++p)
            if (nexts_[p] > ref) {
                some_inside = true;
                found_[found_count_++] = ranks_[p] + one_match_ * most + static_cast<Rank>(skip + 1);
            }
    choice_ends_.assign(skip + 1, kNowhere);
    choice_nexts_.resize(skip);
    choice_words_.assign(skip + 1, {});
    const auto offer_to_free = [&](std::size_t choice, std::uint32_t begin, Rank missed, Rank moved) {
        const auto chosen = choice_words_[choice];
        if (!some_inside && chosen.size() == 1) {
            offer(choice, begin, missed, moved, used_.data() + chosen[0] / kLaneBits * kBeam,
                  Lane{1} << chosen[0] % kLaneBits);
            return;
        }
        for (std::size_t p = 0; p < count_; ++p) taken_[p] = some_inside && nexts_[p] > ref;
        for (const std::uint32_t word : chosen)
            for (std::size_t p = 0; p < count_; ++p)
                taken_[p] |= used_[word / kLaneBits * kBeam + p] >> word % kLaneBits & 1;
        offer(choice, begin, missed, moved, taken_, 1);
    };
    for (std::size_t choice = 0; choice < skip; ++choice) {
        const WordMatch match = match_at(proposals, ref, choice);
        choice_ends_[choice] = match.hyp + match.hyp_words;
        choice_nexts_[choice] = match.ref + match.ref_words;
        inside_until_ = std::max<std::size_t>(inside_until_, choice_nexts_[choice]);
        choice_words_[choice] = std::span(plan.bit_of).subspan(match.hyp, match.hyp_words);
        offer_to_free(choice, match.hyp, one_match_ * (most - weight_of(match)), one_move_ * distance_of(match));
    }
    offer_to_free(skip, kNowhere, one_match_ * most, 0);
    put_in_order();
    take_best(ref, skip);
}

template <class Rank>
void BeamSearch<Rank>::take_best(std::size_t ref, std::size_t skip) {
    Rank ends[kBeam];
    std::uint32_t nexts[kBeam];
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1, count = best_count_;
    take_places(ref, [&](std::size_t s, std::uint32_t number) {
        const std::size_t from = number >> choice_bits_, choice = number & choice_mask;
        ends[s] = choice <= skip ? choice_ends_[choice] : ends_[from];
        nexts[s] = choice < skip ? choice_nexts_[choice] : nexts_[from];
    });
    for (std::size_t s = 0; s < count; ++s)
        for (const std::uint32_t word :
             choice_words_[std::min<std::size_t>(steps_[ref * kBeam + s] & choice_mask, skip)])
            used_[word / kLaneBits * kBeam + s] |= Lane{1} << word % kLaneBits;
    of_all_[ref] = Outcome::chosen;
    count_ = count;
    std::copy_n(ends, count, ends_);
    std::copy_n(nexts, count, nexts_);
}

// At the end the open chunk is closed.
template <class Rank>
std::size_t BeamSearch<Rank>::best_path() const {
    if (alike_) return 0;
    std::size_t best = 0;
    const auto closed = [&](std::size_t p) { return ranks_[p] + (ends_[p] != kNowhere ? one_chunk_ : Rank{0}); };
    for (std::size_t p = 1; p < count_; ++p)
        if (closed(p) < closed(best)) best = p;
    return best;
}

template <class Rank>
void BeamSearch<Rank>::begin(const Proposals& proposals, const BeamPlan& plan) {
    const RankBits& bits = plan.bits;
    choice_bits_ = bits.choice;
    int low = bits.choice + bits.path;
    number_mask_ = (Rank{1} << low) - 1;
    one_move_ = Rank{1} << low;
    one_chunk_ = Rank{1} << (low += bits.distance);
    one_match_ = Rank{1} << (low + bits.chunks);
    // By a word, a path misses what its choices weigh, and closes a chunk; and all distances are less than a chunk.
    limit_ = kWorst - (one_match_ * static_cast<Rank>(plan.most) + 3 * one_chunk_);
    fits_ = true;
    ranks_[0] = 0;
    nexts_[0] = 0;
    count_ = 1;
    width_ = plan.wanted / kLaneBits + 1;
    used_.assign(kBeam * width_, 0);
    spare_used_.resize(kBeam * width_);
    alike_ = true;
    end_ = kNowhere;
    inside_until_ = 0;
    of_all_.assign(proposals.outcomes().begin(), proposals.outcomes().end());
    if (steps_.size() < plan.ref_words * kBeam) steps_.resize(plan.ref_words * kBeam);
}

template <class Rank>
bool BeamSearch<Rank>::operator()(const Proposals& proposals, const BeamPlan& plan, Watch& watch,
                                  std::vector<WordMatch>& matches) {
    begin(proposals, plan);
    const std::size_t ref_words = plan.ref_words;
    phrases_ = proposals.has_phrases();
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1;
    std::size_t work = 0;
    auto open = proposals.open().begin();
    for (std::size_t ref = 0; ref < ref_words; ++ref) {
        if (alike_ && !phrases_) {  // what comes before the next choice changes nothing
            while (open != proposals.open().end() && *open < ref) ++open;
            const std::size_t next = open != proposals.open().end() ? *open : ref_words;
            if (next > ref) end_ = proposals.is_fixed(next - 1) ? proposals.words_at(next - 1)[0].hyp + 1 : kNowhere;
            if ((ref = next) == ref_words) break;
        }
        const std::size_t choices = proposals.choices_at(ref);
        work += 64;
        if (proposals.is_fixed(ref)) {
            const WordMatch match = match_at(proposals, ref, 0);
            go_alike(ref, Outcome::fixed, match.hyp, match.hyp + match.hyp_words);
            for (std::size_t k = 1; k < match.ref_words; ++k) of_all_[++ref] = Outcome::none;  // all paths are inside
        } else if (choices == 0 && inside_until_ <= ref) {
            go_alike(ref, Outcome::none, kNowhere, kNowhere);
        } else {
            work += count_ * (choices + width_ / 8);
            phrases_ ? extend_by_phrases(ref, proposals, plan) : extend(ref, proposals, plan);
        }
        if (!fits_) return false;
        if (work > 1u << 18) watch.spend(work), work = 0;
    }
    matches.clear();
    std::size_t at = best_path();
    for (std::size_t ref = ref_words; ref-- > 0;) {
        if (of_all_[ref] == Outcome::chosen) {
            const std::uint32_t step = steps_[ref * kBeam + at];
            at = step >> choice_bits_;
            if (const std::size_t choice = step & choice_mask; choice < proposals.choices_at(ref))
                matches.push_back(match_at(proposals, ref, choice));
        } else if (of_all_[ref] == Outcome::fixed) {
            matches.push_back(match_at(proposals, ref, 0));
        }
    }
    std::reverse(matches.begin(), matches.end());
    return true;
}

// Numbers the words that matches may compete for, and finds out how large a rank's parts can become.
void BeamAligner::plan(std::size_t hyp_words, std::size_t ref_words, Watch& watch) {
    constexpr std::uint32_t kNobody = 0xFFFFFFFF;
    std::vector<std::uint32_t>& bit_of = plan_.bit_of;
    bit_of.assign(hyp_words, kNobody);
    plan_.wanted = plan_.last_open = 0;
    plan_.most = 0;
    const std::uint64_t exact = proposals_.has_phrases() ? kExact : 1;  // or nothing
    plan_.ref_words = ref_words;
    std::size_t most_choices = 0, work = 0;
    std::uint64_t matches = 0, distance = 0;
    if (!proposals_.open().empty()) plan_.last_open = proposals_.open().back();
    for (const std::size_t ref : proposals_.open()) {
        const std::size_t choices = proposals_.choices_at(ref);
        most_choices = std::max(most_choices, choices);
        std::uint64_t most = 0;
        const auto want = [&](std::size_t hyp) {
            if (bit_of[hyp] == kNobody) bit_of[hyp] = static_cast<std::uint32_t>(plan_.wanted++);
        };
        for (const auto& [module, hyp] : proposals_.words_at(ref)) {
            if (module == Module::exact) most = exact;
            distance += ref > hyp ? ref - hyp : hyp - ref;
            want(hyp);
        }
        for (const WordMatch& match : proposals_.phrases_at(ref)) {
            most = std::max<std::uint64_t>(most, weight_of(match));
            distance += distance_of(match);
            for (std::size_t i = match.hyp; i < match.hyp + match.hyp_words; ++i) want(i);
        }
        matches += most;
        plan_.most = std::max(plan_.most, most);
        if ((work += choices) > 1u << 18) watch.spend(work), work = 0;
    }
    const auto bits = [](std::uint64_t most) { return static_cast<int>(std::bit_width(most)); };
    // A word begins or ends at most one chunk.
    plan_.bits = {.choice = bits(most_choices + 1),
                  .distance = bits(distance),
                  .chunks = bits(ref_words + 1),
                  .matches = bits(matches)};
}

void BeamAligner::operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                             Watch& watch, std::vector<WordMatch>& matches) {
    const bool equal = hypothesis.words == reference.words;
    proposals_.collect(hypothesis, reference, equal ? MatchModules{} : modules, watch);
    plan(hypothesis.size(), reference.size(), watch);
    const auto search = [&](auto& chosen, int bits) {
        return bits <= std::remove_reference_t<decltype(chosen)>::kBits && chosen(proposals_, plan_, watch, matches);
    };
    // A path that is more than a few matches behind the best is seldom kept.
    const int all = plan_.bits.all() + 1, few = plan_.bits.without_matches() + 2 + std::bit_width(plan_.most);
    if (search(narrow_search_, std::min(all, few)) || search(search_, all) || search(wide_search_, all)) return;
    // A compiler without such numbers made this.
    throw Refused("A segment of " + std::to_string(reference.size()) + " words is too long for METEOR here.");
}

}  // namespace tertium
