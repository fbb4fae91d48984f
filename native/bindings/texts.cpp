// The room text, as far as texts go: out of Python's strings, Arrow's columns and files; Unicode.

#include "bindings/texts.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "text/lines.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

std::string kind_of(nb::handle object) { return nb::cast<std::string>(nb::str(object.type().attr("__name__"))); }

std::string place(const std::string& name, std::int64_t i) { return name + "[" + std::to_string(i) + "]"; }

// The text of what is a proper string; of anything else, one that is nowhere.
std::string_view text_of(nb::handle item) {
    if (!PyUnicode_Check(item.ptr())) return {};
    Py_ssize_t length = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &length);
    if (!bytes) PyErr_Clear();
    return {bytes, bytes ? static_cast<std::size_t>(length) : 0};
}

// Says what is wrong with anything else.
[[noreturn]] void refuse_string(nb::handle item, const std::string& where) {
    if (!PyUnicode_Check(item.ptr())) throw Refused(where + " is a " + kind_of(item) + ", not a string.");
    throw Refused(where +
                  " has a lone surrogate, which is no character; clean the text where it was decoded "
                  "(surrogateescape?).");
}

struct Sequence {
    Sequence(nb::handle object, const std::string& name) {
        if (PyAnySet_Check(object.ptr()) || PyDict_Check(object.ptr()))
            throw Refused(name + " is a " + kind_of(object) +
                          ", which has no order that segments could be told by. Give a list.");
        if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()))
            throw Refused(name + " must be a list of segments, but one " + kind_of(object) +
                          " was given. Put it in a list: [text].");
        items = nb::steal(PySequence_Fast(object.ptr(), ""));
        if (!items.is_valid()) {
            PyErr_Clear();
            throw Refused(name + " must be a list of segments, not a " + kind_of(object) + ".");
        }
        is_list = PyList_Check(items.ptr());
        size = PySequence_Size(items.ptr());
    }
    // Some items, held, since reading one of them may run code that lets go of another. Copied in one go, which takes
    // less time than to hold one after the other.
    nb::object slice(Py_ssize_t begin, Py_ssize_t end) const {
        check_size();
        nb::object some =
            nb::steal(is_list ? PyList_GetSlice(items.ptr(), begin, end) : PyTuple_GetSlice(items.ptr(), begin, end));
        if (!some.is_valid()) throw nb::python_error();
        return some;
    }
    // Of those, or of all while nobody else can change them.
    nb::handle item(nb::handle some, Py_ssize_t i) const {
        return is_list ? PyList_GetItem(some.ptr(), i) : PyTuple_GetItem(some.ptr(), i);
    }
    void check_size() const {
        if ((is_list ? PyList_Size(items.ptr()) : PyTuple_Size(items.ptr())) < size)
            throw Refused("A list of segments grew shorter while it was read. Is another thread at work on it?");
    }
    nb::object items;
    bool is_list = false;
    Py_ssize_t size = 0;
};

// One group per item; add(item, place, texts) takes what is not a proper string.
template <class Add>
std::unique_ptr<Texts> texts_of(nb::handle object, const std::string& name, Add add) {
    constexpr Py_ssize_t kRun = 256;  // strings that are still in the cache when they are read
    const Sequence items(object, name);
    auto texts = std::make_unique<Texts>();
    texts->views.reserve(static_cast<std::size_t>(items.size));
    texts->offsets.reserve(static_cast<std::size_t>(items.size) + 1);
    std::string_view strings[kRun];
    for (Py_ssize_t begin = 0; begin < items.size; begin += kRun) {
        const Py_ssize_t count = std::min(kRun, items.size - begin);
        const nb::object run = items.slice(begin, begin + count);
        bool all_strings = true;
        for (Py_ssize_t k = 0; k < count; ++k) {
            std::string_view* end = strings;
            for (; k < count && (*end = text_of(items.item(run, k))).data(); ++k) ++end;
            if (end > strings) {
                texts->views.insert(texts->views.end(), strings, end);
                texts->close_each();
            }
            if (k == count) break;
            all_strings = false;
            add(items.item(run, k), begin + k, *texts);
            texts->close_group();
        }
        // Only strings are kept: a group might hold on to anything, even to who keeps these texts.
        if (all_strings)
            texts->owners.push_back(run);
        else
            for (Py_ssize_t k = 0; k < count; ++k)
                if (const nb::handle item = items.item(run, k); PyUnicode_Check(item.ptr()))
                    texts->owners.push_back(nb::borrow(item));
        items.check_size();
    }
    return texts;
}

