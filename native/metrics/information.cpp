// Counting all n-grams of a corpus, and keeping those that occur at least twice.
//
// Words are numbered, and the places of each are listed, with the word that follows there. One array says for each word
// where in the list it followed last. If that is among the places of the same first word, the two words are there
// again:
//
//     places of "the":  3 cat   8 dog   20 cat      "cat" followed last at 3: "the cat" has the places 3, 20
//
//     places of "a":    5 dog   27 cat              "dog" followed last at 8, which is no place of "a"
//
// So the list is gone through in one go, and nothing has to be cleared where the places of the next word begin. Three
// words have several places only if the first two and the last two have; so the places of "the cat" are listed in turn,
// with the number of the two words that begin at the next place, if they have one. And so on.
//
// Most of this hangs on what the texts hold, which a processor cannot guess; so it is done without branches.
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
constexpr std::size_t kPlacesAtOnce = std::size_t{1} << 16;
// More tokens than these are not kept, which take 8 bytes each, nor if n-grams have more counts, which take 4 bytes.
constexpr std::size_t kMostKept = std::size_t{1} << 23, kMostCounts = std::size_t{1} << 25;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return folded_product(a ^ 0x9E3779B97F4A7C15u, b ^ 0xD6E8FEB86659FD93u) + 0x9E3779B97F4A7C15u;
}

[[noreturn]] void refuse_too_many_words() {
    throw std::length_error("information weights are learnt from at most 2^32 - 2 words");
}

// Calls visit(0), visit(1) … visit(count - 1), and looks at the watch now and then.
template <class Visit>
void for_all(std::size_t count, Watch& watch, Visit visit) {
    for (std::size_t begin = 0; begin < count; begin += kPlacesAtOnce) {
        watch.checkpoint();
        const std::size_t end = std::min(begin + kPlacesAtOnce, count);
        for (std::size_t k = begin; k < end; ++k) visit(k);
    }
}

// Numbers different words 1, 2, … in the order in which they come, and counts each; 0 is what follows a text.
//
// Most words stand in one of two slots side by side, and go on to the next two where both are taken. A processor
// cannot guess which of them holds a word, nor whether it is new, and a wrong guess costs as much as a few words. So
// nothing branches on that: all are looked up in their first two slots, and those that are not there are left for a
// second turn.
class Numbers {
public:
    std::vector<Information::Word> words{{kNoToken, 0}};

    explicit Numbers(std::size_t expected) { make_slots(std::bit_ceil(std::max<std::size_t>(expected, 16))); }

    void number(std::span<const Key> keys, std::uint32_t* numbers) {
        for (std::size_t at = 0; at < keys.size(); at += kAtOnce)
            number_few(keys.subspan(at, std::min(kAtOnce, keys.size() - at)), numbers + at);
    }

private:
    static constexpr std::size_t kAtOnce = 256;

    // What follows a text is at 0, a slot of its own.
    std::size_t first_slot(Key key) const { return folded_product(key ^ kNoToken, 0x9E3779B97F4A7C15u) & last_; }

    void number_few(std::span<const Key> keys, std::uint32_t* numbers) {
        std::size_t first[kAtOnce], left = 0;
        std::uint32_t places[kAtOnce + 1];
        for (std::size_t i = 0; i < keys.size(); ++i) {
            first[i] = first_slot(keys[i]);
#if defined(__GNUC__)
            __builtin_prefetch(&slots_[first[i]]);
#endif
        }
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const Key key = keys[i];
            const std::size_t slot = first[i] ^ std::size_t{slots_[first[i]].key != key};
            numbers[i] = slots_[slot].number;
            places[left] = static_cast<std::uint32_t>(i);
            left += slots_[slot].key != key;
        }
        for (const std::uint32_t i : std::span(places).first(left)) numbers[i] = found_or_added(keys[i]);
        for (const std::uint32_t number : std::span(numbers, keys.size())) ++words[number].count;
    }

    std::uint32_t found_or_added(Key key) {
        if (8 * words.size() >= 5 * slots_.size()) make_slots(2 * slots_.size());
        Slot& slot = slot_of(key);
        if (slot.key == kNoToken) {
            slot = {key, static_cast<std::uint32_t>(words.size())};
            words.push_back({key, 0});
        }
        return slot.number;
    }

    struct Slot {
        Key key = kNoToken;  // if it is free
        std::uint32_t number = 0;
    };
    // The first that has this key or is free.
    Slot& slot_of(Key key) {
        for (std::size_t at = first_slot(key);; at = (at + 2) & last_)
            for (const std::size_t slot : {at, at ^ 1})
                if (slots_[slot].key == key || (slots_[slot].key == kNoToken && slot != 0)) return slots_[slot];
    }
    void make_slots(std::size_t count) {
        last_ = count - 1;
        slots_.assign(count, {});
        for (std::size_t number = 1; number < words.size(); ++number)
            slot_of(words[number].key) = {words[number].key, static_cast<std::uint32_t>(number)};
    }

    LargeList<Slot> slots_;
    std::size_t last_ = 0;
};

