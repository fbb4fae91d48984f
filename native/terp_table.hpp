// Word alignment for TERp: edit distances inside a beam, with phrases that jump over several words at once.
//
// As in beam_table.hpp a column belongs to the first j words of the hypothesis and has a cell per number of reference
// words; a cell much dearer than the best way across into its column offers nothing to others. A phrase of two words
// for three leads from a cell two rows up and three columns back. Of equally cheap ways into a cell the one that is
// offered first counts, with columns worked off in order and rows downward in each:
//
//     phrases from further back, or from higher up in the column before
//     across (match, substitution, stem, synonym)
//     a phrase of one word for one
//     insertion, then deletion
//
// For short segments there is also the way back: what is left to pay from any cell to the end. With it the distance
// of a shifted hypothesis is known, but for rounding and the beam, as soon as the columns that changed are done; it
// is never more than the true one, so most shifts are refused without going on to the end.

#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "beam_table.hpp"
#include "multiversion.hpp"
#include "parallel.hpp"
#include "terp.hpp"
#include "terp_pair.hpp"

namespace tertium {

using TerpColumn = BeamColumn<double>;
inline constexpr double kTerpUnset = TerpColumn::kUnset;

// The column after `before` if no phrase ends there; `across` are the costs from row before.first on.
TERTIUM_INLINE void terp_step(const TerpColumn& before, const double* across, std::size_t rows, double insertion,
                              double deletion, bool prunes, double width, TerpColumn& column) {
    const std::size_t from = before.size, size = std::min(from + 1, rows - before.first);
    column.first = before.first;
    column.resize(size);
    double* const cells = column.data();
    const double* const old = before.data();
    double best = kTerpUnset;
    cells[0] = old[0] + insertion;
    for (std::size_t k = 0; k + 1 < from; ++k) {
        const double there = old[k] + across[k], here = old[k + 1] + insertion;
        best = there < best ? there : best;
        cells[k + 1] = there < here ? there : here;
    }
    if (size > from) {
        cells[from] = old[from - 1] + across[from - 1];
        best = std::min(best, cells[from]);
    }
    double above = cells[0], most_seen = above;
    for (std::size_t k = 1; k < size; ++k) {
        const double down = above + deletion;
        above = cells[k] = cells[k] < down ? cells[k] : down;
        most_seen = above > most_seen ? above : most_seen;
    }
    const double most = prunes && best < kTerpUnset ? best + width : kTerpUnset / 2;
    if (size == rows - before.first && most_seen <= most) return;
    for (double below = cells[size - 1] + deletion; column.first + column.size < rows && below <= most; below += deletion)
        column.push_back(below);
    double* const all = column.data();
    for (std::size_t k = 0; k < column.size; ++k) all[k] = all[k] > most ? kTerpUnset : all[k];
    while (all[column.size - 1] == kTerpUnset) --column.size;
    while (column.data()[0] == kTerpUnset) ++column.skipped, ++column.first, --column.size;
}
TERTIUM_BY_PROCESSOR(terp_step_here, terp_step)

// One column of what is left to pay, from the one after it: row i goes across to i + 1, or stays.
TERTIUM_INLINE void terp_step_back(const double* after, const double* across, std::size_t length, double insertion,
                                   double deletion, double* cells) {
    for (std::size_t i = 0; i < length; ++i) {
        const double there = after[i + 1] + across[i], here = after[i] + insertion;
        cells[i] = there < here ? there : here;
    }
    cells[length] = after[length] + insertion;
    double below = cells[length];
    for (std::size_t i = length; i-- > 0;) {
        const double down = below + deletion;
        below = cells[i] = cells[i] < down ? cells[i] : down;
    }
}
TERTIUM_BY_PROCESSOR(terp_step_back_here, terp_step_back)

// One column ahead, with no beam: never dearer than with it.
TERTIUM_INLINE void terp_step_ahead(const double* before, const double* across, std::size_t length, double insertion,
                                    double deletion, double* cells) {
    cells[0] = before[0] + insertion;
    for (std::size_t i = 0; i < length; ++i) {
        const double there = before[i] + across[i], here = before[i + 1] + insertion;
        cells[i + 1] = there < here ? there : here;
    }
    double above = cells[0];
    for (std::size_t i = 1; i <= length; ++i) {
        const double down = above + deletion;
        above = cells[i] = cells[i] < down ? cells[i] : down;
    }
}
TERTIUM_BY_PROCESSOR(terp_step_ahead_here, terp_step_ahead)

TERTIUM_INLINE double least_sum(const double* a, const double* b, std::size_t count) {
    double least = a[0] + b[0];
    for (std::size_t i = 1; i < count; ++i) least = a[i] + b[i] < least ? a[i] + b[i] : least;
    return least;
}
TERTIUM_BY_PROCESSOR(least_sum_here, least_sum)

class TerpTable {
public:
    void start(TerpPair& pair, const TerpSettings& settings, Watch& watch) {
        pair_ = &pair;
        settings_ = &settings;
        watch_ = &watch;
        length_ = pair.reference.size();
        words_ = pair.hypothesis.size();
        if (columns_.size() < words_ + 1) columns_.resize(words_ + 1), tried_.resize(words_ + 1);
        TerpColumn& first = columns_[0];
        first.first = 0;
        first.resize(length_ + 1);
        first.data()[0] = 0;
        for (std::size_t i = 1; i <= length_; ++i) first.data()[i] = first.data()[i - 1] + settings.deletion;
        bounds_ = (words_ + 1) * (length_ + 1) <= kMostBounded;
        sort_phrases();
        fill(pair.hypothesis, 0);
    }

