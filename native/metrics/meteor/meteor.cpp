#include "metrics/meteor/meteor.hpp"

#include <algorithm>
#include <numeric>

#include "machine/elementary.hpp"

namespace tertium {
namespace {

constexpr std::uint64_t kMarker = 1, kPunctuation = 2;

// Finds and counts the matches of one pair after the other.
class PairCounter {
public:
    PairCounter(const MeteorSettings& settings, const WordBook& book) : settings_(settings), book_(book) {
        hypothesis_.book = reference_.book = &book;
    }

    void set_hypothesis(std::span<const std::uint32_t> numbers) {
        hypothesis_.words.assign(numbers.begin(), numbers.end());
    }

    // Fills `row`; `matches()` are those it counts.
    void count(std::span<const std::uint32_t> reference, Watch& watch, double* row) {
        reference_.words.resize(reference.size());
        for (std::size_t j = 0; j < reference.size(); ++j) reference_.words[j] = book_.of_reference(reference[j]);
        match(watch);
        std::fill_n(row, meteor_columns(settings_), 0.0);
        count_words(row);
        count_matches(row);
        const std::size_t chunks = chunk_count(matches_);
        const double ours = row[kChunksColumn + 1], theirs = row[kChunksColumn + 2];
        const bool whole = chunks == 1 && ours == static_cast<double>(hypothesis_.size()) &&
                           theirs == static_cast<double>(reference_.size());
        row[kChunksColumn] = settings_.matching == Matching::beam && whole ? 0.0 : static_cast<double>(chunks);
        if (settings_.group_words) count_groups(row + kMeteorColumns);
    }

    const std::vector<WordMatch>& matches() const { return matches_; }
    bool exact_search() const { return exact_search_; }

private:
    void match(Watch& watch) {
        exact_search_ = true;
        if (settings_.matching == Matching::beam)
            align_(hypothesis_, reference_, settings_.modules, watch, matches_);
        else
            match_by_crosses(watch);
    }

    bool proposes(Module module, std::size_t i, std::size_t j) const {
        const MatchWords &ours = hypothesis_, &theirs = reference_;
        switch (module) {
            case Module::exact: return settings_.modules.exact && ours.words[i] == theirs.words[j];
            case Module::stem: return settings_.modules.stems && ours[i].stem == theirs[j].stem;
            case Module::synonym:
                return settings_.modules.synonyms && share_id(book_.meanings(ours[i]), book_.meanings(theirs[j]));
            case Module::paraphrase: return false;
        }
        return false;
    }

    void match_by_crosses(Watch& watch) {
        matches_.clear();
        free_ours_.resize(hypothesis_.size());
        free_theirs_.resize(reference_.size());
        std::iota(free_ours_.begin(), free_ours_.end(), 0u);
        std::iota(free_theirs_.begin(), free_theirs_.end(), 0u);
        constexpr std::array stages{Module::exact, Module::stem, Module::synonym};
        if (settings_.matching == Matching::joint) {
            map_free_words(stages, watch);
        } else {
            for (const Module& stage : stages) map_free_words({&stage, 1}, watch);
        }
        std::sort(matches_.begin(), matches_.end(),
                  [](const WordMatch& a, const WordMatch& b) { return a.ref < b.ref; });
    }

    void map_free_words(std::span<const Module> modules, Watch& watch) {
        const auto first_module = [&](std::size_t i, std::size_t j) {
            return std::find_if(modules.begin(), modules.end(), [&](Module module) { return proposes(module, i, j); });
        };
        if (partners_.size() < hypothesis_.size()) partners_.resize(hypothesis_.size());
        const std::span<std::vector<std::uint32_t>> partners(partners_.data(), hypothesis_.size());
        for (auto& places : partners) places.clear();
        std::size_t held = 0, work = 0;
        for (const std::uint32_t i : free_ours_) {
            if ((work += free_theirs_.size()) > 1u << 18) watch.spend(work), work = 0;
            for (const std::uint32_t j : free_theirs_)
                if (first_module(i, j) != modules.end()) partners[i].push_back(j);
            watch.hold(held += partners[i].size(), kBytesOfOption);
        }
        if (held == 0) return;
        exact_search_ = map_(partners, reference_.size(), watch, pairs_) && exact_search_;
        for (const auto& [i, j] : pairs_) matches_.push_back({*first_module(i, j), i, 1, j, 1});
        const auto is_mapped = [](const std::vector<bool>& mapped) {
            return [&mapped](std::uint32_t place) { return static_cast<bool>(mapped[place]); };
        };
        mapped_.assign(hypothesis_.size(), false);
        for (const auto& [i, j] : pairs_) mapped_[i] = true;
        std::erase_if(free_ours_, is_mapped(mapped_));
        mapped_.assign(reference_.size(), false);
        for (const auto& [i, j] : pairs_) mapped_[j] = true;
        std::erase_if(free_theirs_, is_mapped(mapped_));
    }

