#include "lexicon/unknown_words.hpp"

#include <mutex>
#include <unordered_map>

namespace tertium {

std::vector<std::string> unknown_words(const TokenSource& texts, const KeyTable& table, unsigned threads,
                                       Watch& watch) {
    std::unordered_map<Key, std::string> unknown;
    std::mutex collecting;
    parallel_for(texts.size(), threads, watch, [&] {
        return [&, reader = WordReader(true), seen = std::unordered_map<Key, std::string>()](std::size_t begin,
                                                                                             std::size_t end) mutable {
            seen.clear();
            for (std::size_t i = begin; i < end; ++i) {
                const Words words = reader(texts, i);
                for (std::size_t k = 0; k < words.size(); ++k)
                    if (!table.contains(words.keys[k])) seen.try_emplace(words.keys[k], words.spelling[k]);
            }
            if (seen.empty()) return;
            const std::lock_guard one_at_a_time(collecting);
            unknown.merge(seen);
        };
    });
    std::vector<std::string> words;
    for (auto& [key, word] : unknown) words.push_back(std::move(word));
    return words;
}

}  // namespace tertium
