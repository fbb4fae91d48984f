// tertium as a plugin of Polars: expressions whose strings never become Python's.
//
// Polars finds a plugin's functions by their names in a shared library, and this module is one. Columns come and go
// as Arrow's structs; there is no Rust on this side (the interface is Polars' polars-ffi, version 0.1):
//
//     _polars_plugin_field_NAME   is asked for the type that a result will have, knowing the types of the inputs
//     _polars_plugin_NAME         gets the inputs, which it owns from then on, and fills in the result
//
// A result whose private_data is null means that it failed, and _polars_plugin_get_last_error_message says why.
//
// The inputs here are hypotheses, one or more columns of references, and a literal: the text of a metric, in a column
// that is called by the metric's columns, for the type of the result must be known before any text is. Texts are
// read and checked without Python's lock. The lock is taken for the moment in which the metric's kernel is called,
// which lets go of it again while it counts. So every metric works.

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/texts.hpp"
#include "text/arrow.hpp"

#if defined(_WIN32)
#define TERTIUM_EXPORT extern "C" __declspec(dllexport)
#else
#define TERTIUM_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace tertium {
namespace {

using arrow::ArrowArray;
using arrow::ArrowSchema;

struct SeriesExport {
    ArrowSchema* field;
    ArrowArray** arrays;
    std::size_t len;
    void (*release)(SeriesExport*);
    void* private_data;
};

struct CallerContext {
    std::uint64_t flags;
    bool is_parallel() const { return flags & 1; }  // Polars works in parallel already
};

std::string& last_error() {
    thread_local std::string message;
    return message;
}

// Runs work(), which fills in a result last of all; whatever is thrown becomes the message.
template <class Work>
void guarded(Work work) {
    try {
        work();
    } catch (nb::python_error& error) {
        nb::gil_scoped_acquire locked;
        last_error() = nb::cast<std::string>(nb::str(error.value()));
    } catch (const std::exception& error) {
        last_error() = error.what();
    } catch (...) {
        last_error() = "an unknown exception";
    }
}

// --- Types of results -----------------------------------------------------------------------------------------------

struct SchemaParts {
    std::string name, format;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
};

void release_schema(ArrowSchema* schema) {
    const std::unique_ptr<SchemaParts> parts(static_cast<SchemaParts*>(schema->private_data));
    for (ArrowSchema& child : parts->children)
        if (child.release) child.release(&child);
    schema->release = nullptr;
}

ArrowSchema schema_of(std::string_view name, std::string_view format, const std::vector<std::string>& children = {}) {
    auto parts = std::make_unique<SchemaParts>(SchemaParts{std::string(name), std::string(format), {}, {}});
    for (const std::string& child : children) parts->children.push_back(schema_of(child, "g"));
    for (ArrowSchema& child : parts->children) parts->pointers.push_back(&child);
    constexpr std::int64_t nullable = 2;
    ArrowSchema schema{parts->format.c_str(),
                       parts->name.c_str(),
                       nullptr,
                       nullable,
                       static_cast<std::int64_t>(children.size()),
                       parts->pointers.data(),
                       nullptr,
                       &release_schema,
                       nullptr};
    schema.private_data = parts.release();
    return schema;
}

// The names of a metric's columns, as the literal is called by them; a score has none.
std::vector<std::string> columns_in(std::string_view names) {
    std::vector<std::string> columns;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        columns.emplace_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return columns;
}

ArrowSchema result_schema(std::string_view name, const std::vector<std::string>& columns) {
    return columns.empty() ? schema_of(name, "g") : schema_of(name, "+s", columns);
}

// --- Results --------------------------------------------------------------------------------------------------------

struct ArrayParts {
    std::vector<std::uint8_t> present;  // bits; empty if all are
    std::vector<double> values;
    std::vector<const void*> buffers;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> pointers;
};

void release_array(ArrowArray* array) {
    const std::unique_ptr<ArrayParts> parts(static_cast<ArrayParts*>(array->private_data));
    for (ArrowArray& child : parts->children)
        if (child.release) child.release(&child);
    array->release = nullptr;
}

ArrowArray array_of(std::unique_ptr<ArrayParts> parts, std::size_t length, std::size_t nulls) {
    parts->buffers = {parts->present.empty() ? nullptr : parts->present.data()};
    if (parts->children.empty()) parts->buffers.push_back(parts->values.data());
    for (ArrowArray& child : parts->children) parts->pointers.push_back(&child);
    ArrowArray array{static_cast<std::int64_t>(length),
                     static_cast<std::int64_t>(nulls),
                     0,
                     static_cast<std::int64_t>(parts->buffers.size()),
                     static_cast<std::int64_t>(parts->children.size()),
                     parts->buffers.data(),
                     parts->pointers.data(),
                     nullptr,
                     &release_array,
                     nullptr};
    array.private_data = parts.release();
    return array;
}

// Values column by column, with nulls where no text was.
struct Values {
    std::size_t length;
    std::vector<std::vector<double>> columns;
    std::vector<std::size_t> missing;

