#include "ranked_ngrams.hpp"

#include <algorithm>
#include <utility>

namespace tertium {
namespace {

// Values to their ranks 0, 1, … among the distinct values: radix sort by bytes that differ at all.
std::vector<std::uint32_t> ranks(const std::vector<std::uint64_t>& values, Watch& watch) {
    struct Item {
        std::uint64_t value;
        std::uint32_t place;
    };
    std::vector<Item> items(values.size()), other(values.size());
    std::uint64_t all_or = 0, all_and = ~std::uint64_t{0};
    for (std::size_t i = 0; i < values.size(); ++i) {
        items[i] = {values[i], static_cast<std::uint32_t>(i)};
        all_or |= values[i];
        all_and &= values[i];
    }
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (((all_or ^ all_and) >> shift & 0xFF) == 0) continue;  // this byte is the same everywhere
        watch.checkpoint();
        std::size_t counts[257] = {};
        for (const Item& item : items) ++counts[(item.value >> shift & 0xFF) + 1];
        for (int byte = 0; byte < 256; ++byte) counts[byte + 1] += counts[byte];
        for (const Item& item : items) other[counts[item.value >> shift & 0xFF]++] = item;
        items.swap(other);
    }
    std::vector<std::uint32_t> result(values.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0 && items[i].value != items[i - 1].value) ++rank;
        result[items[i].place] = rank;
    }
    return result;
}

}  // namespace

RankedNgrams::RankedNgrams(std::vector<std::span<const std::uint64_t>> sequences, Watch& watch) : watch_(watch) {
    std::vector<std::uint64_t> values;
    begins_.push_back(0);
    for (const auto& sequence : sequences) {
        values.insert(values.end(), sequence.begin(), sequence.end());
        begins_.push_back(values.size());
    }
    symbols_ = ranks(values, watch_);
    grams_ = symbols_;
}

void RankedNgrams::next_order() {
    // Pairs that would reach beyond the end of their sequence are left out; their numbers are never looked at.
    std::vector<std::uint64_t> pairs;
    std::vector<std::size_t> places;
    pairs.reserve(symbols_.size());
    places.reserve(symbols_.size());
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s)
        for (std::size_t i = begins_[s]; i + order_ < begins_[s + 1]; ++i) {
            pairs.push_back(std::uint64_t{grams_[i]} << 32 | symbols_[i + order_]);
            places.push_back(i);
        }
    const std::vector<std::uint32_t> numbers = ranks(pairs, watch_);
    for (std::size_t i = 0; i < places.size(); ++i) grams_[places[i]] = numbers[i];
    ++order_;
}

std::uint64_t RankedNgrams::matches() const {
    std::vector<std::uint32_t> allowed(symbols_.size(), 0), seen(symbols_.size(), 0);
    for (std::size_t s = 1; s + 1 < begins_.size(); ++s) {
        for (std::size_t i = begins_[s]; i + order_ <= begins_[s + 1]; ++i) {
            const std::uint32_t count = ++seen[grams_[i]];
            allowed[grams_[i]] = std::max(allowed[grams_[i]], count);
        }
        for (std::size_t i = begins_[s]; i + order_ <= begins_[s + 1]; ++i) seen[grams_[i]] = 0;
    }
    std::uint64_t matches = 0;
    for (std::size_t i = begins_[0]; i + order_ <= begins_[1]; ++i)
        if (allowed[grams_[i]] > 0) {
            --allowed[grams_[i]];
            ++matches;
        }
    return matches;
}

}  // namespace tertium
