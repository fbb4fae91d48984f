#include "metrics/repeated_ngrams.hpp"

#include <algorithm>
#include <utility>

namespace tertium {
namespace {

constexpr std::uint32_t kNothing = Information::kUnknown;
constexpr std::size_t kPlacesAtOnce = std::size_t{1} << 16;

// Calls visit(0), visit(1) … visit(count - 1), and looks at the watch now and then.
template <class Visit>
void for_all(std::size_t count, Watch& watch, Visit visit) {
    for (std::size_t begin = 0; begin < count; begin += kPlacesAtOnce) {
        watch.checkpoint();
        const std::size_t end = std::min(begin + kPlacesAtOnce, count);
        for (std::size_t k = begin; k < end; ++k) visit(k);
    }
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
    void operator()(unsigned n, NgramPlaces& of, std::vector<std::size_t>& parts, Watch& watch) {
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
        const std::span<NgramPlace> repeats = std::span(of.places).first(found);
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
    std::span<Repeat> find_repeats(const NgramPlaces& of, std::size_t first, std::size_t last) {
        const std::uint32_t begin = begin_ = of.begin(first), size = size_ = of.begin(last) - begin;
        begins_.assign(size + 1, 0);
        for (std::size_t k = first; k < last; ++k) begins_[of.begin(k) - begin] = 1;
        if (repeats_.size() <= size) repeats_.resize(size + 1);
        const NgramPlace* const places = of.places.data() + begin;
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
    std::size_t number_repeats(unsigned n, NgramPlaces& of, std::span<Repeat> repeats, std::size_t& found) {
        const NgramPlace* const places = of.places.data() + begin_;
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
        NgramPlace* const numbered = of.places.data() + std::exchange(found, found + repeats.size());
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
    void keep_what_may_go_on(NgramPlaces& of, std::span<NgramPlace> repeats, Watch& watch) {
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
    LargeList<NgramPlace> room_;
    // Of the part that is worked on: where it begins in the list, and its size; where the places of each n-gram of one
    // word less begin; which places are repeats; and the numbers of n-grams that come again.
    std::uint32_t begin_ = 0, size_ = 0;
    std::vector<std::uint8_t> begins_;
    std::vector<Repeat> repeats_;
    std::vector<std::uint32_t> number_;
};

// Parts are so many words that what is worked on stays in the cache, more or less.
template <class Times>
RepeatedNgrams counted(LearntTexts& texts, unsigned order, NgramPlaces places, std::span<const std::uint32_t> numbers,
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
    RepeatedNgrams result;
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

}  // namespace

NgramPlaces places_of_words(std::span<const std::uint32_t> texts, std::span<const CountedWord> words, Watch& watch) {
    NgramPlaces of;
    of.ends.reserve(words.size());
    std::uint32_t sum = 0;
    for (const CountedWord& word : words)
        of.ends.push_back(std::exchange(sum, sum + static_cast<std::uint32_t>(word.count)));
    of.places.resize(sum);
    for_all(texts.size(), watch, [&](std::size_t i) {
        const std::uint32_t next = i + 1 < texts.size() ? texts[i + 1] : 0;
        of.places[of.ends[texts[i]]++] = {static_cast<std::uint32_t>(i), next};
    });
    return of;
}

RepeatedNgrams repeated_ngrams(LearntTexts& texts, unsigned order, NgramPlaces places,
                               std::span<const std::uint32_t> numbers, std::size_t kept_words,
                               std::span<const std::uint32_t> times, Watch& watch) {
    return times.empty() ? counted(texts, order, std::move(places), numbers, kept_words, Once{}, watch)
                         : counted(texts, order, std::move(places), numbers, kept_words, AsTexts{times}, watch);
}

void add_lone_ngrams(const LearntTexts& texts, unsigned order, std::span<const std::uint32_t> numbers,
                     std::uint32_t kept_words, RepeatedNgrams& repeated, Watch& watch) {
    std::vector<std::uint32_t> lengths{1};  // in words, of those that have several places, after that of none
    lengths.reserve(repeated.ngrams.size() + 1);
    for (const Information::Ngram& ngram : repeated.ngrams)
        lengths.push_back(ngram.prefix < kept_words ? 2 : lengths[ngram.prefix - kept_words + 1] + 1);
    LargeList<Information::Ngram>& ngrams = repeated.saved;
    for (std::size_t text = 0; text + 1 < texts.starts.size(); ++text) {
        if (texts.times[text] < 2) continue;
        watch.checkpoint();
        const std::size_t end = texts.starts[text + 1] - 1;
        for (std::size_t i = texts.starts[text]; i < end; ++i) {
            const std::uint32_t longest = texts.longest_of[i];
            std::uint32_t prefix =
                longest > 0 ? kept_words + repeated.saved_at[longest - 1] : numbers[texts.words_of[i]];
            for (std::size_t n = lengths[longest] + 1; n <= order && i + n <= end; ++n) {
                ngrams.push_back({prefix, numbers[texts.words_of[i + n - 1]], texts.times[text]});
                prefix = kept_words + static_cast<std::uint32_t>(ngrams.size() - 1);
            }
        }
    }
}

}  // namespace tertium
