#include "metrics/chrf.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "matching/char_matches.hpp"
#include "matching/clipped_matches.hpp"
#include "text/splitting.hpp"
#include "text/utf8.hpp"

namespace tertium {
namespace {

struct Side {
    Characters characters;
    Tokens words;
    Tokenizer::Scratch scratch, pieces;
};

constexpr auto kPunctuation = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned char c = '!'; c <= '~'; ++c)
        table[c] = c <= '/' || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || c >= '{';
    return table;
}();
// 1 or 0.
std::uint32_t is_ascii_punctuation(char c) { return kPunctuation[static_cast<unsigned char>(c)]; }

// Words are copied whole sixteen bytes at a time; what is too much is overwritten by the next word. The end of the text
// is copied first, to where more than it may be read.
void join_words(std::string_view text, std::size_t count, const Tokenizer::Scratch& scratch, Characters& characters) {
    constexpr std::size_t step = 16;
    const std::uint32_t *const starts = scratch.starts.data(), *const ends = scratch.ends.data();
    char* const begin = characters.replace(text.size());
    char* out = begin;
    char last[2 * step] = {};
    const std::size_t whole = text.size() - std::min(text.size(), step);
    text.copy(last, step, whole);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t start = starts[i], length = ends[i] - start + 1;
        const char* const word = start + step <= text.size() ? text.data() + start : last + (start - whole);
        std::memcpy(out, word, step);
        if (length > step) [[unlikely]]
            std::memcpy(out, word, length);
        out += length;
    }
    characters.finish(static_cast<std::size_t>(out - begin));
}

void copy(std::string_view text, Characters& characters) {
    std::copy(text.begin(), text.end(), characters.replace(text.size()));
    characters.finish(text.size());
}

// One punctuation mark comes off a word: the last character if it is one, else the first. Both pieces are written
// each time, so that no branch hangs on the text; the second is kept only if there was a cut.
void cut_words(std::string_view text, std::size_t count, Side& side) {
    std::vector<std::uint32_t>&starts = side.pieces.starts, &ends = side.pieces.ends;
    if (starts.size() < 2 * count + 1) {
        starts.resize(4 * count + 1);
        ends.resize(4 * count + 1);
    }
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t start = side.scratch.starts[i], end = side.scratch.ends[i];
        const std::uint32_t can_cut = end > start;  // more bytes, but one character: no ASCII in it
        const std::uint32_t after = is_ascii_punctuation(text[end]) & can_cut;
        const std::uint32_t before = is_ascii_punctuation(text[start]) & (can_cut - after);
        const std::uint32_t second = end + 1 - after - before * (end - start);
        starts[pieces] = start;
        ends[pieces] = second - 1;
        starts[pieces + 1] = second;
        ends[pieces + 1] = end;
        pieces += 1 + after + before;
    }
    take_words(text, pieces, side.pieces, side.words);
}

void read(std::string_view text, const ChrfSettings& settings, Side& side) {
    text = prepared(text, settings.normalization, settings.lowercase, side.scratch);
    const std::size_t count = split(text, Cut::unicode, side.scratch);
    if (settings.whitespace)
        copy(text, side.characters);
    else
        join_words(text, count, side.scratch, side.characters);
    if (settings.word_order > 0) cut_words(text, count, side);
}

double ngrams_in(std::size_t length, std::size_t n) { return length >= n ? static_cast<double>(length - n + 1) : 0.0; }

class Segment {
public:
    explicit Segment(const ChrfSettings& settings)
        : settings_(settings), word_orders_(settings.word_order), matches_(settings.char_order + settings.word_order),
          triples_(3 * matches_.size()) {
        std::iota(word_orders_.begin(), word_orders_.end(), 1u);
    }

