#include "lexicon/phrase_compiler.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <queue>

#include "machine/elementary.hpp"

namespace tertium {
namespace {

constexpr std::size_t kLongest = 0xFFFF;  // words of a phrase

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// The next word, which is taken off `text`; empty at the end.
std::string_view take_word(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && !is_blank(text[end])) ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

bool same_words(std::string_view a, std::string_view b) {
    for (;;) {
        const std::string_view left = take_word(a), right = take_word(b);
        if (left != right) return false;
        if (left.empty()) return true;
    }
}

bool parse(std::string_view text, double& value) {
    text = trimmed(text);
    if (text.empty()) return false;
#if defined(__cpp_lib_to_chars)
    if (text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return end == text.data() + text.size() && (error == std::errc() || error == std::errc::result_out_of_range);
#else
    const std::string copy(text);
    char* end = nullptr;
    value = std::strtod(copy.c_str(), &end);
    return end == copy.c_str() + copy.size();
#endif
}

std::string quoted(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return std::string("'").append(text).append("'");
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string("'").append(text.substr(0, end)).append("…'");
}

std::vector<std::string_view> split(std::string_view line, std::string_view separator) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t end = line.find(separator);
        fields.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return fields;
        line.remove_prefix(end + separator.size());
    }
}

// One phrase pair: how many words each has, the probability, the words.
class Record {
public:
    Record() = default;
    explicit Record(const std::uint32_t* at) : at_(at) {}
    std::span<const std::uint32_t> phrase() const { return {at_ + 3, *at_ & 0xFFFF}; }
    std::span<const std::uint32_t> paraphrase() const { return {at_ + 3 + (*at_ & 0xFFFF), *at_ >> 16}; }
    double probability() const {
        double value;
        std::memcpy(&value, at_ + 1, sizeof value);
        return value;
    }
    std::size_t size() const { return 3 + (*at_ & 0xFFFF) + (*at_ >> 16); }
    const std::uint32_t* begin() const { return at_; }
    const std::uint32_t* end() const { return at_ + size(); }
    explicit operator bool() const { return at_ != nullptr; }

