#include "metrics/ter/mask_search.hpp"

namespace tertium {

std::unique_ptr<AnyMaskSearch> mask_search_2() { return std::make_unique<SearchOfWidth<2>>(); }

}  // namespace tertium
