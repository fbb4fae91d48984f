#include "paraphrase/pivot.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

#include "paraphrase/phrase_pairs.hpp"

namespace tertium {

namespace {

constexpr std::size_t kPivotBytes = 16;
constexpr std::size_t kLongList = 1024, kMostLists = 8;  // see Pivot::paraphrases
constexpr std::size_t kAhead = 8;                        // phrases that the table is asked for in advance

void put_big_endian(char* at, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) *at++ = static_cast<char>(value >> shift);
}

std::uint32_t big_endian(const char* at) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(at[i]);
    return value;
}

template <class Number>
Number number_at(const char* at) {
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class Number>
void put(char* at, Number value) {
    std::memcpy(at, &value, sizeof value);
}

void add_counts(char* kept, const char* same, std::size_t key_size) {
    put(kept + key_size, number_at<std::uint32_t>(kept + key_size) + number_at<std::uint32_t>(same + key_size));
}

// The sorter knows no settings, so there is one way to add for each length of a phrase.
template <std::size_t Longest>
void add_counts_of(char* kept, const char* same) {
    add_counts(kept, same, 4 * Longest + kPivotBytes);
}

ExternalSort::Combine adding(std::size_t longest) {
    constexpr ExternalSort::Combine ways[] = {add_counts_of<1>, add_counts_of<2>, add_counts_of<3>, add_counts_of<4>,
                                              add_counts_of<5>, add_counts_of<6>, add_counts_of<7>, add_counts_of<8>,
                                              add_counts_of<9>, add_counts_of<10>};
    return ways[longest - 1];
}

std::array<std::uint64_t, 2> pivot_hash(std::span<const Key> keys) {
    std::uint64_t a = 0x9E3779B97F4A7C15u + keys.size(), b = 0xC2B2AE3D27D4EB4Fu ^ keys.size();
    for (const Key key : keys) {
        a = folded_product(a ^ key, 0xD6E8FEB86659FD93u) + 0x2545F4914F6CDD1Du;
        b = folded_product(b + key, 0xA0761D6478BD642Fu) ^ std::rotl(b, 29);
    }
    return {a, b};
}

// Words between blanks and tabs.
template <class Take>
void each_word(std::string_view text, Take take) {
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (true) {
        while (at < end && blank(*at)) ++at;
        if (at == end) return;
        const char* const begin = at;
        while (at < end && !blank(*at)) ++at;
        take(std::string_view(begin, static_cast<std::size_t>(at - begin)), end);
    }
}

void number_words(std::string_view text, WordNumbers& words, std::vector<std::uint32_t>& numbers) {
    numbers.clear();
    each_word(text, [&](std::string_view word, const char*) { numbers.push_back(words.number(word)); });
}

void key_words(std::string_view text, std::vector<Key>& keys) {
    keys.clear();
    each_word(text,
              [&](std::string_view word, const char* end) { keys.push_back(key_of(word.data(), word.size(), end)); });
}

}  // namespace

std::uint32_t WordNumbers::number(std::string_view word) {
    if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
    words_.emplace_back(word);
    const auto number = static_cast<std::uint32_t>(words_.size());
    numbers_.emplace(words_.back(), number);
    return number;
}

PivotSource::PivotSource(WordNumbers& words, const std::string& prefix, std::size_t longest, std::size_t memory,
                         unsigned threads, bool counted)
    : words_(words), longest_(longest), counted_(counted),
      sort_(prefix, 4 * longest + kPivotBytes + (counted ? 4 : 16), 4 * longest + kPivotBytes, memory, threads,
            counted ? adding(longest) : nullptr),
      record_(4 * longest + kPivotBytes + 16) {}

void PivotSource::add_pair(std::span<const std::uint32_t> phrase, std::span<const Key> pivot, double first,
                           double second, Watch& watch) {
    std::memset(record_.data(), 0, 4 * longest_);
    for (std::size_t i = 0; i < phrase.size(); ++i) put_big_endian(record_.data() + 4 * i, phrase[i]);
    put(record_.data() + 4 * longest_, pivot_hash(pivot));
    char* const payload = record_.data() + 4 * longest_ + kPivotBytes;
    if (counted_) {
        put(payload, std::uint32_t{1});
    } else {
        put(payload, first);
        put(payload + 8, second);
    }
    sort_.add(record_.data(), watch);
    ++counts.instances;
}

