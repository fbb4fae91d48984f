#include "metrics/meteor/word_matches.hpp"

#include <algorithm>

namespace tertium {

void Proposals::collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                        Watch& watch) {
    collect_words(hypothesis, reference, modules, watch);
    phrases_.clear();
    if (modules.paraphrases) collect_phrases(hypothesis, reference, *modules.paraphrases, watch);
    find_fixed(hypothesis.size(), reference.size());
}

void Proposals::collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                              Watch& watch) {
    const WordBook& book = *hypothesis.book;
    codes_.expect(book.codes());
    stems_.expect(book.stems());
    meanings_.expect(book.meanings());
    list_of_word_.resize(book.words(), 0);
    our_codes_.resize(hypothesis.size());
    for (std::size_t i = hypothesis.size(); i-- > 0;) {
        const WordBook::Word& word = hypothesis[i];
        our_codes_[i] = word.code;
        codes_.add(word.code, i);
        if (!word.related) continue;
        if (modules.stems) stems_.add(word.stem, i);
        if (modules.synonyms)
            for (const std::uint32_t meaning : book.meanings(word)) meanings_.add(meaning, i);
    }
    std::size_t work = 0;
    candidates_.clear();
    lists_.clear();
    list_of_.resize(reference.size());
    for (std::size_t j = 0; j < reference.size(); ++j) {
        std::uint32_t& list = list_of_word_[reference.words[j]];
        if (list == 0) {
            const auto first = static_cast<std::uint32_t>(candidates_.size());
            propose_for(reference[j], book, modules);
            lists_.emplace_back(first, static_cast<std::uint32_t>(candidates_.size()));
            list = static_cast<std::uint32_t>(lists_.size());
        }
        list_of_[j] = list - 1;
        work += 4 + lists_[list - 1].second - lists_[list - 1].first;
        if (work > 1u << 20) watch.spend(work), work = 0;
    }
    for (const std::uint32_t word : reference.words) list_of_word_[word] = 0;
    codes_.clear();
    stems_.clear();
    meanings_.clear();
}

void Proposals::propose_for(const WordBook::Word& word, const WordBook& book, const MatchModules& modules) {
    if (modules.exact) codes_.each(word.code, [&](std::uint32_t i) { candidates_.push_back({Module::exact, i}); });
    if (!word.related) return;
    const auto differs = [&](std::uint32_t i) { return our_codes_[i] != word.code; };
    if (modules.stems)
        stems_.each(word.stem, [&](std::uint32_t i) {
            if (differs(i)) candidates_.push_back({Module::stem, i});
        });
    if (!modules.synonyms) return;
    same_meaning_.clear();
    for (const std::uint32_t meaning : book.meanings(word))
        meanings_.each(meaning, [&](std::uint32_t i) {
            if (differs(i)) same_meaning_.push_back(i);
        });
    if (same_meaning_.size() > 1) {
        std::sort(same_meaning_.begin(), same_meaning_.end());
        same_meaning_.erase(std::unique(same_meaning_.begin(), same_meaning_.end()), same_meaning_.end());
    }
    for (const std::uint32_t i : same_meaning_) candidates_.push_back({Module::synonym, i});
}

