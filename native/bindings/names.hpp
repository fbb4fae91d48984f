// Names that several rooms take.

#pragma once

#include <string_view>

#include "bindings/calls.hpp"
#include "metrics/reference_length.hpp"
#include "text/tokenizers.hpp"

namespace tertium {

inline Normalization normalization_named(std::string_view name) {
    return named<Normalization>(
        "Unicode normalization", name,
        {{"none", Normalization::none}, {"nfc", Normalization::nfc}, {"nfkc", Normalization::nfkc}});
}

inline ReferenceLength reference_length_named(std::string_view name) {
    return named<ReferenceLength>("reference length", name,
                                  {{"average", ReferenceLength::average},
                                   {"best", ReferenceLength::best},
                                   {"closest", ReferenceLength::closest},
                                   {"shortest", ReferenceLength::shortest}});
}

}  // namespace tertium
