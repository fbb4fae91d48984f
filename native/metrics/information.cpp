// Counting all n-grams of a corpus, and keeping those that occur at least twice.
//
// Words are numbered, and the places of each are listed. What follows a word at its places gives the n-grams of two
// words that begin with it and the places of each; what follows those gives the n-grams of three words, and so on.
// So all that is left to do for one n-gram is to count numbers, in an array with a count for each word, and an n-gram
// that has one place is left out of what comes next.
//
//     places of "the": 3 8 20 31    next words: cat dog cat end    "the cat" at 3 20; "the dog", "the end" occur once
//
// Of equal texts only the first has places, and each of them counts as often as the text comes. So an n-gram is kept
// for one of two reasons: it has several places, or one, in a text that comes several times. From where it has one
// place on, all that go on from there count what the text does, and nothing has to be counted:
//
//     the cat sat (twice)    the dog lay      "the" counts 3; "the cat", "the cat sat" and "cat sat" count 2

#include "metrics/information.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "text/equal_texts.hpp"

namespace tertium {
namespace {

constexpr std::uint32_t kNothing = Information::kUnknown;
constexpr std::size_t kTextsInRun = LearntTexts::kTextsInRun, kPlacesAtOnce = std::size_t{1} << 16, kAhead = 12;
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
        const LargeList<Entry> before = std::exchange(entries_, LargeList<Entry>(2 * entries_.size()));
        for (const Entry& entry : before)
            if (entry.number != kNothing) entry_of(entry.key) = entry;
    }
    LargeList<Entry> entries_;
};

[[noreturn]] void refuse_too_many_words() {
    throw std::length_error("information weights are learnt from at most 2^32 - 2 words");
}

std::vector<std::vector<Key>> tokens_in_runs(const TokenSource& texts, std::span<const std::uint32_t> chosen,
                                             unsigned threads, Watch& watch) {
    std::vector<std::vector<Key>> runs((chosen.size() + kTextsInRun - 1) / kTextsInRun);
    parallel_for(
        runs.size(), threads, watch,
        [&] {
            return [&, scratch = Tokenizer::Scratch{}, space = Tokens{}, expected = std::size_t{0}](
                       std::size_t begin, std::size_t end) mutable {
                for (std::size_t run = begin; run < end; ++run) {
                    const std::size_t stop = std::min((run + 1) * kTextsInRun, chosen.size());
                    std::vector<Key>& all = runs[run];
                    all.reserve(expected);
                    for (std::size_t i = run * kTextsInRun; i < stop; ++i) {
                        if (i + 3 < chosen.size()) texts.prefetch(chosen[i + 3]);
                        const auto keys = texts.tokens(chosen[i], scratch, space);
                        all.insert(all.end(), keys.begin(), keys.end());
                        all.push_back(kNoToken);
                    }
                    expected = all.size() + all.size() / 8;  // of the next
                }
            };
        },
        1);
    return runs;
}

// Numbers the words, counts the places of each, and fills in where texts start.
std::vector<Information::Word> number_words(LearntTexts& texts, std::size_t size, Watch& watch) {
    texts.words_of.resize(size);
    Numbers numbers(std::min<std::size_t>(size / 8, 1 << 20));
    std::uint32_t* next = texts.words_of.data();
    for (const auto& keys : texts.runs) {
        watch.checkpoint();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            numbers.prefetch(keys[std::min(i + kAhead, keys.size() - 1)]);
            if (keys[i] == kNoToken) [[unlikely]] {
                *next++ = kNothing;
                texts.starts.push_back(static_cast<std::size_t>(next - texts.words_of.data()));
            } else {
                *next++ = numbers.count(keys[i]);
            }
        }
    }
    numbers.finish();
    return std::move(numbers.words);
}

// A place, and the word after the n-gram that begins there, with 1 added so that it is 0 at the end of a text.
struct Place {
    std::uint32_t place, next;
};

// The places of each word, ascending: those of word w are places[ends[w - 1]] … places[ends[w] - 1].
struct PlacesOfWords {
    LargeList<Place> places;
    std::vector<std::uint32_t> ends;

    PlacesOfWords(std::span<const std::uint32_t> texts, std::span<const Information::Word> words) {
        ends.reserve(words.size());
        std::uint32_t sum = 0;
        for (const Information::Word& word : words)
            ends.push_back(std::exchange(sum, sum + static_cast<std::uint32_t>(word.count)));
        places.resize(sum);
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (texts[i] != kNothing) places[ends[texts[i]]++] = {static_cast<std::uint32_t>(i), texts[i + 1] + 1};
    }
    std::uint32_t begin(std::size_t word) const { return word == 0 ? 0 : ends[word - 1]; }
};

// Where an n-gram begins: places [begin, end) of some list.
struct Occurrences {
    std::uint32_t begin, end, ngram;
};

