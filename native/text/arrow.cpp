// How a column is read as fast as its bytes can be looked at.
//
// What kind of column it is gets decided once per array, not once per text: each kind has a small reader that finds
// the text at a place, and one loop is compiled for each. Strings with offsets lie one behind the other,
//
//     offsets 0 3 3 8      bytes  o n e t h r e e      texts "one", "", "three"
//
// so their bytes are checked as one long text. That no text begins in the middle of a character is then all that is
// left to ask of each. Only where that fails (bytes under a null may be anything) is each text checked by itself.
// The texts of a dictionary are checked once, however often they occur.

#include "text/arrow.hpp"

#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

#include "machine/refused.hpp"
#include "text/utf8.hpp"

namespace tertium::arrow {
namespace {

using Place = std::int64_t;  // of an item, in an array whose own offset is added already

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

class Present {
public:
    explicit Present(const ArrowArray& array)
        : bits_(array.null_count == 0 || array.n_buffers == 0 ? nullptr
                                                              : static_cast<const std::uint8_t*>(array.buffers[0])) {}
    bool all() const { return bits_ == nullptr; }
    bool operator()(Place i) const { return !bits_ || (bits_[i / 8] >> (i % 8) & 1) != 0; }

private:
    const std::uint8_t* bits_;
};

[[noreturn]] void refuse(const Column& column, std::size_t item, const std::string& what) {
    throw Refused(column.name + "[" + std::to_string(column.first + item) + "] " + what);
}

// --- Readers: the text at a place, whether it lies in the column, is null, is UTF-8 ---------------------------------

template <class Offset>
struct ByOffsets {
    const Offset* offsets;
    const char* bytes;
    Offset first = 0, last = 0;
    bool checked = false;  // all texts at once

    ByOffsets(const ArrowArray& array, Place begin, Place end)
        : offsets(static_cast<const Offset*>(array.buffers[1])), bytes(static_cast<const char*>(array.buffers[2])) {
        if (begin == end) return;
        first = offsets[begin], last = offsets[end];
        if (last > first && first >= 0)
            checked =
                utf8::first_invalid({bytes + first, static_cast<std::size_t>(last - first)}) == std::string_view::npos;
    }
    bool is_sound(Place i) const {
        return offsets[i] >= first && offsets[i + 1] >= offsets[i] && offsets[i + 1] <= last;
    }
    bool is_null(Place) const { return false; }
    std::string_view text(Place i) const {
        const auto length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
        return length == 0 ? std::string_view{} : std::string_view(bytes + offsets[i], length);
    }
    bool is_valid(Place i) const {
        if (offsets[i] == offsets[i + 1]) return true;
        if (!checked) return utf8::first_invalid(text(i)) == std::string_view::npos;
        return !is_continuation(bytes[offsets[i]]) &&
               (offsets[i + 1] == last || !is_continuation(bytes[offsets[i + 1]]));
    }
};

// A view is 16 bytes: the length, then either up to 12 bytes of text, or four bytes of it, a buffer and an offset.
struct ByView {
    const char* views;
    const void* const* buffers;
    Place data_buffers;
    const std::int64_t* sizes;  // of the data buffers, in a buffer behind them

    ByView(const ArrowArray& array, Place, Place)
        : views(static_cast<const char*>(array.buffers[1])), buffers(array.buffers + 2),
          data_buffers(array.n_buffers - 3),
          sizes(array.n_buffers < 3 ? nullptr : static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1])) {}

    struct View {
        std::int32_t length, prefix, buffer, offset;
    };
    View view(Place i) const {
        View found;
        std::memcpy(&found, views + 16 * i, sizeof found);
        return found;
    }
    bool is_sound(Place i) const {
        const View at = view(i);
        if (at.length <= 12) return at.length >= 0;
        return at.buffer >= 0 && at.buffer < data_buffers && at.offset >= 0 &&
               std::int64_t{at.offset} + at.length <= sizes[at.buffer];
    }
    bool is_null(Place) const { return false; }
    std::string_view text(Place i) const {
        const View at = view(i);
        const auto length = static_cast<std::size_t>(at.length);
        if (at.length <= 12) return {views + 16 * i + 4, length};
        return {static_cast<const char*>(buffers[at.buffer]) + at.offset, length};
    }
    bool is_valid(Place i) const { return utf8::first_invalid(text(i)) == std::string_view::npos; }
};