std::optional<Fault> PivotSource::add_sentences(std::span<const std::string_view> texts,
                                                std::span<const std::string_view> pivots,
                                                std::span<const std::string_view> links, bool inverse, bool skip_empty,
                                                Watch& watch) {
    std::vector<std::uint32_t> words;
    std::vector<Key> keys;
    std::vector<Link> parsed;
    PhrasePairs pairs;
    for (std::size_t line = 0; line < texts.size(); ++line) {
        if (line % 64 == 0) watch.checkpoint();
        ++counts.lines;
        number_words(texts[line], words_, words);
        key_words(pivots[line], keys);
        if (!parse_links(links[line], inverse, parsed)) return Fault{Fault::links, line, 0, 0};
        if (words.empty() != keys.empty() && !skip_empty)
            return Fault{words.empty() ? Fault::empty_text : Fault::empty_pivot, line, 0, 0};
        for (const Link& link : parsed) {
            if (link.text >= words.size()) return Fault{Fault::text_position, line, link.text, words.size()};
            if (link.pivot >= keys.size()) return Fault{Fault::pivot_position, line, link.pivot, keys.size()};
        }
        if (words.empty() || keys.empty()) {
            ++counts.skipped;
            continue;
        }
        pairs(words.size(), keys.size(), parsed, longest_,
              [&](std::size_t begin, std::size_t end, std::size_t from, std::size_t to) {
                  add_pair(std::span(words).subspan(begin, end - begin), std::span(keys).subspan(from, to - from), 1, 1,
                           watch);
              });
    }
    return std::nullopt;
}

std::optional<Fault> PivotSource::add_table(std::span<const std::string_view> lines, bool phrases_are_sources,
                                            Watch& watch) {
    std::vector<std::uint32_t> words;
    std::vector<Key> keys;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        if (line % 1024 == 0) watch.checkpoint();
        ++counts.lines;
        std::array<std::string_view, 3> fields;
        std::string_view rest = lines[line];
        std::size_t found = 0;
        while (found < 3) {
            const std::size_t bar = rest.find(" |||");
            fields[found++] = rest.substr(0, bar);
            if (bar == std::string_view::npos) break;
            rest.remove_prefix(bar + 4);
        }
        if (found < 3) return Fault{Fault::fields, line, found, 3};

        std::array<double, 3> numbers{};
        std::size_t count = 0;
        bool proper = true;
        each_word(fields[2], [&](std::string_view word, const char*) {
            if (count >= 3 || !proper) return;
            const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), numbers[count]);
            proper = wrong == std::errc() && end == word.data() + word.size();
            ++count;
        });
        if (!proper) return Fault{Fault::number, line, count, 0};
        if (count < 3) return Fault{Fault::fields, line, count, 0};
        for (const std::size_t which : {0u, 2u})
            if (!(numbers[which] > 0 && numbers[which] <= 1)) return Fault{Fault::probability, line, which + 1, 0};

        // Words are numbered only where the phrase is short enough to be kept.
        const std::string_view phrase = fields[phrases_are_sources ? 0 : 1], pivot = fields[phrases_are_sources];
        key_words(pivot, keys);
        std::size_t length = 0;
        each_word(phrase, [&](std::string_view, const char*) { ++length; });
        if (length == 0) return Fault{Fault::empty_text, line, 0, 0};
        if (keys.empty()) return Fault{Fault::empty_pivot, line, 0, 0};
        if (length > longest_) {
            ++counts.too_long;
            continue;
        }
        number_words(phrase, words_, words);
        const double source_given_target = numbers[0], target_given_source = numbers[2];
        if (phrases_are_sources)
            add_pair(words, keys, target_given_source, source_given_target, watch);
        else
            add_pair(words, keys, source_given_target, target_given_source, watch);
    }
    return std::nullopt;
}