// How often a place counts: once, or as often as its text comes.
struct Once {
    static constexpr bool kOnce = true;
    std::uint32_t operator()(std::uint32_t) const { return 1; }
};
struct AsTexts {
    static constexpr bool kOnce = false;
    std::span<const std::uint32_t> times;
    std::uint32_t operator()(std::uint32_t place) const { return times[place]; }
};

template <class Times>
class Counting {
public:
    LargeList<Information::Ngram> ngrams;

    // `numbers` are those of the kept words, which the kept n-grams come after; `times` is how often each place counts.
    Counting(LearntTexts& texts, unsigned order, std::span<const std::uint32_t> numbers, std::uint32_t kept_words,
             Times times)
        : words_(texts.words_of), longest_(texts.longest_of), numbers_(numbers), order_(order), kept_words_(kept_words),
          times_(times), following_(numbers.size() + 1) {}

    // Adds those that begin with the words [first, last), and notes where each is the longest.
    void operator()(const PlacesOfWords& of, std::size_t first, std::size_t last) {
        now_.clear();
        for (std::size_t word = first; word < last; ++word)
            if (of.ends[word] - of.begin(word) > 1) now_.push_back({of.begin(word), of.ends[word], numbers_[word]});
        std::span<const Place> places = of.places;
        for (unsigned n = 2; n <= order_ && !now_.empty(); ++n) {
            next_.clear();
            std::size_t most = 1;  // the last is for places that are written but do not count
            for (const Occurrences& prefix : now_) most += prefix.end - prefix.begin;
            longer_.resize(most);
            std::uint32_t used = 0;
            for (const Occurrences& prefix : now_)
                used = extend(places.subspan(prefix.begin, prefix.end - prefix.begin), prefix.ngram, used);
            if (n < order_)
                for (Place& place : std::span(longer_).first(used)) place.next = words_[place.place + n] + 1;
            for (const auto& [begin, end, ngram] : next_)
                for (std::uint32_t i = begin; i < end; ++i) longest_[longer_[i].place] = ngram - kept_words_ + 1;
            std::swap(now_, next_);
            std::swap(longer_, before_);
            places = before_;
        }
    }

private:
    // Counts what follows one (n-1)-gram, and lists the places of those n-grams that have several.
    std::uint32_t extend(std::span<const Place> places, std::uint32_t prefix, std::uint32_t used) {
        const auto add = [&](std::uint32_t last, std::uint32_t count, std::size_t size) {
            const auto end = used + static_cast<std::uint32_t>(size);
            next_.push_back({used, end, kept_words_ + static_cast<std::uint32_t>(ngrams.size())});
            ngrams.push_back({prefix, numbers_[last - 1], count});
            used = end;
        };
        const std::uint32_t first = places.front().next;
        if (std::all_of(places.begin(), places.end(), [&](const Place& place) { return place.next == first; })) {
            if (first == 0) return used;
            std::copy(places.begin(), places.end(), longer_.begin() + used);
            std::uint32_t count = 0;
            for (const Place& place : places) count += times_(place.place);
            add(first, count, places.size());  // as often as the prefix, so at least twice
            return used;
        }
        if (places.size() == 2) return used;  // they differ, so each occurs once
        if (different_.size() < places.size()) different_.resize(2 * places.size());
        std::size_t different = 0;
        for (const Place& place : places) {
            different_[different] = place.next;
            Following& following = following_[place.next];
            different += following.count == 0;
            if (!Times::kOnce)
                following.slot = following.count == 0 ? 1 : following.slot + 1;  // for now, how many places
            following.count += times_(place.place);
        }
        const auto nowhere = static_cast<std::uint32_t>(longer_.size() - 1);
        const std::uint32_t before = used;
        for (std::size_t k = 0; k < different; ++k) {
            const std::uint32_t last = different_[k];
            // Where places count once, the slot means nothing yet.
            const auto [count, size] = std::exchange(following_[last], {0, nowhere});
            if ((Times::kOnce ? count : size) < 2 || last == 0) continue;
            following_[last].slot = used;
            add(last, count, Times::kOnce ? count : size);
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
    std::span<std::uint32_t> longest_;
    std::span<const std::uint32_t> numbers_;
    unsigned order_;
    std::uint32_t kept_words_;
    Times times_;
    std::vector<Occurrences> now_, next_;
    std::vector<Following> following_;
    std::vector<std::uint32_t> different_;
    std::vector<Place> longer_, before_;
};

// All kept n-grams, those that begin with a few words at a time, so that what is worked on stays in the cache.
template <class Times>
LargeList<Information::Ngram> counted(LearntTexts& texts, unsigned order, const PlacesOfWords& places,
                                      std::span<const std::uint32_t> numbers, std::size_t kept_words, Times times,
                                      Watch& watch) {
    Counting<Times> count(texts, order, numbers, static_cast<std::uint32_t>(kept_words), times);
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = last) {
        watch.checkpoint();
        for (const std::size_t begin = places.begin(first);
             last < numbers.size() && (last == first || places.ends[last] - begin < kPlacesAtOnce);)
            ++last;
        count(places, first, last);
    }
    return std::move(count.ngrams);
}

// Adds those that have one place, in a text that comes several times.
void add_lone_ngrams(const LearntTexts& texts, unsigned order, std::span<const std::uint32_t> numbers,
                     std::uint32_t kept_words, LargeList<Information::Ngram>& ngrams, Watch& watch) {
    std::vector<std::uint32_t> lengths{1};  // in words, of those that have several places, after that of none
    lengths.reserve(ngrams.size() + 1);
    for (const Information::Ngram& ngram : ngrams)
        lengths.push_back(ngram.prefix < kept_words ? 2 : lengths[ngram.prefix - kept_words + 1] + 1);
    for (std::size_t text = 0; text + 1 < texts.starts.size(); ++text) {
        if (texts.times[text] < 2) continue;
        watch.checkpoint();
        const std::size_t end = texts.starts[text + 1] - 1;
        for (std::size_t i = texts.starts[text]; i < end; ++i) {
            const std::uint32_t longest = texts.longest_of[i];
            std::uint32_t prefix = longest > 0 ? kept_words + longest - 1 : numbers[texts.words_of[i]];
            for (std::size_t n = lengths[longest] + 1; n <= order && i + n <= end; ++n) {
                ngrams.push_back({prefix, numbers[texts.words_of[i + n - 1]], texts.times[text]});
                prefix = kept_words + static_cast<std::uint32_t>(ngrams.size() - 1);
            }
        }
    }
}

// For LearntTexts: the rows of all n-grams that have several places, after that of none.
LargeList<std::uint32_t> chains(std::span<const Information::Ngram> ngrams, std::size_t words, std::size_t length) {
    LargeList<std::uint32_t> result((ngrams.size() + 1) * length);
    std::uint32_t* row = result.data();
    for (const Information::Ngram& ngram : ngrams) {
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
    EqualTexts equal = equal_texts(texts, watch);
    learnt->runs = tokens_in_runs(texts, equal.firsts, threads, watch);
    std::size_t size = 0;
    std::uint64_t total = 0;
    for (const auto& keys : learnt->runs) size += keys.size();
    if (size >= kNothing) refuse_too_many_words();
    learnt->longest_of.resize(size);
    std::vector<Word> words = number_words(*learnt, size, watch);
    const bool keeps_texts = size <= kMostKept;
    if (!keeps_texts) std::vector<std::vector<Key>>().swap(learnt->runs);
    const PlacesOfWords places(learnt->words_of, words);

    const bool repeats = equal.firsts.size() < texts.size();
    std::vector<std::uint32_t> times(repeats ? size : 0);  // of places
    for (std::size_t text = 0; text < equal.times.size(); ++text) {
        const std::uint32_t here = equal.times[text];
        total += std::uint64_t{here} * learnt->length(text);
        for (std::size_t i = learnt->starts[text]; repeats && i + 1 < learnt->starts[text + 1]; ++i) {
            times[i] = here;
            words[learnt->words_of[i]].count += here - 1;
        }
    }
    if (total >= kNothing) refuse_too_many_words();

    std::vector<Word> kept;
    std::vector<std::uint32_t> numbers;  // of words that are kept
    numbers.reserve(words.size());
    for (const Word& word : words) {
        numbers.push_back(word.count > 1 ? static_cast<std::uint32_t>(kept.size()) : kNothing);
        if (word.count > 1) kept.push_back(word);
    }
    LargeList<Ngram> ngrams = repeats ? counted(*learnt, order, places, numbers, kept.size(), AsTexts{times}, watch)
                                      : counted(*learnt, order, places, numbers, kept.size(), Once{}, watch);
    const std::size_t with_places = ngrams.size(), kept_words = kept.size();
    if (repeats) {
        learnt->times = std::move(equal.times);
        add_lone_ngrams(*learnt, order, numbers, static_cast<std::uint32_t>(kept_words), ngrams, watch);
    }
    Information result(order, total, std::move(kept), std::move(ngrams));
    if (keeps_texts && with_places < kMostCounts / order) {
        learnt->which = std::move(equal.which);
        learnt->word_logs.reserve(words.size());
        for (const Word& word : words) learnt->word_logs.push_back(result.log(word.count));
        learnt->chain_length = order - 1;
        learnt->chains = chains(result.ngrams().first(with_places), kept_words, order - 1);
        result.texts_ = std::move(learnt);
    }
    return result;
}

Information::Information(unsigned order, std::uint64_t total, std::vector<Word> words, LargeList<Ngram> ngrams)
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
    LargeList<std::uint64_t> names;
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
