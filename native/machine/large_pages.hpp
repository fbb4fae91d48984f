// Memory for large lists that are read and written all over, in large pages where the system has them.
//
// A system hands out memory in pages of 4 KB and clears each when it is first touched, which for a list of a few
// megabytes takes longer than filling it; and a processor remembers where some thousand pages are, not more. Linux has
// pages of 2 MB for those who ask. Small lists are in memory like any other.

#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tertium {

template <class Item>
struct LargePages {
    using value_type = Item;
    static constexpr std::size_t kPage = std::size_t{1} << 21;

    LargePages() = default;
    template <class Other>
    LargePages(const LargePages<Other>&) {}

    Item* allocate(std::size_t count) {
        if (!is_large(count)) return std::allocator<Item>().allocate(count);
        const std::size_t size = (count * sizeof(Item) + kPage - 1) / kPage * kPage;
        void* const memory = ::operator new(size, std::align_val_t{kPage});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        madvise(memory, size, MADV_HUGEPAGE);  // if it cannot be had, it was only a wish
#endif
        return static_cast<Item*>(memory);
    }
    void deallocate(Item* memory, std::size_t count) {
        if (!is_large(count)) return std::allocator<Item>().deallocate(memory, count);
        ::operator delete(memory, std::align_val_t{kPage});
    }
    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static bool is_large(std::size_t count) { return count >= kPage / 2 / sizeof(Item); }
};

template <class Item>
using LargeList = std::vector<Item, LargePages<Item>>;

}  // namespace tertium