void PivotSource::finish(const std::string& path, Watch& watch) {
    const std::size_t phrase_size = 4 * longest_, key_size = phrase_size + kPivotBytes;
    OutputFile file(path);
    std::vector<char> group;  // pivots of one phrase, whose total must be known first
    std::vector<char> previous(key_size);
    std::vector<std::uint32_t> pivot_counts;
    double total = 0;
    const auto write_group = [&] {
        const std::size_t members = group.size() / key_size;
        if (members) ++counts.phrases;
        for (std::size_t i = 0; i < members; ++i) {
            file.write(group.data() + i * key_size, key_size);
            const double values[2] = {pivot_counts[i] / total, static_cast<double>(pivot_counts[i])};
            file.write(values, sizeof values);
        }
        group.clear();
        pivot_counts.clear();
        total = 0;
    };
    bool any = false;
    sort_.each(watch, [&](const char* record) {
        const bool same_phrase = any && std::memcmp(previous.data(), record, phrase_size) == 0;
        ++counts.pairs;
        if (counted_) {
            if (!same_phrase) write_group();
            group.insert(group.end(), record, record + key_size);
            pivot_counts.push_back(number_at<std::uint32_t>(record + key_size));
            total += pivot_counts.back();
        } else {
            if (!same_phrase) ++counts.phrases;
            if (any && twice.empty() && std::memcmp(previous.data(), record, key_size) == 0)
                for (std::size_t i = 0; i < longest_ && big_endian(record + 4 * i); ++i)
                    twice.append(i ? " " : "").append(words_.word(big_endian(record + 4 * i)));
            file.write(record, key_size + 16);
        }
        std::memcpy(previous.data(), record, key_size);
        any = true;
    });
    write_group();
    file.close();
}

// Merges the files by phrase, sorts by pivot, and keeps the pivots that at least two phrases share.
Pivot::Pivot(const WordNumbers& words, const std::vector<PivotFile>& files, const std::string& prefix,
             std::size_t longest, std::size_t memory, unsigned threads, Watch& watch)
    : words_(words), longest_(longest) {
    const std::size_t phrase_size = 4 * longest, record_size = phrase_size + kPivotBytes + 16;
    double weights = 0;
    std::vector<std::unique_ptr<RecordFile>> sources;
    for (const PivotFile& file : files) {
        sources.push_back(std::make_unique<RecordFile>(file.path, record_size));
        weights += file.weight;
    }

    const std::string phrases_path = prefix + "phrases";
    ExternalSort by_pivot(prefix + "pivots", kPivotBytes + 8 + 16, kPivotBytes + 8, memory, threads);
    {
        OutputFile phrases(phrases_path);
        std::array<char, kPivotBytes + 8 + 16> record;
        std::vector<char> phrase(phrase_size);
        while (true) {
            const RecordFile* first = nullptr;
            for (const auto& source : sources)
                if (source->record() && (!first || std::memcmp(source->record(), first->record(), phrase_size) < 0))
                    first = source.get();
            if (!first) break;
            std::memcpy(phrase.data(), first->record(), phrase_size);
            phrases.write(phrase.data(), phrase_size);
            for (std::size_t which = 0; which < sources.size(); ++which) {
                RecordFile& source = *sources[which];
                while (source.record() && std::memcmp(source.record(), phrase.data(), phrase_size) == 0) {
                    const char* const pivot = source.record() + phrase_size;
                    std::memcpy(record.data(), pivot, kPivotBytes);
                    put_big_endian(record.data() + kPivotBytes, static_cast<std::uint32_t>(which));
                    put_big_endian(record.data() + kPivotBytes + 4, static_cast<std::uint32_t>(all_phrases));
                    const double pivot_given_text =
                        number_at<double>(pivot + kPivotBytes) * (files[which].weight / weights);
                    put(record.data() + kPivotBytes + 8, pivot_given_text);
                    put(record.data() + kPivotBytes + 16, number_at<double>(pivot + kPivotBytes + 8));
                    by_pivot.add(record.data(), watch);
                    ++all_pairs;
                    source.advance();
                }
            }
            if (++all_phrases % 1024 == 0) watch.checkpoint();
        }
        phrases.close();
    }
    sources.clear();

    std::vector<std::uint64_t> used((all_phrases + 63) / 64);
    std::vector<double> pivot_given_text;  // beside text_given_pivot_
    struct Member {
        std::uint32_t phrase;
        double pivot_given_text, other;
    };
    std::vector<Member> members;
    std::array<char, kPivotBytes + 4> previous{};
    const auto close_group = [&] {
        if (members.empty()) return;
        ++all_pivots;
        if (members.size() > 1) {
            const bool counted = files[big_endian(previous.data() + kPivotBytes)].counted;
            double total = 1;
            if (counted) {
                total = 0;
                for (const Member& member : members) total += member.other;
            }
            for (const Member& member : members) {
                pivot_texts_.push_back(member.phrase);
                text_given_pivot_.push_back(member.other / total);
                pivot_given_text.push_back(member.pivot_given_text);
                used[member.phrase / 64] |= std::uint64_t{1} << member.phrase % 64;
            }
            pivot_offsets_.push_back(pivot_texts_.size());
        }
        members.clear();
    };
    by_pivot.each(watch, [&](const char* record) {
        if (std::memcmp(previous.data(), record, previous.size()) != 0) close_group();
        std::memcpy(previous.data(), record, previous.size());
        members.push_back({big_endian(record + kPivotBytes + 4), number_at<double>(record + kPivotBytes + 8),
                           number_at<double>(record + kPivotBytes + 16)});
    });
    close_group();

    // Only phrases that share a pivot stay; they are numbered anew, in the same order.
    std::vector<std::uint32_t> used_before(used.size());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
        used_before[i] = count;
        count += static_cast<std::uint32_t>(std::popcount(used[i]));
    }
    for (std::uint32_t& phrase : pivot_texts_) {
        const std::uint64_t below = (std::uint64_t{1} << phrase % 64) - 1;
        phrase = used_before[phrase / 64] + static_cast<std::uint32_t>(std::popcount(used[phrase / 64] & below));
    }
    phrase_words_.reserve(count * longest);
    {
        RecordFile phrases(phrases_path, phrase_size);
        for (std::size_t i = 0; i < all_phrases; ++i, phrases.advance()) {
            if (i % 4096 == 0) watch.checkpoint();
            if (!phrases.record()) throw Refused(phrases_path + " is shorter than it was written.");
            if (used[i / 64] >> i % 64 & 1)
                for (std::size_t word = 0; word < longest; ++word)
                    phrase_words_.push_back(big_endian(phrases.record() + 4 * word));
        }
    }
    std::remove(phrases_path.c_str());

    text_offsets_.assign(count + 1, 0);
    for (const std::uint32_t phrase : pivot_texts_) ++text_offsets_[phrase + 1];
    for (std::size_t i = 0; i < count; ++i) text_offsets_[i + 1] += text_offsets_[i];
    text_pivots_.resize(pivot_texts_.size());
    pivot_given_text_.resize(pivot_texts_.size());
    std::vector<std::uint64_t> next(text_offsets_.begin(), text_offsets_.end() - 1);
    for (std::size_t pivot = 0; pivot + 1 < pivot_offsets_.size(); ++pivot)
        for (std::uint64_t at = pivot_offsets_[pivot]; at < pivot_offsets_[pivot + 1]; ++at) {
            const std::uint64_t place = next[pivot_texts_[at]]++;
            text_pivots_[place] = static_cast<std::uint32_t>(pivot);
            pivot_given_text_[place] = pivot_given_text[at];
        }
}

