// The greedy search in one pair: align, make the shift that saves most, repeat.

#pragma once

#include <cstddef>
#include <memory>

#include "machine/parallel.hpp"
#include "metrics/terp/pair.hpp"
#include "metrics/terp/terp.hpp"

namespace tertium {

class PairSearch {
public:
    // Pairs with more words on a side are none for it.
    static constexpr std::size_t kMostWords = (std::size_t{1} << 20) - 2;

    PairSearch();
    PairSearch(PairSearch&&) noexcept;
    ~PairSearch();

    TerpCounts run(TerpPair& pair, const TerpSettings& settings, Watch& watch, TerpRecord* record);

private:
    struct Space;
    std::unique_ptr<Space> space_;
};

}  // namespace tertium
