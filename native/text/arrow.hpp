// Texts out of Arrow's C data interface, the form in which data frames and tables hand over their columns without
// copying: https://arrow.apache.org/docs/format/CDataInterface.html. Nothing of Arrow is linked; the three structs
// are the whole agreement.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "text/grouped_texts.hpp"

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

// What Arrow's structs hold is let go with them.
struct Release {
    template <class Struct>
    void operator()(Struct* held) const {
        if (held->release) held->release(held);
        delete held;
    }
};
template <class Struct>
using Held = std::unique_ptr<Struct, Release>;

// A column that is read array by array: strings, strings of a dictionary, or, if several texts may belong to an item,
// lists of them. `name` is what messages call it.
struct Column {
    std::string name;
    bool lists;
    std::size_t first = 0;  // how many items were read before, into other texts

    // Adds one group per item; views point into the array. An item that is null, or a list in which nothing else is,
    // becomes an empty group. Refuses other types, and an item that is no UTF-8.
    void read(const ArrowSchema& schema, const ArrowArray& array, GroupedTexts& texts) const;
};

}  // namespace tertium::arrow
