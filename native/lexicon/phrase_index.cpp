#include "lexicon/phrase_index.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

namespace tertium {
namespace {

// Sections of a file one after the other, each at a multiple of eight bytes.
class Sections {
public:
    explicit Sections(const char* bytes) : bytes_(bytes) {}
    template <class Item>
    std::span<const Item> next(std::uint64_t count) {
        const char* const begin = bytes_ + at_;
        at_ += (count * sizeof(Item) + 7) / 8 * 8;
        return {reinterpret_cast<const Item*>(begin), static_cast<std::size_t>(count)};
    }
    std::size_t size() const { return at_; }

private:
    const char* bytes_;
    std::size_t at_ = 0;
};

}  // namespace

std::size_t PhraseCounts::bytes() const {
    const auto padded = [](std::uint64_t bytes) { return (bytes + 7) / 8 * 8; };
    return static_cast<std::size_t>(word_slots * 8 + padded(word_slots * 4) + words * 8 + padded(spelling_bytes) +
                                    node_slots * 8 + padded(node_slots * 4) + sources * 8 + entries * 16 +
                                    padded(entry_words * 4));
}

PhraseIndex::PhraseIndex(std::string_view bytes, const PhraseCounts& counts) : counts_(counts) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;  // keeps the sums below from running over
    for (const std::uint64_t count : {counts.words, counts.word_slots, counts.spelling_bytes, counts.node_slots,
                                      counts.sources, counts.entries, counts.entry_words})
        if (count > most) throw std::invalid_argument("phrase index: the counts cannot be true");
    if (bytes.size() != counts.bytes() || !std::has_single_bit(counts.word_slots) ||
        !std::has_single_bit(counts.node_slots) || counts.node_slots > 0xFFFFFFF0u)
        throw std::invalid_argument("phrase index: the counts do not fit the size");
    Sections sections(bytes.data());
    word_keys_ = sections.next<Key>(counts.word_slots);
    word_numbers_ = sections.next<Word>(counts.word_slots);
    spelling_ends_ = sections.next<std::uint64_t>(counts.words);
    const std::span<const char> letters = sections.next<char>(counts.spelling_bytes);
    spellings_ = {letters.data(), letters.size()};
    node_keys_ = sections.next<std::uint64_t>(counts.node_slots);
    node_sources_ = sections.next<std::uint32_t>(counts.node_slots);
    source_ends_ = sections.next<std::uint64_t>(counts.sources);
    probabilities_ = sections.next<double>(counts.entries);
    entry_ends_ = sections.next<std::uint64_t>(counts.entries);
    entry_words_ = sections.next<Word>(counts.entry_words);
}

PhraseIndex::Entries PhraseIndex::find(std::span<const Key> phrase) const {
    Node node = kRoot;
    for (const Key token : phrase)
        if ((node = step(node, word(token))) == kNoNode) return {};
    return node == kRoot ? Entries{} : entries(node);
}

std::string_view PhraseIndex::spelling(Word word) const {
    if (word >= spelling_ends_.size()) return {};
    const std::uint64_t first = word == 0 ? 0 : spelling_ends_[word - 1], end = spelling_ends_[word];
    if (first > end || end > spellings_.size()) return {};
    return spellings_.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

void PhraseIndex::words_to(Node node, std::vector<Word>& words) const {
    words.clear();
    while (node < node_keys_.size() && words.size() <= counts_.longest) {
        words.push_back(static_cast<Word>(node_keys_[node]));
        node = static_cast<Node>(node_keys_[node] >> 32);
    }
    std::reverse(words.begin(), words.end());
}

std::string PhraseIndex::text(std::span<const Word> words) const {
    std::string text;
    for (const Word word : words) {
        if (!text.empty()) text += ' ';
        text += spelling(word);
    }
    return text;
}

std::size_t PhraseIndex::entries_of_spans(std::span<const Key> tokens) const {
    std::vector<Word> words;
    for (const Key token : tokens) words.push_back(word(token));
    std::size_t found = 0;
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
        Node node = kRoot;
        for (std::size_t k = begin; k < words.size(); ++k) {
            if ((node = step(node, words[k])) == kNoNode) break;
            found += entries(node).size();
        }
    }
    return found;
}

}  // namespace tertium