    void fill_row(std::string_view hypothesis, std::span<const std::string_view> references, double* row,
                  Watch& watch) {
        read(hypothesis, settings_, hypothesis_);
        double best = -1;
        for (const std::string_view reference : references) {
            read(reference, settings_, reference_);
            compare(watch);
            // With one reference there is nothing to choose.
            const double score = references.size() == 1 ? 0 : chrf_score(triples_, settings_);
            if (score > best) {
                best = score;
                std::copy(triples_.begin(), triples_.end(), row);
            }
        }
    }

private:
    void compare(Watch& watch) {
        const std::size_t chars = settings_.char_order;
        char_matches_.count(hypothesis_.characters, reference_.characters, chars, matches_.data(), watch);
        if (settings_.word_order > 0) {
            const std::size_t reference_ends[] = {reference_.words.size()};
            word_matches_.count({hypothesis_.words.keys(), reference_.words.keys(), reference_ends}, word_orders_,
                                matches_.data() + chars, watch);
        }
        for (std::size_t k = 0; k < matches_.size(); ++k) {
            const bool of_chars = k < chars;
            const std::size_t n = of_chars ? k + 1 : k - chars + 1;
            const std::size_t in_hypothesis = of_chars ? hypothesis_.characters.size() : hypothesis_.words.size();
            const std::size_t in_reference = of_chars ? reference_.characters.size() : reference_.words.size();
            const double wanted = ngrams_in(in_reference, n);
            triples_[3 * k] = wanted > 0 ? ngrams_in(in_hypothesis, n) : 0;
            triples_[3 * k + 1] = wanted;
            triples_[3 * k + 2] = matches_[k];
        }
    }

    ChrfSettings settings_;
    std::vector<unsigned> word_orders_;
    std::vector<double> matches_, triples_;
    Side hypothesis_, reference_;
    CharMatches char_matches_;
    ClippedMatches word_matches_;
};

}  // namespace

struct ChrfReader::Side : tertium::Side {};

ChrfReader::ChrfReader(const ChrfSettings& settings) : settings_(settings), side_(std::make_unique<Side>()) {}
ChrfReader::~ChrfReader() = default;

void ChrfReader::read(std::string_view text, std::vector<std::uint64_t>& characters, std::vector<Key>& words) {
    tertium::read(text, settings_, *side_);
    const std::string_view bytes = side_->characters.bytes();
    for (const char* p = bytes.data(); p != bytes.data() + bytes.size();) characters.push_back(utf8::decode(p));
    const std::span<const Key> keys = side_->words.keys();
    words.insert(words.end(), keys.begin(), keys.end());
}

double chrf_score(std::span<const double> triples, const ChrfSettings& settings) {
    constexpr double tiny = 1e-16;
    const double factor = settings.beta * settings.beta;
    double sum = 0, precision = 0, recall = 0, used = 0;
    for (std::size_t k = 0; k < triples.size(); k += 3) {
        const double p = triples[k] > 0 ? triples[k + 2] / triples[k] : tiny;
        const double r = triples[k + 1] > 0 ? triples[k + 2] / triples[k + 1] : tiny;
        const double denominator = factor * p + r;
        sum += denominator > 0 ? (1 + factor) * p * r / denominator : tiny;
        if (triples[k] > 0 && triples[k + 1] > 0) {
            precision += p;
            recall += r;
            used += 1;
        }
    }
    if (settings.eps_smoothing) return 100 * sum / static_cast<double>(triples.size() / 3);
    if (used == 0) return 0;
    precision /= used;
    recall /= used;
    return precision + recall > 0 ? 100 * ((1 + factor) * precision * recall / (factor * precision + recall)) : 0;
}

void chrf_rows(std::span<const std::string_view> hypotheses, std::span<const std::string_view> references,
               std::span<const std::size_t> offsets, const ChrfSettings& settings, unsigned threads, Watch& watch,
               std::span<double> rows) {
    const std::size_t columns = 3 * (settings.char_order + settings.word_order);
    parallel_for(hypotheses.size(), threads, watch, [&] {
        return [&, segment = Segment(settings)](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                if (i + 1 < hypotheses.size()) {
                    prefetch_text(hypotheses[i + 1]);
                    if (offsets[i + 1] < references.size()) prefetch_text(references[offsets[i + 1]]);
                }
                segment.fill_row(hypotheses[i], references.subspan(offsets[i], offsets[i + 1] - offsets[i]),
                                 rows.data() + i * columns, watch);
            }
        };
    });
}

}  // namespace tertium
