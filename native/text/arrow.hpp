// Texts out of Arrow's C data interface, the form in which data frames and tables hand over their columns without
// copying: https://arrow.apache.org/docs/format/CDataInterface.html. Nothing of Arrow is linked; the three structs
// are the whole agreement.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

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

// The string at a place, which is not null.
std::string_view text_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i);
bool is_present(const ArrowArray& array, std::int64_t i);
// Where the items of the list at a place begin and end in the child array.
std::pair<std::int64_t, std::int64_t> list_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i);

// Calls text(view) for each string that is not null, in order, and close() after each item of the column: one text
// per item, or the texts of a list.
template <class Text, class Close>
void read(const ArrowSchema& schema, const ArrowArray& array, Text text, Close close) {
    const bool lists = schema.format[0] == '+';
    for (std::int64_t i = 0; i < array.length; ++i) {
        if (is_present(array, i)) {
            if (lists) {
                const auto [begin, end] = list_at(schema, array, i);
                for (std::int64_t k = begin; k < end; ++k)
                    if (is_present(*array.children[0], k)) text(text_at(*schema.children[0], *array.children[0], k));
            } else {
                text(text_at(schema, array, i));
            }
        }
        close();
    }
}

}  // namespace tertium::arrow