    double distance() const { return columns_[words_].at(length_); }

    // Words from place `begin` on have changed.
    void fill(std::span<const TerpWord> words, std::size_t begin) {
        for (std::size_t j = begin + 1; j <= words_; ++j)
            step(words, j, [&](std::size_t k) -> const TerpColumn& { return columns_[k]; }, columns_[j]);
        if (bounds_) fill_back(words);
    }

    // The distance of other words, which differ from the present ones in [begin, end) only; anything above `most` if it
    // is more than that.
    double distance_of(std::span<const TerpWord> words, std::size_t begin, std::size_t end, double most) {
        const double slack = 1e-9 * (1 + std::abs(most));  // for rounding
        if (bounds_ && bound(words, begin, end) > most + slack) return std::numeric_limits<double>::infinity();
        const auto at = [&](std::size_t k) -> const TerpColumn& { return k <= begin ? columns_[k] : tried_[k]; };
        for (std::size_t j = begin + 1; j <= words_; ++j) {
            step(words, j, at, tried_[j]);
            if (!bounds_ && j >= end + reach_ && j < words_ && refused(j, most))
                return std::numeric_limits<double>::infinity();
        }
        return words_ > begin ? tried_[words_].at(length_) : distance();
    }

    // Calls visit(kind, i, j, phrase) from the end to the beginning; i and j are what was consumed before the step.
    template <class Visit>
    void trace(std::span<const TerpWord> words, Visit visit) const {
        std::size_t i = length_, j = words_;
        while (i > 0 || j > 0) {
            const double here = columns_[j].at(i);
            const PairPhrase* const phrase = j > 0 ? phrase_into(words, i, j, here) : nullptr;
            const bool last_choice = phrase && phrase->length == 1 && phrase->words.size() == 1;
            const bool across = i > 0 && j > 0 &&
                                columns_[j - 1].at(i - 1) + pair_->cost(words[j - 1], i - 1) == here;
            if (across && (!phrase || last_choice)) {
                --i, --j;
                visit(kTerpKinds[pair_->kind(words[j], i)], i, j, nullptr);
            } else if (phrase) {
                i -= phrase->length;
                j -= phrase->words.size();
                visit('P', i, j, phrase);
            } else if (j > 0 && columns_[j - 1].at(i) + settings_->insertion == here) {
                visit('I', i, --j, nullptr);
            } else {
                visit('D', --i, j, nullptr);
            }
        }
    }

    // Calls visit(phrase) for the phrases whose words begin at place j.
    template <class Visit>
    void phrases_from(std::span<const TerpWord> words, std::size_t j, Visit visit) const {
        if (by_first_.empty() || j >= words.size()) return;
        for (const std::uint32_t p : by_first_[words[j]]) {
            const auto& theirs = pair_->phrases[p].words;
            if (theirs.size() <= words.size() - j &&
                std::equal(theirs.begin(), theirs.end(), words.begin() + static_cast<std::ptrdiff_t>(j)))
                visit(pair_->phrases[p]);
        }
    }

private:
    static constexpr std::size_t kMostBounded = 1 << 20;       // cells
    static constexpr std::size_t kWorkBetweenLooks = 1 << 18;  // cells, well under a millisecond

    void sort_phrases() {
        for (auto& list : by_first_) list.clear();
        for (auto& list : by_last_) list.clear();
        reach_ = 0;
        if (pair_->phrases.empty()) {
            by_first_.clear();
            by_last_.clear();
            return;
        }
        by_first_.resize(pair_->hypothesis_words().size());
        by_last_.resize(pair_->hypothesis_words().size());
        for (std::uint32_t p = 0; p < pair_->phrases.size(); ++p) {
            by_first_[pair_->phrases[p].words.front()].push_back(p);
            by_last_[pair_->phrases[p].words.back()].push_back(p);
            reach_ = std::max(reach_, pair_->phrases[p].words.size());
        }
    }

