// Counting all n-grams of a corpus, and keeping those that occur at least twice.
//
// Words are numbered, and the places of each are listed. What follows a word at its places gives the n-grams of two
// words that begin with it and the places of each; what follows those gives the n-grams of three words, and so on.
// So all that is left to do for one n-gram is to count numbers, in an array with a count for each word, and an n-gram
// that occurs once is left out of what comes next.
//
//     places of "the": 3 8 20 31    next words: cat dog cat end    "the cat" at 3 20; "the dog", "the end" occur once

#include "metrics/information.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace tertium {
namespace {

constexpr std::uint32_t kNothing = Information::kUnknown;
constexpr std::size_t kTextsInRun = LearntTexts::kTextsInRun, kPlacesInPiece = std::size_t{1} << 16, kAhead = 12;
// More tokens than these are not kept, which take 16 bytes each, nor if n-grams have more counts, which take 4 bytes.
constexpr std::size_t kMostKept = std::size_t{1} << 23, kMostCounts = std::size_t{1} << 25;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return folded_product(a ^ 0x9E3779B97F4A7C15u, b ^ 0xD6E8FEB86659FD93u) + 0x9E3779B97F4A7C15u;
}

// Numbers different words 0, 1, … in the order in which they come, and counts each.
class Numbers {
public:
    std::vector<Information::Word> words;

    explicit Numbers(std::size_t expected) : entries_(std::bit_ceil(std::max<std::size_t>(expected, 16))) {}
    std::uint32_t count(Key key) {
        Entry* entry = &entry_of(key);
        if (entry->number == kNothing) [[unlikely]] {
            if (8 * words.size() >= 5 * entries_.size()) {
                grow();
                entry = &entry_of(key);
            }
            *entry = {key, static_cast<std::uint32_t>(words.size())};
            words.push_back({key, 0});
        }
        ++entry->count;
        return entry->number;
    }
    void prefetch([[maybe_unused]] Key key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&entries_[hash(key) & (entries_.size() - 1)], 1);
#endif
    }
    // Fills in the counts of `words`.
    void finish() {
        for (const Entry& entry : entries_)
            if (entry.number != kNothing) words[entry.number].count = entry.count;
    }

private:
    struct Entry {
        Key key = kNoToken;
        std::uint32_t number = kNothing, count = 0;
    };
    static std::uint64_t hash(Key key) { return folded_product(key ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u); }
    Entry& entry_of(Key key) {
        const std::size_t last = entries_.size() - 1;
        std::uint64_t i = hash(key) & last;
        while (entries_[i].key != key && entries_[i].number != kNothing) [[unlikely]]
            i = (i + 1) & last;
        return entries_[i];
    }
    void grow() {
        const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
        for (const Entry& entry : before)
            if (entry.number != kNothing) entry_of(entry.key) = entry;
    }
    std::vector<Entry> entries_;
};

// All texts as numbers of words, with kNothing after each text.
struct NumberedTexts {
    std::vector<std::uint32_t> places;
    std::vector<Information::Word> words;
};

std::vector<std::vector<Key>> tokens_in_runs(const TokenSource& texts, unsigned threads, Watch& watch) {
    std::vector<std::vector<Key>> runs((texts.size() + kTextsInRun - 1) / kTextsInRun);
    parallel_for(
        runs.size(), threads, watch,
        [&] {
            return [&, scratch = Tokenizer::Scratch{}, space = Tokens{}, all = std::vector<Key>{}](
                       std::size_t begin, std::size_t end) mutable {
                for (std::size_t run = begin; run < end; ++run) {
                    const std::size_t stop = std::min((run + 1) * kTextsInRun, texts.size());
                    all.clear();
                    for (std::size_t i = run * kTextsInRun; i < stop; ++i) {
                        texts.prefetch(i + 3);
                        const auto keys = texts.tokens(i, scratch, space);
                        all.insert(all.end(), keys.begin(), keys.end());
                        all.push_back(kNoToken);
                    }
                    runs[run].assign(all.begin(), all.end());
                }
            };
        },
        1);
    return runs;
}