    // Its size, and 1 for a function word: a factor, since no processor can foretell it.
    static std::pair<std::uint64_t, std::uint64_t> size_of(const WordBook::Word& word) {
        return {word.size, word.function};
    }

    void count_words(double* row) const {
        const auto add = [](const MatchWords& side, double& length, double& functions) {
            std::uint64_t all = 0, function = 0;
            for (std::size_t i = 0; i < side.size(); ++i) {
                const auto [size, is_function] = size_of(side[i]);
                all += size;
                function += size * is_function;
            }
            length = static_cast<double>(all);
            functions = static_cast<double>(function);
        };
        add(hypothesis_, row[0], row[2]);
        add(reference_, row[1], row[3]);
    }

    void count_matches(double* row) const {
        std::array<std::array<std::uint64_t, 4>, kModules> modules{};
        std::uint64_t ours = 0, theirs = 0;
        const auto add = [](const MatchWords& side, std::size_t begin, std::size_t count, std::uint64_t& content,
                            std::uint64_t& function) {
            for (std::size_t i = begin; i < begin + count; ++i) {
                const auto [size, is_function] = size_of(side[i]);
                content += size * (1 - is_function);
                function += size * is_function;
            }
        };
        for (const WordMatch& match : matches_) {
            auto& module = modules[static_cast<std::size_t>(match.module)];
            add(hypothesis_, match.hyp, match.hyp_words, module[0], module[2]);
            add(reference_, match.ref, match.ref_words, module[1], module[3]);
            ours += match.hyp_words;
            theirs += match.ref_words;
        }
        for (std::size_t m = 0; m < kModules; ++m)
            for (std::size_t k = 0; k < 4; ++k) row[4 + 4 * m + k] = static_cast<double>(modules[m][k]);
        row[kChunksColumn + 1] = static_cast<double>(ours);
        row[kChunksColumn + 2] = static_cast<double>(theirs);
    }

    // A group is a content word with the markers that follow it at once; two are the same if their content words are
    // matched with each other and their markers are equal.
    void count_groups(double* row) const {
        const auto kind = [&](std::uint32_t word) { return settings_.group_words->first(book_.key(word), 0); };
        const auto markers = [&](std::span<const std::uint32_t> words, std::size_t at) {
            std::size_t end = at + 1;
            while (end < words.size() && kind(words[end]) == kMarker) ++end;
            return words.subspan(at + 1, end - at - 1);
        };
        const auto is_group = [&](std::uint32_t word) { return kind(word) != kMarker && kind(word) != kPunctuation; };
        const std::span<const std::uint32_t> ours = hypothesis_.words, theirs = reference_.words;
        for (const WordMatch& match : matches_)
            if (match.hyp_words == 1 && match.ref_words == 1 && is_group(ours[match.hyp]) &&
                is_group(theirs[match.ref]))
                row[0] += std::ranges::equal(markers(ours, match.hyp), markers(theirs, match.ref));
        row[1] = static_cast<double>(std::count_if(ours.begin(), ours.end(), is_group));
        row[2] = static_cast<double>(std::count_if(theirs.begin(), theirs.end(), is_group));
    }

    static constexpr std::size_t kBytesOfOption = 40;  // here, and in the search

