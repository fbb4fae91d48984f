// One source, compiled for several processors; which copy runs is decided when it is called.
//
// `TERTIUM_BY_PROCESSOR(name, function)` defines name(arguments…), which calls function(arguments…) as compiled
// for the processor at hand, with its popcount, bit scans and vectors. For a kernel that is a template over the
// number of 64-bit lanes in a vector, `TERTIUM_BY_LANES(name, function)` calls function<2>, <4> or <8>, and
// `TERTIUM_BY_FEW_LANES` <2> or <4>: compilers turn comparisons of AVX-512 into bit masks and back, which is
// slow where the results are wanted as vectors.
//
// The function and all it calls must be TERTIUM_INLINE: what is not inlined is compiled for the oldest processor.
// (The compiler's own target_clones is no use: "arch=haswell" there means Haswell and nothing newer.)

#pragma once

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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

#define TERTIUM_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define TERTIUM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt,lzcnt")))

namespace tertium {
// TERTIUM_PROCESSOR=any, avx2 or avx512 asks for another copy, as on an older processor; for tests.
inline std::size_t wanted_lanes(std::size_t most) {
    const char* const name = std::getenv("TERTIUM_PROCESSOR");
    if (!name) return most;
    const std::string_view wanted(name);
    const std::size_t lanes = wanted == "any" ? 2 : wanted == "avx2" ? 4 : wanted == "avx512" ? 8 : 0;
    if (lanes == 0 || lanes > most)
        throw std::invalid_argument("TERTIUM_PROCESSOR=" + std::string(wanted) +
                                    " names no processor that this one can stand in for; leave it unset.");
    return lanes;
}

inline std::size_t processor_lanes() {
    static const std::size_t lanes = [] {
        const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
        const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
        return wanted_lanes(avx2 && avx512 ? 8 : avx2 ? 4 : 2);
    }();
    return lanes;
}
}  // namespace tertium

#define TERTIUM_BY_AVX2(name, wide, narrow)                                               \
    TERTIUM_COPY(name##_avx2, TERTIUM_AVX2, wide)                                         \
    TERTIUM_COPY(name##_any, , narrow)                                                    \
    template <class... Arguments>                                                         \
    inline auto name(Arguments&&... arguments) {                                          \
        return processor_lanes() > 2 ? name##_avx2(std::forward<Arguments>(arguments)...) \
                                     : name##_any(std::forward<Arguments>(arguments)...); \
    }
#define TERTIUM_BY_PROCESSOR(name, function) TERTIUM_BY_AVX2(name, function, function)
#define TERTIUM_BY_FEW_LANES(name, function) TERTIUM_BY_AVX2(name, function<4>, function<2>)

#define TERTIUM_BY_LANES(name, function)                                                         \
    TERTIUM_COPY(name##_avx512, TERTIUM_AVX512, function<8>)                                     \
    TERTIUM_BY_AVX2(name##_up_to_avx2, function<4>, function<2>)                                 \
    template <class... Arguments>                                                                \
    inline auto name(Arguments&&... arguments) {                                                 \
        return processor_lanes() > 4 ? name##_avx512(std::forward<Arguments>(arguments)...)      \
                                     : name##_up_to_avx2(std::forward<Arguments>(arguments)...); \
    }

#else

#define TERTIUM_BY_PROCESSOR(name, function) TERTIUM_COPY(name, inline, function)
#define TERTIUM_BY_LANES(name, function) TERTIUM_COPY(name, inline, function<2>)
#define TERTIUM_BY_FEW_LANES(name, function) TERTIUM_COPY(name, inline, function<2>)

#endif
