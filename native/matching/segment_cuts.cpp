#include "matching/segment_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "machine/elementary.hpp"
#include "machine/multiversion.hpp"
#include "machine/vectors.hpp"

namespace tertium {
namespace {

using Worth = std::int32_t;
constexpr Worth kNever = -(1 << 29);
constexpr std::size_t kKeptBytes = std::size_t{128} << 20;      // of rows at the ends of segments
constexpr std::size_t kLikenessBytes = std::size_t{128} << 20;  // of rows of likeness
constexpr std::size_t kReach = 40;                              // how far from a cut others are looked for
constexpr std::size_t kCellsOfStep = 16;                        // that a vector does at once

// The next row of the table: after[j] = max(before[j], before[j-1] + alike[j-1], after[j-1]) for j up to `size`.
TERTIUM_INLINE void step_row(const Worth* before, const Worth* alike, Worth* after, std::size_t size) {
    after[0] = before[0];
    auto highest_before = everywhere(before[0]);
    std::size_t j = 1;
    constexpr std::size_t kAtOnce = kVectorBytes / sizeof(Worth);
    for (; j + kAtOnce <= size + 1; j += kAtOnce) {
        const auto paired = sum<Worth>(vector_at<Worth>(before + j - 1), vector_at<Worth>(alike + j - 1));
        const auto highest_so_far = running_highest(higher(vector_at<Worth>(before + j), paired), highest_before);
        put(highest_so_far, after + j);
        highest_before = last_everywhere(highest_so_far);
    }
    Worth highest = highest_before[0];
    for (; j <= size; ++j) {
        highest = std::max(highest, std::max(before[j], before[j - 1] + alike[j - 1]));
        after[j] = highest;
    }
}
TERTIUM_BY_PROCESSOR(step_row_here, step_row)

TERTIUM_INLINE void spread(const std::int16_t* of_kind, const std::uint32_t* kinds, Worth* alike, std::size_t size) {
    for (std::size_t j = 0; j < size; ++j) alike[j] = of_kind[kinds[j]];
}
TERTIUM_BY_PROCESSOR(spread_here, spread)

// What the tokens beside a place say about a cut there.
struct Sides {
    Mark before = Mark::none;  // final also if quotes or brackets close behind it
    bool large_after = false, mark_after = false;
};

struct Token {
    Mark mark;
    bool large;
};

Sides sides_of(std::span<const Token> tokens, std::size_t place) {
    Sides sides;
    if (place > 0) {
        sides.before = tokens[place - 1].mark;
        for (std::size_t back = 1; back <= 3 && back <= place; ++back) {
            const Mark mark = tokens[place - back].mark;
            if (mark == Mark::final) sides.before = Mark::final;
            if (mark != Mark::closing) break;
        }
    }
    if (place == tokens.size()) {
        sides.large_after = true;
        return sides;
    }
    std::size_t next = place;
    const auto opens = [](Mark mark) { return mark == Mark::opening || mark == Mark::closing || mark == Mark::other; };
    while (next + 1 < tokens.size() && next < place + 3 && opens(tokens[next].mark)) ++next;
    sides.large_after = tokens[next].large;
    sides.mark_after = tokens[place].mark == Mark::final || tokens[place].mark == Mark::pause;
    return sides;
}

Worth worth_of(const CutSigns& signs, const Sides& wanted, const Sides& found) {
    Worth worth = 0;
    if (found.before == Mark::final) worth += wanted.before == Mark::final ? signs.final : signs.any_final;
    if (found.before == Mark::pause && wanted.before != Mark::pause) worth += signs.pause;
    if (wanted.large_after && found.large_after) worth += signs.large;
    if (found.mark_after) worth += signs.mark;
    return worth;
}

class DocumentCuts {
public:
    DocumentCuts(const CutStream& stream, const CutDocument& document, const CutSettings& settings, Watch& watch)
        : settings_(settings), watch_(watch),
          likeness_(settings.letters ? Likeness() : Likeness(settings.equal, settings.other)) {
        read_units(stream, document);
        read_references(stream, document);
    }

