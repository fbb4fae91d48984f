#include "matching/ranked_ngrams.hpp"

#include <algorithm>
#include <bit>

#include "text/token_source.hpp"

namespace tertium {

// Numbers different keys 0, 1, … in the order in which they come.
class RankedNgrams::Numbers {
public:
    explicit Numbers(std::size_t most) : entries_(std::bit_ceil(2 * most + 1)) {}

    std::uint32_t operator[](std::uint64_t key) {
        const std::size_t last = entries_.size() - 1;
        for (std::uint64_t i = folded_product(key ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u);; ++i) {
            Entry& entry = entries_[i & last];
            if (entry.number_plus_one == 0) entry = {key, ++count_};
            if (entry.key == key) return entry.number_plus_one - 1;
        }
    }
    std::size_t size() const { return count_; }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t number_plus_one = 0;  // 0 if the entry is empty
    };
    std::vector<Entry> entries_;
    std::uint32_t count_ = 0;
};

RankedNgrams::RankedNgrams(std::vector<std::span<const std::uint64_t>> sequences, Watch& watch) : watch_(watch) {
    std::vector<std::uint64_t> values;
    for (const auto& sequence : sequences) {
        std::vector<Place>& places = places_.emplace_back();
        places.reserve(sequence.size());
        for (std::size_t i = 0; i < sequence.size(); ++i)
            places.push_back({static_cast<std::uint32_t>(values.size() + i), 0});
        values.insert(values.end(), sequence.begin(), sequence.end());
        ends_.push_back(values.size());
    }
    symbols_.resize(values.size());
    number([&](const Place& place) { return values[place.at]; });
    for (const auto& places : places_)
        for (const Place& place : places) symbols_[place.at] = place.ngram;
    count();
}

template <class KeyOf>
void RankedNgrams::number(KeyOf key) {
    constexpr std::size_t between_looks = 1 << 16;
    std::size_t all = 0;
    for (const auto& places : places_) all += places.size();
    Numbers numbers(all);
    for (auto& places : places_)
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i % between_looks == 0) watch_.checkpoint();
            places[i].ngram = numbers[key(places[i])];
        }
    in_hypothesis_.assign(numbers.size(), 0);
    in_references_.assign(numbers.size(), 0);
}

void RankedNgrams::next_order() {
    drop_unshared();
    for (std::size_t s = 0; s < places_.size(); ++s)
        std::erase_if(places_[s], [&](const Place& place) { return place.at + order_ >= ends_[s]; });
    number([&](const Place& place) { return std::uint64_t{place.ngram} << 32 | symbols_[place.at + order_]; });
    ++order_;
    count();
}

void RankedNgrams::count() {
    for (const Place& place : places_[0]) ++in_hypothesis_[place.ngram];
    std::vector<std::uint32_t> in_this(in_references_.size(), 0);
    for (std::size_t s = 1; s < places_.size(); ++s) {
        for (const Place& place : places_[s]) {
            std::uint32_t& most = in_references_[place.ngram];
            most = std::max(most, ++in_this[place.ngram]);
        }
        for (const Place& place : places_[s]) in_this[place.ngram] = 0;
    }
    matches_ = 0;
    for (std::size_t n = 0; n < in_references_.size(); ++n) matches_ += std::min(in_hypothesis_[n], in_references_[n]);
}

void RankedNgrams::mark(std::span<std::uint64_t> places) const {
    std::vector<std::uint32_t> seen(in_references_.size(), 0);
    for (const Place& place : places_[0])
        if (seen[place.ngram]++ < in_references_[place.ngram])
            places[place.at / 64] |= std::uint64_t{1} << (place.at % 64);
}

void RankedNgrams::drop_unshared() {
    for (auto& places : places_)
        std::erase_if(places, [&](const Place& place) {
            return in_hypothesis_[place.ngram] == 0 || in_references_[place.ngram] == 0;
        });
}

}  // namespace tertium