// A column of which nothing is known but that all of it is null.
struct Nothing {
    bool is_sound(Place) const { return true; }
    bool is_null(Place) const { return true; }
    std::string_view text(Place) const { return {}; }
    bool is_valid(Place) const { return true; }
};

// The different texts, checked before.
struct Dictionary {
    enum class Kind : std::uint8_t { text, null, invalid };
    std::vector<std::string_view> texts;
    std::vector<Kind> kinds;
};

template <class Index>
struct ByIndex {
    const Index* indices;
    const Dictionary* dictionary;

    std::size_t at(Place i) const { return static_cast<std::size_t>(indices[i]); }  // a negative one is very large
    bool is_sound(Place i) const { return at(i) < dictionary->texts.size(); }
    bool is_null(Place i) const { return dictionary->kinds[at(i)] == Dictionary::Kind::null; }
    bool is_valid(Place i) const { return dictionary->kinds[at(i)] != Dictionary::Kind::invalid; }
    std::string_view text(Place i) const { return dictionary->texts[at(i)]; }
};

// Calls add(text, whether it is there) for each of [begin, end); `item` is what the first belongs to, the next to
// item + step.
template <class Reader, class Add>
void each_text(const Column& column, const Reader& reader, const Present& present, Place begin, Place end,
               std::size_t item, std::size_t step, Add add) {
    for (Place i = begin; i < end; ++i, item += step) {
        if (!present(i)) {
            add(std::string_view{}, false);
            continue;
        }
        if (!reader.is_sound(i)) [[unlikely]]
            refuse(column, item, "points outside of its column: the Arrow data is damaged.");
        if (!reader.is_valid(i)) [[unlikely]]
            refuse(column, item, "is not UTF-8.");
        add(reader.text(i), !reader.is_null(i));
    }
}

// Calls use(reader) with the reader for strings of this type; says whether there is one.
template <class Use>
bool with_strings(const ArrowSchema& schema, const ArrowArray& array, Place begin, Place end, Use use) {
    const std::string_view format = schema.format;
    if (format == "u") {
        use(ByOffsets<std::int32_t>(array, begin, end));
    } else if (format == "U") {
        use(ByOffsets<std::int64_t>(array, begin, end));
    } else if (format == "vu") {
        use(ByView(array, begin, end));
    } else if (format == "n") {
        use(Nothing{});
    } else {
        return false;
    }
    return true;
}

Dictionary dictionary_of(const ArrowSchema& schema, const ArrowArray& array) {
    Dictionary found;
    const Place begin = array.offset, end = array.offset + array.length;
    with_strings(schema, array, begin, end, [&](const auto& reader) {
        const Present present(array);
        for (Place i = begin; i < end; ++i) {
            const bool there = present(i) && !reader.is_null(i);
            const bool valid = !there || (reader.is_sound(i) && reader.is_valid(i));
            found.texts.push_back(there && valid ? reader.text(i) : std::string_view{});
            found.kinds.push_back(!valid  ? Dictionary::Kind::invalid
                                  : there ? Dictionary::Kind::text
                                          : Dictionary::Kind::null);
        }
    });
    return found;
}

template <class Use>
bool with_indices(const ArrowSchema& schema, const ArrowArray& array, Use use) {
    const Dictionary dictionary = dictionary_of(*schema.dictionary, *array.dictionary);
    const void* const indices = array.buffers[1];
    const auto by = [&]<class Index>(Index) {
        use(ByIndex<Index>{static_cast<const Index*>(indices), &dictionary});
        return true;
    };
    switch (schema.format[0]) {
        case 'c': return by(std::int8_t{});
        case 'C': return by(std::uint8_t{});
        case 's': return by(std::int16_t{});
        case 'S': return by(std::uint16_t{});
        case 'i': return by(std::int32_t{});
        case 'I': return by(std::uint32_t{});
        case 'l': return by(std::int64_t{});
        case 'L': return by(std::uint64_t{});
        default: return false;
    }
}

bool is_plain_string(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    return !schema.dictionary && (format == "u" || format == "U" || format == "vu" || format == "n");
}

bool is_string(const ArrowSchema& schema) {
    return schema.dictionary ? is_plain_string(*schema.dictionary) : is_plain_string(schema);
}

template <class Use>
void with_texts(const ArrowSchema& schema, const ArrowArray& array, Place begin, Place end, Use use) {
    if (schema.dictionary)
        with_indices(schema, array, use);
    else
        with_strings(schema, array, begin, end, use);
}

// --- Lists: where the items of the one at a place begin and end in the child --------------------------------------