    // Fills the cuts and returns what the alignment costs.
    double find(std::span<SegmentCut> cuts) {
        if (segments_.empty()) return 0;
        go_forward();
        const Worth best = rows_.back()[size()];
        std::size_t end = size();
        cuts.back() = {unit_at(end), 1, 0};
        start_backward();
        for (std::size_t s = segments_.size(); s-- > 0;) {
            const Worth* const start = row_before(s);
            const Found found = start_of(s, end, start, worth_at_end(s, end));
            cuts[s].reference = found.reference;
            if (s == 0) break;
            end = found.start;
            cuts[s - 1] = {unit_at(end), 1, 0};
            cuts[s - 1].confidence = confidence(s, end, start);
        }
        // `best` has what tokens of the references cost taken off already, and signs of cuts added.
        return static_cast<double>(settings_.alone) * static_cast<double>(size()) - static_cast<double>(best - signs_);
    }

private:
    using Row = std::vector<Worth>;
    struct Segment {
        std::vector<std::vector<std::uint32_t>> alternatives;  // kinds of tokens
        Sides sides;                                           // of the first reference, towards the next segment
    };
    struct Found {
        std::size_t start, reference;
    };
    // What is worth most behind a stretch of places, `low` being the first of them.
    struct Stretch {
        std::size_t low = 0;
        Row worth;
    };

    std::size_t size() const { return kinds_.size(); }

    void read_units(const CutStream& stream, const CutDocument& document) {
        WordReader reader(true);
        unit_of_.assign(1, 0);
        line_end_.assign(1, 0);
        for (std::size_t unit = document.first_unit; unit < document.last_unit; ++unit) {
            const Words words = reader(stream.units, unit);
            for (const std::string_view word : words.spelling) {
                kinds_.push_back(likeness_.add(word));
                tokens_.push_back({mark_of(word), begins_large(word)});
                unit_of_.push_back(kInside);
                line_end_.push_back(0);
            }
            // A unit without tokens goes with the one before.
            unit_of_.back() = static_cast<std::uint32_t>(unit - document.first_unit + 1);
            if (stream.line_ends[unit]) line_end_.back() = 1;
        }
        first_unit_ = document.first_unit;
        if (size() == 0) unit_of_.back() = static_cast<std::uint32_t>(document.last_unit - document.first_unit);
        found_sides_.resize(size() + 1);
        for (std::size_t j = 0; j <= size(); ++j) found_sides_[j] = sides_of(tokens_, j);
    }

    void read_references(const CutStream& stream, const CutDocument& document) {
        WordReader reader(true);
        std::unordered_map<std::string, std::uint32_t> numbers;
        std::vector<Token> last, first;
        for (std::size_t s = document.first_segment; s < document.last_segment; ++s) {
            Segment& segment = segments_.emplace_back();
            for (std::size_t r = 0; r < stream.references.count(s); ++r) {
                const Words words = reader(stream.references.texts, stream.references.first(s) + r);
                std::vector<std::uint32_t>& kinds = segment.alternatives.emplace_back();
                for (const std::string_view word : words.spelling) {
                    const auto [found, is_new] =
                        numbers.try_emplace(std::string(word), static_cast<std::uint32_t>(reference_words_.size()));
                    if (is_new) reference_words_.emplace_back(word);
                    kinds.push_back(found->second);
                }
                if (r > 0) continue;
                first.clear();
                for (const std::string_view word : words.spelling) first.push_back({mark_of(word), begins_large(word)});
                segment.sides = sides_of(first, first.size());
                if (segments_.size() > 1) {
                    Sides& before = segments_[segments_.size() - 2].sides;
                    before.large_after = first.empty() || sides_of(first, 0).large_after;
                }
            }
        }
        of_kind_.resize(reference_words_.size());
        spread_.resize(reference_words_.size());
    }

    // How alike a token of the references is to each kind of token of the stream.
    const std::int16_t* of_kind(std::uint32_t word) {
        if (!of_kind_[word].empty()) return of_kind_[word].data();
        const bool keep = (likeness_bytes_ += 2 * likeness_.size()) < kLikenessBytes / 2;
        std::vector<std::int16_t>& row = keep ? of_kind_[word] : spare_kinds_;
        row.resize(std::max<std::size_t>(likeness_.size(), 1));
        likeness_.row(reference_words_[word], std::span(row).first(likeness_.size()));
        return row.data();
    }

    const Worth* alike(std::uint32_t word) {
        if (!spread_[word].empty()) return spread_[word].data();
        const bool keep = (spread_bytes_ += sizeof(Worth) * size()) < kLikenessBytes / 2;
        Row& row = keep ? spread_[word] : spare_spread_;
        row.resize(size() + 1);
        spread_here(of_kind(word), kinds_.data(), row.data(), size());
        return row.data();
    }

