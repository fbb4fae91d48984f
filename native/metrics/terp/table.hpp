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
// In short segments the beam hardly ever matters, and there all cells are kept in plain tables:
//
//     front   what was paid from the beginning to a cell, without the beam
//     back    what is left to pay from a cell to the end
//
// If no cell of the cheapest path is dearer than the cheapest cell of its column by more than the beam's width, then
// none of them is cut off, so distance and path are the same with the beam. That is sure if the distance itself is no
// more than the width. (With phrases a margin is needed, so that the rows around the path's jumps stay too.) A shifted
// hypothesis needs new columns where its words have changed; then the way back says, but for rounding, what the
// distance will be, and most shifts are refused there and then.

#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "machine/multiversion.hpp"
#include "machine/parallel.hpp"
#include "metrics/ter/beam_table.hpp"
#include "metrics/terp/pair.hpp"
#include "metrics/terp/terp.hpp"

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
    double most_seen = cells[0];
    for (std::size_t k = 1; k < size; ++k) {  // a branch, mostly foreseen: the next cell need not wait for this one
        const double down = cells[k - 1] + deletion;
        if (down < cells[k]) cells[k] = down;
    }
    for (std::size_t k = 1; k < size; ++k) most_seen = cells[k] > most_seen ? cells[k] : most_seen;
    const double most = prunes && best < kTerpUnset ? best + width : kTerpUnset / 2;
    if (size == rows - before.first && most_seen <= most) return;
    for (double below = cells[size - 1] + deletion; column.first + column.size < rows && below <= most;
         below += deletion)
        column.push_back(below);
    double* const all = column.data();
    for (std::size_t k = 0; k < column.size; ++k) all[k] = all[k] > most ? kTerpUnset : all[k];
    while (all[column.size - 1] == kTerpUnset) --column.size;
    while (column.data()[0] == kTerpUnset) ++column.skipped, ++column.first, --column.size;
}
TERTIUM_BY_PROCESSOR(terp_step_here, terp_step)

// Offers the words across and the insertions of a column's `size` cells to those of the next; `cells` has what phrases
// offer, and begins at the same row. Returns the cheapest way across that is cheaper than the phrases to its cell.
TERTIUM_INLINE double terp_step_into(const double* old, std::size_t size, const double* across, std::size_t count,
                                     double insertion, double* cells) {
    double best = kTerpUnset;
    double ahead = cells[0], here = old[0] + insertion;
    cells[0] = here < ahead ? here : ahead;
    for (std::size_t k = 0; k + 1 < size; ++k) {
        const double there = old[k] + across[k], stay = old[k + 1] + insertion, offered = cells[k + 1];
        best = there < offered && there < best ? there : best;
        const double least = there < offered ? there : offered;
        cells[k + 1] = stay < least ? stay : least;
    }
    if (count == size) {  // down from the last of them
        const double there = old[size - 1] + across[size - 1], offered = cells[size];
        best = there < offered && there < best ? there : best;
        cells[size] = there < offered ? there : offered;
    }
    return best;
}
TERTIUM_BY_PROCESSOR(terp_step_into_here, terp_step_into)

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

// One column ahead, with no beam: over from the column before, and down in it.
TERTIUM_INLINE void terp_step_over(const double* before, const double* across, std::size_t length, double insertion,
                                   double* cells) {
    cells[0] = before[0] + insertion;
    for (std::size_t i = 0; i < length; ++i) {
        const double there = before[i] + across[i], here = before[i + 1] + insertion;
        cells[i + 1] = there < here ? there : here;
    }
}
TERTIUM_INLINE void terp_step_down(std::size_t length, double deletion, double* cells) {
    double above = cells[0];
    for (std::size_t i = 1; i <= length; ++i) {
        const double down = above + deletion;
        above = cells[i] = cells[i] < down ? cells[i] : down;
    }
}
TERTIUM_INLINE void terp_step_ahead(const double* before, const double* across, std::size_t length, double insertion,
                                    double deletion, double* cells) {
    terp_step_over(before, across, length, insertion, cells);
    terp_step_down(length, deletion, cells);
}
TERTIUM_BY_PROCESSOR(terp_step_over_here, terp_step_over)