enum class ListKind { none, offsets, large_offsets, views, large_views, fixed };

ListKind list_kind(const ArrowSchema& schema) {
    const std::string_view format = schema.format;
    if (schema.n_children != 1 || !is_string(*schema.children[0])) return ListKind::none;
    if (format == "+l") return ListKind::offsets;
    if (format == "+L") return ListKind::large_offsets;
    if (format == "+vl") return ListKind::views;
    if (format == "+vL") return ListKind::large_views;
    return format.starts_with("+w:") ? ListKind::fixed : ListKind::none;
}

struct Range {
    Place begin, end;
};

template <class Offset>
Range between(const ArrowArray& array, Place i) {
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]);
    return {offsets[i], offsets[i + 1]};
}

template <class Offset>
Range viewed(const ArrowArray& array, Place i) {
    const Offset begin = static_cast<const Offset*>(array.buffers[1])[i];
    return {begin, begin + static_cast<const Offset*>(array.buffers[2])[i]};
}

Range list_at(ListKind kind, Place width, const ArrowArray& array, Place i) {
    switch (kind) {
        case ListKind::offsets: return between<std::int32_t>(array, i);
        case ListKind::large_offsets: return between<std::int64_t>(array, i);
        case ListKind::views: return viewed<std::int32_t>(array, i);
        case ListKind::large_views: return viewed<std::int64_t>(array, i);
        default: return {i * width, (i + 1) * width};
    }
}

void read_lists(const Column& column, const ArrowSchema& schema, const ArrowArray& array, Place begin, Place end,
                GroupedTexts& texts) {
    const ListKind kind = list_kind(schema);
    const ArrowArray& child = *array.children[0];
    Place width = 0;
    if (kind == ListKind::fixed) {
        const std::string_view format = schema.format;
        std::from_chars(format.data() + 3, format.data() + format.size(), width);
    }
    // All texts of the child are looked at together; those of a list are then picked.
    const Present present(array), child_present(child);
    with_texts(*schema.children[0], child, child.offset, child.offset + child.length, [&](const auto& reader) {
        for (Place i = begin; i < end; ++i) {
            if (present(i)) {
                const auto [first, last] = list_at(kind, width, array, i);
                if (first < 0 || last < first || last > child.length)
                    refuse(column, texts.size(), "points outside of its column: the Arrow data is damaged.");
                each_text(column, reader, child_present, child.offset + first, child.offset + last, texts.size(), 0,
                          [&](std::string_view text, bool there) {
                              if (there) texts.views.push_back(text);
                          });
            }
            texts.close_group();
        }
    });
}

void read_strings(const Column& column, const ArrowSchema& schema, const ArrowArray& array, Place begin, Place end,
                  GroupedTexts& texts) {
    const std::size_t before = texts.size();
    const auto count = static_cast<std::size_t>(end - begin);
    texts.views.reserve(texts.views.size() + count);
    texts.offsets.reserve(texts.offsets.size() + count);
    const Present present(array);
    with_texts(schema, array, begin, end, [&](const auto& reader) {
        each_text(column, reader, present, begin, end, before, 1, [&](std::string_view text, bool there) {
            if (there) texts.views.push_back(text);
            texts.close_group();
        });
    });
}

[[noreturn]] void refuse_type(const Column& column, const ArrowSchema& schema) {
    const ArrowSchema& values = schema.dictionary ? *schema.dictionary : schema;
    throw Refused(column.name + " is an Arrow column of type '" + values.format + "'" +
                  (schema.dictionary ? " in a dictionary" : "") + ", but strings" +
                  (column.lists ? " or lists of strings" : "") + " were expected. Cast it first.");
}

}  // namespace

void Column::read(const ArrowSchema& schema, const ArrowArray& array, GroupedTexts& texts) const {
    const bool is_table = std::string_view(schema.format) == "+s" && schema.n_children == 1;  // of one column
    const ArrowSchema& type = is_table ? *schema.children[0] : schema;
    const bool is_list = list_kind(type) != ListKind::none;
    if (!is_string(type) && !(lists && is_list)) refuse_type(*this, type);
    if (array.length == 0) return;  // buffers may be missing
    if (is_table && !Present(array).all()) refuse_type(*this, schema);
    const ArrowArray& values = is_table ? *array.children[0] : array;
    const Place begin = array.offset + (is_table ? values.offset : 0);
    (is_list ? read_lists : read_strings)(*this, type, values, begin, begin + array.length, texts);
}

}  // namespace tertium::arrow
