#include "metrics/meteor/beam_aligner.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "machine/refused.hpp"

namespace tertium {
namespace {

// What a match adds to both sides: half its words, cut down, unless it is exact.
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

// The best of two sorted lists, in order; returns how many.
template <class Rank>
std::size_t merge(const Rank* a, std::size_t a_count, const Rank* b, std::size_t b_count, std::size_t most, Rank* out) {
    const std::size_t count = std::min(a_count + b_count, most);
    std::size_t i = 0, j = 0, at = 0;
    for (; at < count && i < a_count && j < b_count; ++at) {
        const Rank left = a[i], right = b[j];
        const bool take_right = right < left;
        out[at] = take_right ? right : left;
        i += !take_right;
        j += take_right;
    }
    while (at < count) out[at++] = i < a_count ? a[i++] : b[j++];
    return count;
}

// For lists that are almost in order.
template <class Rank>
void put_in_order(Rank* list, std::size_t count) {
    for (std::size_t k = 1; k < count; ++k) {
        const Rank rank = list[k];
        std::size_t at = k;
        for (; at > 0 && rank < list[at - 1]; --at) list[at] = list[at - 1];
        list[at] = rank;
    }
}

}  // namespace

// Every path takes the fixed match [begin, end), or every path leaves the word alone.
template <class Rank>
void BeamSearch<Rank>::go_alike(std::size_t ref, std::int32_t choice, std::uint32_t begin, std::uint32_t end) {
    of_all_[ref] = choice;
    end_ = end;
    if (std::exchange(alike_, true)) return;
    std::size_t kept = 0, broken = 0;
    for (std::size_t p = 0; p < count_; ++p) {
        const bool closed = ends_[p] != kNowhere && ends_[p] != begin;
        kept_[kept] = ranks_[p];
        broken_[broken] = ranks_[p] + one_chunk_;
        kept += !closed;
        broken += closed;
    }
    if (kept == 0 || broken == 0) return;
    of_all_[ref] = kOfEach;
    best_count_ = merge(kept_, kept, broken_, broken, kBeam, best());
    std::uint8_t* const came_from = came_from_.data() + ref * kBeam;
    std::fill_n(choices_.data() + ref * kBeam, count_, choice);
    const Rank* const best = this->best();
    for (std::size_t s = 0; s < best_count_; ++s) {
        came_from[s] = static_cast<std::uint8_t>((best[s] & number_mask_) >> choice_bits_);
        ranks_[s] = (best[s] & ~number_mask_) | static_cast<Rank>(s) << choice_bits_;
    }
    take_used(came_from);
}

template <class Rank>
void BeamSearch<Rank>::take_used(const std::uint8_t* came_from) {
    for (std::size_t lane = 0; lane < width_; ++lane) {
        const std::uint64_t* const before = used_.data() + lane * kBeam;
        std::uint64_t* const after = spare_used_.data() + lane * kBeam;
        for (std::size_t s = 0; s < best_count_; ++s) after[s] = before[came_from[s]];
    }
    used_.swap(spare_used_);
}

// What paths become by a choice of some words, if that is good enough. A path that has an open chunk closes it unless
// the match begins there. As in the original, the distance is charged to what follows.
template <class Rank>
void BeamSearch<Rank>::offer(std::size_t choice, std::uint32_t begin, Rank gain, Rank moved,
                             std::span<const std::uint32_t> words) {
    const std::size_t lane = words.empty() ? 0 : words[0] / 64;
    const std::uint64_t* taken = used_.data() + lane * kBeam;
    std::uint64_t mask = 0;
    bool together = !some_inside_;
    for (const std::uint32_t word : words) {
        mask |= std::uint64_t{1} << word % 64;
        together = together && word / 64 == lane;
    }
    if (!together) {
        for (std::size_t p = 0; p < count_; ++p) taken_[p] = some_inside_ && nexts_[p] > inside_from_;
        for (const std::uint32_t word : words)
            for (std::size_t p = 0; p < count_; ++p) taken_[p] |= used_[word / 64 * kBeam + p] >> word % 64 & 1;
        taken = taken_;
        mask = ~std::uint64_t{0};
    }
    const Rank worst = best_count_ == kBeam ? best()[kBeam - 1] : ~Rank{0}, chunk = one_chunk_, added = choice - gain;
    const std::size_t count = count_;
    std::size_t kept = 0, broken = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const std::uint32_t end = ends_[p];
        const bool closed = (end != kNowhere) & (end != begin), free = (taken[p] & mask) == 0;
        const Rank rank = ranks_[p] + charges_[p] + added + (closed ? chunk : Rank{0});
        const bool good = free & (rank < worst);
        kept_[kept] = rank;
        broken_[broken] = rank;
        kept += good & !closed;
        broken += good & closed;
        charges_[p] += free ? moved : Rank{0};
    }
    if (choice > 0) {  // the first leaves them as they were
        put_in_order(kept_, kept);
        put_in_order(broken_, broken);
    }
    merge_in(kept, broken);
}