// Four columns ahead. A cell waits for the one above it, so one column alone leaves the processor idle; the next column
// can follow one row behind:
//
//     step     1    2    3    4    5        row of each column that is worked on
//     column j      1    2    3    4
//          j + 1         1    2    3
//          j + 2              1    2
//
TERTIUM_INLINE void terp_four_ahead(const double* before, const double* const* across, std::size_t length,
                                    double insertion, double deletion, double* cells) {
    const std::size_t rows = length + 1;
    double here[4] = {}, above_left[4] = {};  // of each column: its last cell, and the cell to the left of that
    const auto cell = [&](std::size_t c, std::size_t i) {
        const double left = c == 0 ? before[i] : here[c - 1];
        double cost = left + insertion;
        if (i > 0) {
            const double there = above_left[c] + across[c][i - 1], down = here[c] + deletion;
            cost = there < cost ? there : cost;
            cost = cost < down ? cost : down;
        }
        above_left[c] = left;
        here[c] = cost;
        cells[c * rows + i] = cost;
    };
    for (std::size_t step = 0; step < rows + 3; ++step) {
        if (step >= 4 && step < rows) {  // all four, none at its top
            for (std::size_t c = 4; c-- > 0;) {
                const std::size_t i = step - c;
                const double left = c == 0 ? before[i] : here[c - 1];
                const double over = left + insertion, there = above_left[c] + across[c][i - 1];
                const double least = there < over ? there : over, down = here[c] + deletion;
                above_left[c] = left;
                here[c] = cells[c * rows + i] = least < down ? least : down;
            }
            continue;
        }
        for (std::size_t c = 4; c-- > 0;)
            if (step >= c && step - c < rows) cell(c, step - c);
    }
}
TERTIUM_BY_PROCESSOR(terp_four_ahead_here, terp_four_ahead)

TERTIUM_INLINE double least_of(const double* cells, std::size_t count) {
    double least[8];  // side by side, so that none waits for the one before
    for (double& one : least) one = cells[0];
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane)
            least[lane] = cells[i + lane] < least[lane] ? cells[i + lane] : least[lane];
    for (; i < count; ++i) least[0] = std::min(least[0], cells[i]);
    return *std::min_element(least, least + 8);
}
TERTIUM_BY_PROCESSOR(least_of_here, least_of)
TERTIUM_BY_PROCESSOR(terp_step_ahead_here, terp_step_ahead)

TERTIUM_INLINE double least_sum(const double* a, const double* b, std::size_t count) {
    double least[8];
    for (double& one : least) one = a[0] + b[0];
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) {
            const double sum = a[i + lane] + b[i + lane];
            least[lane] = sum < least[lane] ? sum : least[lane];
        }
    for (; i < count; ++i) least[0] = std::min(least[0], a[i] + b[i]);
    return *std::min_element(least, least + 8);
}
TERTIUM_BY_PROCESSOR(least_sum_here, least_sum)

// The columns of a plain table, those after `begin` in another one.
struct FlatColumns {
    const double *before, *after;
    std::size_t begin, rows;
    const double* operator()(std::size_t j) const { return (j <= begin ? before : after) + j * rows; }
    double cell(std::size_t j, std::size_t i) const { return (*this)(j)[i]; }
};
// The same of columns with the beam.
struct CutColumns {
    const std::vector<TerpColumn>&before, &after;
    std::size_t begin;
    const TerpColumn& operator()(std::size_t j) const { return j <= begin ? before[j] : after[j]; }
    double cell(std::size_t j, std::size_t i) const { return (*this)(j).at(i); }
};