// Numbers the words of the chosen texts, and fills in where texts start. Words are numbered a few texts at a time, so
// that their keys need not be stored.
std::vector<Information::Word> number_words(const TokenSource& texts, std::span<const std::uint32_t> chosen,
                                            LearntTexts& learnt, unsigned threads, Watch& watch) {
    // Few texts are cut by one thread: what another cuts takes longer to come here than it would take to cut it.
    constexpr std::size_t kTextsInRun = 1024, kFewTexts = std::size_t{1} << 16;
    const std::size_t runs_at_once = threads == 1 || chosen.size() < kFewTexts ? 1 : 4 * threads;
    struct Run {
        std::vector<Key> keys;
        std::vector<std::uint32_t> ends;
    };
    std::vector<Run> runs(runs_at_once);
    std::size_t bytes = 0;
    for (const std::uint32_t text : chosen) bytes += texts.made_from(text).size();
    learnt.words_of.reserve(bytes / 5 + chosen.size());  // as many as it mostly takes, and the same for the slots
    learnt.starts.reserve(chosen.size() + 1);
    Numbers numbers(std::min<std::size_t>(bytes / 40, 1 << 20));
    for (std::size_t begin = 0; begin < chosen.size(); begin += runs_at_once * kTextsInRun) {
        const std::span<const std::uint32_t> here =
            chosen.subspan(begin, std::min(chosen.size() - begin, runs_at_once * kTextsInRun));
        parallel_for(
            here.size(), threads, watch,
            [&] {
                return
                    [&, scratch = Tokenizer::Scratch{}, space = Tokens{}](std::size_t first, std::size_t last) mutable {
                        Run& run = runs[first / kTextsInRun];
                        if (first % kTextsInRun == 0) {
                            run.keys.clear();
                            run.ends.clear();
                        }
                        for (std::size_t i = first; i < last; ++i) {
                            if (i + 3 < here.size()) texts.prefetch(here[i + 3]);
                            const std::span<const Key> keys = texts.tokens(here[i], scratch, space);
                            run.keys.insert(run.keys.end(), keys.begin(), keys.end());
                            run.keys.push_back(kNoToken);
                            run.ends.push_back(static_cast<std::uint32_t>(run.keys.size()));
                        }
                    };
            },
            kTextsInRun);
        for (std::size_t k = 0; k * kTextsInRun < here.size(); ++k) {
            watch.checkpoint();
            const std::size_t before = learnt.words_of.size();
            if (before + runs[k].keys.size() >= kNothing) refuse_too_many_words();
            learnt.words_of.resize(before + runs[k].keys.size());
            numbers.number(runs[k].keys, learnt.words_of.data() + before);
            for (const std::uint32_t end : runs[k].ends) learnt.starts.push_back(before + end);
        }
    }
    return std::move(numbers.words);
}

// A place where an n-gram begins, and what follows the n-gram there: a word, or the n-gram as long that begins at the
// next place; 0 if that is nothing, or occurs there alone.
struct Place {
    std::uint32_t place, next;
};

// The places of n-grams, ascending: those of the k-th are places[ends[k - 1]] … places[ends[k] - 1].
struct Places {
    LargeList<Place> places;  // and some room
    std::vector<std::uint32_t> ends;

    bool empty() const { return ends.empty() || ends.back() == 0; }
    std::uint32_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
};

