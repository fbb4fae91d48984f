#include "matching/program_cuts.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "text/utf8.hpp"

namespace tertium {
namespace {

constexpr std::int32_t kInsideWord = 100'000;  // what a segment costs that ends inside a word

struct EditRow {
    std::vector<std::int32_t> cost;
    std::vector<std::uint32_t> start;  // where the segment begins, on the way taken to each place
};

// The marks that SoftSegmenter knows.
constexpr std::u32string_view kMarks = U".!?,;:-()。！？，；：—ー（）";

struct Letters {
    std::u32string set;  // sorted, each once
    bool mark = false;
};

Letters letters_of(std::string_view token) {
    Letters letters{utf8::points(token)};
    letters.mark = letters.set.size() == 1 && kMarks.find(letters.set[0]) != kMarks.npos;
    std::sort(letters.set.begin(), letters.set.end());
    letters.set.erase(std::unique(letters.set.begin(), letters.set.end()), letters.set.end());
    return letters;
}

double likeness(const Letters& one, const Letters& two, bool characters) {
    if (one.mark != two.mark) return -std::numeric_limits<double>::infinity();
    if (characters) return one.set == two.set ? 1 : 0;
    std::size_t shared = 0;
    for (const char32_t letter : one.set) shared += std::binary_search(two.set.begin(), two.set.end(), letter);
    const std::size_t all = one.set.size() + two.set.size() - shared;
    return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

// Tokens by number, so that each pair of kinds is compared once.
struct Kinds {
    std::vector<std::uint32_t> of;
    std::vector<Letters> letters;

    explicit Kinds(std::span<const std::string_view> tokens) {
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        for (const std::string_view token : tokens) {
            const auto [found, is_new] = numbers.try_emplace(token, static_cast<std::uint32_t>(letters.size()));
            if (is_new) letters.push_back(letters_of(token));
            of.push_back(found->second);
        }
    }
};

enum Step : std::uint8_t { kPair, kReferenceAlone, kStreamAlone };

}  // namespace

ProgramCuts mwer_segmenter_cuts(std::span<const Key> stream, std::span<const std::uint8_t> inside,
                                std::span<const std::vector<std::vector<Key>>> references, Watch& watch) {
    const std::size_t size = stream.size(), count = references.size();
    watch.hold((size + 1) * count, sizeof(std::uint32_t));
    std::vector<std::vector<std::uint32_t>> starts(count);  // of each segment, by where it ends
    std::vector<std::int32_t> before(size + 1);
    for (std::size_t j = 0; j <= size; ++j) before[j] = static_cast<std::int32_t>(j);
    EditRow row, next, best;
    for (std::size_t s = 0; s < count; ++s) {
        std::size_t longest = 0;
        best.cost.assign(size + 1, std::numeric_limits<std::int32_t>::max());
        best.start.assign(size + 1, 0);
        for (const std::vector<Key>& words : references[s]) {
            longest = std::max(longest, words.size());
            row.cost = before;
            row.start.resize(size + 1);
            for (std::size_t j = 0; j <= size; ++j) row.start[j] = static_cast<std::uint32_t>(j);
            next = row;
            for (const Key word : words) {
                next.cost[0] = row.cost[0] + 1;
                next.start[0] = 0;
                for (std::size_t j = 1; j <= size; ++j) {
                    const std::int32_t pair = row.cost[j - 1] + (stream[j - 1] != word);
                    const std::int32_t deletion = row.cost[j] + 1, insertion = next.cost[j - 1] + 1;
                    if (pair < deletion && pair < insertion) {
                        next.cost[j] = pair;
                        next.start[j] = row.start[j - 1];
                    } else if (deletion <= insertion) {
                        next.cost[j] = deletion;
                        next.start[j] = row.start[j];
                    } else {
                        next.cost[j] = insertion;
                        next.start[j] = next.start[j - 1];
                    }
                }
                std::swap(row, next);
                watch.spend(size + 1);
            }
            for (std::size_t j = 0; j <= size; ++j)
                if (row.cost[j] < best.cost[j]) best.cost[j] = row.cost[j], best.start[j] = row.start[j];
        }
        best.cost[0] = before[0] + static_cast<std::int32_t>(longest) + 1;
        if (s + 1 < count)
            for (std::size_t j = 0; j < size; ++j)
                if (inside[j]) best.cost[j] += kInsideWord;
        starts[s] = best.start;
        before = best.cost;
    }
    ProgramCuts cuts;
    cuts.ends.resize(count);
    std::size_t end = size;
    for (std::size_t s = count; s-- > 0;) {
        cuts.ends[s] = end;
        end = starts[s][end];
    }
    cuts.cost = static_cast<double>(before[size]);
    return cuts;
}

std::vector<std::uint32_t> soft_segmenter_segments(std::span<const std::string_view> stream,
                                                   std::span<const std::string_view> references,
                                                   std::span<const std::uint32_t> segment_of, bool characters,
                                                   Watch& watch) {
    const std::size_t size = stream.size(), length = references.size();
    const Kinds ours(stream), theirs(references);
    watch.hold((size + 1) * (length + 1), 1);
    std::vector<Step> steps((size + 1) * (length + 1));
    std::vector<double> above(size + 1, 0.0), here(size + 1), alike(ours.letters.size());
    for (std::size_t i = 1; i <= length; ++i) {
        const Letters& word = theirs.letters[theirs.of[i - 1]];
        for (std::size_t kind = 0; kind < alike.size(); ++kind)
            alike[kind] = likeness(word, ours.letters[kind], characters);
        Step* const row = steps.data() + i * (size + 1);
        here[0] = 0;
        row[0] = kReferenceAlone;
        for (std::size_t j = 1; j <= size; ++j) {
            const double pair = above[j - 1] + alike[ours.of[j - 1]];
            const double highest = std::max({pair, above[j], here[j - 1]});
            here[j] = highest;
            row[j] = pair == highest ? kPair : above[j] == highest ? kReferenceAlone : kStreamAlone;
        }
        above.swap(here);
        watch.spend(size + 1);
    }
    // Of each token of the stream: how many reference words the way has passed, the partner included.
    std::vector<std::size_t> passed(size, 0);
    std::vector<std::uint8_t> paired(size, 0);
    for (std::size_t i = length, j = size; j > 0;) {
        const Step step = i == 0 ? kStreamAlone : steps[i * (size + 1) + j];
        if (step == kReferenceAlone) {
            --i;
            continue;
        }
        passed[--j] = i;
        if (step == kPair) paired[j] = 1, --i;
    }
    std::vector<std::uint32_t> segments(size, 0);
    for (std::size_t j = 0; length > 0 && j < size;) {
        const std::size_t count = passed[j];
        if (paired[j]) {
            segments[j++] = segment_of[count - 1];
            continue;
        }
        const auto likeness_to = [&](std::size_t reference) {
            return likeness(theirs.letters[theirs.of[reference]], ours.letters[ours.of[j]], characters);
        };
        const double last = count > 0 ? likeness_to(count - 1) : -std::numeric_limits<double>::infinity();
        if (count < length && likeness_to(count) > last) {
            while (j < size && !paired[j] && passed[j] == count) segments[j++] = segment_of[count];
        } else {
            segments[j++] = count > 0 ? segment_of[count - 1] : kLost;
        }
    }
    return segments;
}

}  // namespace tertium
