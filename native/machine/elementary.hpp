// Exponentials and logarithms with the same bits on every machine.
//
// The standard asks that +, -, * and / be rounded correctly, so these are alike everywhere. It asks no such thing of
// exp and log, and every library, even every processor, has its own last digit. Here they are made of the four
// operations alone, within 0.9 units of the last place of the true value.

#pragma once

#include <span>

namespace tertium {

double exponential(double x);
double logarithm(double x);
double logarithm2(double x);
double logarithm10(double x);
double power(double base, double exponent);  // of a base that is not negative

// Many numbers become their exponentials, logarithms, powers.
void exponentials(std::span<double> numbers);
void logarithms(std::span<double> numbers);
void powers(std::span<double> numbers, double exponent);

}  // namespace tertium
