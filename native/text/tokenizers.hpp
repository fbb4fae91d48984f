// How text becomes tokens: the rules of mteval, sacreBLEU and others.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens.hpp"
#include "text/unicode.hpp"

namespace tertium {

enum class Normalization { none, nfc, nfkc };
enum class Rule { none, space, blank, mteval_13a, mteval, intl, mteval_intl, mteval_intl_bare, zh, characters };

// Says how text becomes tokens. Immutable, shared by threads; each thread brings its own scratch space.
class Tokenizer {
public:
    struct Scratch {
        std::string normalized, lowered, rewritten;
        std::vector<char> lowered_bytes;  // with some to spare
        std::u32string points, other_points;
        std::vector<std::uint32_t> starts, ends, long_tokens;
    };

    Tokenizer(Rule rule, bool lowercase, Normalization normalization)
        : rule_(rule), lowercase_(lowercase), normalization_(normalization) {}

    // Replaces `tokens`. Kept words point into `text` or `scratch`, so they live until the next call.
    void operator()(std::string_view text, Scratch& scratch, Tokens& tokens) const;

private:
    Rule rule_;
    bool lowercase_;
    Normalization normalization_;
};

// The text after Unicode normalization and lower-casing, each if wanted; may point into `scratch`.
std::string_view prepared(std::string_view text, Normalization normalization, bool lowercase,
                          Tokenizer::Scratch& scratch, unicode::Lower rule = unicode::Lower::python);

}  // namespace tertium
