#include "metrics/meteor/word_book.hpp"

#include <algorithm>

#include "text/java.hpp"

namespace tertium {

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
        Word word{key, 0, 0, 0, 0, PhraseIndex::kNoWord, 1, false};
        if (modules.paraphrases) word.number = modules.paraphrases->word(key);
        if (characters) word.size = static_cast<std::uint32_t>(java::length(texts.spelling(k)));
        word.function = function_words && !function_words->find(key).empty();
        words_.push_back(word);
        return number;
    };
    for (std::size_t k = 0; k < hypotheses.different().size(); ++k) add(hypotheses, k);
    for (std::size_t k = 0; k < references.different().size(); ++k) of_references_.push_back(add(references, k));
    number_codes_and_stems(codes, stems);
    if (modules.synonyms) number_meanings(*modules.synonyms);
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
    KeyNumbers numbers;
    std::vector<std::uint32_t> words_with;  // per meaning
    for (const Word& word : words_)
        for (const std::uint64_t id : synonyms.find(word.key)) {
            const std::uint32_t number = numbers.number(id);
            if (number == words_with.size()) words_with.push_back(0);
            ++words_with[number];
        }
    different_meanings_ = numbers.size();
    for (Word& word : words_) {
        word.first_meaning = static_cast<std::uint32_t>(meanings_.size());
        for (const std::uint64_t id : synonyms.find(word.key))
            if (const std::uint32_t number = numbers.number(id); words_with[number] > 1) meanings_.push_back(number);
        word.last_meaning = static_cast<std::uint32_t>(meanings_.size());
        std::sort(meanings_.begin() + word.first_meaning, meanings_.end());
    }
}

}  // namespace tertium