    // From the row before a segment to the one at its end, which has what speaks for cuts added, but for the last.
    void forward(std::size_t s, const Worth* start, Row& end) {
        end.assign(size() + 1, kNever);
        one_.resize(size() + 1);
        two_.resize(size() + 1);
        for (const std::vector<std::uint32_t>& reference : segments_[s].alternatives) {
            Worth highest = kNever;
            for (std::size_t j = 0; j <= size(); ++j) one_[j] = highest = std::max(highest, start[j]);
            for (const std::uint32_t word : reference) {
                step_row_here(one_.data(), alike(word), two_.data(), size());
                one_.swap(two_);
                watch_.spend(size() / kCellsOfStep + 1);
            }
            const Worth cost = cost_of(reference);
            for (std::size_t j = 0; j <= size(); ++j) end[j] = std::max(end[j], one_[j] - cost);
        }
        if (s + 1 < segments_.size())
            for (std::size_t j = 0; j <= size(); ++j) end[j] = std::max(end[j] + sign(s, j), kNever);
    }

    Worth cost_of(const std::vector<std::uint32_t>& reference) const {
        return settings_.alone * static_cast<Worth>(reference.size());
    }

    // What speaks for the end of a segment at a place.
    Worth sign(std::size_t s, std::size_t j) const {
        if (unit_of_[j] == kInside) return kNever;
        return worth_of(settings_.signs, segments_[s].sides, found_sides_[j]) +
               (line_end_[j] ? settings_.signs.line : 0);
    }

    void go_forward() {
        const std::size_t count = segments_.size();
        const std::size_t fit = std::max<std::size_t>(kKeptBytes / (sizeof(Worth) * (size() + 1)), 2);
        every_ = count <= fit ? 1 : static_cast<std::size_t>(std::sqrt(static_cast<double>(count))) + 1;
        watch_.hold((count / every_ + every_ + 2) * (size() + 1), sizeof(Worth));
        Row row(size() + 1, kNever), next;
        row[0] = 0;
        rows_.clear();
        for (std::size_t s = 0; s < count; ++s) {
            if (s % every_ == 0) rows_.push_back(row);
            forward(s, row.data(), next);
            row.swap(next);
        }
        rows_.push_back(std::move(row));
    }

    // The row before a segment; quick as long as segments come from the last to the first.
    const Worth* row_before(std::size_t s) {
        if (every_ == 1) return rows_[s].data();
        const std::size_t block = s / every_;
        if (block != block_ || again_.empty()) {
            again_.resize(every_);
            again_[0] = rows_[block];
            for (std::size_t k = 1; k < every_ && block * every_ + k < segments_.size(); ++k)
                forward(block * every_ + k - 1, again_[k - 1].data(), again_[k]);
            block_ = block;
        }
        return again_[s - block * every_].data();
    }

    // What the forward table has at the end of a segment, without what speaks for the cut.
    Worth worth_at_end(std::size_t s, std::size_t end) {
        if (s + 1 == segments_.size()) return rows_.back()[size()];
        const Worth with = forward_end_;
        signs_ += sign(s, end);
        return with - sign(s, end);
    }

    // Aligns a segment backwards from where it ends, and finds its best start.
    Found start_of(std::size_t s, std::size_t end, const Worth* start, Worth promised) {
        std::size_t longest = 0;
        for (const auto& reference : segments_[s].alternatives) longest = std::max(longest, reference.size());
        for (std::size_t reach = 2 * longest + 64;; reach *= 4) {
            const std::size_t low = end - std::min(end, reach);
            for (std::size_t r = 0; r < segments_[s].alternatives.size(); ++r) {
                Stretch stretch{low, Row(end - low + 1, kNever)};
                stretch.worth.back() = 0;
                backward(segments_[s].alternatives[r], stretch);
                const Worth cost = cost_of(segments_[s].alternatives[r]);
                for (std::size_t j = end + 1; j-- > low;)
                    if (start[j] > kNever / 2 && start[j] + stretch.worth[j - low] - cost == promised) {
                        forward_end_ = start[j];
                        return {j, r};
                    }
            }
            if (low == 0) throw std::logic_error("no start of a segment reaches what was promised");
        }
    }

