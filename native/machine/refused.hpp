// What a user can put right: a segment that is too long, a full disk. Bindings make an InputError of it.

#pragma once

#include <stdexcept>

namespace tertium {

struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace tertium
