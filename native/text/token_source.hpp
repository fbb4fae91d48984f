// Where segments get their tokens from: text that is tokenized on the way, or tokens stored before.

#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/parallel.hpp"
#include "text/tokenizers.hpp"
#include "text/tokens.hpp"

namespace tertium {

// Has the beginning of a text brought into the cache, to be read a little later.
inline void prefetch_text([[maybe_unused]] std::string_view text) {
#if defined(__GNUC__)
    for (std::size_t at = 0; at < 192; at += 64) __builtin_prefetch(text.data() + at);
#endif
}

class TokenSource {
public:
    virtual ~TokenSource() = default;
    virtual std::size_t size() const = 0;
    // Valid until the next call with the same scratch space.
    virtual std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const = 0;
    virtual void prefetch(std::size_t) const {}
};

// Texts in groups: the references of segment i are texts [offsets[i], offsets[i + 1]) of `texts`.
struct GroupedTokens {
    const TokenSource& texts;
    std::span<const std::size_t> offsets;
    std::size_t first(std::size_t segment) const { return offsets[segment]; }
    std::size_t count(std::size_t segment) const { return offsets[segment + 1] - offsets[segment]; }
};

// Texts that a splitter (Tokenizer, TerText, TerpText, MeteorText) makes tokens of, whenever they are asked for.
template <class Splitter>
class SplitTexts final : public TokenSource {
public:
    SplitTexts(std::span<const std::string_view> texts, Splitter splitter)
        : texts_(texts), splitter_(std::move(splitter)) {}

    std::size_t size() const override { return texts_.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override {
        splitter_(texts_[index], scratch, space);
        return space.keys();
    }
    void prefetch(std::size_t index) const override {
        if (index < texts_.size()) prefetch_text(texts_[index]);
    }

private:
    std::span<const std::string_view> texts_;
    Splitter splitter_;
};

// The words of one text: their keys and, if somebody asked for it, how they are spelt.
struct Words {
    std::span<const Key> keys;
    std::span<const std::string_view> spelling;

    std::size_t size() const { return keys.size(); }
    bool empty() const { return keys.empty(); }
    Words part(std::size_t begin, std::size_t count) const {
        return {keys.subspan(begin, count), spelling.empty() ? spelling : spelling.subspan(begin, count)};
    }
};

// Reads one text after the other; what it returns lives until it reads again.
class WordReader {
public:
    explicit WordReader(bool spelt) { tokens_.keep_words = spelt; }
    Words operator()(const TokenSource& source, std::size_t index) {
        const std::span<const Key> keys = source.tokens(index, scratch_, tokens_);
        if (tokens_.keep_words && tokens_.words.size() != keys.size())
            throw std::logic_error("the source does not know how its tokens are spelt");
        return {keys, tokens_.words};
    }

private:
    Tokenizer::Scratch scratch_;
    Tokens tokens_;
};

// Tokens of many texts, end to end; with their spelling, if it was given, for those who ask (Tokens::keep_words).
class StoredTokens final : public TokenSource {
public:
    void add(std::string_view word) {
        keys_.push_back(key_of(word));
        add_spelling(word);
    }
    void close_text() { offsets_.push_back(keys_.size()); }
    // Tokens whose keys are known; without spelling, or all of them with it.
    void add_text(const Words& words) {
        keys_.insert(keys_.end(), words.keys.begin(), words.keys.end());
        for (const std::string_view word : words.spelling) add_spelling(word);
        close_text();
    }
    void append(const StoredTokens& other);

    std::size_t size() const override { return offsets_.size() - 1; }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch&, Tokens& space) const override {
        const std::size_t begin = offsets_[index], end = offsets_[index + 1];
        if (space.keep_words) spell(begin, end, space.words);
        return std::span(keys_).subspan(begin, end - begin);
    }

private:
    void add_spelling(std::string_view word) {
        bytes_.append(word);
        ends_.push_back(bytes_.size());
    }
    void spell(std::size_t begin, std::size_t end, std::vector<std::string_view>& words) const;

    std::vector<Key> keys_;
    std::vector<std::size_t> offsets_{0}, ends_;
    std::string bytes_;
};

// Tokenizes now what would be tokenized on every use.
StoredTokens stored_tokens(const TokenSource& source, bool spelt, unsigned threads, Watch& watch);

}  // namespace tertium