template <class Rank>
void BeamSearch<Rank>::merge_in(std::size_t kept, std::size_t broken) {
    const Rank* found = kept_;
    std::size_t count = kept;
    if (count == 0) {
        found = broken_;
        count = broken;
    } else if (broken > 0) {
        count = merge(kept_, kept, broken_, broken, kBeam, merged_);
        found = merged_;
    }
    if (count == 0) return;
    best_count_ = merge(best(), best_count_, found, count, kBeam, lists_[1 - list_]);
    list_ = 1 - list_;
}

// Match by match rather than path by path: those that weigh most come first, so that most of the others are not good
// enough. The numbers keep the original's order.
template <class Rank>
void BeamSearch<Rank>::extend(std::size_t ref, const Proposals& proposals, std::span<const std::uint32_t> bit_of) {
    if (std::exchange(alike_, false)) std::fill_n(ends_, count_, end_);
    const auto words = proposals.words_at(ref);
    const auto phrases = proposals.phrases_at(ref);
    const std::size_t skip = words.size() + phrases.size();
    best_count_ = 0;
    some_inside_ = false;
    inside_from_ = ref;
    if (inside_until_ > ref)
        for (std::size_t p = 0; p < count_; ++p)
            if (nexts_[p] > ref) {
                some_inside_ = true;
                best()[best_count_++] = ranks_[p] + (skip + 1);
            }
    std::fill_n(charges_, count_, Rank{0});
    choice_ends_.assign(skip + 1, kNowhere);
    choice_nexts_.resize(skip);
    choice_words_.assign(skip + 1, {});
    for (std::size_t choice = 0; choice < skip; ++choice) {
        const WordMatch match = choice < words.size() ? WordMatch{words[choice].module, words[choice].hyp, 1,
                                                                  static_cast<std::uint32_t>(ref), 1}
                                                      : phrases[choice - words.size()];
        choice_ends_[choice] = match.hyp + match.hyp_words;
        choice_nexts_[choice] = match.ref + match.ref_words;
        inside_until_ = std::max<std::size_t>(inside_until_, choice_nexts_[choice]);
        choice_words_[choice] = bit_of.subspan(match.hyp, match.hyp_words);
        offer(choice, match.hyp, one_match_ * weight_of(match), one_move_ * distance_of(match), choice_words_[choice]);
    }
    offer(skip, kNowhere, 0, 0, {});
    take_best(ref, skip);
}

