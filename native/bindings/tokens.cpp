// The room text, as far as tokens go: each program's way to split, and tokens in groups.

#include "bindings/texts.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/names.hpp"
#include "lexicon/key_table.hpp"
#include "lexicon/mapped_source.hpp"
#include "lexicon/unknown_words.hpp"
#include "text/meteor_text.hpp"
#include "text/ter_text.hpp"
#include "text/terp_text.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

Rule rule_named(std::string_view name) {
    return named<Rule>("native tokenizer", name,
                       {{"none", Rule::none},
                        {"space", Rule::space},
                        {"blank", Rule::blank},
                        {"13a", Rule::mteval_13a},
                        {"intl", Rule::intl},
                        {"thesis", Rule::intl},
                        {"mteval", Rule::mteval},
                        {"mteval-intl", Rule::mteval_intl},
                        {"mteval-intl-bare", Rule::mteval_intl_bare},
                        {"zh", Rule::zh},
                        {"char", Rule::characters}});
}

MeteorText::Style meteor_style_named(std::string_view name) {
    using Style = MeteorText::Style;
    return named<Style>("style of METEOR's text", name,
                        {{"norm", Style::normalize}, {"lower", Style::lower}, {"none", Style::none}});
}

MeteorText::Apostrophe apostrophe_named(std::string_view name) {
    using Apostrophe = MeteorText::Apostrophe;
    return named<Apostrophe>(
        "rule for apostrophes", name,
        {{"english", Apostrophe::english}, {"french", Apostrophe::french}, {"alone", Apostrophe::alone}});
}

template <class Source>
std::unique_ptr<TokenTexts> token_texts(Source source, const std::vector<std::size_t>& offsets) {
    return std::make_unique<TokenTexts>(TokenTexts{std::make_unique<Source>(std::move(source)), offsets});
}

std::unique_ptr<TokenTexts> tokens_of_lists(nb::typed<nb::list, nb::typed<nb::list, nb::str>> lists,
                                            const std::vector<std::size_t>& offsets) {
    StoredTokens stored;
    for (const nb::handle list : lists) {
        for (const nb::handle token : nb::cast<nb::sequence>(list)) {
            Py_ssize_t length = 0;
            const char* const bytes = PyUnicode_AsUTF8AndSize(token.ptr(), &length);
            if (!bytes) throw nb::python_error();
            stored.add({bytes, static_cast<std::size_t>(length)});
        }
        stored.close_text();
    }
    if (offsets.empty() || offsets.back() != stored.size()) throw nb::value_error("offsets do not fit");
    return token_texts(std::move(stored), offsets);
}

std::unique_ptr<TokenTexts> stored(const TokenTexts& tokens, bool spelt, unsigned threads) {
    return token_texts(run([&](Watch& watch) { return stored_tokens(*tokens.source, spelt, threads, watch); }),
                       tokens.offsets);
}

// A way to split texts has two methods.
template <class Splitter>
nb::class_<Splitter> bind_splitter(nb::module_& m, const char* name, const char* what) {
    return nb::class_<Splitter>(m, name, what)
        .def(
            "split",
            [](const Splitter& splitter, std::string_view text) {
                Tokenizer::Scratch scratch;
                Tokens tokens;
                tokens.keep_words = true;
                splitter(text, scratch, tokens);
                return as_strings(tokens.words);
            },
            "text"_a)
        .def(
            "tokens",
            [](const Splitter& splitter, const Texts& texts) {
                return token_texts(SplitTexts<Splitter>(texts.views, splitter), texts.offsets);
            },
            "texts"_a, nb::keep_alive<0, 2>());
}

}  // namespace

