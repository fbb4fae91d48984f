#include "metrics/ter/mask_search.hpp"

namespace tertium {

std::unique_ptr<AnyMaskSearch> mask_search_1() { return std::make_unique<SearchOfWidth<1>>(); }

}  // namespace tertium
