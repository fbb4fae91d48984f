// Counting all n-grams of a corpus, and keeping those that occur at least twice.
//
// Words are numbered first. An n-gram that is kept begins and ends with kept (n-1)-grams, so order by order fewer
// places are left to look at. All n-grams that begin with the same word go to the same bucket; buckets know nothing
// of each other, so threads take them one by one, and each is small enough for its table to stay in the cache.

#include "information.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace tertium {
namespace {

constexpr std::uint32_t kNothing = Information::kUnknown;
constexpr std::size_t kTextsInRun = 64, kPlacesInBucket = 4096;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return folded_product(a ^ 0x9E3779B97F4A7C15u, b ^ 0xD6E8FEB86659FD93u) + 0x9E3779B97F4A7C15u;
}

// Numbers different keys 0, 1, … in the order in which they come, and counts each.
class Numbers {
public:
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> counts;

    // Forgets everything; `expected` keys fit without growing.
    void reset(std::size_t expected) {
        keys.clear();
        counts.clear();
        slots_.assign(std::bit_ceil(std::max<std::size_t>(2 * expected, 16)), 0);
    }
    std::uint32_t count(std::uint64_t key) {
        const std::uint32_t number = find_or_add(key);
        ++counts[number];
        return number;
    }

private:
    std::uint32_t find_or_add(std::uint64_t key) {
        const std::size_t last = slots_.size() - 1;
        for (std::uint64_t i = folded_product(key ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u);; ++i) {
            std::uint32_t& number_plus_one = slots_[i & last];
            if (number_plus_one == 0) {
                keys.push_back(key);
                counts.push_back(0);
                number_plus_one = static_cast<std::uint32_t>(keys.size());
                if (2 * keys.size() > slots_.size()) grow();
                return static_cast<std::uint32_t>(keys.size() - 1);
            }
            if (keys[number_plus_one - 1] == key) return number_plus_one - 1;
        }
    }
    void grow() {
        slots_.assign(2 * slots_.size(), 0);
        const std::size_t last = slots_.size() - 1;
        for (std::size_t number = 0; number < keys.size(); ++number) {
            std::uint64_t i = folded_product(keys[number] ^ 0xD6E8FEB86659FD93u, 0x9E3779B97F4A7C15u);
            while (slots_[i & last] != 0) ++i;
            slots_[i & last] = static_cast<std::uint32_t>(number + 1);
        }
    }
    std::vector<std::uint32_t> slots_;
};

// All texts as numbers of kept words, with kNothing for other words and after each text.
struct NumberedTexts {
    std::vector<std::uint32_t> places;
    std::vector<Information::Word> words;
    std::uint64_t total = 0;
};

NumberedTexts numbered(const TokenSource& texts, unsigned threads, Watch& watch) {
    std::vector<std::vector<Key>> runs((texts.size() + kTextsInRun - 1) / kTextsInRun);
    parallel_for(
        runs.size(), threads, watch,
        [&] {
            return [&, scratch = Tokenizer::Scratch{}, space = Tokens{}](std::size_t begin, std::size_t end) mutable {
                for (std::size_t run = begin; run < end; ++run) {
                    const std::size_t stop = std::min((run + 1) * kTextsInRun, texts.size());
                    for (std::size_t i = run * kTextsInRun; i < stop; ++i) {
                        texts.prefetch(i + 3);
                        const auto keys = texts.tokens(i, scratch, space);
                        runs[run].insert(runs[run].end(), keys.begin(), keys.end());
                        runs[run].push_back(kNoToken);
                    }
                }
            };
        },
        1);

    NumberedTexts result;
    std::size_t size = 0;
    for (const auto& keys : runs) size += keys.size();
    if (size >= kNothing) throw std::length_error("information weights are learnt from at most 2^32 - 2 words");
    result.places.reserve(size);
    Numbers numbers;
    numbers.reset(1 << 12);
    for (auto& keys : runs) {
        watch.checkpoint();
        for (const Key key : keys) {
            result.total += key != kNoToken;
            result.places.push_back(key == kNoToken ? kNothing : numbers.count(key));
        }
        std::vector<Key>().swap(keys);
    }
    std::vector<std::uint32_t> kept(numbers.keys.size(), kNothing);
    for (std::size_t number = 0; number < kept.size(); ++number) {
        if (numbers.counts[number] < 2) continue;
        kept[number] = static_cast<std::uint32_t>(result.words.size());
        result.words.push_back({numbers.keys[number], numbers.counts[number]});
    }
    for (std::uint32_t& place : result.places)
        if (place != kNothing) place = kept[place];
    return result;
}

// Where n-grams may begin, by the bucket of their first word.
struct Buckets {
    std::vector<std::uint32_t> places;
    std::vector<std::size_t> ends;

    explicit Buckets(std::span<const std::uint32_t> words) {
        const std::size_t last = std::bit_ceil(std::clamp<std::size_t>(words.size() / kPlacesInBucket, 1, 4096)) - 1;
        ends.assign(last + 1, 0);
        // The second of two words must be known too.
        const auto begins = [&](std::size_t i) { return words[i] != kNothing && words[i + 1] != kNothing; };
        const std::size_t stop = words.empty() ? 0 : words.size() - 1;
        for (std::size_t i = 0; i < stop; ++i)
            if (begins(i)) ++ends[words[i] & last];
        std::size_t sum = 0;
        for (std::size_t& end : ends) sum = std::exchange(end, sum) + sum;
        places.resize(sum);
        for (std::size_t i = 0; i < stop; ++i)
            if (begins(i)) places[ends[words[i] & last]++] = static_cast<std::uint32_t>(i);
    }
    std::span<std::uint32_t> bucket(std::size_t b) {
        const std::size_t begin = b == 0 ? 0 : ends[b - 1];
        return std::span(places).subspan(begin, ends[b] - begin);
    }
};

