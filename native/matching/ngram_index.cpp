#include "matching/ngram_index.hpp"

#include <algorithm>

#include "machine/multiversion.hpp"

namespace tertium {
namespace {

constexpr std::size_t kVector = 32;  // texts come in rows of a multiple of this
// A list with so many entries, as a share of all texts, takes longer to go through than a byte for each text.
constexpr std::size_t kDenseShare = 24;

template <class Total>
TERTIUM_INLINE void clipped_sum(const std::uint8_t* counts, std::uint8_t most, Total* totals, std::size_t stride) {
    for (std::size_t begin = 0; begin < stride; begin += kVector)
        for (std::size_t r = begin; r < begin + kVector; ++r) totals[r] += std::min(counts[r], most);
}
TERTIUM_BY_PROCESSOR(add_dense, clipped_sum)

}  // namespace

NgramIndex::NgramIndex(std::span<const std::span<const Symbol>> texts, unsigned longest)
    : longest_(longest), stride_((texts.size() + kVector - 1) / kVector * kVector), slots_(1024) {
    // Postings in the order of texts first; they are then put in the order of n-grams.
    std::vector<std::uint32_t> numbers, counts(1), seen;
    std::vector<Posting> found;
    for (std::size_t r = 0; r < texts.size(); ++r) {
        const std::span<const Symbol> text = texts[r];
        seen.clear();
        for (std::size_t begin = 0; begin < text.size(); ++begin) {
            std::uint32_t number = kRoot;
            const std::size_t end = std::min(text.size(), begin + longest);
            for (std::size_t at = begin; at < end; ++at) {
                number = learn(number, text[at]);
                if (counts.size() < numbers_) counts.resize(2 * std::size_t{numbers_});
                if (counts[number]++ == 0) seen.push_back(number);
            }
        }
        for (const std::uint32_t number : seen) {
            numbers.push_back(number);
            found.push_back({static_cast<std::uint32_t>(r), counts[number]});
            counts[number] = 0;
        }
    }
    lists_.assign(std::size_t{numbers_} + 1, 0);
    for (const std::uint32_t number : numbers) ++lists_[number + 1];
    for (std::size_t number = 0; number < numbers_; ++number) lists_[number + 1] += lists_[number];
    postings_.resize(found.size());
    std::vector<std::size_t> next(lists_.begin(), lists_.end() - 1);
    for (std::size_t i = 0; i < found.size(); ++i) postings_[next[numbers[i]]++] = found[i];

    dense_rows_.assign(numbers_, kNone);
    if (texts.size() > kBlock) return;
    std::uint32_t rows = 0;
    for (std::size_t number = 1; number < numbers_; ++number) {
        const std::span<const Posting> list(postings_.data() + lists_[number], lists_[number + 1] - lists_[number]);
        const bool fits = std::ranges::all_of(list, [](const Posting& posting) { return posting.count <= 255; });
        if (list.size() * kDenseShare < stride_ || !fits) continue;
        dense_rows_[number] = rows++;
        dense_.resize(rows * stride_);
        for (const Posting& posting : list)
            dense_[(rows - 1) * stride_ + posting.text] = static_cast<std::uint8_t>(posting.count);
    }
}

std::size_t NgramIndex::place(std::uint32_t prefix, Symbol symbol) const {
    std::uint64_t hash = (symbol + 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ hash >> 32 ^ prefix) * 0x9E3779B97F4A7C15u;
    std::size_t at = (hash >> 32) & (slots_.size() - 1);
    while (slots_[at].number != 0 && (slots_[at].prefix != prefix || slots_[at].symbol != symbol))
        at = (at + 1) & (slots_.size() - 1);
    return at;
}

std::uint32_t NgramIndex::find(std::uint32_t prefix, Symbol symbol) const {
    return slots_[place(prefix, symbol)].number;
}

std::uint32_t NgramIndex::learn(std::uint32_t prefix, Symbol symbol) {
    if (2 * std::size_t{numbers_} > slots_.size()) grow();
    Slot& slot = slots_[place(prefix, symbol)];
    if (slot.number == 0) slot = {symbol, prefix, numbers_++};
    return slot.number;
}

void NgramIndex::grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.number != 0) slots_[place(slot.prefix, slot.symbol)] = slot;
}

std::vector<double> NgramIndex::weighted_sums(std::span<const double> weights) const {
    std::vector<double> sums(numbers_);
    for (std::size_t number = 1; number < numbers_; ++number)
        for (std::size_t at = lists_[number]; at < lists_[number + 1]; ++at)
            sums[number] += weights[postings_[at].text] * postings_[at].count;
    return sums;
}

void NgramIndex::Counter::walk(const NgramIndex& index, std::span<const Symbol> text) {
    if (counts_.size() < index.numbers_) counts_.resize(index.numbers_);
    touched_.resize(index.longest_);
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        std::uint32_t number = kRoot;
        const std::size_t most = std::min<std::size_t>(text.size() - begin, index.longest_);
        for (std::size_t n = 0; n < most; ++n) {
            number = index.find(number, text[begin + n]);
            if (number == 0) break;
            if (counts_[number]++ == 0) touched_[n].push_back(number);
        }
    }
}

template <class Total>
void NgramIndex::Counter::add(const NgramIndex& index, std::vector<Total>& totals) {
    totals.assign(index.longest_ * index.stride_, 0);
    for (std::size_t n = 0; n < index.longest_; ++n) {
        Total* const row = totals.data() + n * index.stride_;
        for (const std::uint32_t number : touched_[n]) {
            const std::uint32_t count = counts_[number];
            counts_[number] = 0;
            if (index.dense_rows_[number] != kNone) {
                const std::uint8_t most = static_cast<std::uint8_t>(std::min<std::uint32_t>(count, 255));
                add_dense(index.dense_.data() + index.dense_rows_[number] * index.stride_, most, row, index.stride_);
                continue;
            }
            for (std::size_t at = index.lists_[number]; at < index.lists_[number + 1]; ++at)
                row[index.postings_[at].text] += static_cast<Total>(std::min(count, index.postings_[at].count));
        }
        touched_[n].clear();
    }
}

std::span<const std::uint32_t> NgramIndex::Counter::count(const NgramIndex& index, std::span<const Symbol> text) {
    walk(index, text);
    if (text.size() > 0xFFFF) {
        add(index, wide_);
        return wide_;
    }
    add(index, narrow_);
    wide_.assign(narrow_.begin(), narrow_.end());
    return wide_;
}

std::span<const double> NgramIndex::Counter::count_weighted(const NgramIndex& index, std::span<const double> sums,
                                                            std::span<const Symbol> text) {
    walk(index, text);
    weighted_.assign(index.longest_, 0);
    for (std::size_t n = 0; n < index.longest_; ++n) {
        for (const std::uint32_t number : touched_[n]) {
            weighted_[n] += std::min(static_cast<double>(counts_[number]), sums[number]);
            counts_[number] = 0;
        }
        touched_[n].clear();
    }
    return weighted_;
}

}  // namespace tertium
