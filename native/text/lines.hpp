// Lines of a text file that lies in memory. Only a line feed ends a line; a carriage return before it goes too.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tertium {

class Lines {
public:
    // Lines are counted from `lines_before` on. Byte-order marks are left out at their beginnings.
    explicit Lines(std::string_view bytes, std::size_t lines_before = 0);

    // Appends up to `most` further lines. False if a byte is not UTF-8 or is NUL: then `bad_*` say where.
    bool take(std::size_t most, std::vector<std::string_view>& lines);
    bool at_end() const { return at_ == bytes_.size(); }

    // What a reader should be told of. Line numbers count from 1; 0 means never seen.
    bool had_byte_order_mark = false;
    std::size_t first_crlf = 0;
    std::size_t first_inner_mark = 0;     // a byte-order mark at the start of a later line, where files were joined
    std::size_t first_mark_within = 0;    // one within a line, where a file without a final line end was joined
    std::size_t first_odd_separator = 0;  // VT, FF, a lone CR, U+0085, U+2028, U+2029 inside a line
    bool final_newline = true;
    std::size_t bad_line = 0, bad_column = 0;  // the byte within the line, from 1
    unsigned char bad_byte = 0;

private:
    void find_mark_within(const std::vector<std::string_view>& lines, std::size_t first);
    bool check(const std::vector<std::string_view>& lines, std::size_t first);

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::size_t taken_;
};

// The field at `index`, from 0, of each line of tab-separated fields. Returns the first line that has not as
// many fields as there are columns, or lines.size().
std::size_t take_field(std::vector<std::string_view>& lines, std::size_t index, std::size_t columns);

}  // namespace tertium