Places places_of_words(std::span<const std::uint32_t> texts, std::span<const Information::Word> words, Watch& watch) {
    Places of;
    of.ends.reserve(words.size());
    std::uint32_t sum = 0;
    for (const Information::Word& word : words)
        of.ends.push_back(std::exchange(sum, sum + static_cast<std::uint32_t>(word.count)));
    of.places.resize(sum);
    for_all(texts.size(), watch, [&](std::size_t i) {
        const std::uint32_t next = i + 1 < texts.size() ? texts[i + 1] : 0;
        of.places[of.ends[texts[i]]++] = {static_cast<std::uint32_t>(i), next};
    });
    return of;
}

// The first if `is` is 1, the second if it is 0. Where the processor cannot guess which, a branch would take longer.
std::uint32_t either(std::uint32_t is, std::uint32_t first, std::uint32_t second) {
    return second ^ ((second ^ first) & (0 - is));
}

// How often a place counts: once, or as often as its text comes.
struct Once {
    std::uint32_t operator()(std::uint32_t) const { return 1; }
};
struct AsTexts {
    std::span<const std::uint32_t> times;
    std::uint32_t operator()(std::uint32_t place) const { return times[place]; }
};

template <class Times>
class Counting {
public:
    LargeList<Information::Ngram> ngrams;  // short ones first

    // `numbers` are those of the kept words, which the kept n-grams come after; `times` is how often each place counts.
    Counting(LearntTexts& texts, std::span<const std::uint32_t> numbers, std::uint32_t kept_words, Times times)
        : words_(texts.words_of), longest_(texts.longest_of), numbers_(numbers), kept_words_(kept_words),
          times_(times) {}

    // Adds the n-grams that begin with those at these places, and notes where each is the longest. What is worked on at
    // once are those that begin with [parts[k], parts[k + 1]); the numbers of what is found there become the parts, and
    // the places that n-grams of one word more may have become the places.
    void operator()(unsigned n, Places& of, std::vector<std::size_t>& parts, Watch& watch) {
        known_ = ngrams.size();
        latest_.assign(n == 2 ? numbers_.size() : of.ends.size() + 1, 0);
        firsts_.clear();
        std::size_t found = 0, first = std::exchange(parts.front(), 0);
        for (std::size_t& part : std::span(parts).subspan(1)) {
            watch.checkpoint();
            const std::span<Repeat> here = find_repeats(of, first, part);
            first = part;
            part = number_repeats(n, of, here, found);
        }
        const std::span<Place> repeats = std::span(of.places).first(found);
        const auto row = static_cast<std::uint32_t>(known_ + 1);
        for (std::size_t ngram = 0; ngram < firsts_.size(); ++ngram)
            longest_[firsts_[ngram]] = row + static_cast<std::uint32_t>(ngram);
        for_all(found, watch, [&](std::size_t k) { longest_[repeats[k].place] = row + repeats[k].next; });
        keep_what_may_go_on(of, repeats, watch);
    }

private:
    // Where in the part of the list that is worked on an n-gram begins, and where it did so before; once it is
    // numbered, the place and the number.
    struct Repeat {
        std::uint32_t at, before;
    };

