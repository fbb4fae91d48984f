// The letters of words as small numbers, so that letters can be compared side by side.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tertium {

// Numbers for code points: ASCII as it is, others from 128 on in the order in which they come.
class LetterNumbers {
public:
    static constexpr std::uint16_t kNone = 0xFFFF;  // for the one that comes after 65,000 others

    LetterNumbers() : slots_(256) {}
    void clear();
    std::uint16_t operator()(char32_t code) { return code < 128 ? static_cast<std::uint16_t>(code) : other(code); }
    std::size_t others() const { return used_.size(); }

private:
    struct Slot {
        char32_t code = 0;
        std::uint16_t number = 0;
    };
    std::uint16_t other(char32_t code);
    std::size_t place(char32_t code) const { return code * 0x9E3779B9u >> 12 & (slots_.size() - 1); }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> used_;
};

// A word's letters, in a list of numbers.
struct WordLetters {
    std::size_t begin, length;
    std::uint64_t bytes[2];  // the first sixteen, if their numbers are bytes; behind the last, 0xFF
};

// Spells words one after the other.
class Spelling {
public:
    void clear();
    // A word with a letter that has no number counts as endless, as do those that are too long.
    void spell(std::span<const std::string_view> words, std::vector<WordLetters>& spelt_words);

    const std::uint16_t* numbers() const { return numbers_.data(); }
    std::size_t letters() const { return letters_; }  // of all words
    // How many numbers letters may have, and whether each is a byte.
    std::size_t different() const { return 128 + numbers_of_.others(); }
    bool narrow() const;

private:
    WordLetters spelt(std::string_view word, const char* readable);

    LetterNumbers numbers_of_;
    std::vector<std::uint16_t> numbers_;  // of letters, word after word
    std::size_t letters_ = 0;
};

}  // namespace tertium