// Fills in where texts start, and frees the runs unless they are to be kept.
NumberedTexts numbered(LearntTexts& texts, std::size_t size, bool keeps_runs, Watch& watch) {
    NumberedTexts result;
    result.places.resize(size);
    std::uint32_t* next = result.places.data();
    Numbers numbers(std::min<std::size_t>(size / 8, 1 << 20));
    for (auto& keys : texts.runs) {
        watch.checkpoint();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            numbers.prefetch(keys[std::min(i + kAhead, keys.size() - 1)]);
            if (keys[i] == kNoToken) [[unlikely]] {
                *next++ = kNothing;
                texts.starts.push_back(static_cast<std::size_t>(next - result.places.data()));
            } else {
                *next++ = numbers.count(keys[i]);
            }
        }
        if (!keeps_runs) std::vector<Key>().swap(keys);
    }
    numbers.finish();
    result.words = std::move(numbers.words);
    return result;
}

// A place, and the word after the n-gram that begins there, with 1 added so that it is 0 at the end of a text.
struct Place {
    std::uint32_t place, next;
};

// The places of each word, ascending: those of word w are places[ends[w - 1]] … places[ends[w] - 1].
struct PlacesOfWords {
    std::vector<Place> places;
    std::vector<std::uint32_t> ends;

    explicit PlacesOfWords(const NumberedTexts& texts) {
        ends.reserve(texts.words.size());
        std::uint32_t sum = 0;
        for (const Information::Word& word : texts.words)
            ends.push_back(std::exchange(sum, sum + static_cast<std::uint32_t>(word.count)));
        places.resize(sum);
        for (std::size_t i = 0; i < texts.places.size(); ++i)
            if (texts.places[i] != kNothing)
                places[ends[texts.places[i]]++] = {static_cast<std::uint32_t>(i), texts.places[i + 1] + 1};
    }
    std::uint32_t begin(std::size_t word) const { return word == 0 ? 0 : ends[word - 1]; }
};

// Where an n-gram begins: places [begin, end) of some list.
struct Occurrences {
    std::uint32_t begin, end, ngram;
};

// The kept n-grams that begin with some words. Those of two words come first, and have a word for their prefix; the
// others have the index of an n-gram in this list.
struct Kept {
    std::vector<Information::Ngram> ngrams;
    std::size_t of_two_words = 0;
};

class Counting {
public:
    // If somebody wants to know, `longest` has the index of the longest kept n-gram that begins at each place, counted
    // from 1; where there is none it stays 0.
    Counting(const NumberedTexts& texts, unsigned order, std::span<std::uint32_t> longest)
        : words_(texts.places), order_(order), longest_(longest), following_(texts.words.size() + 1) {}

    // The n-grams that begin with the words [first, last).
    Kept operator()(const PlacesOfWords& of, std::size_t first, std::size_t last) {
        Kept result;
        std::vector<Occurrences> now, next;
        for (std::size_t word = first; word < last; ++word)
            if (of.ends[word] - of.begin(word) > 1)
                now.push_back({of.begin(word), of.ends[word], static_cast<std::uint32_t>(word)});
        std::span<const Place> places = of.places;
        for (unsigned n = 2; n <= order_ && !now.empty(); ++n) {
            next.clear();
            std::size_t most = 1;  // the last is for places that are written but do not count
            for (const Occurrences& prefix : now) most += prefix.end - prefix.begin;
            longer_.resize(most);
            std::uint32_t used = 0;
            for (const Occurrences& prefix : now)
                used =
                    extend(places.subspan(prefix.begin, prefix.end - prefix.begin), prefix.ngram, used, result, next);
            if (n == 2) result.of_two_words = result.ngrams.size();
            if (n < order_)
                for (Place& place : std::span(longer_).first(used)) place.next = words_[place.place + n] + 1;
            if (!longest_.empty())
                for (const auto& [begin, end, ngram] : next)
                    for (std::uint32_t i = begin; i < end; ++i) longest_[longer_[i].place] = ngram + 1;
            std::swap(now, next);
            std::swap(longer_, before_);
            places = before_;
        }
        return result;
    }

private:
    // Counts what follows one (n-1)-gram, and lists the places of those n-grams that occur at least twice.
    std::uint32_t extend(std::span<const Place> places, std::uint32_t prefix, std::uint32_t used, Kept& result,
                         std::vector<Occurrences>& next) {
        const auto add = [&](std::uint32_t last, std::uint32_t count) {
            next.push_back({used, used + count, static_cast<std::uint32_t>(result.ngrams.size())});
            result.ngrams.push_back({prefix, last - 1, count});
            used += count;
        };
        const std::uint32_t first = places.front().next;
        if (std::all_of(places.begin(), places.end(), [&](const Place& place) { return place.next == first; })) {
            if (first == 0) return used;
            std::copy(places.begin(), places.end(), longer_.begin() + used);
            add(first, static_cast<std::uint32_t>(places.size()));
            return used;
        }
        if (places.size() == 2) return used;  // they differ, so each occurs once
        different_.resize(places.size());
        std::size_t different = 0;
        for (const Place& place : places) {
            different_[different] = place.next;
            different += following_[place.next].count++ == 0;
        }
        const auto nowhere = static_cast<std::uint32_t>(longer_.size() - 1);
        const std::uint32_t before = used;
        for (std::size_t k = 0; k < different; ++k) {
            const std::uint32_t last = different_[k];
            Following& following = following_[last];
            const std::uint32_t count = std::exchange(following.count, 0);
            following.slot = nowhere;
            if (count < 2 || last == 0) continue;
            following.slot = used;
            add(last, count);
        }
        if (used == before) return used;
        for (const Place& place : places) {
            std::uint32_t& slot = following_[place.next].slot;
            longer_[slot].place = place.place;
            slot += slot != nowhere;
        }
        return used;
    }