class TerpTable {
public:
    void start(TerpPair& pair, const TerpSettings& settings, Watch& watch) {
        pair_ = &pair;
        settings_ = &settings;
        watch_ = &watch;
        length_ = pair.reference.size();
        rows_ = length_ + 1;
        words_ = pair.hypothesis.size();
        flat_ = (words_ + 1) * rows_ <= kMostFlat;
        sort_phrases();
        if (flat_) {
            front_.resize((words_ + 1) * rows_);
            ahead_.resize((words_ + 1) * rows_);
            back_.resize((words_ + 1) * rows_);
            front_[0] = 0;
            for (std::size_t i = 1; i < rows_; ++i) front_[i] = front_[i - 1] + settings.deletion;
        }
        filled_ = 0;
        fill(pair.hypothesis, 0);
    }

    double distance() const { return cut_ ? columns_[words_].at(length_) : front_[words_ * rows_ + length_]; }

    // Words from place `begin` on have changed.
    void fill(std::span<const TerpWord> words, std::size_t begin) {
        filled_ = std::min(filled_, begin + 1);
        flat_trial_.forget();
        cut_trial_.forget();
        cut_ = true;
        if (flat_) {
            const FlatColumns at{front_.data(), front_.data(), 0, rows_};
            flat_steps(words, begin + 1, words_, at, front_.data());
            cut_ = !is_inside(words, at);
            fill_back(words);
        }
        if (cut_) fill_columns(words);
    }

    // The distance of other words, which differ from the present ones in [begin, end) only; anything above `most` if it
    // is more than that.
    double distance_of(std::span<const TerpWord> present, std::span<const TerpWord> words, std::size_t begin,
                       std::size_t end, double most) {
        if (flat_ && !cut_) {
            const double there = flat_distance_of(words, begin, end, most);
            const FlatColumns at{front_.data(), ahead_.data(), begin, rows_};
            if (there > most || is_inside(words, at)) return there;
        }
        fill_columns(present);
        const CutColumns at{columns_, tried_, begin};
        for (std::size_t j = cut_trial_.shared(words, begin) + 1; j <= words_; ++j) {
            step(words, j, at, tried_[j]);
            cut_trial_.end = j;
            if (flat_ && j == end && least_at(words, end, at) > most + 1e-9 * (1 + std::abs(most)))
                return std::numeric_limits<double>::infinity();
            if (j >= end + reach_ && j < words_ && refused(j, most)) return std::numeric_limits<double>::infinity();
        }
        return tried_[words_].at(length_);
    }

    // The path, from the end to the beginning.
    struct Step {
        char kind;
        std::size_t i, j;  // what was consumed before
        const PairPhrase* phrase;
    };
    std::span<const Step> path(std::span<const TerpWord> words) {
        if (cut_)
            trace(CutColumns{columns_, columns_, 0}, words);
        else
            trace(FlatColumns{front_.data(), front_.data(), 0, rows_}, words);
        return path_;
    }

    // Calls visit(phrase) for the phrases whose words begin at place j.
    template <class Visit>
    void phrases_from(std::span<const TerpWord> words, std::size_t j, Visit visit) const {
        if (pair_->phrases.empty() || j >= words.size()) return;
        for (const std::uint32_t p : singles_[words[j]].phrases) visit(pair_->phrases[p]);
        longer_from(words, j, 2, visit);
    }

private:
    static constexpr std::size_t kMostFlat = 1 << 20;          // cells
    static constexpr std::size_t kWorkBetweenLooks = 1 << 18;  // cells, well under a millisecond

    template <class At>
    void trace(const At& at, std::span<const TerpWord> words) {
        path_.clear();
        std::size_t i = length_, j = words_;
        while (i > 0 || j > 0) {
            const double here = at.cell(j, i);
            const PairPhrase* const phrase = j > 0 ? phrase_into(at, words, i, j, here) : nullptr;
            const bool last_choice = phrase && phrase->length == 1 && phrase->words.size() == 1;
            const bool across = i > 0 && j > 0 && at.cell(j - 1, i - 1) + pair_->cost(words[j - 1], i - 1) == here;
            if (across && (!phrase || last_choice)) {
                --i, --j;
                path_.push_back({kTerpKinds[pair_->kind(words[j], i)], i, j, nullptr});
            } else if (phrase) {
                i -= phrase->length;
                j -= phrase->words.size();
                path_.push_back({'P', i, j, phrase});
            } else if (j > 0 && at.cell(j - 1, i) + settings_->insertion == here) {
                --j;
                path_.push_back({'I', i, j, nullptr});
            } else {
                --i;
                path_.push_back({'D', i, j, nullptr});
            }
        }
    }