// The kept n-grams of one bucket. Those of two words come first, and have a word for their prefix; the others have
// the index of an n-gram in this list.
struct Kept {
    std::vector<Information::Ngram> ngrams;
    std::size_t of_two_words = 0;
};

struct CountingSpace {
    Numbers numbers;
    std::vector<std::uint32_t> found, kept, prefixes;
};

// Overwrites `places`.
Kept counted(std::span<const std::uint32_t> words, std::span<std::uint32_t> places, unsigned order,
             CountingSpace& space) {
    Kept result;
    auto& [numbers, found, kept, prefixes] = space;
    prefixes.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) prefixes[i] = words[places[i]];
    std::size_t left = places.size();
    for (unsigned n = 2; n <= order && left > 1; ++n) {
        numbers.reset(left);
        found.resize(left);
        for (std::size_t i = 0; i < left; ++i)
            found[i] = numbers.count(std::uint64_t{prefixes[i]} << 32 | words[places[i] + n - 1]);
        kept.assign(numbers.keys.size(), kNothing);
        for (std::size_t k = 0; k < kept.size(); ++k) {
            if (numbers.counts[k] < 2) continue;
            kept[k] = static_cast<std::uint32_t>(result.ngrams.size());
            result.ngrams.push_back({static_cast<std::uint32_t>(numbers.keys[k] >> 32),
                                     static_cast<std::uint32_t>(numbers.keys[k]), numbers.counts[k]});
        }
        if (n == 2) result.of_two_words = result.ngrams.size();
        std::size_t next = 0;
        for (std::size_t i = 0; i < left; ++i) {
            if (kept[found[i]] == kNothing || words[places[i] + n] == kNothing) continue;
            prefixes[next] = kept[found[i]];
            places[next++] = places[i];
        }
        left = next;
    }
    return result;
}

}  // namespace

Information Information::learnt(const TokenSource& texts, unsigned order, unsigned threads, Watch& watch) {
    NumberedTexts numbered_texts = numbered(texts, threads, watch);
    if (order < 2) return Information(order, numbered_texts.total, std::move(numbered_texts.words), {});
    Buckets buckets(numbered_texts.places);
    std::vector<Kept> kept(buckets.ends.size());
    parallel_for(
        kept.size(), threads, watch,
        [&] {
            return [&, space = CountingSpace{}](std::size_t begin, std::size_t end) mutable {
                for (std::size_t b = begin; b < end; ++b)
                    kept[b] = counted(numbered_texts.places, buckets.bucket(b), order, space);
            };
        },
        1);
    std::vector<Ngram> ngrams;
    std::size_t size = 0;
    for (const Kept& bucket : kept) size += bucket.ngrams.size();
    ngrams.reserve(size);
    for (const Kept& bucket : kept) {
        const auto before = static_cast<std::uint32_t>(numbered_texts.words.size() + ngrams.size());
        for (std::size_t i = 0; i < bucket.ngrams.size(); ++i) {
            Ngram ngram = bucket.ngrams[i];
            if (i >= bucket.of_two_words) ngram.prefix += before;
            ngrams.push_back(ngram);
        }
    }
    return Information(order, numbered_texts.total, std::move(numbered_texts.words), std::move(ngrams));
}

Information::Information(unsigned order, std::uint64_t total, std::vector<Word> words, std::vector<Ngram> ngrams)
    : order_(order),
      total_(total),
      log_total_(total > 0 ? std::log2(static_cast<double>(total)) : 0),
      words_(std::move(words)),
      ngrams_(std::move(ngrams)),
      words_table_(words_.size(), 0),
      ngrams_table_(ngrams_.size(), words_table_.size()) {
    std::vector<std::uint32_t> places;
    places.reserve(words_.size() + ngrams_.size());
    for (const Word& word : words_) places.push_back(words_table_.add(word.key, word.count));
    for (const Ngram& ngram : ngrams_) {
        if (ngram.prefix >= places.size() || ngram.last >= words_.size() || ngram.count < 2)
            throw std::invalid_argument("information weights: an n-gram begins or ends with nothing known");
        places.push_back(ngrams_table_.add(pair({places[ngram.prefix]}, {places[ngram.last]}), ngram.count));
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

Information::Table::Table(std::size_t most, std::size_t first_place)
    : entries_(std::bit_ceil(most + most / 3 + 1)),
      last_(entries_.size() - 1),
      first_place_(static_cast<std::uint32_t>(first_place)) {
    // Far from kUnknown, and a pair of places is never kNoToken.
    if (first_place + entries_.size() > kNoToken >> 32) throw std::length_error("there are too many n-grams to learn from");
}

std::uint32_t Information::Table::add(std::uint64_t key, std::uint64_t count) {
    std::uint64_t i = hash(key);
    while (entries_[i & last_].key != kNoToken) ++i;
    entries_[i & last_] = {key, std::log2(static_cast<double>(count))};
    return first_place_ + static_cast<std::uint32_t>(i & last_);
}

}  // namespace tertium