std::unique_ptr<Texts> flat_texts(nb::handle object, const std::string& name) {
    return texts_of(object, name, [&](nb::handle item, Py_ssize_t i, Texts&) { refuse_string(item, place(name, i)); });
}

std::unique_ptr<Texts> grouped_texts(nb::handle object, const std::string& name) {
    return texts_of(object, name, [&](nb::handle item, Py_ssize_t i, Texts& texts) {
        const std::string where = place(name, i);
        if (PyUnicode_Check(item.ptr())) refuse_string(item, where);
        if (item.is_none())
            throw Refused(where +
                          " is None: the segment has no reference. Give at least one, or leave the segment out "
                          "of hypotheses and references.");
        const Sequence group(item, where);
        for (Py_ssize_t k = 0; k < group.size; ++k) {
            const nb::handle item = group.item(group.items, k);
            const std::string_view text = text_of(item);
            if (!text.data() && !item.is_none()) refuse_string(item, place(where, k));
            if (!text.data()) continue;
            texts.views.push_back(text);
            texts.owners.push_back(nb::borrow(item));
        }
        if (texts.views.size() == texts.offsets.back())
            throw Refused(where +
                          " holds no reference. Give at least one, or leave the segment out of hypotheses and "
                          "references.");
    });
}

// Whether the items of a list are the very strings that these texts were borrowed from, one for each group. Where there
// was a nested group, each string is held by itself, and not a run of them.
bool are_strings_of(const Texts& texts, nb::handle object) {
    const auto size = static_cast<Py_ssize_t>(texts.size());
    if (!PyList_CheckExact(object.ptr()) || PyList_Size(object.ptr()) != size) return false;
    Py_ssize_t i = 0;
    for (const nb::object& run : texts.owners) {
        if (!PyList_CheckExact(run.ptr()) || PyList_Size(run.ptr()) > size - i) return false;
        for (Py_ssize_t k = 0; k < PyList_Size(run.ptr()); ++k, ++i)
            if (PyList_GetItem(object.ptr(), i) != PyList_GetItem(run.ptr(), k)) return false;
    }
    return i == size;
}

std::vector<const GroupedTexts*> pointers_to(const nb::typed<nb::list, Texts>& parts) {
    std::vector<const GroupedTexts*> pointers;
    for (const nb::handle part : parts) pointers.push_back(nb::cast<const Texts*>(part));
    return pointers;
}

// A file's lines, with the buffer they lie in.
class LineReader : public Lines {
public:
    LineReader(nb::object buffer, std::size_t lines_before)
        : LineReader(std::make_unique<Buffer>(buffer), lines_before) {}

    // The next lines, or none if one of them is no text.
    std::unique_ptr<Texts> take_texts(std::size_t most) {
        auto texts = std::make_unique<Texts>();
        nb::gil_scoped_release unlocked;
        if (!take(most, texts->views)) return nullptr;
        texts->close_each();
        return texts;
    }

private:
    LineReader(std::unique_ptr<Buffer> buffer, std::size_t lines_before)
        : Lines(buffer->text(), lines_before), buffer_(std::move(buffer)) {}

    std::unique_ptr<Buffer> buffer_;
};

}  // namespace

