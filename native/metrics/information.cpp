#include "metrics/information.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "metrics/repeated_ngrams.hpp"
#include "text/equal_texts.hpp"

namespace tertium {
namespace {

// More tokens than these are not kept, which take 8 bytes each, nor if n-grams have more counts, which take 4 bytes.
constexpr std::size_t kMostKept = std::size_t{1} << 23, kMostCounts = std::size_t{1} << 25;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return folded_product(a ^ 0x9E3779B97F4A7C15u, b ^ 0xD6E8FEB86659FD93u) + 0x9E3779B97F4A7C15u;
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
    std::vector<Word> words = number_words(texts, equal.firsts, threads, watch, learnt->words_of, learnt->starts);
    const std::size_t size = learnt->words_of.size();
    learnt->longest_of.resize(size);
    NgramPlaces places = places_of_words(learnt->words_of, words, watch);

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
    if (total >= kTooManyWords) refuse_too_many_words();

    std::vector<Word> kept(words.size());
    std::vector<std::uint32_t> numbers(words.size(), kUnknown);
    std::uint32_t several = 0;
    for (std::size_t word = 1; word < words.size(); ++word) {
        const std::uint32_t keeps = words[word].count > 1;
        numbers[word] = either(keeps, several, kUnknown);
        kept[several] = words[word];
        several += keeps;
    }
    kept.resize(several);
    const std::size_t kept_words = kept.size();
    RepeatedNgrams ngrams = repeated_ngrams(*learnt, order, std::move(places), numbers, kept_words, times, watch);
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
