// What every binding needs: names become enums, arrays become spans, work runs without the interpreter's lock.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "machine/parallel.hpp"
#include "machine/refused.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tertium {

template <class Item, int dimensions>
using Array = nb::ndarray<Item, nb::numpy, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using Rows = Array<double, 2>;
template <class Item>
using Column = Array<Item, 1>;

template <class Item, class... Rest>
std::span<Item> span_of(const nb::ndarray<Item, Rest...>& array) {
    return {array.data(), array.size()};
}

// The value that a name stands for; anything else is refused, with what there is.
template <class Value>
Value named(const char* what, std::string_view name, std::initializer_list<std::pair<std::string_view, Value>> values) {
    std::string known;
    for (const auto& [other, value] : values) {
        if (name == other) return value;
        known.append(known.empty() ? "" : ", ").append(other);
    }
    throw nb::value_error(
        ("no " + std::string(what) + " is called '" + std::string(name) + "'; known: " + known).c_str());
}

// TERTIUM_BUDGET multiplies what a segment may cost; inf lifts it.
inline Budget budget() {
    Budget all;
    if (const char* const given = std::getenv("TERTIUM_BUDGET"); given && *given) {
        char* end = nullptr;
        all.times = std::strtod(given, &end);
        if (*end || !(all.times > 0))
            throw Refused("TERTIUM_BUDGET is '" + std::string(given) +
                          "', but a number above 0 was expected: how many times the usual a segment may cost, or inf.");
    }
    all.steps *= all.times;
    all.bytes *= all.times;
    return all;
}

// Runs work(watch) without the lock; Ctrl-C stops it.
template <class Work>
auto run(Work work) {
    Watch watch(
        [] {
            nb::gil_scoped_acquire locked;
            return PyErr_CheckSignals() != 0;
        },
        budget());
    try {
        nb::gil_scoped_release unlocked;
        return work(watch);
    } catch (const Interrupted&) {
        if (PyErr_Occurred()) throw nb::python_error();
        throw;
    }
}

// One per file beside this one.
void bind_texts(nb::module_& m);
void bind_arrow(nb::module_& m);
void bind_tokens(nb::module_& m);
void bind_lexicon(nb::module_& m);
void bind_ngrams(nb::module_& m);
void bind_pairwise(nb::module_& m);
void bind_word_errors(nb::module_& m);
void bind_ter(nb::module_& m);
void bind_terp(nb::module_& m);
void bind_meteor(nb::module_& m);
void bind_statistics(nb::module_& m);
void bind_paraphrase(nb::module_& m);
void bind_resegmentation(nb::module_& m);

}  // namespace tertium