void bind_tokens(nb::module_& m) {
    nb::class_<TokenTexts>(m, "TokenTexts", "Tokens in groups, stored or made on the way.")
        .def("__len__", &TokenTexts::size)
        .def(
            "stored", [](const TokenTexts& tokens, unsigned threads) { return stored(tokens, false, threads); },
            "threads"_a)
        .def(
            "stored_words", [](const TokenTexts& tokens, unsigned threads) { return stored(tokens, true, threads); },
            "threads"_a, "Stored with their spelling, for those who look words up.")
        .def(
            "unknown_words",
            [](const TokenTexts& tokens, const KeyTable& table, unsigned threads) {
                return as_strings(
                    run([&](Watch& watch) { return unknown_words(*tokens.source, table, threads, watch); }));
            },
            "table"_a, "threads"_a, "The words that the table does not know, each once.")
        .def(
            "mapped",
            [](const TokenTexts& tokens, const KeyTable& table) {
                return token_texts(MappedSource(*tokens.source, table), tokens.offsets);
            },
            "table"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
            "The same texts with the first id of each token in its place, where the table has one.");
    m.def("tokens_of_lists", &tokens_of_lists, "lists"_a, "offsets"_a);

    bind_splitter<Tokenizer>(m, "Tokenizer", "A native tokenizer with its case folding and Unicode normalization.")
        .def(
            "__init__",
            [](Tokenizer* self, std::string_view rule, bool lowercase, std::string_view unicode) {
                new (self) Tokenizer(rule_named(rule), lowercase, normalization_named(unicode));
            },
            "rule"_a, "lowercase"_a, "unicode"_a);
    bind_splitter<TerText>(m, "TerText", "How TER's programs split texts.")
        .def(
            "__init__",
            [](TerText* self, bool sacrebleu, bool release_0_7, bool normalized, bool no_punct, bool asian_support,
               bool case_sensitive, bool twice, std::string_view unicode) {
                new (self) TerText{sacrebleu ? TerText::Style::sacrebleu : TerText::Style::tercom,
                                   release_0_7,
                                   normalized,
                                   no_punct,
                                   asian_support,
                                   case_sensitive,
                                   twice,
                                   normalization_named(unicode)};
            },
            nb::kw_only(), "sacrebleu"_a, "release_0_7"_a, "normalized"_a, "no_punct"_a, "asian_support"_a,
            "case_sensitive"_a, "twice"_a, "unicode"_a);
    bind_splitter<TerpText>(m, "TerpText", "How TERp splits texts.")
        .def(
            "__init__",
            [](TerpText* self, bool normalized, bool new_normalization, bool no_punct, bool normalize_numbers,
               bool case_sensitive, std::string_view unicode,
               const std::vector<std::vector<std::string>>& equivalences) {
                new (self) TerpText{normalized,
                                    new_normalization,
                                    no_punct,
                                    normalize_numbers,
                                    case_sensitive,
                                    normalization_named(unicode),
                                    {}};
                for (const auto& phrases : equivalences) self->add_equivalence(phrases);
            },
            nb::kw_only(), "normalized"_a, "new_normalization"_a, "no_punct"_a, "normalize_numbers"_a,
            "case_sensitive"_a, "unicode"_a, "equivalences"_a);
    bind_splitter<MeteorText>(m, "MeteorText", "How METEOR splits texts.")
        .def(
            "__init__",
            [](MeteorText* self, std::string_view style, bool any_alphabet, std::string_view apostrophe,
               bool punctuation, std::string_view unicode, const std::vector<std::string_view>& prefixes,
               const std::vector<std::string_view>& number_prefixes) {
                auto dotted = std::make_shared<DottedPrefixes>();
                for (const std::string_view word : prefixes) dotted->always.insert(key_of(word));
                for (const std::string_view word : number_prefixes) dotted->before_number.insert(key_of(word));
                new (self) MeteorText{meteor_style_named(style),
                                      any_alphabet ? MeteorText::Alphabet::any : MeteorText::Alphabet::meteor,
                                      apostrophe_named(apostrophe),
                                      punctuation,
                                      normalization_named(unicode),
                                      dotted};
            },
            nb::kw_only(), "style"_a, "any_alphabet"_a, "apostrophe"_a, "punctuation"_a, "unicode"_a, "prefixes"_a,
            "number_prefixes"_a);
    m.def("digits_of", &digits_of, "word"_a, "The digits that a word stands for; empty if it is no number.");
}

}  // namespace tertium