    // Returns the places whose n-gram has a place before in the list.
    std::span<Repeat> find_repeats(const Places& of, std::size_t first, std::size_t last) {
        const std::uint32_t begin = begin_ = of.begin(first), size = size_ = of.begin(last) - begin;
        begins_.assign(size + 1, 0);
        for (std::size_t k = first; k < last; ++k) begins_[of.begin(k) - begin] = 1;
        if (repeats_.size() <= size) repeats_.resize(size + 1);
        const Place* const places = of.places.data() + begin;
        const std::uint8_t* const begins = begins_.data();
        std::uint32_t* const latest = latest_.data();
        Repeat* const repeats = repeats_.data();
        std::uint32_t start = 0, found = 0;
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t next = places[i].next, before = std::exchange(latest[next], begin + i + 1);
            start = either(begins[i], begin + i, start);
            repeats[found] = {i, before - 1 - begin};
            found += std::uint32_t{before > start} & std::uint32_t{next != 0};
        }
        return std::span(repeats_).first(found);
    }

    // Numbers their n-grams in the order in which they come again, and adds them. The repeated places, each with the
    // number of its n-gram, come to the front of the list, where `found` of them are already.
    std::size_t number_repeats(unsigned n, Places& of, std::span<Repeat> repeats, std::size_t& found) {
        const Place* const places = of.places.data() + begin_;
        const std::size_t first = firsts_.size();
        firsts_.resize(first + repeats.size() + 1);  // the last for one that is not new
        number_.assign(size_, kNothing);
        std::uint32_t* const number = number_.data();
        auto next = static_cast<std::uint32_t>(first);
        for (Repeat& repeat : repeats) {
            const auto [at, before] = repeat;
            const std::uint32_t is_new = number[before] == kNothing, ngram = either(is_new, next, number[before]);
            number[before] = number[at] = ngram;
            firsts_[next] = places[before].place;
            next += is_new;
            repeat = {places[at].place, ngram};
        }
        firsts_.resize(next);
        add_ngrams(n, first);
        Place* const numbered = of.places.data() + std::exchange(found, found + repeats.size());
        for (std::size_t k = 0; k < repeats.size(); ++k) {
            const auto [place, ngram] = repeats[k];
            numbered[k] = {place, ngram};
            ngrams[known_ + ngram].count += times_(place);
        }
        return firsts_.size();
    }

    // Those that are numbered from `first` on, as often as their first places count.
    void add_ngrams(unsigned n, std::size_t first) {
        for (std::size_t k = first; k < firsts_.size(); ++k) {
#if defined(__GNUC__)
            __builtin_prefetch(&words_[firsts_[std::min(k + kAhead, firsts_.size() - 1)]]);
#endif
            const std::uint32_t place = firsts_[k];
            const std::uint32_t prefix = n == 2 ? numbers_[words_[place]] : kept_words_ + longest_[place] - 1;
            ngrams.push_back({prefix, numbers_[words_[place + n - 1]], times_(place)});
        }
    }

    // An n-gram of one word more has several places only if that which begins with its second word does too.
    void keep_what_may_go_on(Places& of, std::span<Place> repeats, Watch& watch) {
        const auto known = static_cast<std::uint32_t>(known_);
        const std::uint32_t* const longest = longest_.data();
        of.ends.resize(firsts_.size());
        for (std::size_t ngram = 0; ngram < firsts_.size(); ++ngram)
            of.ends[ngram] = longest[firsts_[ngram] + 1] > known;
        if (nexts_.size() <= repeats.size()) nexts_.resize(repeats.size() + 1);
        std::size_t kept = 0;
        for_all(repeats.size(), watch, [&](std::size_t k) {
#if defined(__GNUC__)
            __builtin_prefetch(&longest[repeats[std::min(k + kAhead, repeats.size() - 1)].place + 1]);
#endif
            const auto [place, ngram] = repeats[k];
            const std::uint32_t next = longest[place + 1], goes_on = next > known;
            of.ends[ngram] += goes_on;
            repeats[kept] = {place, ngram};
            nexts_[kept] = next - known;
            kept += goes_on;
        });
        std::uint32_t sum = 0;
        for (std::uint32_t& end : of.ends) end = std::exchange(sum, sum + end);
        if (room_.size() <= sum) room_.resize(sum + 1);  // the last for one that does not go on
        for (std::uint32_t ngram = 0; ngram < firsts_.size(); ++ngram) {
            const std::uint32_t next = longest[firsts_[ngram] + 1], goes_on = next > known;
            room_[either(goes_on, of.ends[ngram], sum)] = {firsts_[ngram], next - known};
            of.ends[ngram] += goes_on;
        }
        for_all(kept, watch, [&](std::size_t k) { room_[of.ends[repeats[k].next]++] = {repeats[k].place, nexts_[k]}; });
        std::swap(of.places, room_);
    }

    static constexpr std::size_t kAhead = 32;

    std::span<const std::uint32_t> words_;
    std::span<std::uint32_t> longest_;
    std::span<const std::uint32_t> numbers_;
    std::uint32_t kept_words_;
    Times times_;
    std::size_t known_ = 0;              // n-grams that are shorter
    std::vector<std::uint32_t> latest_;  // of each that may follow: where in the list it did so last, counted from 1
    std::vector<std::uint32_t> firsts_;  // of each n-gram, its first place
    LargeList<std::uint32_t> nexts_;
    LargeList<Place> room_;
    // Of the part that is worked on: where it begins in the list, and its size; where the places of each n-gram of one
    // word less begin; which places are repeats; and the numbers of n-grams that come again.
    std::uint32_t begin_ = 0, size_ = 0;
    std::vector<std::uint8_t> begins_;
    std::vector<Repeat> repeats_;
    std::vector<std::uint32_t> number_;
};