    // Phrases as in a dictionary, paraphrases by length first, of equal pairs the likeliest first.
    friend bool operator<(const Record& a, const Record& b) {
        const auto [left, right] = std::ranges::mismatch(a.phrase(), b.phrase());
        if (left != a.phrase().end() && right != b.phrase().end()) return *left < *right;
        if (a.phrase().size() != b.phrase().size()) return a.phrase().size() < b.phrase().size();
        if (a.paraphrase().size() != b.paraphrase().size()) return a.paraphrase().size() < b.paraphrase().size();
        const auto [ours, theirs] = std::ranges::mismatch(a.paraphrase(), b.paraphrase());
        if (ours != a.paraphrase().end()) return *ours < *theirs;
        return a.probability() > b.probability();
    }
    friend bool operator==(const Record& a, const Record& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    const std::uint32_t* at_ = nullptr;
};

std::span<const std::uint32_t> numbers_in(std::string_view bytes) {
    return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

// Visits the records of sorted pieces in order, equal ones once.
template <class Visit>
void merged(std::span<const std::string_view> pieces, Watch& watch, Visit visit) {
    struct Place {
        Record record;
        const std::uint32_t* end;
    };
    const auto later = [](const Place& a, const Place& b) { return b.record < a.record; };
    std::priority_queue<Place, std::vector<Place>, decltype(later)> places(later);
    for (const std::string_view piece : pieces)
        if (const auto numbers = numbers_in(piece); !numbers.empty())
            places.push({Record(numbers.data()), numbers.data() + numbers.size()});
    Record last;
    for (std::size_t visited = 0; !places.empty(); ++visited) {
        if (visited % 4096 == 0) watch.checkpoint();
        Place place = places.top();
        places.pop();
        if (!last || !(last == place.record)) visit(place.record);
        last = place.record;
        place.record = Record(place.record.end());
        if (place.record.begin() < place.end) places.push(place);
    }
}

std::size_t shared_beginning(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

template <class Item>
Item* section(char*& at, std::uint64_t count) {
    Item* const begin = reinterpret_cast<Item*>(at);
    at += (count * sizeof(Item) + 7) / 8 * 8;
    return begin;
}

}  // namespace

PhraseCompiler::PhraseCompiler(const PhraseRules& rules)
    : rules_(rules), slots_(1 << 12, kNoToken), slot_numbers_(1 << 12) {}

void PhraseCompiler::read(std::span<const std::string_view> lines) {
    for (const std::string_view line : lines) {
        ++line_;
        read_line(line);
    }
}

void PhraseCompiler::end() {
    if (waiting_.empty()) return;
    bad("the file ends within an entry. METEOR's tables have three lines each: probability, phrase, paraphrase");
}

void PhraseCompiler::read_line(std::string_view line) {
    if (rules_.form == PhraseForm::meteor) {
        // Lines of an entry may come in different calls, so they are kept until the third.
        if (waiting_.empty()) waiting_probability_ = probability(line);
        waiting_.emplace_back(line);
        if (waiting_.size() < 3) return;
        add_phrases(waiting_[1], waiting_[2], waiting_probability_);
        waiting_.clear();
        return;
    }
    if (trimmed(line).empty()) return;
    if (rules_.form == PhraseForm::terp) return read_terp(line);
    if (rules_.form == PhraseForm::tsv) {
        if (!has_header_) return read_header(line);
        return read_fields(line, "\t");
    }
    read_fields(line, "|||");
}

void PhraseCompiler::read_header(std::string_view line) {
    const std::vector<std::string_view> names = split(line, "\t");
    const auto place = [&](std::string_view name) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            bad("the header has no column '" + std::string(name) + "'. It must name phrase_ref, phrase_hyp and prob");
        return static_cast<std::size_t>(found - names.begin());
    };
    phrase_column_ = place("phrase_ref");
    paraphrase_column_ = place("phrase_hyp");
    probability_column_ = place("prob");
    has_header_ = true;
}

void PhraseCompiler::read_fields(std::string_view line, std::string_view separator) {
    const std::vector<std::string_view> fields = split(line, separator);
    if (rules_.form == PhraseForm::tsv) {
        const std::size_t needed = std::max({phrase_column_, paraphrase_column_, probability_column_}) + 1;
        if (fields.size() < needed)
            bad("there are " + std::to_string(fields.size()) + " fields, but the header names at least " +
                std::to_string(needed));
        if (same_words(fields[phrase_column_], fields[paraphrase_column_])) {
            probability(fields[probability_column_]);
            ++left_out_;
            return;
        }
        return add_phrases(fields[phrase_column_], fields[paraphrase_column_],
                           probability(fields[probability_column_]));
    }
    const bool ppdb = rules_.form == PhraseForm::ppdb;
    if (fields.size() < (ppdb ? 4u : 3u))
        bad(ppdb ? "PPDB's lines have at least four fields: category ||| phrase ||| paraphrase ||| features"
                 : "Moses' lines have at least three fields: phrase ||| paraphrase ||| scores");
    const std::string_view phrase = fields[ppdb ? 1 : 0], paraphrase = fields[ppdb ? 2 : 1];
    std::string_view numbers = fields[ppdb ? 3 : 2];
    double value = 0;
    if (ppdb) {
        bool found = false;
        for (std::string_view feature = take_word(numbers); !feature.empty() && !found; feature = take_word(numbers)) {
            const std::size_t equals = feature.rfind('=');
            if (equals == std::string_view::npos) continue;
            const std::string_view name = feature.substr(0, equals);
            if (name != "p(e|f)" && name != "-logp(e2|e1)") continue;
            found = true;
            if (!parse(feature.substr(equals + 1), value) || !(value >= 0) || std::isinf(value))
                bad(quoted(feature) + " is no negative logarithm of a probability");
        }
        if (!found) bad("no feature p(e|f) or -logp(e2|e1) gives the paraphrase's probability");
        value = exponential(-value);
        if (!(value > 0)) bad("the probability is too small to be held");
        if (phrase.find('[') != std::string_view::npos && phrase.find(",1]") != std::string_view::npos) {
            ++left_out_;  // a rule with a gap, which is no phrase
            return;
        }
    } else {
        std::vector<std::string_view> scores;
        for (std::string_view score = take_word(numbers); !score.empty(); score = take_word(numbers))
            scores.push_back(score);
        if (scores.size() != 1 && scores.size() < 4)
            bad("there are " + std::to_string(scores.size()) +
                " scores, but Moses writes four (the third is the probability of the paraphrase), or one");
        value = probability(scores.size() == 1 ? scores[0] : scores[2]);
    }
    if (same_words(phrase, paraphrase)) {
        ++left_out_;
        return;
    }
    add_phrases(phrase, paraphrase, value);
}

void PhraseCompiler::read_terp(std::string_view line) {
    const char* const wanted =
        "a line is 'P <p>phrase</p> <p>paraphrase</p>', or has two numbers in front, but this is ";
    const std::string_view whole = trimmed(line);
    std::string_view rest = whole;
    const std::size_t first = rest.find("<p>");
    if (first == std::string_view::npos) bad(wanted + quoted(whole));
    std::string_view numbers = rest.substr(0, first);
    rest.remove_prefix(first);
    const auto phrase = [&]() -> std::string_view {
        rest = trimmed(rest);
        const std::size_t end = rest.find("</p>");
        if (rest.substr(0, 3) != "<p>" || end == std::string_view::npos) bad(wanted + quoted(whole));
        const std::string_view words = trimmed(rest.substr(3, end - 3));
        rest.remove_prefix(end + 4);
        return words;
    };
    const std::string_view a = phrase(), b = phrase();
    if (!trimmed(rest).empty()) bad(wanted + quoted(whole));
    const std::string_view one = take_word(numbers), other = take_word(numbers);
    if (one.empty() || !take_word(numbers).empty()) bad(wanted + quoted(whole));
    const double forward = probability(one), backward = other.empty() ? 0 : probability(other);
    if (a.empty() || b.empty() || same_words(a, b)) {
        ++left_out_;
        return;
    }
    add_phrases(a, b, forward);
    if (other.empty()) return;
    if (rules_.v1_bug)
        add_phrases(a, b, backward);
    else
        add_phrases(b, a, backward);
}

double PhraseCompiler::probability(std::string_view text) {
    double value = 0;
    if (!parse(text, value)) bad(quoted(trimmed(text)) + " stands where a probability should");
    // METEOR's English table has a few sums that went over 1; METEOR itself never looks at them.
    if (rules_.form == PhraseForm::meteor && value > 1 && !std::isinf(value)) {
        ++above_one_;
        return 1;
    }
    const bool fits = rules_.any_number ? value >= 0 && !std::isinf(value) : value > 0 && value <= 1;
    if (!fits)
        bad(rules_.any_number ? "the number " + std::string(trimmed(text)) + " is not finite and at least 0"
                              : "the probability " + std::string(trimmed(text)) + " is not above 0 and at most 1");
    return value;
}

void PhraseCompiler::add(std::string_view phrase, std::string_view paraphrase, double probability) {
    ++line_;
    const bool fits =
        rules_.any_number ? probability >= 0 && !std::isinf(probability) : probability > 0 && probability <= 1;
    if (!fits) bad("the probability " + std::to_string(probability) + " is not above 0 and at most 1");
    add_phrases(phrase, paraphrase, probability);
}

void PhraseCompiler::add_phrases(std::string_view phrase, std::string_view paraphrase, double probability) {
    const std::size_t begin = records_.size();
    records_.resize(begin + 3);
    const std::size_t ours = add_words(phrase), theirs = add_words(paraphrase);
    if (ours == 0 || theirs == 0 || ours > kLongest || theirs > kLongest) {
        records_.resize(begin);
        if (ours == 0 || theirs == 0) bad("a phrase is empty: " + quoted(phrase) + " and " + quoted(paraphrase));
        bad("a phrase has more than " + std::to_string(kLongest) + " words");
    }
    records_[begin] = static_cast<std::uint32_t>(ours | theirs << 16);
    if (rules_.numbered) probability = static_cast<double>(++entries_);
    std::memcpy(&records_[begin + 1], &probability, sizeof probability);
}

std::size_t PhraseCompiler::add_words(std::string_view phrase) {
    std::size_t count = 0;
    for (std::string_view word = take_word(phrase); !word.empty(); word = take_word(phrase), ++count) {
        const Word found = number(word);
        records_.push_back(found);
    }
    return count;
}

PhraseIndex::Word PhraseCompiler::number(std::string_view word) {
    const Key key = key_of(word.data(), word.size(), word.data() + word.size());
    std::size_t at = slot_for(key, slots_.size());
    for (; slots_[at] != kNoToken; at = (at + 1) & (slots_.size() - 1))
        if (slots_[at] == key) return slot_numbers_[at];
    const auto next = static_cast<Word>(spelling_ends_.size());
    slots_[at] = key;
    slot_numbers_[at] = next;
    spellings_.append(word);
    spelling_ends_.push_back(spellings_.size());
    if (2 * spelling_ends_.size() > slots_.size()) {
        std::vector<Key> keys(2 * slots_.size(), kNoToken);
        std::vector<Word> numbers(keys.size());
        for (std::size_t from = 0; from < slots_.size(); ++from) {
            if (slots_[from] == kNoToken) continue;
            std::size_t to = slot_for(slots_[from], keys.size());
            while (keys[to] != kNoToken) to = (to + 1) & (keys.size() - 1);
            keys[to] = slots_[from];
            numbers[to] = slot_numbers_[from];
        }
        slots_.swap(keys);
        slot_numbers_.swap(numbers);
    }
    return next;
}

std::string PhraseCompiler::take_records() {
    std::string bytes(reinterpret_cast<const char*>(records_.data()), held());
    records_.clear();
    return bytes;
}

void PhraseCompiler::number_words() {
    by_rank_.resize(spelling_ends_.size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::sort(by_rank_.begin(), by_rank_.end(), [&](Word a, Word b) { return spelling(a) < spelling(b); });
    ranks_.resize(by_rank_.size());
    for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) ranks_[by_rank_[rank]] = static_cast<Word>(rank);
}

std::string PhraseCompiler::sorted(std::string_view bytes) const {
    std::vector<std::uint32_t> records(numbers_in(bytes).begin(), numbers_in(bytes).end());
    struct Place {
        std::uint64_t beginning;  // the first two words, which decide most comparisons
        std::size_t at;
    };
    std::vector<Place> places;
    for (std::size_t at = 0; at < records.size();) {
        const Record record(&records[at]);
        for (std::size_t word = at + 3; word < at + record.size(); ++word) records[word] = ranks_[records[word]];
        const std::span<const std::uint32_t> phrase = record.phrase();
        // A phrase of one word comes before all others that begin with it: 0 is no second word.
        places.push_back({std::uint64_t{phrase[0]} << 32 | (phrase.size() > 1 ? phrase[1] + 1 : 0), at});
        at += record.size();
    }
    std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
        if (a.beginning != b.beginning) return a.beginning < b.beginning;
        return Record(&records[a.at]) < Record(&records[b.at]);
    });
    std::string result;
    result.reserve(bytes.size());
    for (const Place& place : places) {
        const Record record(&records[place.at]);
        result.append(reinterpret_cast<const char*>(record.begin()), record.size() * sizeof(std::uint32_t));
    }
    return result;
}

