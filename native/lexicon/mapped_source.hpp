// Tokens in another form: each is replaced by what a table has for it, such as the key of its stem.

#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>

#include "lexicon/key_table.hpp"
#include "text/token_source.hpp"

namespace tertium {

class MappedSource final : public TokenSource {
public:
    MappedSource(const TokenSource& source, const KeyTable& table) : source_(source), table_(table) {}

    std::size_t size() const override { return source_.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override {
        if (space.keep_words) throw std::logic_error("mapped tokens are not spelt");
        const std::span<const Key> keys = source_.tokens(index, scratch, space);
        // Where the tokens were made in `space` they are replaced in place: it has room for them already.
        Key* const mapped = space.replace(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) mapped[i] = table_.first(keys[i], keys[i]);
        return {mapped, keys.size()};
    }
    std::string_view made_from(std::size_t index) const override { return source_.made_from(index); }
    void prefetch(std::size_t index) const override { source_.prefetch(index); }

private:
    const TokenSource& source_;
    const KeyTable& table_;
};

}  // namespace tertium
