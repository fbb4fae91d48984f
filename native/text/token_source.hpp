// Where segments get their tokens from: text that is tokenized on the way, or tokens stored before.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

inline std::string_view bytes_of(std::span<const Key> keys) {
    return {reinterpret_cast<const char*>(keys.data()), keys.size_bytes()};
}

class StoredTokens;

class TokenSource {
public:
    virtual ~TokenSource() = default;
    virtual std::size_t size() const = 0;
    // Valid until the next call with the same `space`; how the tokens are spelt, until one with the same scratch.
    virtual std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const = 0;
    // Of some texts, from `first` on: as many as are quick to read in one go, but no more than there are places for,
    // and at least one. Returns how many; they are valid until `space` lets go of them.
    virtual std::size_t read(std::size_t first, std::span<std::span<const Key>> texts, Tokenizer::Scratch& scratch,
                             Tokens& space) const {
        prefetch(first + 3);
        texts[0] = tokens(first, scratch, space);
        space.keep();
        return 1;
    }
    // What a text's tokens are made from: where it is equal, so are the tokens.
    virtual std::string_view made_from(std::size_t index) const = 0;
    virtual void prefetch(std::size_t) const {}
    // Itself, if it is stored and knows how its tokens are spelt.
    virtual const StoredTokens* with_spelling() const { return nullptr; }
};

// Texts in groups: the references of segment i are texts [offsets[i], offsets[i + 1]) of `texts`.
struct GroupedTokens {
    const TokenSource& texts;
    std::span<const std::size_t> offsets;
    std::size_t first(std::size_t segment) const { return offsets[segment]; }
    std::size_t count(std::size_t segment) const { return offsets[segment + 1] - offsets[segment]; }
    std::size_t segment_of(std::size_t text) const {
        return static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), text) - offsets.begin()) - 1;
    }
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
    std::size_t read(std::size_t first, std::span<std::span<const Key>> texts, Tokenizer::Scratch& scratch,
                     Tokens& space) const override {
        if constexpr (requires { splitter_(texts_, scratch, space, texts.data()); })
            return splitter_(texts_.subspan(first, texts.size()), scratch, space, texts.data());
        else
            return TokenSource::read(first, texts, scratch, space);
    }
    std::string_view made_from(std::size_t index) const override { return texts_[index]; }
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

// Different keys numbered 0, 1, … in the order in which they come.
class KeyNumbers {
public:
    std::uint32_t number(Key word) {
        if (8 * keys_.size() >= 5 * slots_.size()) grow();
        std::uint32_t& slot = slots_[slot_of(word)];
        if (slot == 0) {
            keys_.push_back(word);
            slot = static_cast<std::uint32_t>(keys_.size());
        }
        return slot - 1;
    }
    std::span<const Key> keys() const { return keys_; }
    std::size_t size() const { return keys_.size(); }
    // Has the place where a word is looked for brought into the cache.
    void prefetch([[maybe_unused]] Key word) const {
#if defined(__GNUC__)
        if (!slots_.empty()) __builtin_prefetch(slots_.data() + first_slot(word));
#endif
    }

private:
    std::size_t first_slot(Key word) const {
        return static_cast<std::size_t>(folded_product(word, 0x9E3779B97F4A7C15u)) & (slots_.size() - 1);
    }
    std::size_t slot_of(Key word) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = first_slot(word);
        while (slots_[at] != 0 && keys_[slots_[at] - 1] != word) at = (at + 1) & last;
        return at;
    }
    void grow();

    std::vector<Key> keys_;
    std::vector<std::uint32_t> slots_;  // numbers, counted from 1
};

// Tokens of many texts, end to end. If their spelling was given it is kept once per different word, for those who ask
// (Tokens::keep_words), and so is which of the different words each token is.
class StoredTokens final : public TokenSource {
public:
    void add(std::string_view word);
    void close_text();
    // Tokens whose keys are known; without spelling, or all of them with it.
    void add_text(const Words& words);
    void append(const StoredTokens& other);
    // Text after text, those at these places.
    StoredTokens taken(std::span<const std::uint32_t> places) &&;

    std::size_t size() const override { return offsets_.size() - 1; }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override;
    std::string_view made_from(std::size_t index) const override {
        return bytes_of(std::span(keys_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]));
    }
    const StoredTokens* with_spelling() const override { return numbers_.size() == keys_.size() ? this : nullptr; }

    // Of texts with spelling: the different words, and which of them a text has.
    std::span<const Key> different() const { return words_.keys(); }
    std::string_view spelling(std::size_t number) const {
        const std::size_t first = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(bytes_).substr(first, ends_[number] - first);
    }
    std::span<const std::uint32_t> numbers(std::size_t index) const {
        return std::span(numbers_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
    }

private:
    std::uint32_t number_of(Key key, std::string_view word);
    void spell(std::size_t begin, std::size_t end, std::vector<std::string_view>& words) const;

    std::vector<Key> keys_;
    std::vector<std::size_t> offsets_{0}, ends_;  // of texts; of spellings
    std::vector<std::uint32_t> numbers_;
    KeyNumbers words_;
    std::string bytes_;
};

// Tokenizes now what would be tokenized on every use.
StoredTokens stored_tokens(const TokenSource& source, bool spelt, unsigned threads, Watch& watch);

// The source itself if it knows how its tokens are spelt, or else `space`, where it is stored.
const StoredTokens& spelt_tokens(const TokenSource& source, StoredTokens& space, unsigned threads, Watch& watch);

}  // namespace tertium