// First the phrases of the reference with their paraphrases in the hypothesis, then the other way round.
void Proposals::collect_phrases(const MatchWords& hypothesis, const MatchWords& reference, const PhraseIndex& index,
                                Watch& watch) {
    using Words = std::span<const PhraseIndex::Word>;
    std::size_t work = 0;
    found_phrases_.clear();
    const auto each_pair = [&](Words from, Words to, auto propose) {
        // Where in `to` a word may stand.
        places_.resize(64);
        for (auto& list : places_) list.clear();
        for (std::size_t k = 0; k < to.size(); ++k)
            if (to[k] != PhraseIndex::kNoWord) places_[to[k] % 64].push_back(static_cast<std::uint32_t>(k));
        for (std::size_t begin = 0; begin < from.size(); ++begin) {
            PhraseIndex::Node node = PhraseIndex::kRoot;
            for (std::size_t end = begin + 1; end <= from.size(); ++end) {
                node = index.step(node, from[end - 1]);
                if (node == PhraseIndex::kNoNode) break;
                found_.clear();
                for (const auto entry : index.entries(node)) {
                    if (entry.words.empty()) continue;
                    work += 4 + places_[entry.words[0] % 64].size();
                    if (work > 1u << 18) {
                        watch.spend(work);
                        watch.hold(found_.size() + 2 * found_phrases_.size(), sizeof(WordMatch));
                        work = 0;
                    }
                    for (const std::uint32_t k : places_[entry.words[0] % 64])
                        if (k + entry.words.size() <= to.size() &&
                            std::equal(entry.words.begin(), entry.words.end(), to.begin() + k))
                            found_.push_back({entry.probability, k, entry.words.size()});
                }
                // In the order of the table, which the index has in place of probabilities.
                std::stable_sort(found_.begin(), found_.end(),
                                 [](const Found& a, const Found& b) { return a.number < b.number; });
                for (const Found& one : found_) propose(begin, end - begin, one.place, one.words);
            }
        }
    };
    const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    const auto numbers = [](const MatchWords& text, std::vector<PhraseIndex::Word>& out) {
        out.clear();
        for (std::size_t k = 0; k < text.size(); ++k) out.push_back(text[k].number);
    };
    numbers(hypothesis, our_numbers_);
    numbers(reference, their_numbers_);
    each_pair(their_numbers_, our_numbers_, [&](std::size_t j, std::size_t m, std::size_t i, std::size_t n) {
        found_phrases_.push_back({Module::paraphrase, number(i), number(n), number(j), number(m)});
    });
    each_pair(our_numbers_, their_numbers_, [&](std::size_t i, std::size_t n, std::size_t j, std::size_t m) {
        found_phrases_.push_back({Module::paraphrase, number(i), number(n), number(j), number(m)});
    });
    // By place in the reference, otherwise in the order found: the last goes last among those of its place.
    phrase_ends_.assign(reference.size(), 0);
    phrases_.resize(found_phrases_.size());
    for (const WordMatch& match : found_phrases_) ++phrase_ends_[match.ref];
    for (std::size_t j = 1; j < phrase_ends_.size(); ++j) phrase_ends_[j] += phrase_ends_[j - 1];
    for (std::size_t k = found_phrases_.size(); k-- > 0;)
        phrases_[--phrase_ends_[found_phrases_[k].ref]] = found_phrases_[k];
    for (const WordMatch& match : found_phrases_) ++phrase_ends_[match.ref];
}

std::span<const WordMatch> Proposals::phrases_at(std::size_t ref) const {
    if (phrases_.empty()) return {};
    const std::size_t begin = ref == 0 ? 0 : phrase_ends_[ref - 1];
    return std::span(phrases_).subspan(begin, phrase_ends_[ref] - begin);
}

void Proposals::find_fixed(std::size_t hyp_words, std::size_t ref_words) {
    hyp_cover_.assign(hyp_words, 0);
    fixed_.resize(ref_words);
    list_uses_.assign(lists_.size(), 0);
    for (std::size_t j = 0; j < ref_words; ++j) ++list_uses_[list_of_[j]];
    for (std::size_t list = 0; list < lists_.size(); ++list)
        for (std::uint32_t k = lists_[list].first; k < lists_[list].second; ++k)
            hyp_cover_[candidates_[k].hyp] += list_uses_[list];
    if (phrases_.empty()) {
        for (std::size_t j = 0; j < ref_words; ++j) {
            const auto words = words_at(j);
            fixed_[j] = words.size() == 1 && hyp_cover_[words[0].hyp] == 1;
        }
        return;
    }
    ref_cover_.resize(ref_words);
    for (std::size_t j = 0; j < ref_words; ++j) ref_cover_[j] = static_cast<std::uint32_t>(words_at(j).size());
    const auto each_word = [](std::uint32_t begin, std::uint32_t count, std::span<std::uint32_t> cover) {
        return cover.subspan(begin, count);
    };
    for (const WordMatch& match : phrases_) {
        for (std::uint32_t& cover : each_word(match.hyp, match.hyp_words, hyp_cover_)) ++cover;
        for (std::uint32_t& cover : each_word(match.ref, match.ref_words, ref_cover_)) ++cover;
    }
    for (std::size_t j = 0; j < ref_words; ++j) {
        const auto words = words_at(j);
        const auto phrases = phrases_at(j);
        fixed_[j] = 0;
        if (words.size() == 1 && phrases.empty()) {
            fixed_[j] = ref_cover_[j] == 1 && hyp_cover_[words[0].hyp] == 1;
        } else if (words.empty() && phrases.size() == 1) {
            const auto once = [](std::span<const std::uint32_t> cover) {
                return std::all_of(cover.begin(), cover.end(), [](std::uint32_t n) { return n == 1; });
            };
            fixed_[j] = once(each_word(phrases[0].hyp, phrases[0].hyp_words, hyp_cover_)) &&
                        once(each_word(phrases[0].ref, phrases[0].ref_words, ref_cover_));
        }
    }
}

std::size_t chunk_count(std::span<const WordMatch> matches) {
    std::size_t chunks = 0;
    for (std::size_t k = 0; k < matches.size(); ++k) {
        const bool goes_on = k > 0 && matches[k].ref == matches[k - 1].ref + matches[k - 1].ref_words &&
                             matches[k].hyp == matches[k - 1].hyp + matches[k - 1].hyp_words;
        chunks += !goes_on;
    }
    return chunks;
}

}  // namespace tertium
