// Texts in groups: hypotheses are groups of one, the references of a segment are a group. Only views: somebody else
// keeps the bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tertium {

struct GroupedTexts {
    std::vector<std::string_view> views;
    std::vector<std::size_t> offsets{0};

    std::size_t size() const { return offsets.size() - 1; }
    void close_group() { offsets.push_back(views.size()); }
    // Makes every text behind the last group a group of its own.
    void close_each();

    // Groups [begin, end), as far as they are there.
    GroupedTexts slice(std::size_t begin, std::size_t end) const;
    // The field at an index of each line of tab-separated fields; none if one has not as many fields as
    // there are columns.
    std::optional<GroupedTexts> fields(std::size_t index, std::size_t columns) const;
    // Each line's tab-separated fields as a group; empty ones are missing, but one if nothing is left.
    GroupedTexts split_fields() const;
    // How many texts each group has; 0 if that varies.
    std::size_t group_size() const;
    // How many texts are empty, and which is the first.
    struct Empty {
        std::size_t count, first;
    };
    Empty empty() const;
    // Which groups hold no text.
    std::vector<std::size_t> missing() const;
    // The same, with an empty text in groups that hold none.
    GroupedTexts filled() const;
    // Where other texts stand among these, in the same memory and in a row. Neither may have been let go.
    std::optional<std::size_t> place_of(const GroupedTexts& part) const;
};

// A key of 64 bits for the texts of a group, in their order.
std::uint64_t group_key(const GroupedTexts& texts, std::size_t group);

// Group i of the result has group i of each part, in order; all have as many groups.
GroupedTexts zipped(std::span<const GroupedTexts* const> parts);
// The groups of one part after the other.
GroupedTexts joined(std::span<const GroupedTexts* const> parts);

}  // namespace tertium
