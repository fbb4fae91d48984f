#include "text/token_source.hpp"

namespace tertium {

void StoredTokens::append(const StoredTokens& other) {
    const std::size_t words = keys_.size(), bytes = bytes_.size();
    keys_.insert(keys_.end(), other.keys_.begin(), other.keys_.end());
    bytes_.append(other.bytes_);
    for (const std::size_t end : other.ends_) ends_.push_back(bytes + end);
    for (std::size_t text = 1; text < other.offsets_.size(); ++text) offsets_.push_back(words + other.offsets_[text]);
}

void StoredTokens::spell(std::size_t begin, std::size_t end, std::vector<std::string_view>& words) const {
    words.clear();
    for (std::size_t i = begin; i < end && i < ends_.size(); ++i) {
        const std::size_t first = i == 0 ? 0 : ends_[i - 1];
        words.push_back(std::string_view(bytes_).substr(first, ends_[i] - first));
    }
}

StoredTokens stored_tokens(const TokenSource& source, bool spelt, unsigned threads, Watch& watch) {
    constexpr std::size_t kRun = 512;
    std::vector<StoredTokens> parts((source.size() + kRun - 1) / kRun);
    parallel_for(
        source.size(), threads, watch,
        [&] {
            return [&, reader = WordReader(spelt)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) parts[begin / kRun].add_text(reader(source, i));
            };
        },
        kRun);
    StoredTokens all;
    for (const StoredTokens& part : parts) all.append(part);
    return all;
}

}  // namespace tertium
