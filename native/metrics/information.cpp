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
// More tokens than these are not kept: they take 16 bytes each.
constexpr std::size_t kMostKept = std::size_t{1} << 23;

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

    // Where each n-gram goes if all that begin with it are to follow it: whoever looks one up needs its beginnings too.
    std::vector<std::uint32_t> nested() const {
        std::vector<std::uint32_t> places(ngrams.size()), sizes(ngrams.size(), 1), next(ngrams.size());
        for (std::size_t i = ngrams.size(); i-- > of_two_words;) sizes[ngrams[i].prefix] += sizes[i];
        std::uint32_t all = 0;
        for (std::size_t i = 0; i < ngrams.size(); ++i) {
            std::uint32_t& free = i < of_two_words ? all : next[ngrams[i].prefix];
            places[i] = free;
            next[i] = free + 1;
            free += sizes[i];
        }
        return places;
    }
};

class Counting {
public:
    // If somebody wants to know, `longest` has the index of the longest kept n-gram that begins at each place.
    Counting(const NumberedTexts& texts, unsigned order, std::span<std::uint32_t> longest)
        : words_(texts.places), order_(order), longest_(longest), counts_(texts.words.size() + 1),
          slots_(counts_.size()) {}

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
                    for (std::uint32_t i = begin; i < end; ++i) longest_[longer_[i].place] = ngram;
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
        different_.resize(places.size());
        std::size_t different = 0;
        for (const Place& place : places) {
            different_[different] = place.next;
            different += counts_[place.next]++ == 0;
        }
        const auto nowhere = static_cast<std::uint32_t>(longer_.size() - 1);
        for (std::size_t k = 0; k < different; ++k) {
            const std::uint32_t last = different_[k], count = std::exchange(counts_[last], 0);
            slots_[last] = nowhere;
            if (count < 2 || last == 0) continue;
            slots_[last] = used;
            add(last, count);
        }
        for (const Place& place : places) {
            std::uint32_t& slot = slots_[place.next];
            longer_[slot].place = place.place;
            slot += slot != nowhere;
        }
        return used;
    }

    std::span<const std::uint32_t> words_;
    unsigned order_;
    std::span<std::uint32_t> longest_;
    std::vector<std::uint32_t> counts_, slots_;
    std::vector<std::uint32_t> different_;
    std::vector<Place> longer_, before_;
};

}  // namespace

Information Information::learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch) {
    auto learnt = std::make_shared<LearntTexts>();
    learnt->runs = tokens_in_runs(texts, threads, watch);
    std::size_t size = 0;
    for (const auto& keys : learnt->runs) size += keys.size();
    if (size >= kNothing) throw std::length_error("information weights are learnt from at most 2^32 - 2 words");
    const bool keeps_texts = size <= kMostKept;
    NumberedTexts numbers = numbered(*learnt, size, keeps_texts, watch);
    const PlacesOfWords places(numbers);
    if (keeps_texts) learnt->longest_of.assign(size, kNothing);

    // Words go in pieces with about as many places each.
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> piece_of(numbers.words.size());
    for (std::size_t word = 0; word < numbers.words.size(); ++word) {
        piece_of[word] = static_cast<std::uint32_t>(ends.size());
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

    std::vector<Word> words;
    std::vector<std::uint32_t> kept_words;  // their new numbers
    for (const Word& word : numbers.words) {
        kept_words.push_back(static_cast<std::uint32_t>(words.size()));
        if (word.count > 1) words.push_back(word);
    }
    std::size_t count = 0;
    for (const Kept& piece : kept) count += piece.ngrams.size();
    if (words.size() + count >= kNothing) throw std::length_error("there are too many n-grams to learn from");
    std::vector<Ngram> ngrams(count);
    std::vector<std::uint32_t> numbers_of,
        before;  // of all n-grams as they are listed; how many come before each piece
    numbers_of.reserve(count);
    for (const Kept& piece : kept) {
        before.push_back(static_cast<std::uint32_t>(numbers_of.size()));
        for (const std::uint32_t place : piece.nested())
            numbers_of.push_back(static_cast<std::uint32_t>(words.size()) + before.back() + place);
        for (std::size_t i = 0; i < piece.ngrams.size(); ++i) {
            const auto& [prefix, last, occurrences] = piece.ngrams[i];
            ngrams[numbers_of[before.back() + i] - words.size()] = {
                i < piece.of_two_words ? kept_words[prefix] : numbers_of[before.back() + prefix], kept_words[last],
                occurrences};
        }
    }
    Information result(order, size - learnt->size(), std::move(words), std::move(ngrams));
    if (keeps_texts) {
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
            if (longest != kNothing) longest = numbers_of[word.before + longest];
        }
        learnt->counts_of = std::move(numbers.places);
        result.texts_ = std::move(learnt);
    }
    return result;
}

Information::Information(unsigned order, std::uint64_t total, std::vector<Word> words, std::vector<Ngram> ngrams)
    : order_(order), total_(total), log_total_(total > 0 ? logarithm2(static_cast<double>(total)) : 0),
      words_(std::move(words)), ngrams_(std::move(ngrams)), lookup_(std::make_shared<LookupWhenNeeded>()) {
    if (words_.size() + ngrams_.size() >= kUnknown) throw std::length_error("there are too many n-grams to learn from");
    nodes_.reserve(words_.size() + ngrams_.size());
    std::uint64_t largest = 1;
    for (const Word& word : words_) largest = std::max(largest, word.count);
    logs_.resize(std::min<std::uint64_t>(largest, kMostLogs) + 1);
    for (std::size_t count = 1; count < logs_.size(); ++count) logs_[count] = logarithm2(static_cast<double>(count));
    for (const Word& word : words_) nodes_.push_back({log(word.count), kUnknown, 1});
    for (const Ngram& ngram : ngrams_) {
        if (ngram.prefix >= nodes_.size() || ngram.last >= words_.size() || ngram.count < 2)
            throw std::invalid_argument("information weights: an n-gram begins or ends with nothing known");
        nodes_.push_back({log(ngram.count), ngram.prefix, nodes_[ngram.prefix].order + 1});
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
    const auto log_count = [&] { return information.node(static_cast<std::uint32_t>(places.size())).log_count; };
    for (const Information::Word& word : information.words()) places.push_back(words_.add(word.key, log_count()));
    for (const Information::Ngram& ngram : information.ngrams())
        places.push_back(ngrams_.add(pair({places[ngram.prefix]}, {places[ngram.last]}), log_count()));
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
