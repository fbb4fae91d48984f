// What nearly every kernel includes, parsed once a platform.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/lanes.hpp"
#include "machine/multiversion.hpp"
#include "machine/parallel.hpp"
