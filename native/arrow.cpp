#include "arrow.hpp"

#include <cstring>

namespace tertium::arrow {
namespace {

bool is_present(const ArrowArray& array, std::int64_t i) {
    const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    const std::int64_t at = array.offset + i;
    return array.null_count == 0 || bits == nullptr || (bits[at / 8] >> (at % 8) & 1) != 0;
}

template <class Offset>
std::string_view by_offsets(const ArrowArray& array, std::int64_t i) {
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
    const auto* const bytes = static_cast<const char*>(array.buffers[2]);
    const auto length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    return length == 0 ? std::string_view{} : std::string_view(bytes + offsets[i], length);
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

std::string_view text_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i) {
    const std::string_view format = schema.format;
    if (format == "u") return by_offsets<std::int32_t>(array, i);
    if (format == "U") return by_offsets<std::int64_t>(array, i);
    return by_view(array, i);
}

bool is_string(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    return schema.dictionary == nullptr && (format == "u" || format == "U" || format == "vu");
}

void read_text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i, const Sink& sink) {
    if (is_present(array, i))
        sink.text(text_at(schema, array, i));
    else
        sink.missing();
}

template <class Offset>
void read_list(const ArrowSchema& schema, const ArrowArray& array, std::int64_t i, const Sink& sink) {
    if (!is_present(array, i)) return sink.missing();
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) read_text(*schema.children[0], *array.children[0], k, sink);
}

}  // namespace

bool is_readable(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    const bool is_list = (format == "+l" || format == "+L") && schema.n_children == 1;
    return is_string(schema) || (is_list && is_string(*schema.children[0]));
}

void read(const ArrowSchema& schema, const ArrowArray& array, const Sink& sink) {
    const std::string_view format = schema.format;
    for (std::int64_t i = 0; i < array.length; ++i) {
        if (format == "+l")
            read_list<std::int32_t>(schema, array, i, sink);
        else if (format == "+L")
            read_list<std::int64_t>(schema, array, i, sink);
        else
            read_text(schema, array, i, sink);
        sink.close();
    }
}

}  // namespace tertium::arrow
