// From text to tokens: a segment becomes a list of 64-bit keys, one per token.
//
// Kernels only ask whether two tokens are equal, so a token is kept as a key rather than as bytes: up to seven
// bytes are the key itself (with the length in the top byte), longer ones are hashed to 63 bits. Keys need no
// vocabulary, so segments stay independent and threads share nothing.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/multiversion.hpp"

namespace tertium {

using Key = std::uint64_t;

// Never the key of a token: the top byte is 0..7 for short tokens and 128..255 for hashed ones.
inline constexpr Key kNoToken = Key{0x40} << 56;

TERTIUM_INLINE std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
    const std::uint64_t ah = a >> 32, al = a & 0xFFFFFFFFu, bh = b >> 32, bl = b & 0xFFFFFFFFu;
    const std::uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    const std::uint64_t middle = (ll >> 32) + (lh & 0xFFFFFFFFu) + (hl & 0xFFFFFFFFu);
    return (middle << 32 | (ll & 0xFFFFFFFFu)) ^ (hh + (lh >> 32) + (hl >> 32) + (middle >> 32));
#endif
}

TERTIUM_INLINE std::uint64_t eight_bytes(const char* p) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, 8);
    return bytes;
}

// The key of a token of at least eight bytes.
TERTIUM_INLINE Key hashed_key(const char* token, std::size_t length) {
    constexpr std::uint64_t mix1 = 0x9E3779B97F4A7C15u, mix2 = 0xD6E8FEB86659FD93u;
    const char* const last = token + length - 8;  // may overlap what comes before
    // The length goes into all bits: in the lowest alone it would undo a change of the first letter.
    std::uint64_t state = folded_product(eight_bytes(token) ^ mix1 * length, mix2);
    for (const char* p = token + 8; p < last; p += 8) state = folded_product(state ^ eight_bytes(p), mix2) + mix1;
    return folded_product(state ^ eight_bytes(last), mix1) | Key{1} << 63;
}

// The key of a token of at most seven bytes, the lowest of `bytes`; of longer ones, some number.
TERTIUM_INLINE Key short_key(std::uint64_t bytes, std::size_t length) {
    return (bytes & ((Key{1} << (8 * length % 64)) - 1)) | Key{length} << 56;
}

// Bytes up to `end` may be read.
TERTIUM_INLINE Key key_of(const char* token, std::size_t length, const char* end) {
    if (length > 7) return hashed_key(token, length);
    if (end - token >= 8) [[likely]]
        return short_key(eight_bytes(token), length);
    Key bytes = 0;
    std::memcpy(&bytes, token, length);
    return short_key(bytes, length);
}
inline Key key_of(std::string_view token) { return key_of(token.data(), token.size(), token.data() + token.size()); }

// Has the beginning of a text brought into the cache, to be read a little later.
TERTIUM_INLINE void prefetch_text([[maybe_unused]] std::string_view text) {
#if defined(__GNUC__)
    for (std::size_t at = 0; at < 192; at += 64) __builtin_prefetch(text.data() + at);
#endif
}

// The tokens of one text, behind those of texts before that were kept. Words are kept only when somebody wants to read
// them.
class Tokens {
public:
    bool keep_words = false;
    std::vector<std::string_view> words;

    std::span<const Key> keys() const { return {storage_.data() + begin_, count_}; }
    std::size_t size() const { return count_; }
    void clear() {
        count_ = 0;
        words.clear();
    }
    // Room for `count` keys, which the caller fills in.
    Key* replace(std::size_t count) {
        if (storage_.size() - begin_ < count) grow(count);
        count_ = count;
        return storage_.data() + begin_;
    }
    // Where it was more room than needed.
    void shrink(std::size_t count) { count_ = count; }
    void add(const char* begin, const char* end, const char* text_end) {
        const auto length = static_cast<std::size_t>(end - begin);
        if (begin_ + count_ == storage_.size()) grow(count_ + 1);
        storage_[begin_ + count_++] = key_of(begin, length, text_end);
        if (keep_words) words.emplace_back(begin, length);
    }

    // Leaves the keys where they are while those of other texts follow, until all are let go.
    void keep() {
        begin_ += count_;
        count_ = 0;
    }
    void let_go() {
        begin_ = count_ = 0;
        full_.clear();
    }

private:
    // Kept keys stay where they are; those of the text at hand go on.
    void grow(std::size_t count) {
        std::vector<Key> larger(2 * std::max(count, storage_.size()) + 16);
        std::copy_n(storage_.data() + begin_, std::min(count, count_), larger.data());
        if (begin_ > 0) full_.push_back(std::move(storage_));
        storage_ = std::move(larger);
        begin_ = 0;
    }

    std::vector<Key> storage_;
    std::vector<std::vector<Key>> full_;  // where keys are kept that came before those in `storage_`
    std::size_t begin_ = 0, count_ = 0;
};

}  // namespace tertium
