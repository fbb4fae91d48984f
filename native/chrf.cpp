#include "chrf.hpp"

#include <algorithm>
#include <numeric>

#include "char_matches.hpp"
#include "clipped_matches.hpp"
#include "splitting.hpp"
#include "unicode.hpp"
#include "utf8.hpp"

namespace tertium {
namespace {

struct Side {
    std::u32string characters;
    Tokens words;
    Tokenizer::Scratch scratch;
};

bool is_space(char32_t c) { return (unicode::properties(c) & unicode::kWhitespace) != 0; }

bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void read_characters(std::string_view text, bool keep_space, std::u32string& characters) {
    characters.resize(text.size());
    char32_t* out = characters.data();
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
        const auto byte = static_cast<unsigned char>(*p);
        if (byte < 0x80) {
            *out = byte;
            const bool space = byte == ' ' || (byte >= 0x09 && byte <= 0x0D) || (byte >= 0x1C && byte <= 0x1F);
            out += keep_space || !space;
            ++p;
        } else {
            *out = utf8::decode(p);
            out += keep_space || !is_space(*out);
        }
    }
    characters.resize(static_cast<std::size_t>(out - characters.data()));
}

// One punctuation mark comes off a word: the last character if it is one, else the first.
void add_word(const char* begin, const char* end, const char* text_end, Tokens& words) {
    if (end - begin == 1) return words.add(begin, end, text_end);  // more bytes, one character: no ASCII in it
    if (is_ascii_punctuation(end[-1])) {
        words.add(begin, end - 1, text_end);
        words.add(end - 1, end, text_end);
    } else if (is_ascii_punctuation(*begin)) {
        words.add(begin, begin + 1, text_end);
        words.add(begin + 1, end, text_end);
    } else {
        words.add(begin, end, text_end);
    }
}

void read_words(std::string_view text, Side& side) {
    side.words.clear();
    const char* const begin = text.data();
    const std::size_t count = split_space(text, side.scratch);
    for (std::size_t i = 0; i < count; ++i)
        add_word(begin + side.scratch.starts[i], begin + side.scratch.ends[i] + 1, begin + text.size(), side.words);
}

void read(std::string_view text, const ChrfSettings& settings, Side& side) {
    text = prepared(text, settings.normalization, settings.lowercase, side.scratch);
    read_characters(text, settings.whitespace, side.characters);
    if (settings.word_order > 0) read_words(text, side);
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
            for (std::size_t i = begin; i < end; ++i)
                segment.fill_row(hypotheses[i], references.subspan(offsets[i], offsets[i + 1] - offsets[i]),
                                 rows.data() + i * columns, watch);
        };
    });
}

}  // namespace tertium