    // Calls visit(phrase) for the phrases whose words end before place j.
    template <class Visit>
    void phrases_to(std::span<const TerpWord> words, std::size_t j, Visit visit) const {
        if (by_last_.empty()) return;
        for (const std::uint32_t p : by_last_[words[j - 1]]) {
            const auto& theirs = pair_->phrases[p].words;
            if (theirs.size() <= j &&
                std::equal(theirs.begin(), theirs.end(), words.begin() + static_cast<std::ptrdiff_t>(j - theirs.size())))
                visit(pair_->phrases[p]);
        }
    }

    template <class At>
    void step(std::span<const TerpWord> words, std::size_t j, At at, TerpColumn& column) {
        const TerpColumn& before = at(j - 1);
        work_ += before.size + 1;
        if (work_ >= kWorkBetweenLooks) work_ = 0, watch_->checkpoint();
        bool ends = false;
        phrases_to(words, j, [&](const PairPhrase&) { ends = true; });
        if (ends) return phrase_step(words, j, at, column);
        const std::size_t count = std::min(before.size, length_ - before.first);
        const bool prunes = j < words_ && settings_->beam < std::numeric_limits<double>::infinity();
        terp_step_here(before, pair_->costs(words[j - 1], before.first, count), length_ + 1, settings_->insertion,
                       settings_->deletion, prunes, prunes ? settings_->beam : 0, column);
    }

    // The same where phrases end: cell by cell, in the order in which they are offered something.
    template <class At>
    void phrase_step(std::span<const TerpWord> words, std::size_t j, At at, TerpColumn& column) {
        const TerpColumn& before = at(j - 1);
        const bool final = j == words_;
        dense_.assign(length_ + 1, kTerpUnset);
        phrases_to(words, j, [&](const PairPhrase& phrase) {
            if (phrase.words.size() > 1) offer(phrase, at(j - phrase.words.size()), 0, length_ + 1);
        });
        double best = kTerpUnset;
        for (std::size_t k = 0; k < before.size; ++k) {
            const double cost = before.data()[k];
            if (cost >= kTerpUnset / 2) continue;
            const std::size_t i = before.first + k;
            if (i < length_) {
                const double across = cost + pair_->cost(words[j - 1], i);
                if (across < dense_[i + 1] || pair_->equal(words[j - 1], i)) best = std::min(best, across);
                dense_[i + 1] = std::min(dense_[i + 1], across);
            }
            phrases_to(words, j, [&](const PairPhrase& phrase) {
                if (phrase.words.size() == 1) offer(phrase, before, i, i + 1);
            });
            dense_[i] = std::min(dense_[i], cost + settings_->insertion);
        }
        const double most = final || best >= kTerpUnset / 2 ? kTerpUnset / 2 : best + settings_->beam;
        const std::size_t first = final ? 0 : before.first;
        std::size_t last = final ? length_ : before.first + before.size;  // grows where a deletion leads further
        for (std::size_t i = first; i <= std::min(last, length_); ++i) {
            if (dense_[i] > most) {
                dense_[i] = kTerpUnset;
            } else if (i < length_ && dense_[i] + settings_->deletion < dense_[i + 1]) {
                dense_[i + 1] = dense_[i] + settings_->deletion;
                last = std::max(last, i + 1);
            }
        }
        std::size_t begin = first, end = std::min(last, length_) + 1;
        while (end > begin && dense_[end - 1] == kTerpUnset) --end;
        while (begin < end && dense_[begin] == kTerpUnset) ++begin;
        column.first = begin;
        column.resize(end - begin);
        std::copy(dense_.begin() + static_cast<std::ptrdiff_t>(begin), dense_.begin() + static_cast<std::ptrdiff_t>(end),
                  column.data());
    }

    // A phrase's offers from the rows [first, end) of a column.
    void offer(const PairPhrase& phrase, const TerpColumn& from, std::size_t first, std::size_t end) {
        for (const std::uint32_t start : phrase.starts) {
            if (start < first || start >= end) continue;
            const double cost = from.at(start);
            if (cost < kTerpUnset / 2) dense_[start + phrase.length] = std::min(dense_[start + phrase.length], cost + phrase.cost);
        }
    }

    // The phrase that led to this cell: the one from furthest left, then from highest up.
    const PairPhrase* phrase_into(std::span<const TerpWord> words, std::size_t i, std::size_t j, double here) const {
        const PairPhrase* found = nullptr;
        phrases_to(words, j, [&](const PairPhrase& phrase) {
            if (phrase.length > i || columns_[j - phrase.words.size()].at(i - phrase.length) + phrase.cost != here) return;
            if (!std::binary_search(phrase.starts.begin(), phrase.starts.end(), i - phrase.length)) return;
            const auto rank = [](const PairPhrase& one) { return std::pair(one.words.size(), one.length); };
            if (!found || rank(phrase) > rank(*found)) found = &phrase;
        });
        return found;
    }

