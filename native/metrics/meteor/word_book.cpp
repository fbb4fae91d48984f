#include "metrics/meteor/word_book.hpp"

#include <algorithm>

#include "text/java.hpp"

namespace tertium {
namespace {

// A number of 64 bits that stands for another. Sums of a few of these are as good as different for different numbers;
// one product alone would not do, since sums of products are products of sums.
std::uint64_t scrambled(std::uint64_t number) {
    const std::uint64_t once = folded_product(number ^ 0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u);
    return folded_product(once ^ 0xA0761D6478BD642Fu, once + 0xE7037ED1A0B428DBu);
}

}  // namespace

WordBook::WordBook(const StoredTokens& hypotheses, const StoredTokens& references, const MatchModules& modules,
                   const KeyTable* function_words, bool characters) {
    KeyNumbers numbers;
    std::vector<std::uint64_t> codes, stems;
    const auto add = [&](const StoredTokens& texts, std::size_t k) {
        const Key key = texts.different()[k];
        const std::uint32_t number = numbers.number(key);
        if (number < words_.size()) return number;
        codes.push_back(modules.by_hash_code ? java::hash_code(texts.spelling(k)) : key);
        stems.push_back(modules.stems ? modules.stems->first(key, codes.back()) : codes.back());
        Word word{0, 0, 0, 0, PhraseIndex::kNoWord, 1, false, false};
        if (modules.paraphrases) word.number = modules.paraphrases->word(key);
        if (characters) word.size = static_cast<std::uint32_t>(java::length(texts.spelling(k)));
        word.function = function_words && !function_words->find(key).empty();
        words_.push_back(word);
        keys_.push_back(key);
        return number;
    };
    for (std::size_t k = 0; k < hypotheses.different().size(); ++k) add(hypotheses, k);
    for (std::size_t k = 0; k < references.different().size(); ++k) of_references_.push_back(add(references, k));
    number_codes_and_stems(codes, stems);
    if (modules.synonyms) number_meanings(*modules.synonyms);
    find_related();
}

void WordBook::number_codes_and_stems(std::span<const std::uint64_t> codes, std::span<const std::uint64_t> stems) {
    KeyNumbers of_codes, of_stems;
    for (std::size_t k = 0; k < words_.size(); ++k) {
        words_[k].code = of_codes.number(codes[k]);
        words_[k].stem = of_stems.number(stems[k]);
    }
    codes_ = of_codes.size();
    stems_ = of_stems.size();
}

void WordBook::number_meanings(const KeyTable& synonyms) {
    struct Meaning {
        std::uint64_t members = 0;  // which words have it: a sum of numbers that stand for each
        std::uint32_t words = 0;    // how many
        std::uint32_t number = 0;
    };
    std::vector<std::uint64_t> ids;
    for (std::size_t k = 0; k < words_.size(); ++k) {
        const std::span<const std::uint64_t> of_word = synonyms.find(keys_[k]);
        words_[k].first_meaning = static_cast<std::uint32_t>(ids.size());
        ids.insert(ids.end(), of_word.begin(), of_word.end());
        words_[k].last_meaning = static_cast<std::uint32_t>(ids.size());
    }
    constexpr std::size_t kAhead = 16;
    KeyNumbers numbers;
    std::vector<Meaning> found;
    std::vector<std::uint32_t> of_words(ids.size());
    for (std::size_t k = 0; k < words_.size(); ++k) {
        const std::uint64_t sign = scrambled(k);
        for (std::uint32_t m = words_[k].first_meaning; m < words_[k].last_meaning; ++m) {
            if (m + kAhead < ids.size()) numbers.prefetch(ids[m + kAhead]);
            const std::uint32_t number = of_words[m] = numbers.number(ids[m]);
            if (number == found.size()) found.emplace_back();
            ++found[number].words;
            found[number].members += sign;
        }
    }
    KeyNumbers different;
    for (Meaning& meaning : found)
        if (meaning.words > 1) meaning.number = different.number(meaning.members);
    different_meanings_ = different.size();
    for (Word& word : words_) {
        const auto first = static_cast<std::ptrdiff_t>(meanings_.size());
        for (std::uint32_t k = word.first_meaning; k < word.last_meaning; ++k)
            if (const Meaning& meaning = found[of_words[k]]; meaning.words > 1) meanings_.push_back(meaning.number);
        std::sort(meanings_.begin() + first, meanings_.end());
        meanings_.erase(std::unique(meanings_.begin() + first, meanings_.end()), meanings_.end());
        word.first_meaning = static_cast<std::uint32_t>(first);
        word.last_meaning = static_cast<std::uint32_t>(meanings_.size());
    }
}

void WordBook::find_related() {
    std::vector<std::uint32_t> words_with(stems_);
    for (const Word& word : words_) ++words_with[word.stem];
    for (Word& word : words_) word.related = words_with[word.stem] > 1 || word.first_meaning != word.last_meaning;
}

}  // namespace tertium
