#include "metrics/ter/mask_search.hpp"

namespace tertium {

std::unique_ptr<AnyMaskSearch> mask_search_4() { return std::make_unique<SearchOfWidth<4>>(); }

}  // namespace tertium