    // The phrase that led to this cell: the one from furthest left, then from highest up.
    template <class At>
    const PairPhrase* phrase_into(const At& at, std::span<const TerpWord> words, std::size_t i, std::size_t j,
                                  double here) const {
        const PairPhrase* found = nullptr;
        jumps_to(words, j, [&](std::size_t size, std::span<const Jump> jumps) {
            for (const Jump& jump : jumps) {
                if (jump.to != i || at.cell(j - size, jump.from) + jump.cost != here) continue;
                const auto rank = [](const PairPhrase& one) { return std::pair(one.words.size(), one.length); };
                const PairPhrase& phrase = pair_->phrases[jump.phrase];
                if (!found || rank(phrase) > rank(*found)) found = &phrase;
            }
        });
        return found;
    }

    // Whether the beam cuts no cell off the cheapest path through a plain table.
    bool is_inside(std::span<const TerpWord> words, const FlatColumns& at) {
        if (at(words_)[length_] + margin_ <= settings_->beam) return true;
        trace(at, words);
        for (const Step& step : path_) {
            const std::size_t last = step.phrase ? step.j + step.phrase->words.size() - 1 : step.j;
            const double most = at(step.j)[step.i] + (step.phrase ? margin_ : 0);
            if (most <= settings_->beam) continue;
            for (std::size_t k = step.j; k <= last; ++k)
                if (most > least_of_here(at(k), rows_) + settings_->beam) return false;
        }
        return true;
    }

    // The columns [first, last] with all cells, without the beam; at(k) is column k, and they go to `table`.
    void flat_steps(std::span<const TerpWord> words, std::size_t first, std::size_t last, const FlatColumns& at,
                    double* table) {
        for (std::size_t j = first; j <= last;) {
            work_ += 4 * rows_;
            if (work_ >= kWorkBetweenLooks) watch_->spend(work_), work_ = 0;
            if (length_ >= 4 && j + 3 <= last && !any_end(words, j, j + 3)) {
                const double* across[4];
                for (std::size_t c = 0; c < 4; ++c) across[c] = pair_->costs(words[j + c - 1], 0, length_);
                terp_four_ahead_here(at(j - 1), across, length_, settings_->insertion, settings_->deletion,
                                     table + j * rows_);
                j += 4;
            } else {
                flat_step(words, j, at, table + j * rows_);
                ++j;
            }
        }
    }

    bool any_end(std::span<const TerpWord> words, std::size_t first, std::size_t last) const {
        bool any = false;
        for (std::size_t j = first; j <= last && !any; ++j)
            jumps_to(words, j, [&](std::size_t, std::span<const Jump>) { any = true; });
        return any;
    }

    void flat_step(std::span<const TerpWord> words, std::size_t j, const FlatColumns& at, double* cells) {
        const double* const across = pair_->costs(words[j - 1], 0, length_);
        if (!any_end(words, j, j))
            return terp_step_ahead_here(at(j - 1), across, length_, settings_->insertion, settings_->deletion, cells);
        terp_step_over_here(at(j - 1), across, length_, settings_->insertion, cells);
        jumps_to(words, j, [&](std::size_t size, std::span<const Jump> jumps) {
            const double* const from = at(j - size);
            for (const Jump& jump : jumps) cells[jump.to] = std::min(cells[jump.to], from[jump.from] + jump.cost);
        });
        terp_step_down(length_, settings_->deletion, cells);
    }

