// From words to ids: a word's stem, the synsets it belongs to, whether it is a function word.
//
// The words of a language are looked up once, by Python, and kept here under their token keys, so that kernels work
// on keys alone: two words are synonyms if their sorted lists of ids share one. A table only grows, and what was
// added never moves: readers need no lock and may go on in other threads while words for another call are added.
// For that, a full array of slots is replaced by a larger one and kept until the table goes (all of them together
// are no larger than the last), and a slot's list is in place before its key is.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "text/tokens.hpp"

namespace tertium {

class KeyTable {
public:
    KeyTable() { grow(1024); }
    KeyTable(const KeyTable&) = delete;
    KeyTable& operator=(const KeyTable&) = delete;

    // The ids of a word, ascending; none if it is unknown or has none.
    std::span<const std::uint64_t> find(Key word) const {
        const Slot* const slot = slot_of(word);
        return slot ? std::span(slot->ids, slot->count) : std::span<const std::uint64_t>();
    }
    bool contains(Key word) const { return slot_of(word) != nullptr; }
    // For tables that give each word one id.
    std::uint64_t first(Key word, std::uint64_t otherwise) const {
        const std::span<const std::uint64_t> ids = find(word);
        return ids.empty() ? otherwise : ids.front();
    }
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }

    // A word that is known stays as it is.
    void add(Key word, std::span<const std::uint64_t> ids) {
        const std::lock_guard one_writer(writing_);
        if (contains(word)) return;
        if (2 * (size() + 1) > slots_.back().count) grow(2 * slots_.back().count);
        const std::span<const std::uint64_t> kept = keep(ids);
        put(slots_.back(), word, kept.data(), kept.size());
        size_.fetch_add(1, std::memory_order_relaxed);
    }

private:
    struct Slot {
        std::atomic<Key> word{kNoToken};
        const std::uint64_t* ids = nullptr;
        std::size_t count = 0;
    };
    struct Slots {
        std::unique_ptr<Slot[]> slots;
        std::size_t count;  // a power of two
    };

    static std::size_t place(Key word, std::size_t count) {
        return static_cast<std::size_t>(folded_product(word, 0x9E3779B97F4A7C15u)) & (count - 1);
    }
    const Slot* slot_of(Key word) const {
        const Slots& now = *current_.load(std::memory_order_acquire);
        for (std::size_t at = place(word, now.count);; at = (at + 1) & (now.count - 1)) {
            const Key found = now.slots[at].word.load(std::memory_order_acquire);
            if (found == word) return &now.slots[at];
            if (found == kNoToken) return nullptr;
        }
    }
    static void put(Slots& slots, Key word, const std::uint64_t* ids, std::size_t count) {
        std::size_t at = place(word, slots.count);
        while (slots.slots[at].word.load(std::memory_order_relaxed) != kNoToken) at = (at + 1) & (slots.count - 1);
        slots.slots[at].ids = ids;
        slots.slots[at].count = count;
        slots.slots[at].word.store(word, std::memory_order_release);
    }
    void grow(std::size_t count) {
        Slots larger{std::make_unique<Slot[]>(count), count};
        if (!slots_.empty())
            for (std::size_t at = 0; at < slots_.back().count; ++at)
                if (const Slot& slot = slots_.back().slots[at]; slot.word.load(std::memory_order_relaxed) != kNoToken)
                    put(larger, slot.word.load(std::memory_order_relaxed), slot.ids, slot.count);
        slots_.push_back(std::move(larger));
        current_.store(&slots_.back(), std::memory_order_release);
    }
    // Copies ids into blocks that never move.
    std::span<const std::uint64_t> keep(std::span<const std::uint64_t> ids) {
        if (ids.empty()) return {};
        if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < ids.size()) {
            blocks_.emplace_back();
            blocks_.back().reserve(std::max<std::size_t>(kBlock, ids.size()));
        }
        std::vector<std::uint64_t>& block = blocks_.back();
        const std::size_t begin = block.size();
        block.insert(block.end(), ids.begin(), ids.end());
        const auto first = block.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(first, block.end());
        block.erase(std::unique(first, block.end()), block.end());
        return std::span(block).subspan(begin);
    }

    static constexpr std::size_t kBlock = 4096;
    std::deque<Slots> slots_;  // the last is in use
    std::atomic<const Slots*> current_{nullptr};
    std::deque<std::vector<std::uint64_t>> blocks_;
    std::atomic<std::size_t> size_{0};
    std::mutex writing_;
};

// Whether two ascending lists have an id in common.
template <class Id>
bool share_id(std::span<const Id> a, std::span<const Id> b) {
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        if (*left == *right) return true;
        ++(*left < *right ? left : right);
    }
    return false;
}

}  // namespace tertium