    // A word, where what follows one n-gram is counted: how often it does, and where its next place is listed.
    struct Following {
        std::uint32_t count = 0, slot = 0;
    };

    std::span<const std::uint32_t> words_;
    unsigned order_;
    std::span<std::uint32_t> longest_;
    std::vector<Following> following_;
    std::vector<std::uint32_t> different_;
    std::vector<Place> longer_, before_;
};

// For LearntTexts: the rows of all n-grams, after that of none.
std::vector<std::uint32_t> chains(const Information& information) {
    const std::size_t length = information.order() - 1, words = information.words().size();
    std::vector<std::uint32_t> result((information.ngrams().size() + 1) * length);
    std::uint32_t* row = result.data();
    for (const Information::Ngram& ngram : information.ngrams()) {
        row += length;
        std::uint32_t* own = row;
        if (ngram.prefix >= words)
            for (const std::uint32_t* of = &result[(ngram.prefix - words + 1) * length]; *of != 0;) *own++ = *of++;
        *own = ngram.count;
    }
    return result;
}

}  // namespace

Information Information::learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch) {
    auto learnt = std::make_shared<LearntTexts>();
    learnt->runs = tokens_in_runs(texts, threads, watch);
    std::size_t size = 0;
    for (const auto& keys : learnt->runs) size += keys.size();
    if (size >= kNothing) throw std::length_error("information weights are learnt from at most 2^32 - 2 words");
    const bool keeps_texts = size <= kMostKept;
    NumberedTexts numbers = numbered(*learnt, size, keeps_texts, watch);
    PlacesOfWords places(numbers);
    if (keeps_texts) learnt->longest_of.resize(size);

    // Words go in pieces with about as many places each.
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> piece_of;
    for (std::size_t word = 0; word < numbers.words.size(); ++word) {
        piece_of.push_back(static_cast<std::uint32_t>(ends.size()));
        if (places.ends[word] >= (ends.size() + 1) * kPlacesInPiece || word + 1 == numbers.words.size())
            ends.push_back(word + 1);
    }
    std::vector<Kept> kept(ends.size());
    parallel_for(
        kept.size(), threads, watch,
        [&] {
            return
                [&, count = Counting(numbers, order, learnt->longest_of)](std::size_t begin, std::size_t end) mutable {
                    for (std::size_t piece = begin; piece < end; ++piece)
                        kept[piece] = count(places, piece == 0 ? 0 : ends[piece - 1], ends[piece]);
                };
        },
        1);

    std::vector<Place>().swap(places.places);  // what comes now takes as much memory

    std::vector<Word> words;
    std::vector<std::uint32_t> kept_words;  // their new numbers
    kept_words.reserve(numbers.words.size());
    for (const Word& word : numbers.words) {
        kept_words.push_back(static_cast<std::uint32_t>(words.size()));
        if (word.count > 1) words.push_back(word);
    }
    std::size_t count = 0;
    for (const Kept& piece : kept) count += piece.ngrams.size();
    if (words.size() + count >= kNothing) throw std::length_error("there are too many n-grams to learn from");
    std::vector<Ngram> ngrams;
    ngrams.reserve(count);
    std::vector<std::uint32_t> before;  // how many n-grams come before each piece
    for (Kept& piece : kept) {
        before.push_back(static_cast<std::uint32_t>(ngrams.size()));
        const auto first = static_cast<std::uint32_t>(words.size() + ngrams.size());
        for (std::size_t i = 0; i < piece.ngrams.size(); ++i) {
            const auto& [prefix, last, occurrences] = piece.ngrams[i];
            ngrams.push_back(
                {i < piece.of_two_words ? kept_words[prefix] : first + prefix, kept_words[last], occurrences});
        }
        std::vector<Ngram>().swap(piece.ngrams);
    }
    Information result(order, size - learnt->size(), std::move(words), std::move(ngrams));
    if (keeps_texts && count < kMostCounts / order) {
        struct Facts {
            std::uint32_t count, before;
        };
        std::vector<Facts> facts;
        facts.reserve(numbers.words.size());
        for (std::size_t word = 0; word < numbers.words.size(); ++word)
            facts.push_back({static_cast<std::uint32_t>(numbers.words[word].count), before[piece_of[word]]});
        for (std::size_t i = 0; i < size; ++i) {
            if (numbers.places[i] == kNothing) continue;
            const Facts& word = facts[numbers.places[i]];
            numbers.places[i] = word.count;
            std::uint32_t& longest = learnt->longest_of[i];
            if (longest != 0) longest += word.before;
        }
        learnt->counts_of = std::move(numbers.places);
        learnt->chain_length = order - 1;
        learnt->chains = chains(result);
        result.texts_ = std::move(learnt);
    }
    return result;
}

