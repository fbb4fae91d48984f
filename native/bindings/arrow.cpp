// The room text, as far as Arrow's columns go: what offers Arrow's C interface becomes texts, without a copy.

#include "text/arrow.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <string>

#include "bindings/texts.hpp"

namespace tertium {
namespace {

template <class Struct>
Struct& in_capsule(nb::handle capsule, const char* name) {
    auto* const found = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (!found) throw nb::python_error();
    if (!found->release)
        throw Refused("An Arrow capsule was used before: what it held is gone. Give the column again.");
    return *found;
}

void take(const arrow::Column& column, const arrow::ArrowSchema& schema, const arrow::ArrowArray& array, Texts& texts) {
    nb::gil_scoped_release unlocked;
    column.read(schema, array, texts);
}

void take_stream(const arrow::Column& column, arrow::ArrowArrayStream& stream, Texts& texts) {
    const auto broke_off = [&](const std::string& what) {
        const char* const why = stream.get_last_error(&stream);
        throw Refused(column.name + ": " + what + " (" + (why ? why : "no reason given") + ").");
    };
    const arrow::Held<arrow::ArrowSchema> schema(new arrow::ArrowSchema{});
    if (stream.get_schema(&stream, schema.get()) != 0) broke_off("the Arrow stream has no schema");
    for (bool checked = false;; checked = true) {
        arrow::Held<arrow::ArrowArray> array(new arrow::ArrowArray{});
        if (stream.get_next(&stream, array.get()) != 0) broke_off("the Arrow stream broke off");
        if (!array->release) {
            if (!checked) take(column, *schema, arrow::ArrowArray{}, texts);  // of no items: to have the type checked
            return;
        }
        const std::shared_ptr<arrow::ArrowArray> held = std::move(array);
        texts.chunks.push_back(held);
        take(column, *schema, *held, texts);
    }
}

// Items that are null become empty groups. What the capsules own lives as long as the texts.
std::unique_ptr<Texts> texts_or_none(nb::object source, const std::string& name, bool grouped, std::size_t first) {
    auto texts = std::make_unique<Texts>();
    const arrow::Column column{name, grouped, first};
    nb::object capsules;
    if (nb::hasattr(source, "__arrow_c_stream__")) {
        capsules = source.attr("__arrow_c_stream__")();
        take_stream(column, in_capsule<arrow::ArrowArrayStream>(capsules, "arrow_array_stream"), *texts);
    } else {
        capsules = source.attr("__arrow_c_array__")();
        const auto pair = nb::cast<nb::tuple>(capsules);
        take(column, in_capsule<arrow::ArrowSchema>(pair[0], "arrow_schema"),
             in_capsule<arrow::ArrowArray>(pair[1], "arrow_array"), *texts);
    }
    texts->owners.push_back(capsules);
    texts->owners.push_back(source);
    return texts;
}

std::unique_ptr<Texts> texts_of(nb::object source, const std::string& name, bool grouped, std::size_t first) {
    auto texts = texts_or_none(source, name, grouped, first);
    if (texts->views.size() < texts->size() || grouped)
        if (const auto missing = texts->missing(); !missing.empty())
            throw Refused(
                name + "[" + std::to_string(first + missing.front()) + "] is null" +
                (grouped ? ", or a list that holds no reference" : ", not a string") +
                ". Leave the segment out of hypotheses and references, or fill it: null is not an empty text.");
    return texts;
}

}  // namespace

void bind_arrow(nb::module_& m) {
    m.def("arrow_texts", &texts_of, "source"_a, "name"_a, "grouped"_a, "first"_a = 0);
    m.def("arrow_texts_or_none", &texts_or_none, "source"_a, "name"_a, "grouped"_a, "first"_a = 0,
          "As arrow_texts, but items that are null, or lists that hold nothing else, are empty groups.");
}

}  // namespace tertium