    const MeteorSettings settings_;
    const WordBook& book_;
    MatchWords hypothesis_, reference_;
    BeamAligner align_;
    FewestCrosses map_;
    std::vector<WordMatch> matches_;
    bool exact_search_ = true;
    std::vector<std::vector<std::uint32_t>> partners_;
    std::vector<PlacePair> pairs_;
    std::vector<std::uint32_t> free_ours_, free_theirs_;  // places
    std::vector<bool> mapped_;
};

// The score that chooses among references; the same formula as in tertium.metrics.meteor. It is added up in METEOR's
// order, which decides between references that are equally good but for the last digit.
double score_of(const double* row, const MeteorParameters& p) {
    const auto share = [&](std::size_t side) {
        const double* const modules = row + 4 + side;
        double matched = 0;
        for (std::size_t m = 0; m < kModules; ++m) matched += modules[4 * m] * p.weights[m] * p.delta;
        for (std::size_t m = 0; m < kModules; ++m) matched += modules[4 * m + 2] * p.weights[m] * (1 - p.delta);
        return matched / (p.delta * (row[side] - row[2 + side]) + (1 - p.delta) * row[2 + side]);
    };
    const double precision = share(0), recall = share(1);
    const double mean = 1 / ((1 - p.alpha) / precision + p.alpha / recall);
    const double fragments = row[kChunksColumn] / ((row[kChunksColumn + 1] + row[kChunksColumn + 2]) / 2);
    const double score = mean * (1 - p.gamma * power(fragments, p.beta));
    return score > 0 ? score : 0;  // also if it is not a number
}

// The texts with what is known of their words.
struct Compared {
    StoredTokens our_space, their_space;  // if they were not stored
    const StoredTokens &ours, &theirs;
    WordBook book;

    Compared(const TokenSource& hypotheses, const TokenSource& references, const MeteorSettings& settings,
             unsigned threads, Watch& watch)
        : ours(spelt_tokens(hypotheses, our_space, threads, watch)),
          theirs(spelt_tokens(references, their_space, threads, watch)),
          book(ours, theirs, settings.modules, settings.function_words, settings.characters) {}
};

// Texts differ in their rare words, which are far apart in memory: those of the next segments are fetched early.
void prefetch_after(const Compared& texts, const GroupedTokens& references, std::size_t i) {
    const auto each_word = [&](std::size_t segment, auto visit) {
        if (segment >= texts.ours.size()) return;
        for (const std::uint32_t number : texts.ours.numbers(segment)) visit(number);
        for (std::size_t r = 0; r < references.count(segment); ++r)
            for (const std::uint32_t number : texts.theirs.numbers(references.first(segment) + r))
                visit(texts.book.of_reference(number));
    };
    each_word(i + 2, [&](std::uint32_t word) { texts.book.prefetch(word); });
    each_word(i + 1, [&](std::uint32_t word) { texts.book.prefetch_meanings(word); });
}

// Fills the row of the best reference, the first of equals; calls found() whenever there is a new best.
template <class Found>
void best_row(const Compared& texts, const GroupedTokens& references, std::size_t i, const MeteorSettings& settings,
              PairCounter& counter, Watch& watch, double* row, std::vector<double>& spare, Found found) {
    counter.set_hypothesis(texts.ours.numbers(i));
    double best = -1;
    for (std::size_t r = 0; r < references.count(i); ++r) {
        counter.count(texts.theirs.numbers(references.first(i) + r), watch, spare.data());
        const double score = references.count(i) == 1 ? 0 : score_of(spare.data(), settings.parameters);
        if (score <= best) continue;
        best = score;
        std::copy(spare.begin(), spare.end(), row);
        found(r);
    }
}

}  // namespace

void meteor_rows(const TokenSource& hypotheses, const GroupedTokens& references, const MeteorSettings& settings,
                 unsigned threads, Watch& watch, std::span<double> rows) {
    const std::size_t columns = meteor_columns(settings);
    const Compared texts(hypotheses, references.texts, settings, threads, watch);
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, counter = PairCounter(settings, texts.book), spare = std::vector<double>(columns)](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                watch.begin(i);
                prefetch_after(texts, references, i);
                best_row(texts, references, i, settings, counter, watch, rows.data() + i * columns, spare,
                         [](std::size_t) {});
            }
        };
    });
}

MeteorAlignment meteor_alignment(const TokenSource& hypotheses, const GroupedTokens& references, std::size_t segment,
                                 const MeteorSettings& settings, Watch& watch) {
    const Compared texts(hypotheses, references.texts, settings, 1, watch);
    PairCounter counter(settings, texts.book);
    std::vector<double> row(meteor_columns(settings)), spare(row.size());
    MeteorAlignment alignment;
    best_row(texts, references, segment, settings, counter, watch, row.data(), spare,
             [&](std::size_t r) { alignment = {r, counter.matches(), counter.exact_search()}; });
    return alignment;
}

}  // namespace tertium