void bind_texts(nb::module_& m) {
    nb::class_<Texts>(m, "Texts", "Texts in groups, borrowed from Python strings or from a file.")
        .def("__len__", &Texts::size)
        .def("__getitem__",
             [](const Texts& texts, std::size_t i) {
                 if (i >= texts.size()) throw nb::index_error("no such segment");
                 return as_strings(
                     std::span(texts.views).subspan(texts.offsets[i], texts.offsets[i + 1] - texts.offsets[i]));
             })
        .def(
            "fields",
            [](const Texts& texts, std::size_t index, std::size_t columns) {
                auto found = texts.fields(index, columns);
                return found ? std::make_unique<Texts>(std::move(*found)) : nullptr;
            },
            "index"_a, "columns"_a, nb::keep_alive<0, 1>(),
            "The field at an index of each line of tab-separated fields; None if one has not as many as `columns`.",
            nb::sig("def fields(self, index: int, columns: int) -> Texts | None"))
        .def(
            "split_fields", [](const Texts& texts) { return Texts(texts.split_fields()); }, nb::keep_alive<0, 1>(),
            "Each line's tab-separated fields as a group; empty ones are missing.")
        .def_prop_ro("group_size", &Texts::group_size, "How many texts each group has; 0 if that varies.")
        .def(
            "empty",
            [](const Texts& texts) {
                const GroupedTexts::Empty found = texts.empty();
                return nb::make_tuple(found.count, found.first);
            },
            "How many texts are empty, and which is the first.", nb::sig("def empty(self) -> tuple[int, int]"))
        .def_prop_ro("offsets", [](const Texts& texts) { return texts.offsets; })
        .def(
            "missing", [](const Texts& texts) { return texts.missing(); }, "Which groups hold no text.",
            nb::sig("def missing(self) -> list[int]"))
        .def(
            "filled", [](const Texts& texts) { return Texts(texts.filled()); }, nb::keep_alive<0, 1>(),
            "The same, with an empty text in groups that hold none.")
        .def(
            "slice",
            [](const Texts& texts, std::size_t begin, std::size_t end) { return Texts(texts.slice(begin, end)); },
            "begin"_a, "end"_a, nb::keep_alive<0, 1>())
        .def(
            "place_of", [](const Texts& texts, const Texts& part) { return texts.place_of(part); }, "part"_a,
            "Where other texts stand among these, in the same memory and in a row; None if they do not.")
        .def("are_strings_of", &are_strings_of, "texts"_a.none(),
             "Whether the items of a list are the very strings that these were borrowed from, one for each group.");
    m.def("flat_texts", &flat_texts, "texts"_a.none(), "name"_a);
    m.def("grouped_texts", &grouped_texts, "groups"_a.none(), "name"_a);
    m.def(
        "zipped_texts", [](nb::typed<nb::list, Texts> parts) { return Texts(zipped(pointers_to(parts))); }, "parts"_a,
        nb::keep_alive<0, 1>());
    m.def(
        "joined_texts", [](nb::typed<nb::list, Texts> parts) { return Texts(joined(pointers_to(parts))); }, "parts"_a,
        nb::keep_alive<0, 1>());

    nb::class_<LineReader>(m, "LineReader", "The lines of a file that lies in memory, block by block.")
        .def(nb::init<nb::object, std::size_t>(), "buffer"_a, "lines_before"_a = 0)
        .def("take", &LineReader::take_texts, "most"_a, nb::keep_alive<0, 1>(),
             nb::sig("def take(self, most: int) -> Texts | None"))
        .def_prop_ro("at_end", [](const LineReader& lines) { return lines.at_end(); })
        .def_prop_ro("had_byte_order_mark", [](const LineReader& lines) { return lines.had_byte_order_mark; })
        .def_prop_ro("first_inner_mark", [](const LineReader& lines) { return lines.first_inner_mark; })
        .def_prop_ro("first_mark_within", [](const LineReader& lines) { return lines.first_mark_within; })
        .def_prop_ro("first_crlf", [](const LineReader& lines) { return lines.first_crlf; })
        .def_prop_ro("first_odd_separator", [](const LineReader& lines) { return lines.first_odd_separator; })
        .def_prop_ro("final_newline", [](const LineReader& lines) { return lines.final_newline; })
        .def_prop_ro("bad_line", [](const LineReader& lines) { return lines.bad_line; })
        .def_prop_ro("bad_column", [](const LineReader& lines) { return lines.bad_column; })
        .def_prop_ro("bad_byte", [](const LineReader& lines) { return static_cast<int>(lines.bad_byte); });

    m.def(
        "lower",
        [](std::string_view text, std::string_view like) {
            using unicode::Lower;
            std::string out;
            const auto rule = named<Lower>("lower case", like,
                                           {{"python", Lower::python}, {"java", Lower::java}, {"perl", Lower::perl}});
            unicode::lower(text, out, rule);
            return out;
        },
        "text"_a, "like"_a = "python");
    m.def(
        "normalize",
        [](std::string_view text, std::string_view form) {
            using unicode::Form;
            std::string space;
            const auto wanted = named<Form>("normal form", form, {{"nfc", Form::nfc}, {"nfkc", Form::nfkc}});
            return std::string(unicode::normalized(text, wanted, space));
        },
        "text"_a, "form"_a);
    m.def("properties", [](std::uint32_t code) { return static_cast<int>(unicode::properties(code)); }, "code"_a);
    m.def(
        "first_invalid_utf8",
        [](nb::bytes bytes) {
            const std::size_t at = utf8::first_invalid({bytes.c_str(), bytes.size()});
            return at == std::string_view::npos ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(at);
        },
        "bytes"_a);
}

}  // namespace tertium