    // As distance_of, without the beam.
    double flat_distance_of(std::span<const TerpWord> words, std::size_t begin, std::size_t end, double most) {
        const FlatColumns at{front_.data(), ahead_.data(), begin, rows_};
        flat_steps(words, flat_trial_.shared(words, begin) + 1, end, at, ahead_.data());
        flat_trial_.end = std::max(flat_trial_.end, end);
        double least = least_sum_here(at(end), back_.data() + end * rows_, rows_);
        for (std::size_t j = end + 1 > reach_ ? end + 1 - reach_ : 0; j < end; ++j)  // phrases over the end
            longer_from(words, j, end - j + 1, [&](const PairPhrase& phrase) {
                const double* const back = back_.data() + (j + phrase.words.size()) * rows_ + phrase.length;
                for (const std::uint32_t start : phrase.starts)
                    least = std::min(least, at(j)[start] + phrase.cost + back[start]);
            });
        if (least > most + 1e-9 * (1 + std::abs(most))) return std::numeric_limits<double>::infinity();
        flat_steps(words, flat_trial_.end + 1, words_, at, ahead_.data());
        flat_trial_.end = words_;
        return at(words_)[length_];
    }

    // What is paid at least if the columns up to `end` are these and the words after it are the present ones: the way
    // back takes no account of the beam.
    double least_at(std::span<const TerpWord> words, std::size_t end, const CutColumns& at) const {
        const TerpColumn& column = at(end);
        double least = least_sum_here(column.data(), back_.data() + end * rows_ + column.first, column.size);
        for (std::size_t j = end + 1 > reach_ ? end + 1 - reach_ : 0; j < end; ++j)  // phrases over the end
            longer_from(words, j, end - j + 1, [&](const PairPhrase& phrase) {
                const double* const back = back_.data() + (j + phrase.words.size()) * rows_ + phrase.length;
                for (const std::uint32_t start : phrase.starts)
                    least = std::min(least, at(j).at(start) + phrase.cost + back[start]);
            });
        return least;
    }

    // The columns with the beam, as far as they are not there yet.
    void fill_columns(std::span<const TerpWord> words) {
        if (columns_.size() < words_ + 1) columns_.resize(words_ + 1), tried_.resize(words_ + 1);
        if (filled_ == 0) {
            TerpColumn& first = columns_[0];
            first.first = 0;
            first.resize(rows_);
            first.data()[0] = 0;
            for (std::size_t i = 1; i < rows_; ++i) first.data()[i] = first.data()[i - 1] + settings_->deletion;
            filled_ = 1;
        }
        for (; filled_ <= words_; ++filled_) step(words, filled_, {columns_, columns_, 0}, columns_[filled_]);
    }

    // The words that were tried last, and which of their columns are there. Shifts of a block to neighbouring places
    // are tried one after the other, and their words are the same up to the nearer of both.
    struct Trial {
        std::vector<TerpWord> words;
        std::size_t begin = 0, end = 0;  // columns after `begin`, up to `end`

        void forget() { end = begin = 0; }
        // How many columns of these words are there, those up to `first` in the present table. They are the last now.
        std::size_t shared(std::span<const TerpWord> other, std::size_t first) {
            std::size_t same = first;
            if (begin <= first && end > first && words.size() == other.size()) {
                for (same = begin; same < end && words[same] == other[same];) ++same;
                same = std::max(same, first);
            }
            words.assign(other.begin(), other.end());
            begin = first;
            return end = same;
        }
    };

    // A phrase at one of its places: leads from a row to another, over its words.
    struct Jump {
        std::uint32_t from, to, phrase;
        bool matches;  // whether the words it ends with are equal
        double cost;
    };
    // What a phrase costs up to a row, where the words across must be known first.
    struct Offer {
        std::uint32_t to;
        bool matches;
        double cost;
    };
    // Phrases of one word, by that word.
    struct Singles {
        std::vector<std::uint32_t> phrases;
        std::vector<Jump> jumps;
    };
    // Phrases of several words, by their first or last word; most are told apart by the word next to it.
    struct Longer {
        TerpWord neighbour;
        std::uint32_t size, phrase;
        std::uint32_t first_jump, jumps;
    };

