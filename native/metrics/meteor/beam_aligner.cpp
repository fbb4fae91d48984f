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
void BeamSearch<Rank>::go_alike(std::size_t ref, std::uint8_t choice, std::uint32_t begin, std::uint32_t end) {
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
    best_count_ = 0;
    merge_in(kept_, kept);
    merge_in(broken_, broken);
    for (std::size_t s = 0; s < best_count_; ++s) take(ref, s);
    take_used(ref);
}

// The path that has the s-th of the best ranks takes its place; returns its number.
template <class Rank>
std::size_t BeamSearch<Rank>::take(std::size_t ref, std::size_t s) {
    const Rank rank = best()[s];
    const auto number = static_cast<std::size_t>(rank & number_mask_);
    steps_[ref * kBeam + s] = number;
    ranks_[s] = (rank & ~number_mask_) | static_cast<Rank>(s) << choice_bits_;
    return number;
}

template <class Rank>
void BeamSearch<Rank>::take_used(std::size_t ref) {
    const std::uint64_t* const steps = steps_.data() + ref * kBeam;
    for (std::size_t lane = 0; lane < width_; ++lane) {
        const std::uint64_t* const before = used_.data() + lane * kBeam;
        std::uint64_t* const after = spare_used_.data() + lane * kBeam;
        for (std::size_t s = 0; s < best_count_; ++s) after[s] = before[steps[s] >> choice_bits_];
    }
    used_.swap(spare_used_);
}

// What paths become by a choice, if that is good enough; those whose taken words are in the mask cannot choose it. A
// path that has an open chunk closes it unless the match begins there. As in the original, the distance is charged to
// what follows.
template <class Rank>
void BeamSearch<Rank>::offer(std::size_t choice, std::uint32_t begin, Rank gain, Rank moved, const std::uint64_t* taken,
                             std::uint64_t mask) {
    const Rank worst = best_count_ == kBeam ? best()[kBeam - 1] : ~Rank{0}, chunk = one_chunk_, added = choice - gain;
    if (!phrases_)  // with them, a later choice may weigh more
        while (live_ > 0 && ranks_[live_ - 1] + added >= worst) --live_;
    const std::size_t count = live_;
    std::size_t kept = 0, broken = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const std::uint32_t end = ends_[p];
        const bool closed = (end != kNowhere) & (end != begin), free = (taken[p] & mask) == 0;
        const Rank rank = ranks_[p] + added + (closed ? chunk : Rank{0});
        const bool good = free & (rank < worst);
        kept_[kept] = rank;
        broken_[broken] = rank;
        kept += good & !closed;
        broken += good & closed;
        ranks_[p] += free ? moved : Rank{0};
    }
    if (choice > 0) {  // the first leaves them as they were
        put_in_order(kept_, kept);
        put_in_order(broken_, broken);
    }
    merge_in(kept_, kept);
    merge_in(broken_, broken);
}

// From the back, where most of what comes late belongs.
template <class Rank>
void BeamSearch<Rank>::merge_in(const Rank* found, std::size_t count) {
    Rank* const best = this->best();
    if (best_count_ == kBeam)
        while (count > 0 && found[count - 1] >= best[kBeam - 1]) --count;
    std::size_t left = best_count_;
    best_count_ = std::min(left + count, kBeam);
    if (left == 0) {
        std::copy_n(found, count, best);
        return;
    }
    while (count > 0) {
        const Rank ours = best_[left], theirs = found[count - 1];  // ours is 0 where there are no more
        const bool later = theirs < ours;
        best[left + count - 1] = later ? ours : theirs;
        left -= later;
        count -= !later;
    }
}

// Match by match rather than path by path: those that weigh most come first, so that most of the others are not good
// enough. The numbers keep the original's order.
template <class Rank>
void BeamSearch<Rank>::extend(std::size_t ref, const Proposals& proposals, std::span<const std::uint32_t> bit_of) {
    if (std::exchange(alike_, false)) std::fill_n(ends_, count_, end_);
    const auto words = proposals.words_at(ref);
    best_count_ = 0;
    live_ = count_;
    choices_.resize(words.size() + 1);
    for (std::size_t choice = 0; choice < words.size(); ++choice) {
        const auto [module, hyp] = words[choice];
        const std::size_t distance = ref > hyp ? ref - hyp : hyp - ref, first = bit_of[hyp] / 64 * kBeam;
        const std::uint64_t mask = std::uint64_t{1} << bit_of[hyp] % 64;
        choices_[choice] = {hyp + 1, first, mask};
        offer(choice, hyp, module == Module::exact ? 2 * one_match_ : Rank{0}, one_move_ * distance,
              used_.data() + first, mask);
    }
    choices_[words.size()] = {kNowhere, 0, 0};
    offer(words.size(), kNowhere, 0, 0, used_.data(), 0);
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1;
    for (std::size_t s = 0; s < best_count_; ++s) ends_[s] = choices_[take(ref, s) & choice_mask].end;
    take_used(ref);
    for (std::size_t s = 0; s < best_count_; ++s) {
        const Choice& choice = choices_[steps_[ref * kBeam + s] & choice_mask];
        used_[choice.first + s] |= choice.mask;
    }
    of_all_[ref] = kOfEach;
    count_ = best_count_;
}