std::span<const std::uint32_t> Pivot::words_of(std::size_t phrase) const {
    const std::uint32_t* const begin = phrase_words_.data() + phrase * longest_;
    return {begin, static_cast<std::size_t>(std::find(begin, begin + longest_, 0u) - begin)};
}

// Sums by phrase, in an open-addressing table that grows with the work of one row.
struct Pivot::Scratch {
    struct Slot {
        std::uint32_t phrase, round;
        double sum;
    };
    struct Found {
        double probability;
        std::uint32_t phrase;
    };
    std::vector<Slot> slots;
    std::vector<std::uint32_t> taken;  // slots in use
    std::vector<Found> found;
    std::vector<std::uint32_t> words;  // of what was found
    struct List {                      // the phrases of one pivot, in order, and what each gets of it
        const std::uint32_t *at, *end;
        const double* share;
        double factor;
    };
    std::vector<List> lists;
    std::string ours;
    std::uint32_t round = 0;
    std::size_t mask = 0;  // of the slots that this row uses: few, so that they stay in the cache

    void clear(std::size_t most) {
        const std::size_t size = std::bit_ceil(std::max<std::size_t>(2 * most, 64));
        mask = size - 1;
        if (slots.size() < size) {
            slots.assign(size, {});
            round = 0;
        }
        taken.clear();
        found.clear();
        if (++round == 0) {
            std::fill(slots.begin(), slots.end(), Slot{});
            round = 1;
        }
    }
    std::size_t place(std::uint32_t phrase) const { return (phrase * std::uint64_t{0x9E3779B97F4A7C15u} >> 20) & mask; }
    void expect([[maybe_unused]] std::uint32_t phrase) const {
#if defined(__GNUC__)
        __builtin_prefetch(&slots[place(phrase)]);
#endif
    }
    // The sum of a phrase, which then counts as seen.
    double take(std::uint32_t phrase) {
        std::size_t at = place(phrase);
        while (slots[at].round == round && slots[at].phrase != phrase) at = (at + 1) & mask;
        if (slots[at].round != round) return 0;
        return std::exchange(slots[at].sum, -1.0);
    }
    void add(std::uint32_t phrase, double amount) {
        std::size_t at = place(phrase);
        while (slots[at].round == round && slots[at].phrase != phrase) at = (at + 1) & mask;
        if (slots[at].round != round) {
            slots[at] = {phrase, round, 0};
            taken.push_back(static_cast<std::uint32_t>(at));
        }
        slots[at].sum += amount;
    }
};