    void fill_back(std::span<const TerpWord> words) {
        const std::size_t rows = length_ + 1;
        back_.resize((words_ + 1) * rows);
        double* const end = back_.data() + words_ * rows;
        end[length_] = 0;
        for (std::size_t i = length_; i-- > 0;) end[i] = end[i + 1] + settings_->deletion;
        for (std::size_t j = words_; j-- > 0;) {
            double* const cells = back_.data() + j * rows;
            terp_step_back_here(cells + rows, pair_->costs(words[j], 0, length_), length_, settings_->insertion,
                                settings_->deletion, cells);
            phrases_from(words, j, [&](const PairPhrase& phrase) {
                for (const std::uint32_t start : phrase.starts) {
                    const double there = phrase.cost + back_[(j + phrase.words.size()) * rows + start + phrase.length];
                    for (std::size_t i = start + 1; i-- > 0;) {  // rows above lead down to it
                        const double cost = there + static_cast<double>(start - i) * settings_->deletion;
                        if (cost >= cells[i]) break;
                        cells[i] = cost;
                    }
                }
            });
        }
    }

    // At most the distance of these words, which differ from the present ones in [begin, end) only.
    double bound(std::span<const TerpWord> words, std::size_t begin, std::size_t end) {
        const std::size_t rows = length_ + 1;
        if (ahead_.size() < (words_ + 1) * rows) ahead_.resize((words_ + 1) * rows);
        const std::size_t known = begin < reach_ ? 0 : begin - reach_;  // phrases may begin here and end later
        for (std::size_t j = by_last_.empty() ? begin : known; j <= begin; ++j) {
            double* const cells = ahead_.data() + j * rows;
            const TerpColumn& column = columns_[j];
            std::fill(cells, cells + rows, kTerpUnset);
            std::copy(column.data(), column.data() + column.size, cells + column.first);
        }
        for (std::size_t j = begin + 1; j <= end; ++j) {
            double* const cells = ahead_.data() + j * rows;
            terp_step_ahead_here(cells - rows, pair_->costs(words[j - 1], 0, length_), length_, settings_->insertion,
                                 settings_->deletion, cells);
            phrases_to(words, j, [&](const PairPhrase& phrase) {
                const double* const from = ahead_.data() + (j - phrase.words.size()) * rows;
                for (const std::uint32_t start : phrase.starts) {
                    const double there = from[start] + phrase.cost;
                    for (std::size_t i = start + phrase.length; i < rows; ++i) {
                        const double cost = there + static_cast<double>(i - start - phrase.length) * settings_->deletion;
                        if (cost >= cells[i]) break;
                        cells[i] = cost;
                    }
                }
            });
        }
        double least = least_sum_here(ahead_.data() + end * rows, back_.data() + end * rows, rows);
        if (by_last_.empty()) return least;
        for (std::size_t j = end + 1 > reach_ ? end + 1 - reach_ : 0; j < end; ++j)  // phrases over the end
            phrases_from(words, j, [&](const PairPhrase& phrase) {
                const std::size_t to = j + phrase.words.size();
                if (to <= end) return;
                for (const std::uint32_t start : phrase.starts)
                    least = std::min(least, ahead_[j * rows + start] + phrase.cost + back_[to * rows + start + phrase.length]);
            });
        return least;
    }

    // In long segments: whether the columns up to j are the present ones plus a constant, as far back as a phrase goes,
    // so that the distance is too, and it is too much. Rounding is allowed for: what is not clearly too much goes on.
    bool refused(std::size_t j, double most) const {
        const double constant = tried_[j].data()[0] - columns_[j].data()[0];
        if (distance() + constant <= most + 1e-6) return false;
        for (std::size_t k = j + 1; k-- > j + 1 - std::max<std::size_t>(reach_, 1);)
            if (!differ_by(columns_[k], tried_[k], constant)) return false;
        return true;
    }
    static bool differ_by(const TerpColumn& now, const TerpColumn& then, double constant) {
        if (now.first != then.first || now.size != then.size) return false;
        for (std::size_t k = 0; k < now.size; ++k)
            if (std::abs(then.data()[k] - now.data()[k] - constant) > 1e-9 && now.data()[k] != then.data()[k]) return false;
        return true;
    }

    TerpPair* pair_ = nullptr;
    const TerpSettings* settings_ = nullptr;
    Watch* watch_ = nullptr;
    std::size_t length_ = 0, words_ = 0, reach_ = 0, work_ = 0;
    bool bounds_ = false;
    std::vector<TerpColumn> columns_, tried_;
    std::vector<std::vector<std::uint32_t>> by_first_, by_last_;  // phrases by their first and last word
    std::vector<double> dense_, back_, ahead_;
};

}  // namespace tertium
