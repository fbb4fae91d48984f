// The room paraphrase: phrase pairs counted, and paraphrases by pivoting.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/texts.hpp"
#include "paraphrase/pivot.hpp"

namespace tertium {
namespace {

Pivot::Layout layout_named(std::string_view name) {
    using Layout = Pivot::Layout;
    return named<Layout>("layout of a table", name,
                         {{"table", Layout::table}, {"meteor", Layout::meteor}, {"terp", Layout::terp}});
}

// (what, line, found, known) or None.
std::optional<std::tuple<int, std::size_t, std::size_t, std::size_t>> as_tuple(const std::optional<Fault>& fault) {
    if (!fault) return std::nullopt;
    return std::make_tuple(static_cast<int>(fault->what), fault->line, fault->found, fault->known);
}

void bind_sources(nb::module_& m) {
    nb::class_<WordNumbers>(m, "WordNumbers", "Words, numbered from 1 in the order in which they are met.")
        .def(nb::init<>())
        .def("__len__", &WordNumbers::size)
        .def(
            "add",
            [](WordNumbers& words, const Texts& texts) {
                for (const std::string_view word : texts.views) words.number(word);
            },
            "texts"_a)
        .def(
            "words",
            [](const WordNumbers& words, std::size_t begin, std::size_t end) {
                std::vector<std::string_view> some;
                for (std::size_t i = begin; i < std::min(end, words.size()); ++i)
                    some.push_back(words.word(static_cast<std::uint32_t>(i + 1)));
                return as_strings(some);
            },
            "begin"_a, "end"_a);
    nb::class_<PivotSource>(m, "PivotSource", "Phrase pairs of one bitext or phrase table, counted and sorted.")
        .def(nb::init<WordNumbers&, const std::string&, std::size_t, std::size_t, unsigned, bool>(), "words"_a,
             nb::kw_only(), "prefix"_a, "longest"_a, "memory"_a, "threads"_a, "counted"_a, nb::keep_alive<1, 2>())
        .def(
            "add_sentences",
            [](PivotSource& source, const Texts& texts, const Texts& pivots, const Texts& links, bool inverse,
               bool skip_empty) {
                return as_tuple(run([&](Watch& watch) {
                    return source.add_sentences(texts.views, pivots.views, links.views, inverse, skip_empty, watch);
                }));
            },
            "texts"_a, "pivots"_a, "links"_a, "inverse"_a, "skip_empty"_a)
        .def(
            "add_table",
            [](PivotSource& source, const Texts& lines, bool phrases_are_sources) {
                return as_tuple(
                    run([&](Watch& watch) { return source.add_table(lines.views, phrases_are_sources, watch); }));
            },
            "lines"_a, "phrases_are_sources"_a)
        .def(
            "finish",
            [](PivotSource& source, const std::string& path) {
                run([&](Watch& watch) { source.finish(path, watch); });
                return source.twice;
            },
            "path"_a)
        .def_prop_ro("counts", [](const PivotSource& source) {
            nb::typed<nb::dict, nb::str, std::size_t> counts;
            counts["lines"] = source.counts.lines;
            counts["skipped"] = source.counts.skipped;
            counts["too_long"] = source.counts.too_long;
            counts["instances"] = source.counts.instances;
            counts["pairs"] = source.counts.pairs;
            counts["phrases"] = source.counts.phrases;
            return counts;
        });
}

template <class Item>
using Listed = nb::ndarray<const Item, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Item>
std::vector<Item> copied(const Listed<Item>& items) {
    return {items.data(), items.data() + items.size()};
}

void bind_filters(nb::module_& m) {
    nb::class_<WordForms>(m, "WordForms", "What filters know of each word, by its number.")
        .def(
            "__init__",
            [](WordForms* forms, Listed<std::uint32_t> lowered, Listed<std::uint32_t> bare, Listed<std::uint32_t> stem,
               Listed<std::uint8_t> is_number, Listed<std::uint8_t> is_function_word) {
                new (forms)
                    WordForms{copied(lowered), copied(bare), copied(stem), copied(is_number), copied(is_function_word)};
            },
            nb::kw_only(), "lowered"_a, "bare"_a, "stem"_a, "is_number"_a, "is_function_word"_a);
    nb::class_<PivotFilters>(m, "PivotFilters", "Which pairs are left out.")
        .def(
            "__init__",
            [](PivotFilters* filters, bool same, bool punctuation, bool numbers, bool function_words, bool stems,
               double floor, std::size_t top) {
                new (filters) PivotFilters{same, punctuation, numbers, function_words, stems, floor, top};
            },
            nb::kw_only(), "same"_a, "punctuation"_a, "numbers"_a, "function_words"_a, "stems"_a, "floor"_a, "top"_a);
    nb::class_<PivotReport>(m, "PivotReport", "How many pairs each filter left out, and how many were kept.")
        .def(nb::init<>())
        .def_ro("floor", &PivotReport::floor)
        .def_ro("same", &PivotReport::same)
        .def_ro("punctuation", &PivotReport::punctuation)
        .def_ro("numbers", &PivotReport::numbers)
        .def_ro("function_words", &PivotReport::function_words)
        .def_ro("stems", &PivotReport::stems)
        .def_ro("top", &PivotReport::top)
        .def_ro("kept", &PivotReport::kept);
}

}  // namespace

void bind_paraphrase(nb::module_& m) {
    bind_sources(m);
    bind_filters(m);
    nb::class_<Pivot>(m, "Pivot", "Phrases and the pivots they share, ready to give the paraphrases of each phrase.")
        .def(
            "__init__",
            [](Pivot* pivot, const WordNumbers& words, const std::vector<std::string>& paths,
               const std::vector<bool>& counted, const std::vector<double>& weights, const std::string& prefix,
               std::size_t longest, std::size_t memory, unsigned threads) {
                if (counted.size() != paths.size() || weights.size() != paths.size())
                    throw nb::value_error("each path needs to be counted or not, and a weight");
                std::vector<PivotFile> files;
                for (std::size_t i = 0; i < paths.size(); ++i) files.push_back({paths[i], counted[i], weights[i]});
                run([&](Watch& watch) { new (pivot) Pivot(words, files, prefix, longest, memory, threads, watch); });
            },
            "words"_a, nb::kw_only(), "paths"_a, "counted"_a, "weights"_a, "prefix"_a, "longest"_a, "memory"_a,
            "threads"_a, nb::keep_alive<1, 2>())
        .def("__len__", &Pivot::phrases)
        .def_prop_ro("shared_pivots", &Pivot::shared_pivots)
        .def_ro("all_phrases", &Pivot::all_phrases)
        .def_ro("all_pivots", &Pivot::all_pivots)
        .def_ro("all_pairs", &Pivot::all_pairs)
        .def(
            "filter",
            [](Pivot& pivot, const WordForms& forms, const PivotFilters& filters, unsigned threads) {
                run([&](Watch& watch) { pivot.filter(forms, filters, threads, watch); });
            },
            "forms"_a, "filters"_a, "threads"_a)
        .def(
            "lines",
            [](const Pivot& pivot, std::size_t begin, std::size_t end, std::string_view layout, PivotReport& report,
               unsigned threads) {
                const Pivot::Layout form = layout_named(layout);
                end = std::min(end, pivot.phrases());
                const std::string written = run(
                    [&](Watch& watch) { return pivot.lines(std::min(begin, end), end, form, report, threads, watch); });
                return nb::bytes(written.data(), written.size());
            },
            "begin"_a, "end"_a, "layout"_a, "report"_a, "threads"_a);
}

}  // namespace tertium