    void sort_phrases() {
        reach_ = 0;
        margin_ = 0;
        jumps_.clear();
        if (pair_->phrases.empty()) return;
        const std::size_t distinct = pair_->hypothesis_words().size();
        if (singles_.size() < distinct)
            singles_.resize(distinct), by_first_.resize(distinct), by_last_.resize(distinct);
        for (std::size_t w = 0; w < distinct; ++w) {
            singles_[w].phrases.clear();
            singles_[w].jumps.clear();
            by_first_[w].clear();
            by_last_[w].clear();
        }
        for (std::uint32_t p = 0; p < pair_->phrases.size(); ++p) {
            const PairPhrase& phrase = pair_->phrases[p];
            const auto size = static_cast<std::uint32_t>(phrase.words.size());
            const auto add_to = [&](std::vector<Jump>& jumps) {
                for (const std::uint32_t start : phrase.starts) {
                    const std::uint32_t to = start + static_cast<std::uint32_t>(phrase.length);
                    jumps.push_back({start, to, p, pair_->equal(phrase.words.back(), to - 1), phrase.cost});
                }
            };
            if (size == 1) {
                singles_[phrase.words[0]].phrases.push_back(p);
                add_to(singles_[phrase.words[0]].jumps);
            } else {
                const auto first = static_cast<std::uint32_t>(jumps_.size());
                add_to(jumps_);
                const auto count = static_cast<std::uint32_t>(phrase.starts.size());
                by_first_[phrase.words[0]].push_back({phrase.words[1], size, p, first, count});
                by_last_[phrase.words[size - 1]].push_back({phrase.words[size - 2], size, p, first, count});
            }
            reach_ = std::max<std::size_t>(reach_, size);
            margin_ = std::max(margin_, static_cast<double>(phrase.length) * settings_->deletion);
        }
        margin_ += static_cast<double>(reach_) * settings_->insertion;
    }

    // Calls visit(phrase) for those of at least `least` words (two or more) whose words begin at place j.
    template <class Visit>
    void longer_from(std::span<const TerpWord> words, std::size_t j, std::size_t least, Visit visit) const {
        if (j + 1 >= words.size()) return;
        for (const Longer& one : by_first_[words[j]]) {
            if (one.neighbour != words[j + 1] || one.size < least || one.size > words.size() - j) continue;
            const PairPhrase& phrase = pair_->phrases[one.phrase];
            if (std::equal(phrase.words.begin() + 2, phrase.words.end(), &words[j] + 2)) visit(phrase);
        }
    }

    // Calls visit(words, jumps) for the phrases whose words end before place j.
    template <class Visit>
    void jumps_to(std::span<const TerpWord> words, std::size_t j, Visit visit) const {
        if (pair_->phrases.empty()) return;
        const TerpWord last = words[j - 1];
        if (!singles_[last].jumps.empty()) visit(std::size_t{1}, std::span<const Jump>(singles_[last].jumps));
        if (j < 2) return;
        for (const Longer& one : by_last_[last]) {
            if (one.neighbour != words[j - 2] || one.size > j) continue;
            const auto& theirs = pair_->phrases[one.phrase].words;
            if (std::equal(theirs.begin(), theirs.end() - 2, &words[j - one.size]))
                visit(std::size_t{one.size}, std::span<const Jump>(jumps_).subspan(one.first_jump, one.jumps));
        }
    }

    void step(std::span<const TerpWord> words, std::size_t j, const CutColumns& at, TerpColumn& column) {
        const TerpColumn& before = at(j - 1);
        work_ += before.size + 1;
        if (work_ >= kWorkBetweenLooks) watch_->spend(work_), work_ = 0;
        if (any_end(words, j, j)) return phrase_step(words, j, at, column);
        const std::size_t count = std::min(before.size, length_ - before.first);
        const bool prunes = j < words_ && settings_->beam < std::numeric_limits<double>::infinity();
        terp_step_here(before, pair_->costs(words[j - 1], before.first, count), length_ + 1, settings_->insertion,
                       settings_->deletion, prunes, prunes ? settings_->beam : 0, column);
    }

