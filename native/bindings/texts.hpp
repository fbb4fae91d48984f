// Texts and tokens as Python holds them.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/calls.hpp"
#include "text/grouped_texts.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Views borrow the UTF-8 that Python keeps with each string, or the memory of a file; `owners` keeps either alive.
struct Texts : GroupedTexts {
    Texts() = default;
    explicit Texts(GroupedTexts texts) : GroupedTexts(std::move(texts)) {}
    std::vector<nb::object> owners;
    std::vector<std::shared_ptr<void>> chunks;  // memory that is not Python's
};

// Tokens in groups, stored or made on the way.
struct TokenTexts {
    std::unique_ptr<TokenSource> source;
    std::vector<std::size_t> offsets;
    std::size_t size() const { return offsets.size() - 1; }
    operator GroupedTokens() const { return {*source, offsets}; }
};

// A buffer of Python's, for as long as this lives.
class Buffer {
public:
    explicit Buffer(nb::handle object, int flags = PyBUF_SIMPLE) {
        if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view_); }
    std::span<char> bytes() const { return {static_cast<char*>(view_.buf), static_cast<std::size_t>(view_.len)}; }
    std::string_view text() const { return {bytes().data(), bytes().size()}; }

private:
    Py_buffer view_{};
};

template <class Words>
nb::typed<nb::list, nb::str> as_strings(const Words& words) {
    nb::list strings;
    for (const std::string_view word : words) strings.append(nb::str(word.data(), word.size()));
    return strings;
}

template <class Words>
std::vector<Key> keys_of(const Words& words) {
    std::vector<Key> keys;
    for (const std::string_view word : words) keys.push_back(key_of(word));
    return keys;
}

// Fills `rows`, once all sizes fit, by fill(watch, rows).
template <class Hypotheses, class References, class Fill>
void fill_rows(const Hypotheses& hypotheses, const References& references, const Rows& rows, std::size_t columns,
               Fill fill) {
    if (references.size() != hypotheses.size() || rows.shape(0) != hypotheses.size() || rows.shape(1) != columns)
        throw nb::value_error("segments, references and rows do not fit each other");
    run([&](Watch& watch) { fill(watch, span_of(rows)); });
}

// As `run`, for one segment with its references.
template <class Work>
auto run_on_one(const TokenTexts& hypotheses, const TokenTexts& references, Work work) {
    if (hypotheses.size() != 1 || references.size() != 1) throw nb::value_error("one segment is aligned at a time");
    return run(work);
}

}  // namespace tertium
