#include "metrics/meteor/word_matches.hpp"

#include <algorithm>
#include <bit>

#include "text/java.hpp"

namespace tertium {

const WordFacts& KnownWords::operator()(const Words& words, std::size_t place) {
    const Key key = words.keys[place];
    const std::size_t slot = static_cast<std::size_t>(folded_product(key, 0x9E3779B97F4A7C15u)) & (slots_.size() - 1);
    WordFacts& facts = slots_[slot];
    if (facts.key == key) return facts;
    facts = {key, key, 0, {}, PhraseIndex::kNoWord, 1, false};
    if (modules_.by_hash_code) facts.code = java::hash_code(words.spelling[place]);
    facts.stem = modules_.stems ? modules_.stems->first(key, facts.code) : facts.code;
    if (modules_.synonyms) facts.meanings = modules_.synonyms->find(key);
    if (modules_.paraphrases) facts.number = modules_.paraphrases->word(key);
    if (characters_) facts.size = static_cast<std::uint32_t>(java::length(words.spelling[place]));
    facts.function = function_words_ && !function_words_->find(key).empty();
    return facts;
}

void MatchWords::look_up(const Words& words, KnownWords& known) {
    keys = words.keys;
    const std::size_t count = keys.size();
    codes.resize(count);
    stems.resize(count);
    meanings.resize(count);
    numbers.resize(count);
    sizes.resize(count);
    functions.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const WordFacts& facts = known(words, i);
        codes[i] = facts.code;
        stems[i] = facts.stem;
        meanings[i] = facts.meanings;
        numbers[i] = facts.number;
        sizes[i] = facts.size;
        functions[i] = facts.function;
    }
}

namespace {

std::size_t place_of(std::uint64_t id, std::size_t slots) {
    return static_cast<std::size_t>(id * 0x9E3779B97F4A7C15u >> 32) & (slots - 1);
}

}  // namespace

void MeaningIndex::index(std::span<const std::span<const std::uint64_t>> meanings) {
    std::size_t ids = 0;
    for (const auto& word : meanings) ids += word.size();
    std::size_t slots = 64;
    while (slots < 4 * ids) slots *= 2;
    heads_.assign(slots, 0);
    entries_.clear();
    for (std::size_t i = 0; i < meanings.size(); ++i)
        for (const std::uint64_t id : meanings[i]) {
            std::uint32_t& head = heads_[place_of(id, slots)];
            entries_.push_back({id, static_cast<std::uint32_t>(i), head});
            head = static_cast<std::uint32_t>(entries_.size());
        }
}

void MeaningIndex::words_with_any(std::span<const std::uint64_t> ids, std::vector<std::uint32_t>& words) const {
    words.clear();
    for (const std::uint64_t id : ids)
        for (std::uint32_t at = heads_[place_of(id, heads_.size())]; at != 0; at = entries_[at - 1].next)
            if (entries_[at - 1].id == id) words.push_back(entries_[at - 1].word);
    if (words.size() < 2) return;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
}

void Proposals::collect(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                        Watch& watch) {
    collect_words(hypothesis, reference, modules, watch);
    phrases_.clear();
    phrase_ends_.assign(reference.size(), 0);
    if (modules.paraphrases) collect_phrases(hypothesis, reference, *modules.paraphrases, watch);
    find_fixed(hypothesis.size(), reference.size());
}

