#include "machine/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tertium {
namespace {

// A number in two parts, the second too small to fit into the first: twice the digits, where digits would be lost.
struct Long {
    double high, low;
};

// a + b without loss, where a is not the smaller.
Long sum(double a, double b) {
    const double high = a + b;
    return {high, b - (high - a)};
}

// a * b without loss: the product of halves, whose digits fit.
Long product(double a, double b) {
    const auto upper = [](double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~0x7FFFFFFULL); };
    const double high = a * b, a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
    return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

Long product(Long a, Long b) {
    const auto [high, low] = product(a.high, b.high);
    return {high, low + (a.high * b.low + a.low * b.high)};
}

// ln 2, the upper part so short that its product with any exponent of two is exact; and 1 / ln 2, 1 / ln 10.
constexpr Long kLn2{0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
constexpr Long kPerLn2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Long kPerLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double power_of_two(std::int64_t exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// x = 2^exponent (1 + f), with 1 + f around 1, between the roots of 1/2 and 2.
struct Parts {
    double exponent, f;
};
Parts parted(double x) {
    double exponent = 0;
    if (x < std::numeric_limits<double>::min()) {
        x *= 0x1p54;
        exponent = -54;
    }
    constexpr std::uint64_t kRoot = 0x3FE6A09E00000000;  // of 1/2
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) - kRoot;
    const std::int64_t shift = static_cast<std::int64_t>(bits) >> 52;
    const double fraction = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFF) + kRoot);
    return {exponent + static_cast<double>(shift), fraction - 1};
}

// ln(1 + f) - f. With s = f / (2 + f), ln(1 + f) = 2 s + 2 s^3/3 + 2 s^5/5 + ..., and 2 s = f - f^2/2 + s f^2/2.
double logarithm_beyond(double f) {
    const double s = f / (2 + f), z = s * s, half = f * f / 2;
    double series = 0;
    for (int k = 23; k > 1; k -= 2) series = z * (series + 2.0 / k);
    return s * (half + series) - half;
}

Long long_logarithm(double x) {
    const auto [exponent, f] = parted(x);
    const double beyond = logarithm_beyond(f);
    if (exponent == 0) return sum(f, beyond);
    const auto [high, low] = sum(exponent * kLn2.high, f);
    return sum(high, low + (exponent * kLn2.low + beyond));
}

// 1/2!, 1/3!, ... 1/14!
constexpr auto kShares = [] {
    std::array<double, 13> shares{};
    double factorial = 1;
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = 1 / (factorial *= static_cast<double>(i + 2));
    return shares;
}();

// e^x = 2^k e^r with |r| at most ln(2)/2; then Taylor's series, 1 + r + r^2/2! + r^3/3! + ...
double exponential(Long x) {
    if (std::isnan(x.high)) return x.high;
    if (x.high > 709.8) return kInfinity;
    if (x.high < -745.2) return 0;
    constexpr double kRounding = 0x1.8p52;  // whoever adds this loses what is behind the point
    const double k = x.high * kPerLn2.high + kRounding - kRounding;
    const auto [r, rest] = sum(x.high - k * kLn2.high, x.low - k * kLn2.low);
    double series = 0;
    for (std::size_t i = kShares.size(); i-- > 0;) series = series * r + kShares[i];
    const auto [high, low] = sum(1, r);
    const double scaled = high + (low + (rest * high + r * r * series));
    const auto exponent = static_cast<std::int64_t>(k);
    const std::int64_t first = exponent / 2;  // in two steps: 2^k itself may be too large or too small for a number
    return scaled * power_of_two(first) * power_of_two(exponent - first);
}

}  // namespace

double exponential(double x) { return exponential(Long{x, 0}); }

double logarithm(double x) {
    if (x > 0 && x < kInfinity) return long_logarithm(x).high;
    return x == 0 ? -kInfinity : x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
}

double logarithm2(double x) {
    if (!(x > 0 && x < kInfinity)) return logarithm(x);
    const auto [exponent, f] = parted(x);
    const Long rest = product(sum(f, logarithm_beyond(f)), kPerLn2);
    const auto [high, low] = sum(exponent, rest.high);
    return exponent == 0 ? rest.high + rest.low : high + (low + rest.low);
}

double logarithm10(double x) {
    if (!(x > 0 && x < kInfinity)) return logarithm(x);
    const auto [high, low] = product(long_logarithm(x), kPerLn10);
    return high + low;
}

double power(double base, double exponent) {
    if (exponent == 0 || base == 1) return 1;
    if (base == 0) return exponent > 0 ? 0 : kInfinity;
    if (!(base > 0 && base < kInfinity) || !std::isfinite(exponent)) return exponential(exponent * logarithm(base));
    return exponential(product(long_logarithm(base), {exponent, 0}));
}

void exponentials(std::span<double> numbers) {
    for (double& number : numbers) number = exponential(number);
}

void logarithms(std::span<double> numbers) {
    for (double& number : numbers) number = logarithm(number);
}

void powers(std::span<double> numbers, double exponent) {
    for (double& number : numbers) number = power(number, exponent);
}

}  // namespace tertium
