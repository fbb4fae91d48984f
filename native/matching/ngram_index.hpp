// Which n-grams of one text stand in each of many others, counted against all of them at once.
//
// A matrix of scores compares every hypothesis with every reference. Pair by pair, each n-gram of the hypothesis would
// be looked for in each reference; here it is looked up once, and the answer is a list of references with their counts:
//
//     references   0: a b a b    1: b a        "a b" -> {0: 2}    "b a" -> {0: 1, 1: 1}
//     hypothesis   a b a         its "a b" adds min(1, 2) to reference 0, its "b a" adds 1 to both
//
// An n-gram is a walk: the number of its first n - 1 symbols and its last symbol give its own number. So nothing is
// hashed that could collide, and a walk that leaves the references ends there, for no longer n-gram can match.
//
// N-grams that stand in many references, as they do where all are translations of one sentence, keep a byte per
// reference instead of a list; sixty-four such counts are then compared and added by a few instructions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

class NgramIndex {
public:
    using Symbol = std::uint64_t;

    // With more texts than this, bytes for each of them no longer stay in the cache: take several indexes.
    static constexpr std::size_t kBlock = 1024;

    // Lists of symbols; n-grams of the lengths 1 … longest.
    NgramIndex(std::span<const std::span<const Symbol>> texts, unsigned longest);

    unsigned longest() const { return longest_; }
    std::size_t stride() const { return stride_; }

    // Clipped matches of texts with those of the index; one for each thread.
    class Counter {
    public:
        // matches[(n - 1) * stride() + r]: n-grams of length n that `text` shares with text r.
        std::span<const std::uint32_t> count(const NgramIndex& index, std::span<const Symbol> text);

        // The same with all texts of the index as one, whose counts are the weighted sums: matches[n - 1].
        std::span<const double> count_weighted(const NgramIndex& index, std::span<const double> sums,
                                               std::span<const Symbol> text);

    private:
        void walk(const NgramIndex& index, std::span<const Symbol> text);
        template <class Total>
        void add(const NgramIndex& index, std::vector<Total>& totals);

        std::vector<std::uint32_t> counts_;                // by number, zero between uses
        std::vector<std::vector<std::uint32_t>> touched_;  // by order: the numbers that occur
        std::vector<std::uint16_t> narrow_;
        std::vector<std::uint32_t> wide_;
        std::vector<double> weighted_;
    };

    // Per n-gram, the sum over texts of weight times count.
    std::vector<double> weighted_sums(std::span<const double> weights) const;

private:
    struct Posting {
        std::uint32_t text, count;
    };
    struct Slot {
        Symbol symbol;
        std::uint32_t prefix, number;  // number 0: free
    };
    static constexpr std::uint32_t kRoot = 0, kNone = 0xFFFFFFFFu;

    std::uint32_t find(std::uint32_t prefix, Symbol symbol) const;
    std::uint32_t learn(std::uint32_t prefix, Symbol symbol);
    void grow();
    std::size_t place(std::uint32_t prefix, Symbol symbol) const;

    unsigned longest_;
    std::size_t stride_;  // texts, and a few more to fill vectors
    std::vector<Slot> slots_;
    std::uint32_t numbers_ = 1;       // the root has 0
    std::vector<std::size_t> lists_;  // by number: where its postings begin
    std::vector<Posting> postings_;
    std::vector<std::uint32_t> dense_rows_;  // by number: which row of `dense_`, or kNone
    std::vector<std::uint8_t> dense_;        // rows of stride() counts
};

}  // namespace tertium
