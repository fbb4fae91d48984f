// Some of the texts of another source, in any order and as often as wanted: for pairs of each with each.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "text/token_source.hpp"

namespace tertium {

class TakenTexts final : public TokenSource {
public:
    TakenTexts(const TokenSource& source, std::vector<std::uint32_t> places)
        : source_(source), places_(std::move(places)) {}

    std::size_t size() const override { return places_.size(); }
    std::span<const Key> tokens(std::size_t index, Tokenizer::Scratch& scratch, Tokens& space) const override {
        return source_.tokens(places_[index], scratch, space);
    }
    std::string_view made_from(std::size_t index) const override { return source_.made_from(places_[index]); }
    void prefetch(std::size_t index) const override {
        if (index < places_.size()) source_.prefetch(places_[index]);
    }

private:
    const TokenSource& source_;
    std::vector<std::uint32_t> places_;
};

}  // namespace tertium
