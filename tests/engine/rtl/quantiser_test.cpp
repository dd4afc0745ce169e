// The quantiser against rounding of the exact product, and against the model's division by the step.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "Quantiser16.h"
#include "Quantiser4.h"
#include "Quantiser8.h"
#include "models/engine/verilated/ports.hpp"

namespace oscar::quantiser_test {
namespace {

/// The product of two fp32 numbers is exact in double precision.
std::int32_t exact_code(float value, float scale, std::int32_t limit, bool& saturated) {
    const double product = std::isnan(value) ? 0 : double{value} * double{scale};
    saturated = std::abs(product) >= limit + 0.5;
    return saturated ? (product < 0 ? -limit : limit) : static_cast<std::int32_t>(std::lround(product));
}

template <class Module>
void expect_exact_codes(std::uint32_t bits) {
    Clocked<Module> quantiser;
    quantiser->enable = 1;
    std::mt19937 random(bits);
    const std::int32_t limit = (1 << (bits - 1)) - 1;
    for (int i = 0; i < 500'000; ++i) {
        const float scale = std::bit_cast<float>(static_cast<std::uint32_t>(random() % 0x7E000000 + 0x00800000));
        float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (i % 4 != 0) {   // values near codes, and near the middle between two
            const auto halves =
                static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(6 * limit + 6)) - 3 * limit;
            value = static_cast<float>(halves) / 2 / scale;
        }
        quantiser->value = std::bit_cast<std::uint32_t>(value);
        quantiser->scale = std::bit_cast<std::uint32_t>(scale);
        quantiser.tick();
        bool saturated = false;
        const std::int32_t code = exact_code(value, scale, limit, saturated);
        const auto got = static_cast<std::int32_t>(std::uint32_t{quantiser->code} << (32 - bits)) >> (32 - bits);
        ASSERT_EQ(got, code) << value << " * " << scale;
        ASSERT_EQ(quantiser->saturated, saturated) << value << " * " << scale;
    }
}

TEST(AQuantiser, RoundsTheExactProductTiesAwayFromZero) {
    expect_exact_codes<Quantiser4>(4);
    expect_exact_codes<Quantiser8>(8);
    expect_exact_codes<Quantiser16>(16);
}

/// The model divides by the step in double precision. With the step's reciprocal rounded to fp32, the product is off by
/// up to 2^-24 of itself, at most 127 * 2^-24 of a step: of uniform values, up to 2 * 64 * 2^-24 = 7.6e-6 lie so near
/// to the middle of two codes, 64 being the mean code.
TEST(AQuantiser, GivesTheCodeOfTheModelsDivisionForAllButOneInAHundredThousandUniformValues) {
    Clocked<Quantiser8> quantiser;
    quantiser->enable = 1;
    std::mt19937 random(1);
    const float peak = 0.0371f;
    const double step = double{peak} / 127;
    quantiser->scale = std::bit_cast<std::uint32_t>(static_cast<float>(1 / step));
    constexpr int values = 2'000'000;
    int other = 0;
    for (int i = 0; i < values; ++i) {
        const float value = (static_cast<float>(random() % (1 << 24)) / (1 << 23) - 1) * peak;
        quantiser->value = std::bit_cast<std::uint32_t>(value);
        quantiser.tick();
        const auto code = static_cast<std::int8_t>(quantiser->code);
        const auto model = static_cast<std::int32_t>(std::lround(double{value} / step));
        ASSERT_LE(std::abs(code - model), 1);
        other += code != model;
    }
    EXPECT_LE(other, values / 100'000);
    RecordProperty("other_codes_in_two_million", other);
}

}   // namespace
}   // namespace oscar::quantiser_test
