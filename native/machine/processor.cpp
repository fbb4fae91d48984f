#include "machine/processor.hpp"

#include <initializer_list>
#include <iterator>
#include <string>

#include "machine/multiversion.hpp"
#include "machine/refused.hpp"

#if defined(TERTIUM_V3)
#include <cpuid.h>
#endif

namespace tertium {
namespace {

#if defined(TERTIUM_V3)

struct Registers {
    unsigned a = 0, b = 0, c = 0, d = 0;
    bool has(unsigned Registers::* which, std::initializer_list<unsigned> bits) const {
        for (const unsigned bit : bits)
            if (!(this->*which >> bit & 1)) return false;
        return true;
    }
};

// What the processor says of itself; nothing if it does not know the question.
Registers asked(unsigned leaf) {
    Registers found;
    if (!__get_cpuid_count(leaf, 0, &found.a, &found.b, &found.c, &found.d)) return {};
    return found;
}

// Which registers the system saves when it switches between programs.
std::uint64_t saved_registers() {
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
}

// Bits as Intel's and AMD's manuals number them. (On macOS the registers of AVX-512 are saved only once they have
// been used, so v4 is not found there. No Mac gains by it.)
Processor found_processor() {
    const Registers one = asked(1), seven = asked(7), extended = asked(0x80000001);
    // SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT
    if (!one.has(&Registers::c, {0, 9, 19, 20, 23})) return Processor::baseline;
    // OSXSAVE, AVX; BMI1, AVX2, BMI2; LZCNT
    if (!one.has(&Registers::c, {27, 28}) || !seven.has(&Registers::b, {3, 5, 8}) || !extended.has(&Registers::c, {5}))
        return Processor::v2;
    const std::uint64_t saved = saved_registers();
    if ((saved & 0x06) != 0x06) return Processor::v2;
    // AVX-512 F, DQ, BW, VL
    if (!seven.has(&Registers::b, {16, 17, 30, 31}) || (saved & 0xE6) != 0xE6) return Processor::v3;
    // AVX-512 VBMI, VBMI2
    return seven.has(&Registers::c, {1, 6}) ? Processor::v4b : Processor::v4;
}
constexpr std::string_view kNames[] = {"baseline", "v2", "v3", "v4", "v4b"};

#elif defined(__aarch64__) || defined(_M_ARM64)

Processor found_processor() { return Processor::baseline; }
constexpr std::string_view kNames[] = {"neon"};

#else

Processor found_processor() { return Processor::baseline; }
constexpr std::string_view kNames[] = {"baseline"};

#endif

}  // namespace

Processor chosen_processor = found_processor();

std::string_view processor_name() { return kNames[static_cast<std::size_t>(chosen_processor)]; }

std::vector<std::string_view> processor_names() {
    return {std::begin(kNames), std::begin(kNames) + static_cast<std::size_t>(found_processor()) + 1};
}

void choose_processor(std::string_view name) {
    const std::vector<std::string_view> names = processor_names();
    if (name == "baseline") {
        chosen_processor = Processor::baseline;
        return;
    }
    std::string known;
    for (std::size_t level = 0; level < names.size(); ++level) {
        if (name == names[level]) {
            chosen_processor = static_cast<Processor>(level);
            return;
        }
        known.append(level == 0 ? "" : ", ").append(names[level]);
    }
    throw Refused("TERTIUM_PROCESSOR is '" + std::string(name) +
                  "', which names no processor that this one can stand in for; it can for: " + known +
                  ". Leave it unset for the fastest.");
}

}  // namespace tertium