// The same where there are phrases.
template <class Rank>
void BeamSearch<Rank>::extend_by_phrases(std::size_t ref, const Proposals& proposals,
                                         std::span<const std::uint32_t> bit_of) {
    if (std::exchange(alike_, false)) std::fill_n(ends_, count_, end_);
    const auto words = proposals.words_at(ref);
    const auto phrases = proposals.phrases_at(ref);
    const std::size_t skip = words.size() + phrases.size();
    best_count_ = 0;
    live_ = count_;
    bool some_inside = false;
    if (inside_until_ > ref)
        for (std::size_t p = 0; p < count_; ++p)
            if (nexts_[p] > ref) {
                some_inside = true;
                best()[best_count_++] = ranks_[p] + (skip + 1);
            }
    choice_ends_.assign(skip + 1, kNowhere);
    choice_nexts_.resize(skip);
    choice_words_.assign(skip + 1, {});
    const auto offer_to_free = [&](std::size_t choice, std::uint32_t begin, Rank gain, Rank moved) {
        const auto chosen = choice_words_[choice];
        if (!some_inside && chosen.size() == 1)
            return offer(choice, begin, gain, moved, used_.data() + chosen[0] / 64 * kBeam,
                         std::uint64_t{1} << chosen[0] % 64);
        for (std::size_t p = 0; p < count_; ++p) taken_[p] = some_inside && nexts_[p] > ref;
        for (const std::uint32_t word : chosen)
            for (std::size_t p = 0; p < count_; ++p) taken_[p] |= used_[word / 64 * kBeam + p] >> word % 64 & 1;
        offer(choice, begin, gain, moved, taken_, 1);
    };
    for (std::size_t choice = 0; choice < skip; ++choice) {
        const WordMatch match = match_at(proposals, ref, choice);
        choice_ends_[choice] = match.hyp + match.hyp_words;
        choice_nexts_[choice] = match.ref + match.ref_words;
        inside_until_ = std::max<std::size_t>(inside_until_, choice_nexts_[choice]);
        choice_words_[choice] = bit_of.subspan(match.hyp, match.hyp_words);
        offer_to_free(choice, match.hyp, one_match_ * weight_of(match), one_move_ * distance_of(match));
    }
    offer_to_free(skip, kNowhere, 0, 0);
    take_best(ref, skip);
}

template <class Rank>
void BeamSearch<Rank>::take_best(std::size_t ref, std::size_t skip) {
    std::uint32_t ends[kBeam], nexts[kBeam];
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1, count = best_count_;
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t number = take(ref, s), from = number >> choice_bits_, choice = number & choice_mask;
        ends[s] = choice <= skip ? choice_ends_[choice] : ends_[from];
        nexts[s] = choice < skip ? choice_nexts_[choice] : nexts_[from];
    }
    take_used(ref);
    for (std::size_t s = 0; s < count; ++s)
        for (const std::uint32_t word :
             choice_words_[std::min<std::size_t>(steps_[ref * kBeam + s] & choice_mask, skip)])
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
    best_[0] = 0;
    count_ = 1;
    width_ = wanted / 64 + 1;
    used_.assign(kBeam * width_, 0);
    spare_used_.resize(kBeam * width_);
    alike_ = true;
    end_ = kNowhere;
    inside_until_ = 0;
    if (of_all_.size() < ref_words) {
        steps_.resize(ref_words * kBeam);
        of_all_.resize(ref_words);
    }
}

template <class Rank>
void BeamSearch<Rank>::operator()(const Proposals& proposals, std::size_t ref_words, const RankBits& bits,
                                  std::span<const std::uint32_t> bit_of, std::size_t wanted, Watch& watch,
                                  std::vector<WordMatch>& matches) {
    begin(ref_words, bits, wanted);
    phrases_ = proposals.has_phrases();
    const std::size_t choice_mask = (std::size_t{1} << choice_bits_) - 1;
    std::size_t work = 0;
    for (std::size_t ref = 0; ref < ref_words; ++ref) {
        const std::size_t choices = proposals.choices_at(ref);
        work += 64;
        if (proposals.is_fixed(ref)) {
            const WordMatch match = match_at(proposals, ref, 0);
            go_alike(ref, kFixed, match.hyp, match.hyp + match.hyp_words);
            for (std::size_t k = 1; k < match.ref_words; ++k) of_all_[++ref] = kNone;  // all paths are inside
        } else if (choices == 0 && inside_until_ <= ref) {
            go_alike(ref, kNone, kNowhere, kNowhere);
        } else {
            work += count_ * (choices + width_ / 8);
            phrases_ ? extend_by_phrases(ref, proposals, bit_of) : extend(ref, proposals, bit_of);
        }
        if (work > 1u << 18) watch.spend(work), work = 0;
    }
    matches.clear();
    std::size_t at = best_path();
    for (std::size_t ref = ref_words; ref-- > 0;) {
        if (of_all_[ref] == kOfEach) {
            const std::uint64_t step = steps_[ref * kBeam + at];
            at = step >> choice_bits_;
            if (const std::size_t choice = step & choice_mask; choice < proposals.choices_at(ref))
                matches.push_back(match_at(proposals, ref, choice));
        } else if (of_all_[ref] == kFixed) {
            matches.push_back(match_at(proposals, ref, 0));
        }
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
        const std::size_t choices = proposals_.choices_at(ref);
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
