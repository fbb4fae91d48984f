#include "metrics/meteor/word_matches.hpp"

#include <algorithm>

namespace tertium {

void Proposals::collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                        Watch& watch) {
    collect_words(hypothesis, reference, modules, watch);
    phrases_.clear();
    if (modules.paraphrases) collect_phrases(hypothesis, reference, *modules.paraphrases, watch);
    find_outcomes(reference.size());
}

void Proposals::collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                              Watch& watch) {
    const WordBook& book = *hypothesis.book;
    codes_.expect(book.codes());
    stems_.expect(book.stems());
    meanings_.expect(book.meanings());
    first_places_.resize(book.words(), 0);
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
    lists_.resize(reference.size());
    hyp_cover_.assign(hypothesis.size() + 1, 0);
    for (std::size_t j = 0; j < reference.size(); ++j) {
        std::uint32_t& first_place = first_places_[reference.words[j]];
        if (first_place == 0) {
            first_place = static_cast<std::uint32_t>(j + 1);
            const auto begin = static_cast<std::uint32_t>(candidates_.size());
            propose_for(reference[j], book, modules);
            lists_[j] = {begin, static_cast<std::uint32_t>(candidates_.size())};
        } else {
            lists_[j] = lists_[first_place - 1];
            for (const Candidate& candidate : words_at(j)) ++hyp_cover_[candidate.hyp];
        }
        work += 4 + lists_[j].end - lists_[j].begin;
        if (work > 1u << 20) watch.spend(work), work = 0;
    }
    candidates_.push_back({Module::exact, 0});  // behind the last there is one, too
    for (const std::uint32_t word : reference.words) first_places_[word] = 0;
    codes_.clear();
    stems_.clear();
    meanings_.clear();
}

void Proposals::propose_for(const WordBook::Word& word, const WordBook& book, const MatchModules& modules) {
    const auto propose = [&](Module module, std::uint32_t i) {
        candidates_.push_back({module, i});
        ++hyp_cover_[i];
    };
    if (modules.exact) codes_.each(word.code, [&](std::uint32_t i) { propose(Module::exact, i); });
    if (!word.related) return;
    const auto differs = [&](std::uint32_t i) { return our_codes_[i] != word.code; };
    if (modules.stems)
        stems_.each(word.stem, [&](std::uint32_t i) {
            if (differs(i)) propose(Module::stem, i);
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
    for (const std::uint32_t i : same_meaning_) propose(Module::synonym, i);
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

void Proposals::find_outcomes(std::size_t ref_words) {
    outcomes_.resize(ref_words);
    open_.resize(ref_words);
    std::size_t open = 0;
    // No processor can foretell which, so there is no branch.
    const auto put = [&, outcomes = outcomes_.data(), places = open_.data()](std::size_t j, bool any, bool fixed) {
        outcomes[j] = static_cast<Outcome>(2 * any - fixed);
        places[open] = static_cast<std::uint32_t>(j);
        open += any & !fixed;
    };
    if (phrases_.empty()) {
        const List* const lists = lists_.data();
        const Candidate* const candidates = candidates_.data();
        const std::uint32_t* const cover = hyp_cover_.data();
        for (std::size_t j = 0; j < ref_words; ++j) {
            const auto [begin, end] = lists[j];
            put(j, begin != end, (end - begin == 1) & (cover[candidates[begin].hyp] == 1));
        }
    } else {
        cover_phrases(ref_words);
        for (std::size_t j = 0; j < ref_words; ++j) put(j, choices_at(j) != 0, is_fixed_by_phrases(j));
    }
    open_.resize(open);
}

void Proposals::cover_phrases(std::size_t ref_words) {
    ref_cover_.resize(ref_words);
    for (std::size_t j = 0; j < ref_words; ++j) ref_cover_[j] = static_cast<std::uint32_t>(words_at(j).size());
    for (const WordMatch& match : phrases_) {
        for (std::uint32_t i = match.hyp; i < match.hyp + match.hyp_words; ++i) ++hyp_cover_[i];
        for (std::uint32_t j = match.ref; j < match.ref + match.ref_words; ++j) ++ref_cover_[j];
    }
}

bool Proposals::is_fixed_by_phrases(std::size_t ref) const {
    const auto words = words_at(ref);
    const auto phrases = phrases_at(ref);
    const auto once = [](const std::vector<std::uint32_t>& cover, std::size_t begin, std::size_t count) {
        return std::all_of(cover.data() + begin, cover.data() + begin + count, [](std::uint32_t n) { return n == 1; });
    };
    if (words.size() + phrases.size() != 1) return false;
    if (!words.empty()) return once(ref_cover_, ref, 1) && once(hyp_cover_, words[0].hyp, 1);
    return once(hyp_cover_, phrases[0].hyp, phrases[0].hyp_words) && once(ref_cover_, ref, phrases[0].ref_words);
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
