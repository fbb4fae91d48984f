// A table of phrase pairs as it lies in a file, mapped into memory: found by walking, never loaded.
//
//     reference phrase   paraphrase        probability
//     ran fast           ran quickly       0.4
//     ran fast           running quickly   0.1
//
// Words have numbers in the order of their spelling. Reference phrases are a trie: from the root, step("ran") and
// step("fast") lead to the node that has the two entries, and where no phrase goes on like the text does, a step
// leads nowhere and the longer spans need not be tried. A node is the place of its key (parent, word) in one hash
// table, so a step is one access to memory. Entries of a node are ordered by the number of words, then by spelling.
//
// The file is trusted to be whole (tertium.text.lexicon checks that), but every place it names is checked before it
// is read: a damaged file may give wrong words, never a crash.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens.hpp"

namespace tertium {

// How many of each thing a table has; with it, where each section begins.
struct PhraseCounts {
    std::uint64_t words = 0, word_slots = 0;  // slots are powers of two
    std::uint64_t spelling_bytes = 0;
    std::uint64_t node_slots = 0, sources = 0, entries = 0, entry_words = 0;
    std::uint64_t longest = 0, longest_paraphrase = 0;

    std::size_t bytes() const;
};

class PhraseIndex {
public:
    using Word = std::uint32_t;
    using Node = std::uint32_t;
    static constexpr Word kNoWord = 0xFFFFFFFF;
    static constexpr Node kNoNode = 0xFFFFFFFF;
    static constexpr Node kRoot = 0xFFFFFFFE;

    struct Entry {
        std::span<const Word> words;  // the paraphrase
        double probability;
    };
    // The paraphrases of one phrase.
    class Entries {
    public:
        class Iterator {
        public:
            Iterator(const Entries* entries, std::size_t at) : entries_(entries), at_(at) {}
            Entry operator*() const { return (*entries_)[at_]; }
            Iterator& operator++() {
                ++at_;
                return *this;
            }
            bool operator!=(const Iterator& other) const { return at_ != other.at_; }

        private:
            const Entries* entries_;
            std::size_t at_;
        };

        Entries() = default;
        Entries(const PhraseIndex* index, std::size_t first, std::size_t count)
            : index_(index), first_(first), count_(count) {}
        std::size_t size() const { return count_; }
        bool empty() const { return count_ == 0; }
        Entry operator[](std::size_t i) const { return index_->entry(first_ + i); }
        Iterator begin() const { return {this, 0}; }
        Iterator end() const { return {this, count_}; }

    private:
        const PhraseIndex* index_ = nullptr;
        std::size_t first_ = 0, count_ = 0;
    };

    // `bytes` begins at a multiple of eight and outlives the index. Throws std::invalid_argument if it has not the
    // size that the counts say.
    PhraseIndex(std::string_view bytes, const PhraseCounts& counts);

    // The number of a word; kNoWord if no phrase has it. Best asked once per token of a segment.
    Word word(Key token) const;
    // The phrase so far and one word more; kNoNode if no reference phrase begins like that.
    Node step(Node from, Word next) const;
    // None if the node is only the beginning of phrases.
    Entries entries(Node node) const;
    // The same for a whole phrase.
    Entries find(std::span<const Key> phrase) const;

    Entry entry(std::size_t index) const;
    std::string_view spelling(Word word) const;
    // Words as text, with blanks between them.
    std::string text(std::span<const Word> words) const;
    std::size_t longest() const { return counts_.longest; }
    std::size_t longest_paraphrase() const { return counts_.longest_paraphrase; }
    std::size_t size() const { return counts_.entries; }
    std::size_t words() const { return counts_.words; }

    // Nodes are below this; those that end a phrase have entries.
    std::size_t slots() const { return node_keys_.size(); }
    // The words of the phrase that ends at a node.
    void words_to(Node node, std::vector<Word>& words) const;
    // How many entries the spans of a text have in all.
    std::size_t entries_of_spans(std::span<const Key> tokens) const;

private:
    PhraseCounts counts_;
    std::span<const Key> word_keys_;      // by slot; kNoToken where empty
    std::span<const Word> word_numbers_;  // by slot
    std::span<const std::uint64_t> spelling_ends_;
    std::string_view spellings_;
    std::span<const std::uint64_t> node_keys_;     // by slot: parent << 32 | word; kEmptyNode where empty
    std::span<const std::uint32_t> node_sources_;  // by slot; kNoSource for a mere beginning
    std::span<const std::uint64_t> source_ends_;   // in entries
    std::span<const double> probabilities_;
    std::span<const std::uint64_t> entry_ends_;  // in entry_words_
    std::span<const Word> entry_words_;
};

inline constexpr std::uint64_t kEmptyNode = ~std::uint64_t{0};
inline constexpr std::uint32_t kNoSource = 0xFFFFFFFF;

inline std::size_t slot_for(std::uint64_t key, std::size_t slots) {
    return static_cast<std::size_t>(folded_product(key ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u)) & (slots - 1);
}

inline PhraseIndex::Word PhraseIndex::word(Key token) const {
    std::size_t at = slot_for(token, word_keys_.size());
    for (std::size_t tried = 0; tried < word_keys_.size(); ++tried, at = (at + 1) & (word_keys_.size() - 1)) {
        if (word_keys_[at] == token) return word_numbers_[at] < counts_.words ? word_numbers_[at] : kNoWord;
        if (word_keys_[at] == kNoToken) break;
    }
    return kNoWord;
}

inline PhraseIndex::Node PhraseIndex::step(Node from, Word next) const {
    if (next == kNoWord) return kNoNode;
    const std::uint64_t key = std::uint64_t{from} << 32 | next;
    std::size_t at = slot_for(key, node_keys_.size());
    for (std::size_t tried = 0; tried < node_keys_.size(); ++tried, at = (at + 1) & (node_keys_.size() - 1)) {
        if (node_keys_[at] == key) return static_cast<Node>(at);
        if (node_keys_[at] == kEmptyNode) break;
    }
    return kNoNode;
}

inline PhraseIndex::Entries PhraseIndex::entries(Node node) const {
    if (node >= node_sources_.size()) return {};
    const std::uint32_t source = node_sources_[node];
    if (source >= source_ends_.size()) return {};
    const std::uint64_t first = source == 0 ? 0 : source_ends_[source - 1], end = source_ends_[source];
    if (first > end || end > counts_.entries) return {};
    return {this, static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)};
}

inline PhraseIndex::Entry PhraseIndex::entry(std::size_t index) const {
    const std::uint64_t first = index == 0 ? 0 : entry_ends_[index - 1], end = entry_ends_[index];
    if (first > end || end > entry_words_.size()) return {{}, 0};
    return {entry_words_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)),
            probabilities_[index]};
}

}  // namespace tertium
