// The programs' own table of one pair, for a search that did without until the beam mattered.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/ter/beam_table.hpp"
#include "metrics/ter/ter.hpp"

namespace tertium {

class BeamedPair {
public:
    BeamedPair(std::span<const Key> words, std::span<const Key> reference, const TerSettings& settings, Watch& watch);
    BeamedPair(const BeamedPair&) = delete;
    BeamedPair& operator=(const BeamedPair&) = delete;
    ~BeamedPair();

    std::size_t distance() const;
    // After [begin, middle) and [middle, end) have changed places.
    std::size_t distance_after(std::size_t begin, std::size_t middle, std::size_t end);
    void apply(std::size_t begin, std::size_t middle, std::size_t end);

    struct Step {
        char kind;         // ' ' match, S, I (extra hypothesis word), D
        std::size_t i, j;  // reference and hypothesis words before it
    };
    // From the end to the beginning.
    std::vector<Step> trace() const;

private:
    NumberedWords numbered_;
    std::vector<WordNumber> words_, moved_;
    BeamTable<std::int32_t> table_;
};

}  // namespace tertium