    std::vector<std::uint8_t> present() const {
        if (missing.empty()) return {};
        std::vector<std::uint8_t> bits((length + 7) / 8, 0xFF);
        for (const std::size_t i : missing) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] & ~(1 << i % 8));
        return bits;
    }
    ArrowArray array(bool in_struct) {
        std::vector<ArrowArray> made;
        for (auto& column : columns) {
            auto parts = std::make_unique<ArrayParts>();
            parts->present = present();
            parts->values = std::move(column);
            made.push_back(array_of(std::move(parts), length, missing.size()));
        }
        if (!in_struct) return made.front();
        auto parts = std::make_unique<ArrayParts>();
        parts->present = present();
        parts->children = std::move(made);
        return array_of(std::move(parts), length, missing.size());
    }
};

// Polars takes what the array holds, and lets go of the rest by this.
void release_series(SeriesExport* series) {
    if (series->field->release) series->field->release(series->field);
    delete series->field;
    delete series->arrays[0];
    delete[] series->arrays;
    series->release = nullptr;
}

void fill(SeriesExport& out, ArrowSchema schema, ArrowArray array) {
    auto field = std::make_unique<ArrowSchema>(schema);
    auto held = std::make_unique<ArrowArray>(array);
    auto arrays = std::make_unique<ArrowArray*[]>(1);
    arrays[0] = held.release();
    out = {field.release(), arrays.release(), 1, &release_series, &out};
}

// --- Inputs ---------------------------------------------------------------------------------------------------------

// Owns the inputs: what their arrays hold goes to whoever reads them, the rest is let go.
class Inputs {
public:
    Inputs(SeriesExport* series, std::size_t count) : series_(series), count_(count) {}
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    ~Inputs() {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t k = 0; k < series_[i].len; ++k) {
                ArrowArray* const array = series_[i].arrays[k];
                if (array->release) array->release(array);
            }
            if (series_[i].release) series_[i].release(&series_[i]);
        }
    }
    std::size_t size() const { return count_; }
    const char* name(std::size_t i) const { return series_[i].field->name; }

    std::unique_ptr<Texts> take(std::size_t i, const std::string& name, bool grouped) {
        auto texts = std::make_unique<Texts>();
        const arrow::Column column{name, grouped, 0};
        for (std::size_t k = 0; k < series_[i].len; ++k) {
            const std::shared_ptr<ArrowArray> held(new ArrowArray(*series_[i].arrays[k]), arrow::Release{});
            series_[i].arrays[k]->release = nullptr;  // moved
            texts->chunks.push_back(held);
            column.read(*series_[i].field, *held, *texts);
        }
        return texts;
    }

private:
    SeriesExport* series_;
    std::size_t count_;
};

// A literal beside columns stands for itself in every row.
void repeat(Texts& texts, std::size_t length) {
    if (texts.size() != 1 || length == 1) return;
    const std::vector<std::string_view> group = texts.views;
    texts.views.clear();
    texts.offsets = {0};
    for (std::size_t i = 0; i < length; ++i) {
        texts.views.insert(texts.views.end(), group.begin(), group.end());
        texts.close_group();
    }
}