void Proposals::collect_words(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                              Watch& watch) {
    std::size_t work = 0;
    candidates_.clear();
    lists_.clear();
    list_of_.resize(reference.size());
    if (modules.synonyms) meanings_.index(hypothesis.meanings);
    std::size_t slots = 16;
    while (slots < 2 * reference.size()) slots *= 2;
    table_.assign(slots, 0);
    const std::size_t count = hypothesis.size();
    for (std::size_t j = 0; j < reference.size(); ++j) {
        const Key word = reference.keys[j];
        const std::uint64_t code = reference.codes[j];
        std::size_t at = static_cast<std::size_t>(folded_product(word, 0x9E3779B97F4A7C15u)) & (slots - 1);
        while (table_[at] != 0 && reference.keys[table_[at] - 1] != word) at = (at + 1) & (slots - 1);
        if (table_[at] != 0) {
            list_of_[j] = list_of_[table_[at] - 1];
            work += lists_[list_of_[j]].second - lists_[list_of_[j]].first;
            if (work > 1u << 20) watch.spend(work), work = 0;
            continue;
        }
        if ((work += count) > 1u << 20) watch.spend(work), work = 0;
        table_[at] = static_cast<std::uint32_t>(j + 1);
        const auto first = static_cast<std::uint32_t>(candidates_.size());
        const auto propose = [&](Module module, std::size_t i) {
            candidates_.push_back({module, static_cast<std::uint32_t>(i)});
        };
        if (modules.exact)
            for (std::size_t i = 0; i < count; ++i)
                if (hypothesis.codes[i] == code) propose(Module::exact, i);
        if (modules.stems)
            for (std::size_t i = 0; i < count; ++i)
                if (hypothesis.stems[i] == reference.stems[j] && hypothesis.codes[i] != code) propose(Module::stem, i);
        if (modules.synonyms) {
            meanings_.words_with_any(reference.meanings[j], same_meaning_);
            for (const std::uint32_t i : same_meaning_)
                if (hypothesis.codes[i] != code) propose(Module::synonym, i);
        }
        list_of_[j] = static_cast<std::uint32_t>(lists_.size());
        lists_.emplace_back(first, static_cast<std::uint32_t>(candidates_.size()));
    }
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
    each_pair(reference.numbers, hypothesis.numbers, [&](std::size_t j, std::size_t m, std::size_t i, std::size_t n) {
        found_phrases_.push_back({Module::paraphrase, number(i), number(n), number(j), number(m)});
    });
    each_pair(hypothesis.numbers, reference.numbers, [&](std::size_t i, std::size_t n, std::size_t j, std::size_t m) {
        found_phrases_.push_back({Module::paraphrase, number(i), number(n), number(j), number(m)});
    });
    // By place in the reference, otherwise in the order found: the last goes last among those of its place.
    phrases_.resize(found_phrases_.size());
    for (const WordMatch& match : found_phrases_) ++phrase_ends_[match.ref];
    for (std::size_t j = 1; j < phrase_ends_.size(); ++j) phrase_ends_[j] += phrase_ends_[j - 1];
    for (std::size_t k = found_phrases_.size(); k-- > 0;)
        phrases_[--phrase_ends_[found_phrases_[k].ref]] = found_phrases_[k];
    for (const WordMatch& match : found_phrases_) ++phrase_ends_[match.ref];
}

std::span<const Candidate> Proposals::words_at(std::size_t ref) const {
    const auto [begin, end] = lists_[list_of_[ref]];
    return std::span(candidates_).subspan(begin, end - begin);
}

std::span<const WordMatch> Proposals::phrases_at(std::size_t ref) const {
    const std::size_t begin = ref == 0 ? 0 : phrase_ends_[ref - 1];
    return std::span(phrases_).subspan(begin, phrase_ends_[ref] - begin);
}

