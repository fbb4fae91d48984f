// With exact words, each hypothesis word takes a free place of the reference that holds the same word; that is the
// clipped unigram count. With costs, every word of the shorter text gets one of the longer, as cheaply as possible,
// and words left over cost 1. (A pair costs at most 2, so leaving both its words alone is never cheaper.)

#include "metrics/per.hpp"

#include <algorithm>
#include <vector>

#include "matching/assignment.hpp"
#include "matching/clipped_matches.hpp"

namespace tertium {
namespace {

struct Compare {
    const PerSettings& settings;
    Watch& watch;
    ClippedMatches matcher;
    WordCosts costs;
    std::vector<const double*> pointers{};

    Compared operator()(const Words& hypothesis, const Words& reference, double* row) {
        const auto ours = static_cast<double>(hypothesis.size()), theirs = static_cast<double>(reference.size());
        const double matches = settings.substitution.is_exact() ? exact_matches(hypothesis, reference)
                                                                : partial_matches(hypothesis, reference);
        const double errors = settings.errors == PerErrors::both     ? std::max(ours, theirs) - matches
                              : settings.errors == PerErrors::recall ? theirs - matches
                                                                     : ours - matches;
        row[0] = errors;
        row[1] = theirs;
        row[2] = matches;
        row[3] = ours;
        return {errors, error_rate(errors, settings.errors == PerErrors::precision ? ours : theirs)};
    }

    double exact_matches(const Words& hypothesis, const Words& reference) {
        const unsigned order = 1;
        const std::size_t end = reference.size();
        double matches = 0;
        matcher.count({hypothesis.keys, reference.keys, {&end, 1}}, {&order, 1}, &matches, watch);
        return matches;
    }

    double partial_matches(const Words& hypothesis, const Words& reference) {
        const bool swapped = hypothesis.size() < reference.size();  // rows belong to the shorter text
        const Words &down = swapped ? hypothesis : reference, &across = swapped ? reference : hypothesis;
        watch.hold(down.size() * across.size(), sizeof(double));
        costs.begin(across, down, swapped);
        costs.keep_all();
        pointers.clear();
        std::size_t work = 0;
        for (std::size_t i = 0; i < down.size(); ++i) {
            pointers.push_back(costs.row(i));
            if ((work += across.size()) > 1u << 18) watch.spend(work), work = 0;
        }
        const std::vector<std::size_t> columns = cheapest_assignment(pointers, across.size(), watch);
        double matches = static_cast<double>(down.size());
        for (std::size_t i = 0; i < down.size(); ++i) matches -= pointers[i][columns[i]];
        return matches;
    }
};

}  // namespace

void per_rows(const TokenSource& hypotheses, const GroupedTokens& references, const PerSettings& settings,
              unsigned threads, Watch& watch, std::span<double> rows) {
    const PairSettings pairs{settings.rule, !settings.substitution.is_exact(), kPerColumns, 1};
    chosen_rows(hypotheses, references, pairs, threads, watch, rows,
                [&] { return Compare{settings, watch, {}, WordCosts(settings.substitution)}; });
}

}  // namespace tertium