namespace {

using Numbers = std::span<const std::uint32_t>;

bool all_of(Numbers words, const std::vector<std::uint8_t>& is, const std::vector<std::uint32_t>& bare) {
    return std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return is[word] || bare[word] == 0; });
}

bool equal_as(Numbers a, Numbers b, const std::vector<std::uint32_t>& form) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                              [&](std::uint32_t x, std::uint32_t y) { return form[x] == form[y]; });
}

bool equal_without_punctuation(Numbers a, Numbers b, const std::vector<std::uint32_t>& bare) {
    std::size_t i = 0, j = 0;
    while (true) {
        while (i < a.size() && bare[a[i]] == 0) ++i;
        while (j < b.size() && bare[b[j]] == 0) ++j;
        if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
        if (bare[a[i++]] != bare[b[j++]]) return false;
    }
}

bool equal_but_for_numbers(Numbers a, Numbers b, const WordForms& forms) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](std::uint32_t x, std::uint32_t y) {
        return forms.lowered[x] == forms.lowered[y] || (forms.is_number[x] && forms.is_number[y]);
    });
}

constexpr std::uint8_t kOnlyPunctuation = 1, kOnlyNumbers = 2, kOnlyFunctionWords = 4;
constexpr std::uint32_t kAnyNumber = 0xFFFFFFFFu;

std::uint64_t mixed(std::uint64_t state, std::uint64_t form) {
    return folded_product(state ^ (form + 0x9E3779B97F4A7C15u), 0xD6E8FEB86659FD93u) + 0x2545F4914F6CDD1Du;
}

}  // namespace

void Pivot::filter(WordForms forms, const PivotFilters& filters, unsigned threads, Watch& watch) {
    forms_ = std::move(forms);
    filters_ = filters;
    for (std::uint32_t word = 1; word <= words_.size(); ++word) {
        spelling_.append(words_.word(word)).append(" ");
        spelling_ends_.push_back(spelling_.size() - 1);
    }
    const std::size_t count = phrases();
    if (filters.same) lowered_hash_.resize(count);
    if (filters.punctuation) bare_hash_.resize(count);
    if (filters.numbers) numberless_hash_.resize(count);
    if (filters.stems) stem_hash_.resize(count);
    only_.assign(count, 0);
    parallel_for(
        count, threads, watch,
        [&] {
            return [&](std::size_t begin, std::size_t end) {
                for (std::size_t phrase = begin; phrase < end; ++phrase) {
                    const Numbers words = words_of(phrase);
                    std::uint64_t lowered = 0, bare = 0, numberless = 0, stem = 0;
                    bool punctuation = true;
                    for (const std::uint32_t word : words) {
                        lowered = mixed(lowered, forms_.lowered[word]);
                        numberless = mixed(numberless, forms_.is_number[word] ? kAnyNumber : forms_.lowered[word]);
                        stem = mixed(stem, forms_.stem[word]);
                        if (forms_.bare[word] == 0) continue;
                        bare = mixed(bare, forms_.bare[word]);
                        punctuation = false;
                    }
                    if (filters_.same) lowered_hash_[phrase] = lowered;
                    if (filters_.punctuation) bare_hash_[phrase] = bare;
                    if (filters_.numbers) numberless_hash_[phrase] = numberless;
                    if (filters_.stems) stem_hash_[phrase] = stem;
                    only_[phrase] = static_cast<std::uint8_t>(
                        (filters_.punctuation && punctuation ? kOnlyPunctuation : 0) |
                        (filters_.numbers && all_of(words, forms_.is_number, forms_.bare) ? kOnlyNumbers : 0) |
                        (filters_.function_words && all_of(words, forms_.is_function_word, forms_.bare)
                             ? kOnlyFunctionWords
                             : 0));
                }
            };
        },
        4096);
}

