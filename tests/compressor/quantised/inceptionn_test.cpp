#include "models/compressor/quantised/inceptionn.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/compressor/base/input.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::inceptionn_test {
namespace {

using namespace lossy_test;

struct Cut {
    float value;
    std::uint64_t bits;
};
Cut cut_one(float value, const InceptionnParams& params) {
    Cut result{};
    result.bits = cut(std::span(&value, 1), params, std::span(&result.value, 1));
    return result;
}

/// Three values of each exponent of both signs, and zero.
Gradient all_sizes() {
    Gradient values{0};
    for (int exponent = -140; exponent < 128; ++exponent)
        for (const float mantissa : {1.0f, 1.2345f, 1.9999999f})
            for (const float sign : {1.0f, -1.0f}) values.push_back(sign * std::ldexp(mantissa, exponent));
    return values;
}

TEST(Inceptionn, ErrsBelowItsBoundAndKeepsValuesFromOneOn) {
    for (std::uint32_t bound = 1; bound <= 15; ++bound)
        for (const float value : all_sizes()) {
            const Cut result = cut_one(value, {bound, TagForm::bounded});
            ASSERT_LT(std::fabs(result.value - value), std::ldexp(1.0f, -static_cast<int>(bound)))
                << bound << ' ' << value;
            ASSERT_LE(std::fabs(result.value), std::fabs(value));
            ASSERT_TRUE(std::fabs(value) < 1 || result.value == value);
        }
}

TEST(Inceptionn, HasFourTagsThatCoverAllSizes) {
    // Bound 2^-10: bytes of 10 binary places hold what is below 2^-3.
    const InceptionnParams params{10, TagForm::bounded};
    EXPECT_EQ(cut_one(0, params).bits, 2u);
    EXPECT_EQ(cut_one(0x1.fffffep-11f, params).bits, 2u);
    EXPECT_EQ(cut_one(-0x1p-10f, params).bits, 10u);
    EXPECT_EQ(cut_one(0x1.fffffep-4f, params).bits, 10u);
    EXPECT_EQ(cut_one(0x1p-3f, params).bits, 18u);
    EXPECT_EQ(cut_one(-0x1.fffffep-1f, params).bits, 18u);
    EXPECT_EQ(cut_one(1, params).bits, 34u);
    EXPECT_EQ(cut_one(-3e38f, params).bits, 34u);
    for (const float value : all_sizes()) {
        const std::uint64_t bits = cut_one(value, params).bits;
        EXPECT_TRUE(bits == 2 || bits == 10 || bits == 18 || bits == 34) << value;
    }
    EXPECT_EQ(cut_one(-0x1.23p-5f, params).value, -36.0f / 1024);   // 36.375 of 2^-10
}

TEST(Inceptionn, CutTwiceIsCutOnce) {
    const Gradient values = normal(10'000, 3, 0.2);
    for (const std::uint32_t bound : {1u, 7u, 10u, 15u}) {
        Gradient once(values.size()), twice(values.size());
        const std::uint64_t bits = cut(values, {bound, TagForm::bounded}, once);
        EXPECT_EQ(cut(once, {bound, TagForm::bounded}, twice), bits);
        EXPECT_EQ(once, twice);
    }
}

TEST(Inceptionn, OfThePortsFormBreaksItsBound) {
    // 2^-6 is the resolution of its bytes, which hold all from 2^-10 to 2^-5; its 16 bits have 14 places.
    const InceptionnParams port{10, TagForm::grace};
    EXPECT_EQ(cut_one(0x1.fffffep-6f, port).value, 0x1p-6f);   // error of nearly 2^-6
    EXPECT_EQ(cut_one(0x1p-10f, port).value, 0x1p-7f);
    EXPECT_EQ(cut_one(-0x1.8p-7f, port).value, -0x1p-7f);
    EXPECT_EQ(cut_one(0x1.8p-11f, port).value, 0);
    EXPECT_EQ(cut_one(0x1.fffffep-6f, port).bits, 10u);
    EXPECT_EQ(cut_one(0x1p-5f, port).bits, 18u);
    EXPECT_EQ(cut_one(0x1p-3f + 0x1.8p-14f, port).value, 0x1p-3f + 0x1p-14f);
    for (const float value : all_sizes())
        EXPECT_TRUE(std::fabs(value) < 0x1p-5f || std::fabs(cut_one(value, port).value - value) < 0x1p-14f) << value;
}

TEST(Inceptionn, RingErrsBelowTheBoundInTheMean) {
    for (const std::uint32_t ranks : {1u, 2u, 5u}) {
        std::vector<Gradient> gradients;
        for (std::uint32_t r = 0; r < ranks; ++r) gradients.push_back(normal(3001, r, 0.1));
        const CompressionResult step =
            make_compressor(InceptionnParams{}, ranks, 1)->step(views(gradients), one_tensor(3001));
        const Gradient exact = mean_of(views(gradients));
        double worst = 0;
        for (std::size_t i = 0; i < 3001; ++i)
            worst = std::max(worst, static_cast<double>(std::fabs(step.mean[i] - exact[i])));
        EXPECT_LT(worst, 0x1p-10 + 1e-6);
        EXPECT_GT(worst, 0x1p-12);
    }
}

TEST(Inceptionn, SumsWholeNumbersExactlyInWholeWords) {
    // 4 ranks of 8 elements, all from 1 on: 34 bits each, 9 bytes for the 2 elements of a chunk, which are 3 words, at
    // each of 3 hops and where the sums are gathered.
    const std::vector gradients(4, Gradient{1, 2, -3, 4, 5, -6, 7, 8});
    const CompressionResult step = make_compressor(InceptionnParams{}, 4, 1)->step(views(gradients), one_tensor(8));
    EXPECT_EQ(step.mean, gradients[0]);
    ASSERT_EQ(step.exchanges.size(), 4u);
    for (std::size_t hop = 0; hop < 4; ++hop) {
        EXPECT_EQ(step.exchanges[hop].carrier, hop < 3 ? CollectiveKind::shift : CollectiveKind::all_gather);
        EXPECT_EQ(step.exchanges[hop].payload, std::vector<std::uint64_t>(4, 12));
    }
}

TEST(Inceptionn, CountsWhatEachRankSends) {
    // 2 ranks of 4 elements: rank 0 sends its first half, two ones in 68 bits or 3 words, rank 1 its second, two
    // zeros in 4 bits. The first half's sum goes round from rank 1, the second's from rank 0.
    const std::vector<Gradient> gradients{{1, 1, 0, 0}, {0, 0, 0, 0}};
    const CompressionResult step = make_compressor(InceptionnParams{}, 2, 1)->step(views(gradients), one_tensor(4));
    EXPECT_EQ(step.exchanges[0].payload, (std::vector<std::uint64_t>{12, 4}));
    EXPECT_EQ(step.exchanges[0].padded, 12u);
    EXPECT_EQ(step.exchanges[1].payload, (std::vector<std::uint64_t>{4, 12}));
    EXPECT_EQ(step.exchanges[1].padded, 12u);
}

TEST(Inceptionn, RefusesBoundsBeyondItsPlaces) {
    EXPECT_THROW(make_compressor(InceptionnParams{0, TagForm::bounded}, 1, 1), std::invalid_argument);
    EXPECT_THROW(make_compressor(InceptionnParams{16, TagForm::bounded}, 1, 1), std::invalid_argument);
    EXPECT_FALSE(make_compressor(InceptionnParams{}, 1, 1)->takes_error_feedback());
}

}   // namespace
}   // namespace oscar::inceptionn_test
