#include "lexicon/unknown_words.hpp"

namespace tertium {

std::vector<std::string> unknown_words(const TokenSource& texts, const KeyTable& table, unsigned threads,
                                       Watch& watch) {
    StoredTokens space;
    const StoredTokens& stored = spelt_tokens(texts, space, threads, watch);
    std::vector<std::string> words;
    for (std::size_t k = 0; k < stored.different().size(); ++k)
        if (!table.contains(stored.different()[k])) words.emplace_back(stored.spelling(k));
    return words;
}

}  // namespace tertium
