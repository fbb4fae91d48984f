#include "metrics/ter/beamed_pair.hpp"

#include <algorithm>

namespace tertium {
namespace {

auto at(std::vector<WordNumber>& words, std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); }

}  // namespace

BeamedPair::BeamedPair(std::span<const Key> words, std::span<const Key> reference, const TerSettings& settings,
                       Watch& watch)
    : numbered_(words, reference), words_(numbered_.hypothesis),
      table_(numbered_.reference, words_.size(), {}, beam_of(settings), watch) {
    table_.fill(words_);
}
BeamedPair::~BeamedPair() = default;

std::size_t BeamedPair::distance() const { return static_cast<std::size_t>(table_.distance()); }

std::size_t BeamedPair::distance_after(std::size_t begin, std::size_t middle, std::size_t end) {
    moved_.resize(end - begin);
    std::rotate_copy(at(words_, begin), at(words_, middle), at(words_, end), moved_.begin());
    std::size_t reach = 0;
    return static_cast<std::size_t>(table_.distance_with(moved_, words_, begin, end, reach));
}

void BeamedPair::apply(std::size_t begin, std::size_t middle, std::size_t end) {
    std::rotate(at(words_, begin), at(words_, middle), at(words_, end));
    table_.update(words_, begin, end);
}

std::vector<BeamedPair::Step> BeamedPair::trace() const {
    std::vector<Step> steps;
    table_.trace(words_, [&](char kind, std::size_t i, std::size_t j) { steps.push_back({kind, i, j}); });
    return steps;
}

}  // namespace tertium