// Which counter a pair adds to; nullptr if it stays.
std::size_t PivotReport::* Pivot::reason_against(std::size_t phrase, std::size_t other) const {
    const std::uint8_t only = only_[phrase] | only_[other];
    const auto alike = [&](const std::vector<std::uint64_t>& hash) { return hash[phrase] == hash[other]; };
    if (filters_.same && alike(lowered_hash_) && equal_as(words_of(phrase), words_of(other), forms_.lowered))
        return &PivotReport::same;
    if (only & kOnlyPunctuation) return &PivotReport::punctuation;
    if (filters_.punctuation && alike(bare_hash_) &&
        equal_without_punctuation(words_of(phrase), words_of(other), forms_.bare))
        return &PivotReport::punctuation;
    if (only & kOnlyNumbers) return &PivotReport::numbers;
    if (filters_.numbers && alike(numberless_hash_) && equal_but_for_numbers(words_of(phrase), words_of(other), forms_))
        return &PivotReport::numbers;
    if (only & kOnlyFunctionWords) return &PivotReport::function_words;
    if (filters_.stems && alike(stem_hash_) && equal_as(words_of(phrase), words_of(other), forms_.stem))
        return &PivotReport::stems;
    return nullptr;
}

// Takes the phrases of all lists in order, each once, with its sum over the lists and the table.
template <class Judge>
void Pivot::walk(std::size_t phrase, Scratch& scratch, Judge judge) {
    auto& lists = scratch.lists;
    const bool alone = scratch.taken.empty();
    while (!lists.empty()) {
        if (lists.size() == 1) {
            for (Scratch::List& list = lists[0]; list.at != list.end; ++list.at, ++list.share)
                if (*list.at != phrase)
                    judge(*list.at, list.factor * *list.share + (alone ? 0.0 : scratch.take(*list.at)));
            return;
        }
        std::uint32_t next = *lists[0].at;
        for (std::size_t i = 1; i < lists.size(); ++i) next = std::min(next, *lists[i].at);
        double sum = 0;
        bool ended = false;
        for (Scratch::List& list : lists) {
            const bool here = *list.at == next;
            sum += here ? list.factor * *list.share : 0.0;
            list.at += here;
            list.share += here;
            ended |= list.at == list.end;
        }
        if (next != phrase) judge(next, sum + (alone ? 0.0 : scratch.take(next)));
        if (ended) std::erase_if(lists, [](const Scratch::List& list) { return list.at == list.end; });
    }
}