    // From what places are worth behind a segment to what they are worth before it, without what the segment costs.
    void backward(const std::vector<std::uint32_t>& reference, Stretch& stretch) {
        Row& worth = stretch.worth;
        for (std::size_t j = worth.size() - 1; j-- > 0;) worth[j] = std::max(worth[j], worth[j + 1]);
        for (std::size_t k = reference.size(); k-- > 0;) {
            const std::int16_t* const likeness = of_kind(reference[k]);
            const std::uint32_t* const kinds = kinds_.data() + stretch.low;
            Worth above = worth.back();  // of the row before, one place on
            for (std::size_t j = worth.size() - 1; j-- > 0;) {
                const Worth here = worth[j];
                worth[j] = std::max({here, above + likeness[kinds[j]], worth[j + 1]});
                above = here;
            }
            watch_.spend(worth.size() / kCellsOfStep + 1);
        }
    }

    void start_backward() { behind_ = {size(), Row(1, 0)}; }

    // How sure it is that segment s begins at `cut`: against all places nearby, by what is worth most with each.
    double confidence(std::size_t s, std::size_t cut, const Worth* start) {
        const std::size_t low = cut - std::min(cut, kReach), high = std::min(cut + kReach, size());
        Stretch stretch{low, Row(behind_.low + behind_.worth.size() - low, kNever)};
        for (std::size_t j = behind_.low; j < behind_.low + behind_.worth.size(); ++j)
            stretch.worth[j - low] =
                std::max(behind_.worth[j - behind_.low] + (s + 1 < segments_.size() ? sign(s, j) : 0), kNever);
        Row best(stretch.worth.size(), kNever);
        for (const auto& reference : segments_[s].alternatives) {
            Stretch one = stretch;
            backward(reference, one);
            for (std::size_t j = 0; j < best.size(); ++j)
                best[j] = std::max(best[j], one.worth[j] - cost_of(reference));
        }
        best.resize(high - low + 1);
        behind_ = {low, std::move(best)};
        const double here = static_cast<double>(start[cut]) + static_cast<double>(behind_.worth[cut - low]);
        double all = 0;
        for (std::size_t j = low; j <= high; ++j)
            if (unit_of_[j] != kInside) {
                const double there = static_cast<double>(start[j]) + static_cast<double>(behind_.worth[j - low]);
                all += exponential(std::min(there - here, 0.0) / settings_.doubt);
            }
        return 1 / all;
    }

    std::size_t unit_at(std::size_t place) const { return first_unit_ + unit_of_[place]; }

    static constexpr std::uint32_t kInside = static_cast<std::uint32_t>(-1);

    const CutSettings& settings_;
    Watch& watch_;
    Likeness likeness_;
    std::size_t first_unit_ = 0;
    std::vector<std::uint32_t> kinds_;  // of each token of the stream
    std::vector<Token> tokens_;
    std::vector<std::uint32_t> unit_of_;  // for each place: how many units are before it, unless it is inside one
    std::vector<std::uint8_t> line_end_;
    std::vector<Sides> found_sides_;
    std::vector<Segment> segments_;
    std::vector<std::string> reference_words_;
    std::vector<std::vector<std::int16_t>> of_kind_;
    std::vector<Row> spread_;
    std::vector<std::int16_t> spare_kinds_;
    Row spare_spread_, one_, two_;
    std::size_t likeness_bytes_ = 0, spread_bytes_ = 0, every_ = 1, block_ = 0;
    std::vector<Row> rows_, again_;
    Worth forward_end_ = 0, signs_ = 0;
    Stretch behind_;
};

}  // namespace

void segment_cuts(const CutStream& stream, std::span<const CutDocument> documents, const CutSettings& settings,
                  unsigned threads, Watch& watch, std::span<SegmentCut> cuts, std::span<double> costs) {
    parallel_for(
        documents.size(), threads, watch,
        [&] {
            return [&](std::size_t begin, std::size_t end) {
                for (std::size_t d = begin; d < end; ++d) {
                    watch.begin(d);
                    const CutDocument& document = documents[d];
                    DocumentCuts one(stream, document, settings, watch);
                    costs[d] =
                        one.find(cuts.subspan(document.first_segment, document.last_segment - document.first_segment));
                }
            };
        },
        1, 1);
}

}  // namespace tertium
