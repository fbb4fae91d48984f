// Every pair of a hypothesis and a reference: texts taken again and again, and n-grams looked up once.

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings/names.hpp"
#include "bindings/texts.hpp"
#include "metrics/ngram_pairs.hpp"
#include "text/taken_texts.hpp"

namespace tertium {
namespace {

// Fills `rows` of all hypotheses against the prepared references.
template <class Pairs, class Hypotheses>
void fill_pairs(const Pairs& pairs, const Hypotheses& hypotheses, std::size_t count, unsigned threads,
                const Rows& rows) {
    if (rows.shape(0) != count * pairs.references() || rows.shape(1) != pairs.columns())
        throw nb::value_error("hypotheses, references and rows do not fit each other");
    run([&](Watch& watch) { pairs.fill(hypotheses, threads, watch, span_of(rows)); });
}

void check_weights(const Column<const double>& weights, std::size_t references) {
    if (weights.size() != 0 && weights.size() != references)
        throw nb::value_error("there must be a weight for each reference, or none at all");
}

}  // namespace

void bind_pairwise(nb::module_& m) {
    m.def(
        "taken_texts",
        [](const Texts& texts, Column<const std::uint32_t> places) {
            auto taken = std::make_unique<Texts>();
            for (const std::uint32_t place : span_of(places)) {
                taken->views.push_back(texts.views.at(place));
                taken->offsets.push_back(taken->views.size());
            }
            return taken;
        },
        "texts"_a, "places"_a, nb::keep_alive<0, 1>(), "Texts, one per place, each a group of its own.");
    m.def(
        "taken_tokens",
        [](const TokenTexts& tokens, Column<const std::uint32_t> places) {
            const std::span<const std::uint32_t> wanted = span_of(places);
            auto taken = std::make_unique<TokenTexts>();
            taken->source =
                std::make_unique<TakenTexts>(*tokens.source, std::vector<std::uint32_t>(wanted.begin(), wanted.end()));
            for (std::size_t i = 0; i <= wanted.size(); ++i) taken->offsets.push_back(i);
            return taken;
        },
        "tokens"_a, "places"_a, nb::keep_alive<0, 1>(), "Tokens of texts, one per place, each a group of its own.");

    nb::class_<BleuPairs>(m, "BleuPairs", "References for the rows of BLEU with every hypothesis.")
        .def(
            "__init__",
            [](BleuPairs* self, const TokenTexts& references, std::vector<unsigned> orders,
               Column<const double> weights) {
                check_weights(weights, references.source->size());
                run([&](Watch& watch) {
                    new (self) BleuPairs(*references.source, std::move(orders), span_of(weights), watch);
                });
            },
            "references"_a, "orders"_a, "weights"_a)
        .def(
            "fill",
            [](const BleuPairs& pairs, const TokenTexts& hypotheses, unsigned threads, Rows rows) {
                fill_pairs(pairs, *hypotheses.source, hypotheses.size(), threads, rows);
            },
            "hypotheses"_a, "threads"_a, "rows"_a.noconvert());
    nb::class_<ChrfPairs>(m, "ChrfPairs", "References for the rows of chrF with every hypothesis.")
        .def(
            "__init__",
            [](ChrfPairs* self, const Texts& references, unsigned char_order, unsigned word_order, bool lowercase,
               bool whitespace, std::string_view unicode, Column<const double> weights) {
                ChrfSettings settings;
                settings.char_order = char_order;
                settings.word_order = word_order;
                settings.lowercase = lowercase;
                settings.whitespace = whitespace;
                settings.normalization = normalization_named(unicode);
                check_weights(weights, references.views.size());
                run([&](Watch& watch) { new (self) ChrfPairs(references.views, settings, span_of(weights), watch); });
            },
            "references"_a, "char_order"_a, "word_order"_a, "lowercase"_a, "whitespace"_a, "unicode"_a, "weights"_a)
        .def(
            "fill",
            [](const ChrfPairs& pairs, const Texts& hypotheses, unsigned threads, Rows rows) {
                fill_pairs(pairs, std::span<const std::string_view>(hypotheses.views), hypotheses.views.size(), threads,
                           rows);
            },
            "hypotheses"_a, "threads"_a, "rows"_a.noconvert());
}

}  // namespace tertium