void Pivot::paraphrases(std::size_t phrase, Layout layout, Scratch& scratch, PivotReport& report,
                        std::string& out) const {
    // Pivots of few phrases are summed up in a table. The long lists of common pivots, which are in the order of
    // phrases, are walked through side by side instead: a table as large as that would miss the cache at each step.
    std::size_t work = 0;
    scratch.lists.clear();
    for (std::uint64_t i = text_offsets_[phrase]; i < text_offsets_[phrase + 1]; ++i) {
        const std::uint64_t begin = pivot_offsets_[text_pivots_[i]], end = pivot_offsets_[text_pivots_[i] + 1];
        if (end - begin >= kLongList)
            scratch.lists.push_back({pivot_texts_.data() + begin, pivot_texts_.data() + end,
                                     text_given_pivot_.data() + begin, pivot_given_text_[i]});
        else
            work += end - begin;
    }
    const bool walked = scratch.lists.size() <= kMostLists;
    if (!walked)
        for (const Scratch::List& list : scratch.lists) work += static_cast<std::size_t>(list.end - list.at);
    scratch.clear(std::min(work, phrases()));
    for (std::uint64_t i = text_offsets_[phrase]; i < text_offsets_[phrase + 1]; ++i) {
        const std::uint64_t begin = pivot_offsets_[text_pivots_[i]], end = pivot_offsets_[text_pivots_[i] + 1];
        if (walked && end - begin >= kLongList) continue;
        for (std::uint64_t at = begin; at < end; ++at) {
            if (at + kAhead < end) scratch.expect(pivot_texts_[at + kAhead]);
            if (pivot_texts_[at] != phrase) scratch.add(pivot_texts_[at], pivot_given_text_[i] * text_given_pivot_[at]);
        }
    }

    // A sum that equals the floor but for rounding has reached it.
    const double floor = filters_.floor * (1 - 1e-12);
    const auto judge = [&](std::uint32_t other, double sum) {
        if (!(sum >= floor))
            ++report.floor;
        else if (const auto reason = reason_against(phrase, other))
            ++(report.*reason);
        else
            scratch.found.push_back({sum, other});
    };
    if (walked) walk(phrase, scratch, judge);
    for (const std::uint32_t slot : scratch.taken)
        if (scratch.slots[slot].sum >= 0) judge(scratch.slots[slot].phrase, scratch.slots[slot].sum);
    const auto before = [](const Scratch::Found& a, const Scratch::Found& b) {
        return a.probability != b.probability ? a.probability > b.probability : a.phrase < b.phrase;
    };
    if (filters_.top && scratch.found.size() > filters_.top) {
        report.top += scratch.found.size() - filters_.top;
        std::nth_element(scratch.found.begin(), scratch.found.begin() + static_cast<std::ptrdiff_t>(filters_.top),
                         scratch.found.end(), before);
        scratch.found.resize(filters_.top);
    }
    std::sort(scratch.found.begin(), scratch.found.end(), before);
    report.kept += scratch.found.size();

    // Phrases lie far apart in memory: fetched all at once, they are waited for together rather than one by one.
    scratch.words.resize(scratch.found.size() * longest_);
    for (std::size_t i = 0; i < scratch.found.size(); ++i)
        std::copy_n(phrase_words_.data() + scratch.found[i].phrase * longest_, longest_,
                    scratch.words.data() + i * longest_);

    std::string& ours = scratch.ours;
    ours.clear();
    append_words(phrase_words_.data() + phrase * longest_, ours);
    char digits[32];
    double written = -1;
    std::string_view probability;
    for (std::size_t i = 0; i < scratch.found.size(); ++i) {
        // Sums of products of probabilities may pass 1 by a rounding.
        if (const double value = std::min(scratch.found[i].probability, 1.0); value != written) {
            probability = {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
            written = value;
        }
        const std::uint32_t* const theirs = scratch.words.data() + i * longest_;
        switch (layout) {
            case Layout::table:
                append_words(theirs, out.append(ours).append("\t"));
                out.append("\t").append(probability).append("\n");
                break;
            case Layout::meteor:
                append_words(theirs, out.append(probability).append("\n").append(ours).append("\n"));
                out.append("\n");
                break;
            case Layout::terp:
                append_words(theirs, out.append(probability).append(" <p>").append(ours).append("</p> <p>"));
                out.append("</p>\n");
                break;
        }
    }
}

// The words of a phrase with a blank between them, as `spelling_` has them.
void Pivot::append_words(const std::uint32_t* words, std::string& out) const {
    for (std::size_t i = 0; i < longest_ && words[i]; ++i) {
        const std::size_t begin = spelling_ends_[words[i] - 1] + 1, end = spelling_ends_[words[i]] + 1;
        out.append(spelling_, begin, end - begin);
    }
    out.pop_back();
}

std::string Pivot::lines(std::size_t begin, std::size_t end, Layout layout, PivotReport& report, unsigned threads,
                         Watch& watch) const {
    // Each run of phrases writes its own string, so the order does not depend on the threads.
    constexpr std::size_t run = 64;
    std::vector<std::string> written((end - begin + run - 1) / run);
    std::vector<PivotReport> reports(written.size());
    parallel_for(
        written.size(), threads, watch,
        [&] {
            return [&, scratch = std::make_shared<Scratch>()](std::size_t first, std::size_t last) {
                for (std::size_t which = first; which < last; ++which)
                    for (std::size_t phrase = begin + which * run; phrase < std::min(begin + (which + 1) * run, end);
                         ++phrase) {
                        if (watch.stopped()) return;
                        paraphrases(phrase, layout, *scratch, reports[which], written[which]);
                    }
            };
        },
        1);
    std::string all;
    for (const std::string& part : written) all += part;
    for (const PivotReport& part : reports)
        for (const auto member :
             {&PivotReport::floor, &PivotReport::same, &PivotReport::punctuation, &PivotReport::numbers,
              &PivotReport::function_words, &PivotReport::stems, &PivotReport::top, &PivotReport::kept})
            report.*member += part.*member;
    return all;
}

}  // namespace tertium
