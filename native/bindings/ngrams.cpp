// The room metrics: those that count n-grams, BLEU, NIST and chrF.

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/names.hpp"
#include "bindings/texts.hpp"
#include "metrics/bleu.hpp"
#include "metrics/chrf.hpp"
#include "metrics/information.hpp"
#include "metrics/nist.hpp"

namespace tertium {
namespace {

ReferenceLength bleu_length_named(std::string_view name) {
    return named<ReferenceLength>("reference length of BLEU", name,
                                  {{"closest", ReferenceLength::closest},
                                   {"shortest", ReferenceLength::shortest},
                                   {"average", ReferenceLength::average}});
}

// All numbers of an Information, for pickling.
using InformationState = std::tuple<unsigned, std::uint64_t, nb::bytes, nb::bytes>;

template <class Item>
nb::bytes as_bytes(std::span<const Item> items) {
    return nb::bytes(reinterpret_cast<const char*>(items.data()), items.size_bytes());
}

template <class List>
List from_bytes(const nb::bytes& bytes) {
    using Item = typename List::value_type;
    if (bytes.size() % sizeof(Item) != 0) throw nb::value_error("information weights: cut short");
    List items(bytes.size() / sizeof(Item));
    std::copy_n(bytes.c_str(), bytes.size(), reinterpret_cast<char*>(items.data()));
    return items;
}

std::size_t columns_of(const Information& information) { return 2 + 2 * std::size_t{information.order()}; }

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.def(
        "bleu_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::vector<unsigned> orders,
           std::string_view reference_length, bool initial, bool final, bool single_boundary, unsigned threads,
           Rows rows) {
            const BleuSettings settings{
                std::move(orders), bleu_length_named(reference_length), {initial, final, single_boundary}};
            fill_rows(hypotheses, references, rows, 2 + 2 * settings.orders.size(),
                      [&](Watch& watch, std::span<double> out) {
                          bleu_rows(*hypotheses.source, references, settings, threads, watch, out);
                      });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "orders"_a, "reference_length"_a, "initial"_a, "final"_a,
        "single_boundary"_a, "threads"_a, "rows"_a.noconvert());

    nb::class_<Information>(m, "Information", "What each n-gram of the references tells.")
        .def(
            "__init__",
            [](Information* self, const TokenTexts& references, unsigned order, unsigned threads) {
                run([&](Watch& watch) {
                    new (self) Information(Information::learnt(*references.source, order, threads, watch));
                });
            },
            "references"_a, "order"_a, "threads"_a)
        .def_prop_ro("mark", [](const Information& information) { return information.mark(); })
        .def_prop_ro("order", &Information::order)
        .def_prop_ro("total", &Information::total)
        .def_prop_ro(
            "keeps_texts", [](const Information& information) { return information.texts() != nullptr; },
            "Whether nist_rows_of_learnt can be used.")
        .def("__getstate__",
             [](const Information& information) {
                 return InformationState{information.order(), information.total(), as_bytes(information.words()),
                                         as_bytes(information.ngrams())};
             })
        .def("__setstate__", [](Information& self, const InformationState& state) {
            const auto& [order, total, words, ngrams] = state;
            new (&self) Information(order, total, from_bytes<std::vector<Information::Word>>(words),
                                    from_bytes<LargeList<Information::Ngram>>(ngrams));
        });
    m.def(
        "nist_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const Information& information, bool zero_prefix,
           unsigned threads, Rows rows) {
            fill_rows(hypotheses, references, rows, columns_of(information), [&](Watch& watch, std::span<double> out) {
                nist_rows(*hypotheses.source, references, information, zero_prefix, threads, watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "information"_a, "zero_prefix"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "nist_rows_of_learnt",
        [](const TokenTexts& hypotheses, const Texts& references, std::size_t first, const Information& information,
           bool zero_prefix, unsigned threads, Rows rows) {
            fill_rows(hypotheses, references, rows, columns_of(information), [&](Watch& watch, std::span<double> out) {
                nist_rows_of_learnt(*hypotheses.source, references.offsets, first, information, zero_prefix, threads,
                                    watch, out);
            });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "first"_a, "information"_a, "zero_prefix"_a, "threads"_a,
        "rows"_a.noconvert(),
        "The same rows, for references that are texts first, first + 1, … of those the information was learnt from.");

    m.def(
        "chrf_rows",
        [](const Texts& hypotheses, const Texts& references, unsigned char_order, unsigned word_order, double beta,
           bool lowercase, bool whitespace, bool eps_smoothing, std::string_view unicode, unsigned threads, Rows rows) {
            const ChrfSettings settings{
                char_order, word_order, beta, lowercase, whitespace, eps_smoothing, normalization_named(unicode)};
            fill_rows(
                hypotheses, references, rows, 3 * (char_order + word_order), [&](Watch& watch, std::span<double> out) {
                    chrf_rows(hypotheses.views, references.views, references.offsets, settings, threads, watch, out);
                });
        },
        "hypotheses"_a, "references"_a, nb::kw_only(), "char_order"_a, "word_order"_a, "beta"_a, "lowercase"_a,
        "whitespace"_a, "eps_smoothing"_a, "unicode"_a, "threads"_a, "rows"_a.noconvert());
}

}  // namespace tertium
