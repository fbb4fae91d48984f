#include "text/arrow.hpp"

#include <cstring>

namespace tertium::arrow {
namespace {

template <class Offset>
const Offset* offsets_of(const ArrowArray& array) {
    return static_cast<const Offset*>(array.buffers[1]) + array.offset;
}

template <class Offset>
std::string_view by_offsets(const ArrowArray& array, std::int64_t i) {
    const Offset* const offsets = offsets_of<Offset>(array);
    const auto length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    return length == 0 ? std::string_view{}
                       : std::string_view(static_cast<const char*>(array.buffers[2]) + offsets[i], length);
}

// A view is 16 bytes: the length, then either up to 12 bytes of text, or four bytes of it, a buffer and an offset.
std::string_view by_view(const ArrowArray& array, std::int64_t i) {
    const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + i);
    std::int32_t length, buffer, offset;
    std::memcpy(&length, view, 4);
    if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
    std::memcpy(&buffer, view + 8, 4);
    std::memcpy(&offset, view + 12, 4);
    return {static_cast<const char*>(array.buffers[2 + buffer]) + offset, static_cast<std::size_t>(length)};
}

bool is_string(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    return schema.dictionary == nullptr && (format == "u" || format == "U" || format == "vu");
}

}  // namespace

std::string_view text_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i) {
    switch (schema.format[0]) {
        case 'u': return by_offsets<std::int32_t>(array, i);
        case 'U': return by_offsets<std::int64_t>(array, i);
        default: return by_view(array, i);
    }
}

bool is_present(const ArrowArray& array, std::int64_t i) {
    const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    const std::int64_t at = array.offset + i;
    return array.null_count == 0 || bits == nullptr || (bits[at / 8] >> (at % 8) & 1) != 0;
}

std::pair<std::int64_t, std::int64_t> list_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i) {
    if (schema.format[1] == 'L') return {offsets_of<std::int64_t>(array)[i], offsets_of<std::int64_t>(array)[i + 1]};
    return {offsets_of<std::int32_t>(array)[i], offsets_of<std::int32_t>(array)[i + 1]};
}

bool is_readable(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    const bool is_list = (format == "+l" || format == "+L") && schema.n_children == 1;
    return is_string(schema) || (is_list && is_string(*schema.children[0]));
}

}  // namespace tertium::arrow