Information::Information(unsigned order, std::uint64_t total, std::vector<Word> words, std::vector<Ngram> ngrams)
    : order_(order), total_(total), log_total_(total > 0 ? logarithm2(static_cast<double>(total)) : 0),
      words_(std::move(words)), ngrams_(std::move(ngrams)), lookup_(std::make_shared<LookupWhenNeeded>()) {
    if (words_.size() + ngrams_.size() >= kUnknown) throw std::length_error("there are too many n-grams to learn from");
    std::uint64_t largest = 1;
    for (const Word& word : words_) largest = std::max(largest, word.count);
    logs_.resize(std::min<std::uint64_t>(largest, kMostLogs) + 1);
    const auto note_log = [&](std::uint64_t count) {
        if (count < logs_.size() && logs_[count] == 0) logs_[count] = logarithm2(static_cast<double>(count));
    };
    for (const Word& word : words_) note_log(word.count);
    std::size_t known = words_.size();
    for (const Ngram& ngram : ngrams_) {
        if (ngram.prefix >= known++ || ngram.last >= words_.size() || ngram.count < 2)
            throw std::invalid_argument("information weights: an n-gram begins or ends with nothing known");
        note_log(ngram.count);
    }
}

std::uint64_t Information::mark() const {
    std::vector<std::uint64_t> names;
    names.reserve(words_.size() + ngrams_.size());
    std::uint64_t sum = mixed(total_, order_);
    for (const Word& word : words_) {
        names.push_back(mixed(word.key, 1));
        sum += mixed(names.back(), word.count);
    }
    for (const Ngram& ngram : ngrams_) {
        names.push_back(mixed(names[ngram.prefix] + 1, words_[ngram.last].key));
        sum += mixed(names.back(), ngram.count);
    }
    return sum;
}

const InformationLookup& Information::lookup() const {
    std::call_once(lookup_->made, [&] { lookup_->lookup = std::make_unique<const InformationLookup>(*this); });
    return *lookup_->lookup;
}

InformationLookup::InformationLookup(const Information& information)
    : words_(information.words().size(), 0), ngrams_(information.ngrams().size(), words_.size()) {
    std::vector<std::uint32_t> places;
    places.reserve(information.words().size() + information.ngrams().size());
    for (const Information::Word& word : information.words())
        places.push_back(words_.add(word.key, information.log(word.count)));
    for (const Information::Ngram& ngram : information.ngrams())
        places.push_back(ngrams_.add(pair({places[ngram.prefix]}, {places[ngram.last]}), information.log(ngram.count)));
}

InformationLookup::Table::Table(std::size_t most, std::size_t first_place)
    : entries_(std::bit_ceil(most + most / 3 + 1)), last_(entries_.size() - 1),
      first_place_(static_cast<std::uint32_t>(first_place)) {
    // Far from kUnknown, and a pair of places is never kNoToken.
    if (first_place + entries_.size() > kNoToken >> 32)
        throw std::length_error("there are too many n-grams to learn from");
}

std::uint32_t InformationLookup::Table::add(std::uint64_t key, double log_count) {
    std::uint64_t i = hash(key);
    while (entries_[i & last_].key != kNoToken) ++i;
    entries_[i & last_] = {key, log_count};
    return first_place_ + static_cast<std::uint32_t>(i & last_);
}

}  // namespace tertium