PhraseCounts PhraseCompiler::count(std::span<const std::string_view> pieces, Watch& watch) const {
    PhraseCounts counts;
    counts.words = spelling_ends_.size();
    counts.word_slots = std::bit_ceil(2 * counts.words + 1);
    counts.spelling_bytes = spellings_.size();
    std::uint64_t nodes = 0;
    std::vector<std::uint32_t> last;
    merged(pieces, watch, [&](const Record& record) {
        const auto phrase = record.phrase();
        const std::size_t shared = shared_beginning(phrase, last);
        if (shared < phrase.size() || shared < last.size()) {
            nodes += phrase.size() - shared;
            ++counts.sources;
            last.assign(phrase.begin(), phrase.end());
        }
        ++counts.entries;
        counts.entry_words += record.paraphrase().size();
        counts.longest = std::max<std::uint64_t>(counts.longest, phrase.size());
        counts.longest_paraphrase = std::max<std::uint64_t>(counts.longest_paraphrase, record.paraphrase().size());
    });
    counts.node_slots = std::bit_ceil(nodes + nodes / 3 + 1);
    if (counts.node_slots > std::uint64_t{1} << 31)
        throw BadPhrase(line_, "the table has more phrases than an index can hold");
    return counts;
}

void PhraseCompiler::write(std::span<const std::string_view> pieces, const PhraseCounts& counts, Watch& watch,
                           char* out) const {
    char* at = out;
    Key* const word_keys = section<Key>(at, counts.word_slots);
    Word* const word_numbers = section<Word>(at, counts.word_slots);
    auto* const spelling_ends = section<std::uint64_t>(at, counts.words);
    char* const letters = section<char>(at, counts.spelling_bytes);
    auto* const node_keys = section<std::uint64_t>(at, counts.node_slots);
    auto* const node_sources = section<std::uint32_t>(at, counts.node_slots);
    auto* const source_ends = section<std::uint64_t>(at, counts.sources);
    auto* const probabilities = section<double>(at, counts.entries);
    auto* const entry_ends = section<std::uint64_t>(at, counts.entries);
    Word* const entry_words = section<Word>(at, counts.entry_words);

    std::fill_n(word_keys, counts.word_slots, kNoToken);
    std::uint64_t end = 0;
    for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
        const std::string_view word = spelling(by_rank_[rank]);
        const Key key = key_of(word.data(), word.size(), word.data() + word.size());
        std::size_t slot = slot_for(key, counts.word_slots);
        while (word_keys[slot] != kNoToken) slot = (slot + 1) & (counts.word_slots - 1);
        word_keys[slot] = key;
        word_numbers[slot] = static_cast<Word>(rank);
        std::copy(word.begin(), word.end(), letters + end);
        spelling_ends[rank] = end += word.size();
    }

    std::fill_n(node_keys, counts.node_slots, kEmptyNode);
    std::fill_n(node_sources, counts.node_slots, kNoSource);
    const auto child = [&](PhraseIndex::Node parent, Word word) {
        const std::uint64_t key = std::uint64_t{parent} << 32 | word;
        std::size_t slot = slot_for(key, counts.node_slots);
        while (node_keys[slot] != kEmptyNode) slot = (slot + 1) & (counts.node_slots - 1);
        node_keys[slot] = key;
        return static_cast<PhraseIndex::Node>(slot);
    };
    std::vector<std::uint32_t> last;
    std::vector<PhraseIndex::Node> path{PhraseIndex::kRoot};
    std::uint64_t sources = 0, entries = 0, words = 0;
    merged(pieces, watch, [&](const Record& record) {
        const auto phrase = record.phrase();
        const std::size_t shared = shared_beginning(phrase, last);
        if (shared < phrase.size() || shared < last.size()) {
            path.resize(shared + 1);
            for (std::size_t k = shared; k < phrase.size(); ++k) path.push_back(child(path.back(), phrase[k]));
            node_sources[path.back()] = static_cast<std::uint32_t>(sources++);
            last.assign(phrase.begin(), phrase.end());
        }
        probabilities[entries] = record.probability();
        for (const std::uint32_t word : record.paraphrase()) entry_words[words++] = word;
        entry_ends[entries++] = words;
        source_ends[sources - 1] = entries;
    });
}

}  // namespace tertium
