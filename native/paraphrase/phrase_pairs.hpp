// Phrase pairs of a word-aligned sentence pair: all pairs of spans whose words are aligned with each other only.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tertium {

struct Link {
    std::uint32_t text, pivot;  // positions, from 0
};

// "0-0 2-1": false if that is not what the line holds. With `inverse` the pivot's position comes first.
bool parse_links(std::string_view line, bool inverse, std::vector<Link>& links);

// Calls take(text_begin, text_end, pivot_begin, pivot_end) for each pair of spans of at most `most` words that
// holds a link and that no link leaves. Words without a link may stand at either end of either span.
class PhrasePairs {
public:
    template <class Take>
    void operator()(std::size_t text_length, std::size_t pivot_length, std::span<const Link> links, std::size_t most,
                    Take take) {
        const auto none = static_cast<std::uint32_t>(pivot_length);
        first_pivot_.assign(text_length, none);
        last_pivot_.assign(text_length, 0);
        first_text_.assign(pivot_length, static_cast<std::uint32_t>(text_length));
        last_text_.assign(pivot_length, 0);
        for (const Link& link : links) {
            first_pivot_[link.text] = std::min(first_pivot_[link.text], link.pivot);
            last_pivot_[link.text] = std::max(last_pivot_[link.text], link.pivot);
            first_text_[link.pivot] = std::min(first_text_[link.pivot], link.text);
            last_text_[link.pivot] = std::max(last_text_[link.pivot], link.text);
        }
        const auto unlinked = [&](std::size_t pivot) { return first_text_[pivot] == text_length; };

        for (std::size_t begin = 0; begin < text_length; ++begin) {
            std::uint32_t low = none, high = 0;
            for (std::size_t end = begin + 1; end <= std::min(begin + most, text_length); ++end) {
                low = std::min(low, first_pivot_[end - 1]);
                high = std::max(high, last_pivot_[end - 1]);
                if (low == none) continue;
                if (high - low >= most) break;  // it only grows
                bool closed = true;
                for (std::size_t pivot = low; pivot <= high && closed; ++pivot)
                    closed = unlinked(pivot) || (first_text_[pivot] >= begin && last_text_[pivot] < end);
                if (!closed) continue;
                for (std::size_t from = low;; --from) {
                    for (std::size_t to = high; to < pivot_length && to - from < most; ++to) {
                        if (to > high && !unlinked(to)) break;
                        take(begin, end, from, to + 1);
                    }
                    if (from == 0 || !unlinked(from - 1) || high - from + 1 >= most) break;
                }
            }
        }
    }

private:
    std::vector<std::uint32_t> first_pivot_, last_pivot_, first_text_, last_text_;
};

}  // namespace tertium
