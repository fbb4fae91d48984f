// One source, compiled for several processors; calls go to the copy for the one at hand (processor.hpp).
//
// `TERTIUM_BY_PROCESSOR(name, function)` defines name(arguments…), which calls function(arguments…) as compiled
// for the processor at hand, with its popcount, bit scans and vectors. For a kernel that is a template over the
// number of 64-bit lanes in a vector, `TERTIUM_BY_LANES(name, function)` calls function<2>, <4> or <8>, and
// `TERTIUM_BY_FEW_LANES` <2> or <4>: compilers turn comparisons of AVX-512 into bit masks and back, which is
// slow where the results are wanted as vectors, and each copy takes its time to compile.
//
// `TERTIUM_BY_LANES_AND_BYTES` is like `TERTIUM_BY_LANES`, but where single bytes of a vector can be moved, it calls
// function<8, true>.
//
// `TERTIUM_BY_V3(name, wide, narrow)` calls one function where there are vectors of 32 bytes and another elsewhere.
//
// The function and all it calls must be TERTIUM_INLINE: what is not inlined is compiled for the oldest processor.
// (The compiler's own target_clones is no use: "arch=haswell" there means Haswell and nothing newer, and where there
// is no glibc there are no clones.)

#pragma once

#include <cstddef>
#include <utility>

#include "machine/processor.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define TERTIUM_INLINE inline __attribute__((always_inline))
#else
#define TERTIUM_INLINE inline
#endif

// A copy of a function, for a target or for any.
#define TERTIUM_COPY(name, target, ...)                            \
    template <class... Arguments>                                  \
    target auto name(Arguments&&... arguments) {                   \
        return __VA_ARGS__(std::forward<Arguments>(arguments)...); \
    }

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(TERTIUM_ONE_PROCESSOR)

#define TERTIUM_V3 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define TERTIUM_V4 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt,lzcnt")))
#define TERTIUM_V4B \
    __attribute__((target("avx512vbmi,avx512vbmi2,avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt,lzcnt")))

namespace tertium {
// How many lanes a kernel of TERTIUM_BY_LANES is called with.
inline std::size_t lanes_here() {
    return chosen_processor >= Processor::v4 ? 8 : chosen_processor >= Processor::v3 ? 4 : 2;
}
}  // namespace tertium

#define TERTIUM_BY_V3(name, wide, narrow)                                                                  \
    TERTIUM_COPY(name##_v3, TERTIUM_V3, wide)                                                              \
    TERTIUM_COPY(name##_baseline, , narrow)                                                                \
    template <class... Arguments>                                                                          \
    inline auto name(Arguments&&... arguments) {                                                           \
        return chosen_processor >= Processor::v3 ? name##_v3(std::forward<Arguments>(arguments)...)        \
                                                 : name##_baseline(std::forward<Arguments>(arguments)...); \
    }
#define TERTIUM_BY_PROCESSOR(name, function) TERTIUM_BY_V3(name, function, function)
#define TERTIUM_BY_FEW_LANES(name, function) TERTIUM_BY_V3(name, function<4>, function<2>)

#define TERTIUM_BY_LANES(name, function)                                                                   \
    TERTIUM_COPY(name##_v4, TERTIUM_V4, function<8>)                                                       \
    TERTIUM_BY_V3(name##_up_to_v3, function<4>, function<2>)                                               \
    template <class... Arguments>                                                                          \
    inline auto name(Arguments&&... arguments) {                                                           \
        return chosen_processor >= Processor::v4 ? name##_v4(std::forward<Arguments>(arguments)...)        \
                                                 : name##_up_to_v3(std::forward<Arguments>(arguments)...); \
    }
#define TERTIUM_BY_LANES_AND_BYTES(name, function)                                                          \
    TERTIUM_COPY(name##_v4b, TERTIUM_V4B, function<8, true>)                                                \
    TERTIUM_BY_LANES(name##_up_to_v4, function)                                                             \
    template <class... Arguments>                                                                           \
    inline auto name(Arguments&&... arguments) {                                                            \
        return chosen_processor >= Processor::v4b ? name##_v4b(std::forward<Arguments>(arguments)...)       \
                                                  : name##_up_to_v4(std::forward<Arguments>(arguments)...); \
    }

#else

namespace tertium {
inline std::size_t lanes_here() { return 2; }
}  // namespace tertium

#define TERTIUM_BY_V3(name, wide, narrow) TERTIUM_COPY(name, inline, narrow)
#define TERTIUM_BY_PROCESSOR(name, function) TERTIUM_COPY(name, inline, function)
#define TERTIUM_BY_LANES(name, function) TERTIUM_COPY(name, inline, function<2>)
#define TERTIUM_BY_LANES_AND_BYTES(name, function) TERTIUM_COPY(name, inline, function<2>)
#define TERTIUM_BY_FEW_LANES(name, function) TERTIUM_COPY(name, inline, function<2>)

#endif
