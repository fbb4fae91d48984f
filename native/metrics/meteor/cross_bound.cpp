#include "metrics/meteor/cross_bound.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tertium {
namespace {

bool is_taken(std::span<const std::uint64_t> taken, std::uint32_t place) { return taken[place / 64] >> place % 64 & 1; }

// The place of a word's first option among those of its component.
std::uint32_t first_place(const OpenWord& word, const WordComponent& component) {
    const std::uint32_t before = component.words - word.follows - 1;
    return before > component.skips ? before - component.skips : 0;
}

// How many of its words or places stay alone: the fewer, the better it is known where the others go.
std::uint32_t slack(const WordComponent& component) {
    return component.words > component.refs ? component.words - component.refs : component.refs - component.words;
}

}  // namespace

void CrossBound::prepare(std::span<const OpenWord> open, std::span<const PlaceOption> options,
                         std::span<const WordComponent> components, std::size_t wanted) {
    open_ = open;
    options_ = options;
    components_ = components;
    wanted_ = wanted;
    words_of_.resize(std::max(words_of_.size(), components.size()));
    for (auto& words : words_of_) words.clear();
    for (std::uint32_t at = 0; at < open.size(); ++at) words_of_[open[at].component].push_back(at);
    row_numbers_.assign(options.size(), 0);
    rows_.clear();
    ranks_.resize(options.size());
    least_chunks_.resize(options.size());
    settled_.resize(options.size());
    for (std::size_t at = 0; at < open.size(); ++at)
        for (std::uint32_t k = open[at].first_option; k < open[at].end_option(); ++k) {
            ranks_[k] = options[k].rank;
            settled_[k] = static_cast<std::uint16_t>(2 * options[k].value.crosses);
            least_chunks_[k] = static_cast<std::uint32_t>(options[k].value.chunks);
        }
    for (std::size_t at = 0; at + 1 < open.size(); ++at)
        for (std::uint32_t k = open[at].first_option; k < open[at].end_option(); ++k)
            if (options[k].may_go_on)
                for (std::uint32_t next = open[at + 1].first_option; next < open[at + 1].end_option(); ++next)
                    least_chunks_[next] -= options[next].ref == options[k].ref + 1;
    beyond_.resize(wanted);
}

void CrossBound::decide_until(std::size_t at) {
    at_ = at;
    prices_ = settled_;
    chunks_ = least_chunks_;
    rests_.clear();
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
        const std::span<const std::uint32_t> words = words_of_[component];
        const auto first = std::lower_bound(words.begin(), words.end(), at);
        if (first != words.end())
            rests_.push_back({component, words.subspan(static_cast<std::size_t>(first - words.begin())),
                              open_[*first].end_option()});
    }
}

// The option of a component's next word from which on places are open to it: as the component keeps its order, behind
// the last that is taken.
std::uint32_t CrossBound::first_open_place(const OpenWord& word, std::span<const std::uint64_t> taken) const {
    std::uint32_t first = word.end_option();
    while (first > word.first_option && !is_taken(taken, options_[first - 1].rank)) --first;
    return first;
}

const std::uint16_t* CrossBound::row_of(std::uint32_t word, std::uint32_t option) {
    std::uint32_t& number = row_numbers_[option];
    if (number == 0) {
        rows_.resize(rows_.size() + options_.size());
        number = static_cast<std::uint32_t>(rows_.size() / options_.size());
        make_row(word, option, rows_.data() + rows_.size() - options_.size());
    }
    return rows_.data() + (number - 1) * options_.size();
}

// What options of other components are charged for crosses with this one's pairs to come, twice.
void CrossBound::make_row(std::uint32_t word, std::uint32_t option, std::uint16_t* row) {
    const WordComponent& component = components_[open_[word].component];
    const std::vector<std::uint32_t>& words = words_of_[open_[word].component];
    const auto next = std::lower_bound(words.begin(), words.end(), word);
    const std::uint32_t words_left = open_[word].follows + 1;
    const std::uint32_t refs_left =
        component.refs - first_place(open_[word], component) - (option - open_[word].first_option);
    const std::uint32_t pairs = std::min(words_left, refs_left);
    std::vector<std::uint32_t>& before = beyond_;  // per wanted place: the component's that are open, before it
    std::fill(before.begin(), before.end(), 0);
    for (auto w = next; w != words.end(); ++w)
        for (std::uint32_t k = open_[*w].first_option; k < open_[*w].end_option(); ++k)
            if (options_[k].rank >= options_[option].rank) before[options_[k].rank] = 1;
    std::uint32_t count = 0;
    for (std::uint32_t& places : before) {
        const std::uint32_t ours = places;
        places = count;
        count += ours;
    }
    // So many pairs lie before a place at least and at most, if so many words or places do.
    const auto least = [&](std::uint32_t all, std::uint32_t here) {
        return pairs + here > all ? pairs + here - all : 0;
    };
    const auto most = [&](std::uint32_t here) { return std::min(pairs, here); };
    std::uint32_t words_before = 0;
    for (std::uint32_t v = next == words.begin() ? 0 : next[-1] + 1; v < open_.size(); ++v) {
        if (open_[v].component == open_[word].component) {
            ++words_before;
            continue;
        }
        const WordComponent& other = components_[open_[v].component];
        const std::uint16_t share =
            !other.whole || slack(component) < slack(other) ? 2 : slack(component) == slack(other);
        const std::uint32_t low = least(words_left, words_before), high = most(words_before);
        for (std::uint32_t k = open_[v].first_option; k < open_[v].end_option(); ++k) {
            const std::uint32_t places = before[options_[k].rank];
            const std::uint32_t ref_low = least(refs_left, places), ref_high = most(places);
            const std::uint32_t crossed = low > ref_high ? low - ref_high : ref_low > high ? ref_low - high : 0;
            row[k] = static_cast<std::uint16_t>(share * crossed);
        }
    }
}

