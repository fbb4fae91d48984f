// Which instructions the kernels may count on: found out once, when the module is loaded, the same way on every system.
//
// The levels of x86-64 are those that compilers and distributions speak of. A kernel that is compiled several times
// (multiversion.hpp) runs the copy of the highest level that is not above the one chosen here.
//
//     baseline   every x86-64 processor, since 2003: 16-byte vectors
//     v2         since 2009: popcount, SSE4.2. No loop is worth a copy of its own for it; it runs the baseline's
//     v3         since 2013: 32-byte vectors (AVX2), BMI, LZCNT
//     v4         some since 2017: 64-byte vectors (AVX-512 F, BW, DQ, VL)
//     v4b        v4 that moves single bytes within a vector (VBMI, VBMI2): Intel's since 2019, AMD's since 2022
//     neon       every arm64 processor; there is nothing below it, so `baseline` means the same there

#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

// A wrong number is worse than none: keys, masks and files are read as little-endian words of 64 bits.
static_assert(std::endian::native == std::endian::little,
              "tertium counts on little-endian processors only (x86-64, arm64); this one is big-endian.");
static_assert(sizeof(void*) == 8, "tertium needs a 64-bit system (x86-64, arm64); this one has 32 bits.");

namespace tertium {

enum class Processor : std::uint8_t { baseline, v2, v3, v4, v4b };

// The level in use.
extern Processor chosen_processor;

// The level's name, and the names of all that this machine can run, lowest first.
std::string_view processor_name();
std::vector<std::string_view> processor_names();

// Takes another level instead, as on an older processor; Refused if this one cannot stand in for it.
void choose_processor(std::string_view name);

}  // namespace tertium
