// The rows of a dynamic program, for a walk from the last one back to the first, in little memory.
//
// A walk needs all rows, but only two of them at a time. If they do not fit, every B-th row is kept; when the walk
// enters a block of B rows, the block is computed once more from the row before it. With B about the square root
// of the number of rows, that is twice the work and a tiny part of the memory, and not one number differs.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "machine/parallel.hpp"

namespace tertium {

// `step(l, before, at)` fills row l from row l - 1.
template <class T, class Step>
class RetracedRows {
public:
    struct Two {
        const T* before;
        const T* at;
    };

    RetracedRows(std::size_t last, std::size_t width, Step step, Watch& watch, std::size_t most_bytes = 32u << 20)
        : last_(last), width_(width), step_(std::move(step)), watch_(watch) {
        block_ = std::max<std::size_t>(last, 1);
        if (sizeof(T) * width * (last + 1) > most_bytes)
            block_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(last))));
        kept_.resize(width * (last / block_ + 1));
        rows_.resize(width * (block_ + 1));
    }

    // Row 0, for the caller to fill before run().
    T* first() { return kept_.data(); }

    // Returns the last row.
    const T* run() {
        for (std::size_t block = 0; block * block_ < last_; ++block) {
            compute(block);
            const std::size_t next = (block + 1) * block_;
            if (next <= last_) std::copy_n(row(block_), width_, kept_.data() + (block + 1) * width_);
        }
        return last_ == 0 ? kept_.data() : row(last_ - current_ * block_);
    }

    // Rows l - 1 and l, l > 0; quick as long as l falls.
    Two operator[](std::size_t l) {
        const std::size_t block = (l - 1) / block_;
        if (block != current_) compute(block);
        return {row(l - 1 - block * block_), row(l - block * block_)};
    }

private:
    T* row(std::size_t index) { return rows_.data() + index * width_; }

    void compute(std::size_t block) {
        std::copy_n(kept_.data() + block * width_, width_, row(0));
        const std::size_t begin = block * block_, end = std::min(begin + block_, last_);
        for (std::size_t l = begin + 1; l <= end; ++l) {
            step_(l, row(l - 1 - begin), row(l - begin));
            if ((work_ += width_) > 1u << 16) watch_.spend(work_), work_ = 0;
        }
        current_ = block;
    }

    std::size_t last_, width_, block_ = 1, current_ = static_cast<std::size_t>(-1), work_ = 0;
    Step step_;
    Watch& watch_;
    std::vector<T> kept_, rows_;
};

}  // namespace tertium
