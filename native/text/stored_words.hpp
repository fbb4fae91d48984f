// Tokens that came as lists: their keys, and their spelling for those who ask (Tokens::keep_words).

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace tertium {

class StoredWords final : public TokenSource {
public:
    void add(std::string_view word) {
        keys_.push_back(key_of(word.data(), word.size(), word.data() + word.size()));
        bytes_.append(word);
        ends_.push_back(bytes_.size());
    }
    void close_text() { offsets_.push_back(keys_.size()); }
    // Words whose keys are known.
    void add_text(std::span<const Key> keys, std::span<const std::string_view> words) {
        keys_.insert(keys_.end(), keys.begin(), keys.end());
        for (const std::string_view word : words) {
            bytes_.append(word);
            ends_.push_back(bytes_.size());
        }
        close_text();
    }
    void append(const StoredWords& other) {
        const std::size_t words = keys_.size(), bytes = bytes_.size();
        keys_.insert(keys_.end(), other.keys_.begin(), other.keys_.end());
        bytes_.append(other.bytes_);
        for (const std::size_t end : other.ends_) ends_.push_back(bytes + end);
        for (std::size_t text = 1; text < other.offsets_.size(); ++text) offsets_.push_back(words + other.offsets_[text]);
    }

    std::size_t size() const override { return offsets_.size() - 1; }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch&, Tokens& space) const override {
        const std::size_t begin = offsets_[index], end = offsets_[index + 1];
        if (space.keep_words) {
            space.words.clear();
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t first = i == 0 ? 0 : ends_[i - 1];
                space.words.push_back(std::string_view(bytes_).substr(first, ends_[i] - first));
            }
        }
        return std::span(keys_).subspan(begin, end - begin);
    }

private:
    std::vector<Key> keys_;
    std::vector<std::size_t> offsets_{0}, ends_;
    std::string bytes_;
};

}  // namespace tertium