// The kept n-grams that have several places, short ones first; and how they are saved: part by part.
struct Counted {
    LargeList<Information::Ngram> ngrams, saved;
    std::vector<std::uint32_t> saved_at;
};

// Parts are so many words that what is worked on stays in the cache, more or less.
template <class Times>
Counted counted(LearntTexts& texts, unsigned order, Places places, std::span<const std::uint32_t> numbers,
                std::size_t kept_words, Times times, Watch& watch) {
    std::vector<std::size_t> parts{1};
    for (std::size_t word = 1; word < numbers.size(); ++word)
        if (word > parts.back() && places.ends[word] - places.begin(parts.back()) >= kPlacesAtOnce)
            parts.push_back(word);
    parts.push_back(numbers.size());

    Counting<Times> count(texts, numbers, static_cast<std::uint32_t>(kept_words), times);
    std::vector<std::vector<std::size_t>> parts_of;  // of each order
    for (unsigned n = 2; n <= order && !places.empty(); ++n) {
        const std::size_t before = count.ngrams.size();
        count(n, places, parts, watch);
        parts_of.push_back(parts);
        for (std::size_t& part : parts_of.back()) part += before;
    }
    Counted result;
    result.ngrams = std::move(count.ngrams);
    result.saved.resize(result.ngrams.size());
    result.saved_at.resize(result.ngrams.size());
    const auto words = static_cast<std::uint32_t>(kept_words);
    std::uint32_t at = 0;
    for (std::size_t part = 0; part + 1 < parts.size(); ++part)
        for (std::size_t n = 0; n < parts_of.size(); ++n)
            for (std::size_t k = parts_of[n][part]; k < parts_of[n][part + 1]; ++k, ++at) {
                Information::Ngram& ngram = result.saved[at] = result.ngrams[k];
                if (n > 0) ngram.prefix = words + result.saved_at[ngram.prefix - words];
                result.saved_at[k] = at;
            }
    return result;
}

// Adds those that have one place, in a text that comes several times.
void add_lone_ngrams(const LearntTexts& texts, unsigned order, std::span<const std::uint32_t> numbers,
                     std::uint32_t kept_words, Counted& counted, Watch& watch) {
    std::vector<std::uint32_t> lengths{1};  // in words, of those that have several places, after that of none
    lengths.reserve(counted.ngrams.size() + 1);
    for (const Information::Ngram& ngram : counted.ngrams)
        lengths.push_back(ngram.prefix < kept_words ? 2 : lengths[ngram.prefix - kept_words + 1] + 1);
    LargeList<Information::Ngram>& ngrams = counted.saved;
    for (std::size_t text = 0; text + 1 < texts.starts.size(); ++text) {
        if (texts.times[text] < 2) continue;
        watch.checkpoint();
        const std::size_t end = texts.starts[text + 1] - 1;
        for (std::size_t i = texts.starts[text]; i < end; ++i) {
            const std::uint32_t longest = texts.longest_of[i];
            std::uint32_t prefix =
                longest > 0 ? kept_words + counted.saved_at[longest - 1] : numbers[texts.words_of[i]];
            for (std::size_t n = lengths[longest] + 1; n <= order && i + n <= end; ++n) {
                ngrams.push_back({prefix, numbers[texts.words_of[i + n - 1]], texts.times[text]});
                prefix = kept_words + static_cast<std::uint32_t>(ngrams.size() - 1);
            }
        }
    }
}

// For LearntTexts: the rows of all n-grams that have several places, after that of none; and some room.
LargeList<std::uint32_t> chains(std::span<const Information::Ngram> ngrams, const Information& information,
                                std::size_t length) {
    const std::size_t words = information.words().size();
    LargeList<std::uint32_t> result((ngrams.size() + 1) * length + LearntTexts::kBeyondChain);
    std::uint32_t* row = result.data();
    for (const Information::Ngram& ngram : ngrams) {
        row += length;
        std::uint32_t* own = row;
        if (ngram.prefix >= words)
            for (const std::uint32_t* of = &result[(ngram.prefix - words + 1) * length]; *of != 0;) *own++ = *of++;
        *own = information.place_of_log(ngram.count);
    }
    return result;
}

}  // namespace