// Words in order, places in order, the shorter side whole.
std::uint64_t CrossBound::least_in_order(const Rest& rest) {
    const WordComponent& component = components_[rest.component];
    if (component.skips == 0) {
        // Per option of a word: what it and those after it cost if it goes there or beyond. The next word's option of
        // the same number lies behind.
        const std::uint32_t width = open_[rest.words[0]].options;
        table_.assign(width, 0);
        for (std::size_t w = rest.words.size(); w-- > 0;) {
            std::uint64_t least = kNever;
            for (std::uint32_t t = width; t-- > 0;)
                table_[t] = least = std::min(least, table_[t] + price(open_[rest.words[w]].first_option + t));
        }
        return table_[rest.first - open_[rest.words[0]].first_option];
    }
    // Per place: what the words to come cost if it is the first that is free.
    table_.assign(component.refs + 1, kNever);
    table_[component.refs] = 0;
    for (std::size_t w = rest.words.size(); w-- > 0;) {
        const OpenWord& word = open_[rest.words[w]];
        const std::uint64_t alone = packed(word.alone());
        std::uint64_t* const places = table_.data() + first_place(word, component);
        for (std::uint32_t t = 0; t < word.options; ++t)
            places[t] = std::min(places[t] + alone, places[t + 1] + price(word.first_option + t));
        table_[component.refs] += alone;
    }
    const OpenWord& next = open_[rest.words[0]];
    return table_[first_place(next, component) + rest.first - next.first_option];
}

// Each word by itself, and the dearest stay alone.
std::uint64_t CrossBound::least_of_others(const Rest& rest, std::span<const std::uint64_t> taken, std::uint64_t skips) {
    std::uint64_t all = 0;
    gains_.clear();
    for (const std::uint32_t w : rest.words) {
        const OpenWord& word = open_[w];
        std::uint64_t least = kNever / 4096;
        for (std::uint32_t k = word.first_option; k < word.end_option(); ++k)
            if (!is_taken(taken, options_[k].rank)) least = std::min(least, price(k));
        all += least;
        gains_.push_back(static_cast<std::int64_t>(packed(word.alone()) - least));
    }
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skips, gains_.size()));
    std::nth_element(gains_.begin(), gains_.begin() + count - (count > 0), gains_.end());
    for (std::ptrdiff_t k = 0; k < count; ++k) all += static_cast<std::uint64_t>(gains_[static_cast<std::size_t>(k)]);
    return all;
}

// From state to state few rows change.
void CrossBound::charge(std::uint32_t word, std::uint32_t before, std::uint32_t now) {
    const std::uint32_t none = open_[word].end_option();
    const std::size_t begin = open_[at_].first_option, end = options_.size();
    const auto add = [&](std::uint32_t option, auto change) {
        if (option == none) return;
        const std::uint16_t* const row = row_of(word, option);
        for (std::size_t k = begin; k < end; ++k) prices_[k] = static_cast<std::uint16_t>(change(prices_[k], row[k]));
    };
    add(before, std::minus<>());
    add(now, std::plus<>());
}

std::uint64_t CrossBound::least(std::span<const std::uint64_t> taken, const std::uint64_t* counters,
                                std::uint64_t last) {
    for (Rest& rest : rests_)
        if (components_[rest.component].whole) {
            const std::uint32_t first = first_open_place(open_[rest.words[0]], taken);
            if (first != rest.first) charge(rest.words[0], std::exchange(rest.first, first), first);
        }
    std::uint32_t count = 0;
    for (auto rank = static_cast<std::uint32_t>(wanted_); rank-- > 0;) {
        beyond_[rank] = count;
        count += is_taken(taken, rank) ? 2 : 0;
    }
    for (std::uint32_t k = open_[at_].first_option; k < open_[at_].end_option(); ++k)
        chunks_[k] = static_cast<std::uint32_t>(options_[k].value.chunks) - (last + 1 == options_[k].ref);
    std::uint64_t all = 0;
    for (const Rest& rest : rests_) {
        const WordComponent& component = components_[rest.component];
        if (component.whole)
            all += least_in_order(rest);
        else
            all += least_of_others(rest, taken, component.counter == kFree ? 0 : counters[component.counter]);
    }
    return all;
}

}  // namespace tertium