template <class Rank>
void BeamSearch<Rank>::take_best(std::size_t ref, std::size_t skip) {
    std::uint32_t ends[kBeam], nexts[kBeam];
    std::uint8_t* const came_from = came_from_.data() + ref * kBeam;
    std::int32_t* const choices = choices_.data() + ref * kBeam;
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1, count = best_count_;
    const Rank* const best = this->best();
    for (std::size_t s = 0; s < count; ++s) {
        const auto number = static_cast<std::size_t>(best[s] & number_mask_);
        const std::size_t from = number >> choice_bits_, choice = number & choice_mask;
        const bool matched = choice < skip;
        came_from[s] = static_cast<std::uint8_t>(from);
        choices[s] = matched ? static_cast<std::int32_t>(choice) : kNone;
        ends[s] = choice <= skip ? choice_ends_[choice] : ends_[from];
        nexts[s] = matched ? choice_nexts_[choice] : nexts_[from];
        ranks_[s] = (best[s] & ~number_mask_) | static_cast<Rank>(s) << choice_bits_;
    }
    take_used(came_from);
    for (std::size_t s = 0; s < count; ++s)
        for (const std::uint32_t word :
             choice_words_[choices[s] == kNone ? skip : static_cast<std::size_t>(choices[s])])
            used_[word / 64 * kBeam + s] |= std::uint64_t{1} << word % 64;
    of_all_[ref] = kOfEach;
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
void BeamSearch<Rank>::begin(std::size_t ref_words, const RankBits& bits, std::size_t wanted) {
    choice_bits_ = bits.choice;
    int low = bits.choice + bits.path;
    number_mask_ = (Rank{1} << low) - 1;
    one_move_ = Rank{1} << low;
    one_chunk_ = Rank{1} << (low += bits.distance);
    one_match_ = Rank{1} << (low += bits.chunks);
    ranks_[0] = ((Rank{1} << (bits.matches - 1)) - 1) << low;
    nexts_[0] = 0;
    count_ = 1;
    width_ = wanted / 64 + 1;
    used_.assign(kBeam * width_, 0);
    spare_used_.resize(kBeam * width_);
    alike_ = true;
    end_ = kNowhere;
    inside_until_ = 0;
    came_from_.resize(ref_words * kBeam);
    choices_.resize(ref_words * kBeam);
    of_all_.resize(ref_words);
}

template <class Rank>
void BeamSearch<Rank>::operator()(const Proposals& proposals, std::size_t ref_words, const RankBits& bits,
                                  std::span<const std::uint32_t> bit_of, std::size_t wanted, Watch& watch,
                                  std::vector<WordMatch>& matches) {
    begin(ref_words, bits, wanted);
    std::size_t work = 0;
    for (std::size_t ref = 0; ref < ref_words; ++ref) {
        const std::size_t choices = proposals.words_at(ref).size() + proposals.phrases_at(ref).size();
        work += 64;
        if (proposals.is_fixed(ref)) {
            const WordMatch match = match_at(proposals, ref, 0);
            go_alike(ref, 0, match.hyp, match.hyp + match.hyp_words);
            for (std::size_t k = 1; k < match.ref_words; ++k) of_all_[++ref] = kNone;  // all paths are inside
        } else if (choices == 0 && inside_until_ <= ref) {
            go_alike(ref, kNone, kNowhere, kNowhere);
        } else {
            work += count_ * (choices + width_ / 8);
            extend(ref, proposals, bit_of);
        }
        if (work > 1u << 18) watch.spend(work), work = 0;
    }
    matches.clear();
    std::size_t at = best_path();
    for (std::size_t ref = ref_words; ref-- > 0;) {
        const bool each = of_all_[ref] == kOfEach;
        const std::int32_t choice = each ? choices_[ref * kBeam + at] : of_all_[ref];
        if (choice >= 0) matches.push_back(match_at(proposals, ref, static_cast<std::size_t>(choice)));
        if (each) at = came_from_[ref * kBeam + at];
    }
    std::reverse(matches.begin(), matches.end());
}

// Numbers the words that matches may compete for, and finds out how large a rank's parts can become.
RankBits BeamAligner::measure(std::size_t hyp_words, std::size_t ref_words, Watch& watch) {
    constexpr std::uint32_t kNobody = 0xFFFFFFFF;
    bit_of_.assign(hyp_words, kNobody);
    wanted_ = 0;
    std::size_t most_choices = 0, work = 0;
    std::uint64_t matches = 0, distance = 0;
    for (std::size_t ref = 0; ref < ref_words; ++ref) {
        if (proposals_.is_fixed(ref)) continue;
        const std::size_t choices = proposals_.words_at(ref).size() + proposals_.phrases_at(ref).size();
        most_choices = std::max(most_choices, choices);
        std::uint64_t most = 0;
        for (std::size_t choice = 0; choice < choices; ++choice) {
            const WordMatch match = match_at(proposals_, ref, choice);
            most = std::max<std::uint64_t>(most, weight_of(match));
            distance += distance_of(match);
            for (std::size_t i = match.hyp; i < match.hyp + match.hyp_words; ++i)
                if (bit_of_[i] == kNobody) bit_of_[i] = static_cast<std::uint32_t>(wanted_++);
        }
        matches += most;
        if ((work += choices) > 1u << 18) watch.spend(work), work = 0;
    }
    const auto bits = [](std::uint64_t most) { return static_cast<int>(std::bit_width(most)); };
    // The count of matches goes down from half of what its bits can hold.
    return {.choice = bits(most_choices + 1),
            .distance = bits(distance) + 1,
            .chunks = bits(2 * ref_words + 2),
            .matches = bits(matches) + 2};
}

void BeamAligner::operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                             Watch& watch, std::vector<WordMatch>& matches) {
    const bool equal = hypothesis.words == reference.words;
    proposals_.collect(hypothesis, reference, equal ? MatchModules{} : modules, watch);
    const RankBits bits = measure(hypothesis.size(), reference.size(), watch);
    const auto search = [&](auto& chosen) {
        chosen(proposals_, reference.size(), bits, bit_of_, wanted_, watch, matches);
    };
    if (bits.all() > static_cast<int>(8 * sizeof(WideRank)))  // a compiler without such numbers made this
        throw Refused("A segment of " + std::to_string(reference.size()) + " words is too long for METEOR here.");
    bits.all() <= 64 ? search(search_) : search(wide_search_);
}

}  // namespace tertium
