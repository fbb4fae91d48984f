// Ids of words as they lie in a file, mapped into memory: which synsets a word of a large lexicon belongs to.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "text/tokens.hpp"

namespace tertium {

class WordIndex {
public:
    // Keys ascend; the ids of word i end where ends[i] says and begin where those before end.
    WordIndex(std::span<const Key> keys, std::span<const std::uint32_t> ends, std::span<const std::uint32_t> ids)
        : keys_(keys), ends_(ends), ids_(ids) {
        if (ends.size() != keys.size() || !std::is_sorted(keys.begin(), keys.end()) ||
            !std::is_sorted(ends.begin(), ends.end()) || (ends.empty() ? 0 : ends.back()) != ids.size())
            throw std::invalid_argument("word index: the parts do not fit each other");
    }
    bool contains(Key word) const { return std::binary_search(keys_.begin(), keys_.end(), word); }
    std::span<const std::uint32_t> find(Key word) const {
        const auto found = std::lower_bound(keys_.begin(), keys_.end(), word);
        if (found == keys_.end() || *found != word) return {};
        const auto at = static_cast<std::size_t>(found - keys_.begin());
        const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
        return ids_.subspan(begin, ends_[at] - begin);
    }
    std::size_t size() const { return keys_.size(); }

private:
    std::span<const Key> keys_;
    std::span<const std::uint32_t> ends_, ids_;
};

}  // namespace tertium
