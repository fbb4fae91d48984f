#include "text/grouped_texts.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "text/lines.hpp"
#include "text/tokens.hpp"

namespace tertium {

void GroupedTexts::close_each() {
    const std::size_t groups = offsets.size(), first = offsets.back();
    offsets.resize(groups + views.size() - first);
    std::iota(offsets.begin() + static_cast<std::ptrdiff_t>(groups), offsets.end(), first + 1);
}

GroupedTexts GroupedTexts::slice(std::size_t begin, std::size_t end) const {
    begin = std::min(begin, size());
    end = std::clamp(end, begin, size());
    const std::size_t first = offsets[begin];
    const auto from = views.begin() + static_cast<std::ptrdiff_t>(first);
    GroupedTexts part{{from, views.begin() + static_cast<std::ptrdiff_t>(offsets[end])}, {}};
    for (std::size_t i = begin; i <= end; ++i) part.offsets.push_back(offsets[i] - first);
    return part;
}

std::optional<GroupedTexts> GroupedTexts::fields(std::size_t index, std::size_t columns) const {
    GroupedTexts texts = *this;
    if (take_field(texts.views, index, columns) < texts.views.size()) return std::nullopt;
    return texts;
}

GroupedTexts GroupedTexts::split_fields() const {
    GroupedTexts texts;
    for (const std::string_view line : views) {
        for (std::size_t begin = 0; begin <= line.size();) {
            const std::size_t end = std::min(line.find('\t', begin), line.size());
            if (end > begin) texts.views.push_back(line.substr(begin, end - begin));
            begin = end + 1;
        }
        if (texts.views.size() == texts.offsets.back()) texts.views.push_back({});
        texts.close_group();
    }
    return texts;
}

std::size_t GroupedTexts::group_size() const {
    const std::size_t common = size() == 0 ? 0 : offsets[1];
    for (std::size_t i = 0; i < size(); ++i)
        if (offsets[i + 1] - offsets[i] != common) return 0;
    return common;
}

GroupedTexts::Empty GroupedTexts::empty() const {
    const auto is_empty = [](std::string_view text) { return text.empty(); };
    return {static_cast<std::size_t>(std::count_if(views.begin(), views.end(), is_empty)),
            static_cast<std::size_t>(std::find_if(views.begin(), views.end(), is_empty) - views.begin())};
}

std::vector<std::size_t> GroupedTexts::missing() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < size(); ++i)
        if (offsets[i] == offsets[i + 1]) found.push_back(i);
    return found;
}

GroupedTexts GroupedTexts::filled() const {
    GroupedTexts texts;
    texts.views.reserve(std::max(views.size(), size()));
    texts.offsets.reserve(offsets.size());
    for (std::size_t i = 0; i < size(); ++i) {
        if (offsets[i] == offsets[i + 1]) texts.views.emplace_back();
        for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) texts.views.push_back(views[k]);
        texts.close_group();
    }
    return texts;
}

std::optional<std::size_t> GroupedTexts::place_of(const GroupedTexts& part) const {
    const auto is_same = [](std::string_view a, std::string_view b) {
        return a.data() == b.data() && a.size() == b.size();
    };
    const auto found = std::search(views.begin(), views.end(), part.views.begin(), part.views.end(), is_same);
    if (found == views.end()) return std::nullopt;
    return static_cast<std::size_t>(found - views.begin());
}

std::uint64_t group_key(const GroupedTexts& texts, std::size_t group) {
    std::uint64_t key = texts.offsets[group + 1] - texts.offsets[group];
    for (std::size_t k = texts.offsets[group]; k < texts.offsets[group + 1]; ++k)
        key = folded_product(key ^ key_of(texts.views[k]), 0x9E3779B97F4A7C15u) + 0xD6E8FEB86659FD93u;
    return key;
}

GroupedTexts zipped(std::span<const GroupedTexts* const> parts) {
    GroupedTexts texts;
    const std::size_t size = parts.empty() ? 0 : parts.front()->size();
    for (const GroupedTexts* part : parts)
        if (part->size() != size) throw std::invalid_argument("zipped: segment counts differ");
    for (std::size_t i = 0; i < size; ++i) {
        for (const GroupedTexts* part : parts)
            for (std::size_t k = part->offsets[i]; k < part->offsets[i + 1]; ++k) texts.views.push_back(part->views[k]);
        texts.close_group();
    }
    return texts;
}

GroupedTexts joined(std::span<const GroupedTexts* const> parts) {
    GroupedTexts texts;
    std::size_t views = 0, groups = 0;
    for (const GroupedTexts* part : parts) views += part->views.size(), groups += part->size();
    texts.views.reserve(views);
    texts.offsets.reserve(groups + 1);
    for (const GroupedTexts* part : parts) {
        const std::size_t before = texts.views.size();
        texts.views.insert(texts.views.end(), part->views.begin(), part->views.end());
        for (std::size_t i = 1; i <= part->size(); ++i) texts.offsets.push_back(before + part->offsets[i]);
    }
    return texts;
}

}  // namespace tertium
