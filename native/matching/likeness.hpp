// How alike two tokens are by their letters.
//
// A word is the set of its groups of one, two and three letters, with its ends marked: "cat" is c, a, t, ^c, ca, at,
// t$, ^ca, cat, at$. Two words are as alike as the share of groups that both have: "cat" and "cats" share 7 of 13. So
// inflected forms and compounds find each other, whatever the language. A mark is like a mark, and never like a word:
// marks are what sentences of a translation and of its reference share most often.
//
// Words of one side are known beforehand. For each group of letters there is a list of the words that have it, so a
// word of the other side is compared with all of them by walking through the lists of its own groups.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tertium {

// What a token can say about where a segment ends.
enum class Mark : std::uint8_t { none, final, pause, closing, opening, other };
Mark mark_of(std::string_view token);
// Whether it begins as sentences do: with a capital or a digit.
bool begins_large(std::string_view token);

class Likeness {
public:
    static constexpr std::int32_t kWhole = 1000;  // the likeness of equal tokens

    // Without letters tokens are equal or not: `equal` for those that are, `other` for the rest.
    Likeness() = default;
    Likeness(std::int32_t equal, std::int32_t other) : letters_(false), equal_(equal), other_(other) {}

    // The number of a token of the known side; small and capital letters are the same.
    std::uint32_t add(std::string_view token);
    std::size_t size() const { return words_.size(); }

    // How alike a token is to each of the known ones.
    void row(std::string_view token, std::span<std::int16_t> alike);

private:
    struct Word {
        std::uint32_t groups;
        Mark mark;
    };
    void find_groups(std::string_view lowered);
    void compare_groups(std::span<std::int16_t> alike);

    bool letters_ = true;
    std::int32_t equal_ = 0, other_ = 0;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<Word> words_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> having_;  // which words have a group of letters
    std::string lowered_;
    std::vector<std::uint64_t> groups_;
    std::vector<std::uint32_t> shared_, sharing_;
};

}  // namespace tertium
