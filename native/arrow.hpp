// Texts out of Arrow's C data interface, the form in which data frames and tables hand over their columns without
// copying: https://arrow.apache.org/docs/format/CDataInterface.html. Nothing of Arrow is linked; the three structs
// are the whole agreement.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::arrow {

extern "C" {
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

// Whether texts_of can read a column of this type: strings, or lists of strings.
bool is_readable(const ArrowSchema& schema);

// Calls text(view) for each string and missing() for each null, in order, and close() after each item of the column:
// one text per item, or the texts of a list. A null list is one missing() and close().
struct Sink {
    std::function<void(std::string_view)> text;
    std::function<void()> missing;
    std::function<void()> close;
};
void read(const ArrowSchema& schema, const ArrowArray& array, const Sink& sink);

}  // namespace tertium::arrow
