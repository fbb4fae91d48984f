#include "metrics/word_numbers.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace tertium {
namespace {

// Numbers different words 1, 2, … in the order in which they come, and counts each; 0 is what follows a text.
//
// Most words stand in one of two slots side by side, and go on to the next two where both are taken. A processor
// cannot guess which of them holds a word, nor whether it is new, and a wrong guess costs as much as a few words. So
// nothing branches on that: all are looked up in their first two slots, and those that are not there are left for a
// second turn.
class Numbers {
public:
    std::vector<CountedWord> words{{kNoToken, 0}};

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

}  // namespace

void refuse_too_many_words() { throw std::length_error("information weights are learnt from at most 2^32 - 2 words"); }

std::vector<CountedWord> number_words(const TokenSource& texts, std::span<const std::uint32_t> chosen, unsigned threads,
                                      Watch& watch, LargeList<std::uint32_t>& words_of,
                                      std::vector<std::size_t>& starts) {
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
    words_of.reserve(bytes / 5 + chosen.size());  // as many as it mostly takes, and the same for the slots
    starts.reserve(chosen.size() + 1);
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
            const std::size_t before = words_of.size();
            if (before + runs[k].keys.size() >= kTooManyWords) refuse_too_many_words();
            words_of.resize(before + runs[k].keys.size());
            numbers.number(runs[k].keys, words_of.data() + before);
            for (const std::uint32_t end : runs[k].ends) starts.push_back(before + end);
        }
    }
    return std::move(numbers.words);
}

}  // namespace tertium