void Proposals::find_fixed(std::size_t hyp_words, std::size_t ref_words) {
    hyp_cover_.assign(hyp_words, 0);
    ref_cover_.assign(ref_words, 0);
    fixed_.assign(ref_words, 0);
    list_uses_.assign(lists_.size(), 0);
    for (std::size_t j = 0; j < ref_words; ++j) {
        ref_cover_[j] += static_cast<std::uint32_t>(words_at(j).size());
        ++list_uses_[list_of_[j]];
    }
    for (std::size_t list = 0; list < lists_.size(); ++list)
        for (std::uint32_t k = lists_[list].first; k < lists_[list].second; ++k)
            hyp_cover_[candidates_[k].hyp] += list_uses_[list];
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

namespace {

// What a match adds to both sides: half its words, cut down, unless it is exact.
std::uint64_t weight_of(Module module, std::uint32_t hyp_words, std::uint32_t ref_words) {
    return module == Module::exact ? hyp_words + ref_words : hyp_words / 2 + ref_words / 2;
}

std::uint64_t distance_between(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// A match closes the open chunk unless it goes on where that ended.
std::uint64_t breaks(std::int64_t last_end, std::uint32_t hyp) {
    return last_end >= 0 && last_end != static_cast<std::int64_t>(hyp);
}

}  // namespace

WordMatch BeamAligner::chosen(std::size_t ref, std::size_t choice) const {
    const auto words = proposals_.words_at(ref);
    if (choice < words.size()) return {words[choice].module, words[choice].hyp, 1, static_cast<std::uint32_t>(ref), 1};
    return proposals_.phrases_at(ref)[choice - words.size()];
}

bool BeamAligner::is_free(std::size_t path, const WordMatch& match) const {
    const std::uint64_t* const used = used_.data() + path * used_width_;
    for (std::size_t i = match.hyp; i < match.hyp + match.hyp_words; ++i)
        if (used[i / 64] >> i % 64 & 1) return false;
    return true;
}

void BeamAligner::begin_word(std::size_t ref) {
    ref_ = ref;
    words_ = proposals_.words_at(ref);
    phrases_ = proposals_.phrases_at(ref);
    skip_ = words_.size() + phrases_.size();
    inside_ = skip_ + 1;
    choice_bits_ = std::bit_width(inside_);
    rank_count_ = 0;
}

// Keeps the best in order.
inline void BeamAligner::offer(std::size_t path, std::size_t choice, std::uint64_t high, std::uint64_t distance) {
    const Rank rank = rank_of(path, choice, high, distance);
    if (rank_count_ == kBeam && !(rank < ranks_[kBeam - 1])) return;
    std::size_t at = rank_count_ < kBeam ? rank_count_++ : kBeam - 1;
    for (; at > 0 && rank < ranks_[at - 1]; --at) ranks_[at] = ranks_[at - 1];
    ranks_[at] = rank;
}

// Where there is nothing to choose: every path takes the fixed match, or every path skips the word. Then all gain the
// same and some begin or end a chunk, so that two sorted lists are merged.
void BeamAligner::extend_alike() {
    const bool fixed = proposals_.is_fixed(ref_);
    const WordMatch match = fixed ? chosen(ref_, 0) : WordMatch{};
    const std::uint64_t moved = fixed ? distance_between(ref_, match.hyp) : 0;
    const std::uint64_t gain = fixed ? weight_of(match.module, match.hyp_words, match.ref_words) << 32 : 0;
    std::size_t kept = 0, broken = 0;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
        const Path& path = paths_[p];
        const std::uint64_t closed = fixed ? breaks(path.last_end, match.hyp) : path.last_end >= 0;
        (closed ? broken_[broken++] : ranks_[kept++]) =
            rank_of(p, fixed ? 0 : skip_, path.high - gain + closed, path.distance + moved);
    }
    rank_count_ = kept + broken;
    for (std::size_t at = rank_count_; broken > 0; --at) {
        const bool take_kept = kept > 0 && broken_[broken - 1] < ranks_[kept - 1];
        ranks_[at - 1] = take_kept ? ranks_[--kept] : broken_[--broken];
    }
}

// Match by match rather than path by path: those that weigh most come first, so that most of the others are refused at
// once. The numbers keep the original's order.
void BeamAligner::extend() {
    const bool fixed = proposals_.is_fixed(ref_);
    const bool outside = inside_until_ <= ref_;
    for (const WordMatch& match : phrases_)
        inside_until_ = std::max(inside_until_, static_cast<std::size_t>(match.ref) + match.ref_words);
    if (outside && (fixed || skip_ == 0)) return extend_alike();
    for (std::size_t p = 0; p < paths_.size(); ++p) {
        distances_[p] = paths_[p].distance;
        if (paths_[p].next > ref_) offer(p, inside_, paths_[p].high, paths_[p].distance);
    }
    // Paths are in order too: where one cannot come in any more, whatever it gains from here on, no later one can.
    std::size_t last = paths_.size();
    std::uint64_t most = 0;
    for (const WordMatch& match : phrases_)
        most = std::max(most, weight_of(match.module, match.hyp_words, match.ref_words) << 32);
    const auto is_beyond = [&](std::uint64_t high, std::uint64_t gain) {
        return rank_count_ == kBeam && high - gain > ranks_[kBeam - 1].high;
    };
    for (std::size_t choice = 0; choice < skip_; ++choice) {
        const WordMatch match = choice < words_.size() ? WordMatch{words_[choice].module, words_[choice].hyp, 1, 0, 1}
                                                       : phrases_[choice - words_.size()];
        const std::uint64_t gain = weight_of(match.module, match.hyp_words, match.ref_words) << 32;
        const std::uint64_t moved = distance_between(ref_, match.hyp);
        most = phrases_.empty() ? gain : std::max(most, gain);
        for (std::size_t p = 0; p < last; ++p) {
            const Path& path = paths_[p];
            if (is_beyond(path.high, most)) last = p;
            if (path.next > ref_ || !is_free(p, match)) continue;
            // Charged to what follows, as in the original, unless it is fixed.
            offer(p, choice, path.high - gain + breaks(path.last_end, match.hyp), distances_[p] + (fixed ? moved : 0));
            distances_[p] += moved;
        }
    }
    for (std::size_t p = 0; p < last && !fixed; ++p)
        if (paths_[p].next <= ref_) offer(p, skip_, paths_[p].high + (paths_[p].last_end >= 0), distances_[p]);
}

void BeamAligner::take_best() {
    next_paths_.resize(rank_count_);
    next_used_.resize(rank_count_ * used_width_);
    for (std::size_t s = 0; s < rank_count_; ++s) {
        const std::size_t number = ranks_[s].number(), from = number >> choice_bits_;
        const std::size_t choice = number & ((std::size_t{1} << choice_bits_) - 1);
        came_from_[ref_ * kBeam + s] = static_cast<std::uint8_t>(from);
        choices_[ref_ * kBeam + s] = choice < skip_ ? static_cast<std::int32_t>(choice) : -1;
        Path& path = next_paths_[s];
        path = {ranks_[s].high, ranks_[s].distance(), paths_[from].last_end, paths_[from].next};
        std::uint64_t* const used = next_used_.data() + s * used_width_;
        const std::uint64_t* const used_before = used_.data() + from * used_width_;
        for (std::size_t k = 0; k < used_width_; ++k) used[k] = used_before[k];
        if (choice == skip_) {
            path.last_end = -1;
        } else if (choice < words_.size()) {
            const std::uint32_t hyp = words_[choice].hyp;
            path.last_end = hyp + 1;
            path.next = ref_ + 1;
            used[hyp / 64] |= std::uint64_t{1} << hyp % 64;
        } else if (choice < skip_) {
            const WordMatch& match = phrases_[choice - words_.size()];
            path.last_end = match.hyp + match.hyp_words;
            path.next = ref_ + match.ref_words;
            for (std::size_t i = match.hyp; i < match.hyp + match.hyp_words; ++i)
                used[i / 64] |= std::uint64_t{1} << i % 64;
        }
    }
    paths_.swap(next_paths_);
    used_.swap(next_used_);
}

void BeamAligner::operator()(const MatchWords& hypothesis, const MatchWords& reference, const MatchModules& modules,
                             Watch& watch, std::vector<WordMatch>& matches) {
    const bool equal = std::ranges::equal(hypothesis.keys, reference.keys);
    proposals_.collect(hypothesis, reference, equal ? MatchModules{} : modules, watch);
    used_width_ = hypothesis.size() / 64 + 1;
    used_.assign(used_width_, 0);
    paths_.assign(1, Path{});
    inside_until_ = 0;
    came_from_.resize(reference.size() * kBeam);
    choices_.resize(reference.size() * kBeam);
    std::size_t work = 0;
    for (std::size_t j = 0; j < reference.size(); ++j) {
        begin_word(j);
        work += 64 + paths_.size() * (skip_ + used_width_ / 8);
        if (work > 1u << 18) watch.spend(work), work = 0;
        extend();
        take_best();
    }
    matches.clear();
    rank_count_ = 0;
    choice_bits_ = 0;
    for (std::size_t p = 0; p < paths_.size(); ++p)
        offer(p, 0, paths_[p].high + (paths_[p].last_end >= 0), paths_[p].distance);
    std::size_t at = ranks_.front().number();
    for (std::size_t j = reference.size(); j-- > 0;) {
        const std::int32_t choice = choices_[j * kBeam + at];
        if (choice >= 0) matches.push_back(chosen(j, static_cast<std::size_t>(choice)));
        at = came_from_[j * kBeam + at];
    }
    std::reverse(matches.begin(), matches.end());
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
