// Runs kernels where no Python is at hand: prints the sums of rows of BLEU, chrF, TER and WER, and a mark of all their
// bits, for texts that it makes itself; and marks of exponentials, logarithms and powers. The same is printed
// everywhere; kernels_check PROCESSOR runs other copies.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "machine/elementary.hpp"
#include "machine/parallel.hpp"
#include "machine/processor.hpp"
#include "metrics/bleu.hpp"
#include "metrics/chrf.hpp"
#include "metrics/ter/ter.hpp"
#include "metrics/wer.hpp"
#include "text/token_source.hpp"

namespace {

using namespace tertium;

// The same numbers on every machine.
struct Numbers {
    std::uint64_t state = 2026;
    std::size_t below(std::size_t end) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(state >> 33) % end;
    }
};

struct Pairs {
    std::vector<std::string> hypotheses, references;

    Pairs() {
        Numbers numbers;
        for (std::size_t length = 0; length < 300; length += 1 + length / 40) {
            std::vector<std::string> words;
            for (std::size_t i = 0; i < length; ++i) {
                // One after the other: compilers may take summands in any order.
                words.push_back("w" + std::to_string(numbers.below(length)));
                if (numbers.below(9) == 0) words.back() += ",";
            }
            references.push_back(joined(words));
            for (int move = 0; move < 3 && length > 0; ++move) {
                const std::string word = words[numbers.below(words.size())];
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(numbers.below(words.size())));
                words.insert(words.begin() + static_cast<std::ptrdiff_t>(numbers.below(words.size() + 1)), word);
            }
            hypotheses.push_back(joined(words));
        }
    }
    static std::string joined(const std::vector<std::string>& words) {
        std::string text;
        for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
        return text;
    }
};

void print(const char* name, const std::vector<double>& rows, std::size_t columns) {
    std::uint64_t mark = 14695981039346656037u;
    for (const double value : rows) {
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        mark = (mark ^ bits) * 1099511628211u;
    }
    std::printf("%s %016llx", name, static_cast<unsigned long long>(mark));
    for (std::size_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (std::size_t at = column; at < rows.size(); at += columns) sum += rows[at];
        std::printf(" %.17g", sum);
    }
    std::printf("\n");
}

void run() {
    const Pairs pairs;
    const std::vector<std::string_view> ours(pairs.hypotheses.begin(), pairs.hypotheses.end());
    const std::vector<std::string_view> theirs(pairs.references.begin(), pairs.references.end());
    std::vector<std::size_t> offsets(ours.size() + 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = i;
    const Tokenizer tokenizer(Rule::mteval_13a, false, Normalization::none);
    const SplitTexts hypotheses(ours, tokenizer), references(theirs, tokenizer);
    const GroupedTokens groups{references, offsets};
    const auto rows = [&](const char* name, std::size_t columns, auto fill) {
        Watch watch;
        std::vector<double> filled(ours.size() * columns);
        fill(watch, std::span(filled));
        print(name, filled, columns);
    };
    rows("bleu", 10, [&](Watch& watch, std::span<double> out) {
        bleu_rows(hypotheses, groups, {{1, 2, 3, 4}, ReferenceLength::closest, {}}, 2, watch, out);
    });
    ChrfSettings chrf;
    rows("chrf", 18,
         [&](Watch& watch, std::span<double> out) { chrf_rows(ours, theirs, offsets, chrf, 2, watch, out); });
    TerSettings ter;
    rows("ter", columns_of(ter), [&](Watch& watch, std::span<double> out) {
        ter_rows(hypotheses, groups, nullptr, ter, ReferenceLength::average, 2, watch, out);
    });
    ter.variant = TerSettings::Variant::sacrebleu;
    rows("ter-sacrebleu", columns_of(ter), [&](Watch& watch, std::span<double> out) {
        ter_rows(hypotheses, groups, nullptr, ter, ReferenceLength::average, 2, watch, out);
    });
    const WerSettings wer{};
    rows("wer", wer_columns(wer),
         [&](Watch& watch, std::span<double> out) { wer_rows(hypotheses, groups, wer, 2, watch, out); });
    const auto elementary = [](const char* name, double begin, double step, auto function) {
        std::vector<double> numbers;
        for (int i = 0; i < 100000; ++i) numbers.push_back(begin + i * step);
        function(std::span(numbers));
        print(name, numbers, 1);
    };
    elementary("exponentials", -745, 1.0 / 128, [](std::span<double> numbers) { exponentials(numbers); });
    elementary("logarithms", 1.0 / 4096, 1.0 / 4096, [](std::span<double> numbers) { logarithms(numbers); });
    elementary("powers", 0, 1.0 / 65536, [](std::span<double> numbers) { powers(numbers, 0.7); });
}

}  // namespace

int main(int count, char** arguments) {
    try {
        if (count > 1) tertium::choose_processor(arguments[1]);
        run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