Information Information::learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch) {
    auto learnt = std::make_shared<LearntTexts>();
    EqualTexts equal = equal_texts(texts, watch);
    std::vector<Word> words = number_words(texts, equal.firsts, *learnt, threads, watch);
    const std::size_t size = learnt->words_of.size();
    learnt->longest_of.resize(size);
    Places places = places_of_words(learnt->words_of, words, watch);

    const bool repeats = equal.firsts.size() < texts.size();
    std::uint64_t total = 0;
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

    std::vector<Word> kept(words.size());
    std::vector<std::uint32_t> numbers(words.size(), kNothing);
    std::uint32_t several = 0;
    for (std::size_t word = 1; word < words.size(); ++word) {
        const std::uint32_t keeps = words[word].count > 1;
        numbers[word] = either(keeps, several, kNothing);
        kept[several] = words[word];
        several += keeps;
    }
    kept.resize(several);
    const std::size_t kept_words = kept.size();
    Counted ngrams = repeats ? counted(*learnt, order, std::move(places), numbers, kept_words, AsTexts{times}, watch)
                             : counted(*learnt, order, std::move(places), numbers, kept_words, Once{}, watch);
    if (repeats) {
        learnt->times = std::move(equal.times);
        add_lone_ngrams(*learnt, order, numbers, static_cast<std::uint32_t>(kept_words), ngrams, watch);
    }
    Information result(order, total, std::move(kept), std::move(ngrams.saved));
    if (size <= kMostKept && ngrams.ngrams.size() < kMostCounts / order) {
        learnt->which = std::move(equal.which);
        learnt->known_keys.reserve(words.size());
        learnt->known_logs.reserve(words.size());
        for (const Word& word : words) {
            if (word.key == short_key('0', 1)) learnt->zero = static_cast<std::uint32_t>(learnt->known_keys.size());
            learnt->known_keys.push_back(word.key);
            learnt->known_logs.push_back(result.log(word.count));
        }
        learnt->chain_length = order - 1;
        learnt->chains = chains(ngrams.ngrams, result, order - 1);
        result.texts_ = std::move(learnt);
    }
    return result;
}

Information::Information(unsigned order, std::uint64_t total, std::vector<Word> words, LargeList<Ngram> ngrams)
    : order_(order), total_(total), log_total_(total > 0 ? logarithm2(static_cast<double>(total)) : 0),
      words_(std::move(words)), ngrams_(std::move(ngrams)), lookup_(std::make_shared<LookupWhenNeeded>()) {
    if (words_.size() + ngrams_.size() >= kUnknown) throw std::length_error("there are too many n-grams to learn from");
    logs_.resize(2);
    const auto note_log = [&](std::uint64_t count) {
        if (count > kLargeCount) return large_counts_.push_back(count);
        if (count >= logs_.size()) logs_.resize(count + 1);
        if (logs_[count] == 0) logs_[count] = logarithm2(static_cast<double>(count));
    };
    for (const Word& word : words_) note_log(word.count);
    std::size_t known = words_.size();
    for (const Ngram& ngram : ngrams_) {
        if (ngram.prefix >= known++ || ngram.last >= words_.size() || ngram.count < 2)
            throw std::invalid_argument("information weights: an n-gram begins or ends with nothing known");
        note_log(ngram.count);
    }
    std::sort(large_counts_.begin(), large_counts_.end());
    large_counts_.erase(std::unique(large_counts_.begin(), large_counts_.end()), large_counts_.end());
    for (const std::uint64_t count : large_counts_) logs_.push_back(logarithm2(static_cast<double>(count)));
}

std::uint32_t Information::place_of_log(std::uint64_t count) const {
    const std::size_t others = logs_.size() - large_counts_.size();
    if (count < others) return static_cast<std::uint32_t>(count);
    const auto found = std::lower_bound(large_counts_.begin(), large_counts_.end(), count);
    if (found == large_counts_.end() || *found != count) return 0;  // nothing that is known counts so much
    return static_cast<std::uint32_t>(others + static_cast<std::size_t>(found - large_counts_.begin()));
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