// Has the metric called. Python owns the texts from here on, and lets go of them under its lock.
Values counted(std::vector<std::unique_ptr<Texts>> sides, std::size_t length, const std::string& metric, bool rows,
               bool one_thread) {
    nb::gil_scoped_acquire locked;
    nb::list texts;
    for (auto& side : sides) texts.append(nb::cast(side.release(), nb::rv_policy::take_ownership));
    const nb::object call = nb::module_::import_("tertium.polars").attr("plugin_values");
    const auto result = nb::cast<nb::tuple>(call(texts, metric, rows, one_thread));
    const auto matrix = nb::cast<Rows>(result[0]);
    Values values{length, {}, {}};
    for (const nb::handle place : nb::cast<nb::list>(result[1])) values.missing.push_back(nb::cast<std::size_t>(place));
    if (matrix.shape(1) != length) throw nb::value_error("there are not as many values as texts");
    for (std::size_t c = 0; c < matrix.shape(0); ++c)
        values.columns.emplace_back(matrix.data() + c * length, matrix.data() + (c + 1) * length);
    return values;
}

void call(SeriesExport* series, std::size_t count, SeriesExport* out, const CallerContext* context, bool rows) {
    out->private_data = nullptr;
    guarded([&] {
        Inputs inputs(series, count);
        if (count < 3) throw Refused("hypotheses, references and a metric were expected");
        const std::vector<std::string> columns = columns_in(inputs.name(count - 1));
        const std::string name = inputs.name(0);
        std::string metric;
        {
            const auto literal = inputs.take(count - 1, "metric", false);
            if (!literal->views.empty()) metric = literal->views.front();
        }
        std::vector<std::unique_ptr<Texts>> sides;
        std::size_t length = 1, shortest = static_cast<std::size_t>(-1);
        for (std::size_t i = 0; i + 1 < count; ++i) {
            sides.push_back(inputs.take(i, inputs.name(i), i > 0));
            const std::size_t size = sides.back()->size();
            if (size != 1) length = size;
            shortest = std::min(shortest, size);
        }
        if (shortest == 0) length = 0;
        for (auto& side : sides) {
            repeat(*side, length);
            if (side->size() != length) throw Refused("hypotheses and references are not equally many");
        }
        Values values{0, std::vector<std::vector<double>>(std::max<std::size_t>(columns.size(), 1)), {}};
        if (length > 0)
            values = counted(std::move(sides), length, metric, rows, context != nullptr && context->is_parallel());
        if (values.columns.size() != std::max<std::size_t>(columns.size(), 1))
            throw Refused("the metric has other columns than the expression was made for");
        fill(*out, result_schema(name, columns), values.array(!columns.empty()));
    });
}

void field(const ArrowSchema* fields, std::size_t count, ArrowSchema* out) {
    out->private_data = nullptr;
    guarded([&] {
        if (count < 3) throw Refused("hypotheses, references and a metric were expected");
        *out = result_schema(fields[0].name, columns_in(fields[count - 1].name));
    });
}

}  // namespace
}  // namespace tertium

TERTIUM_EXPORT std::uint32_t _polars_plugin_get_version() { return 1; }  // major << 16 | minor
TERTIUM_EXPORT const char* _polars_plugin_get_last_error_message() { return tertium::last_error().c_str(); }

TERTIUM_EXPORT void _polars_plugin_field_statistics(const tertium::ArrowSchema* fields, std::size_t count,
                                                    tertium::ArrowSchema* out, const std::uint8_t*, std::size_t) {
    tertium::field(fields, count, out);
}
TERTIUM_EXPORT void _polars_plugin_statistics(tertium::SeriesExport* series, std::size_t count, const std::uint8_t*,
                                              std::size_t, tertium::SeriesExport* out,
                                              const tertium::CallerContext* context) {
    tertium::call(series, count, out, context, true);
}
TERTIUM_EXPORT void _polars_plugin_field_score(const tertium::ArrowSchema* fields, std::size_t count,
                                               tertium::ArrowSchema* out, const std::uint8_t*, std::size_t) {
    tertium::field(fields, count, out);
}
TERTIUM_EXPORT void _polars_plugin_score(tertium::SeriesExport* series, std::size_t count, const std::uint8_t*,
                                         std::size_t, tertium::SeriesExport* out,
                                         const tertium::CallerContext* context) {
    tertium::call(series, count, out, context, false);
}