    // The same where phrases end. What they offer is there before the words across, but for those of one word for one.
    void phrase_step(std::span<const TerpWord> words, std::size_t j, const CutColumns& at, TerpColumn& column) {
        const TerpColumn& before = at(j - 1);
        const bool final = j == words_;
        dense_.assign(rows_, kTerpUnset);
        offers_.clear();
        jumps_to(words, j, [&](std::size_t size, std::span<const Jump> jumps) {
            const TerpColumn& from = at(j - size);
            const double* const cells = from.data();
            for (const Jump& jump : jumps) {
                const std::size_t row = jump.from - from.first;  // wraps around above the first row
                if (row >= from.size || cells[row] + jump.cost >= kTerpUnset / 2) continue;
                const double there = cells[row] + jump.cost;
                const bool last_choice = size == 1 && jump.to == jump.from + 1;
                if (!last_choice) dense_[jump.to] = std::min(dense_[jump.to], there);
                if (last_choice || jump.matches) offers_.push_back({jump.to, jump.matches, there});
            }
        });
        const std::size_t count = std::min(before.size, length_ - before.first);
        const double* const across = pair_->costs(words[j - 1], before.first, count);
        double best = terp_step_into_here(before.data(), before.size, across, count, settings_->insertion,
                                          dense_.data() + before.first);
        for (const Offer& offer : offers_) {
            const std::size_t k = offer.to - 1 - before.first;  // wraps around above the first row
            if (k < count && offer.matches) best = std::min(best, before.data()[k] + across[k]);
            dense_[offer.to] = std::min(dense_[offer.to], offer.cost);
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
        std::copy(dense_.begin() + static_cast<std::ptrdiff_t>(begin),
                  dense_.begin() + static_cast<std::ptrdiff_t>(end), column.data());
    }

    void fill_back(std::span<const TerpWord> words) {
        double* const end = back_.data() + words_ * rows_;
        end[length_] = 0;
        for (std::size_t i = length_; i-- > 0;) end[i] = end[i + 1] + settings_->deletion;
        for (std::size_t j = words_; j-- > 0;) {
            double* const cells = back_.data() + j * rows_;
            terp_step_back_here(cells + rows_, pair_->costs(words[j], 0, length_), length_, settings_->insertion,
                                settings_->deletion, cells);
            phrases_from(words, j, [&](const PairPhrase& phrase) {
                for (const std::uint32_t start : phrase.starts) {
                    const double there = phrase.cost + back_[(j + phrase.words.size()) * rows_ + start + phrase.length];
                    for (std::size_t i = start + 1; i-- > 0;) {  // rows above lead down to it
                        const double cost = there + static_cast<double>(start - i) * settings_->deletion;
                        if (cost >= cells[i]) break;
                        cells[i] = cost;
                    }
                }
            });
        }
    }

    // Whether the columns up to j are the present ones plus a constant, as far back as a phrase goes,
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
            if (std::abs(then.data()[k] - now.data()[k] - constant) > 1e-9 && now.data()[k] != then.data()[k])
                return false;
        return true;
    }

    TerpPair* pair_ = nullptr;
    const TerpSettings* settings_ = nullptr;
    Watch* watch_ = nullptr;
    std::size_t length_ = 0, rows_ = 1, words_ = 0;
    std::size_t reach_ = 0;  // words of the longest paraphrase
    std::size_t work_ = 0;
    double margin_ = 0;
    bool flat_ = false;       // whether there are plain tables
    bool cut_ = false;        // whether the beam may matter to the present words
    std::size_t filled_ = 0;  // how many of the columns with the beam are there
    std::vector<TerpColumn> columns_, tried_;
    Trial flat_trial_, cut_trial_;
    std::vector<Singles> singles_;  // by word
    std::vector<std::vector<Longer>> by_first_, by_last_;
    std::vector<Jump> jumps_;  // of the longer phrases
    std::vector<Offer> offers_;
    std::vector<Step> path_;
    std::vector<double> dense_, front_, back_, ahead_;
};

}  // namespace tertium
