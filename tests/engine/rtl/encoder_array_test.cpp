// Encoder arrays against messages of the codec: bytes and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include "EncoderArray16x1x3.h"
#include "EncoderArray4x1x1.h"
#include "EncoderArray4x2x3.h"
#include "EncoderArray8x2x1.h"
#include "tests/engine/rtl/encoder_array_bench.hpp"

namespace oscar::encoder_array_test {
namespace {

using test::ArrayVariant;
using test::EncoderArrayBench;
using test::Message;
using test::PortStalls;

using Variants = ::testing::Types<ArrayVariant<EncoderArray4x1x1, 4, 1, 1>, ArrayVariant<EncoderArray4x2x3, 4, 2, 3>,
                                  ArrayVariant<EncoderArray8x2x1, 8, 2, 1>, ArrayVariant<EncoderArray16x1x3, 16, 1, 3>>;

template <class V>
class AnEncoderArray : public ::testing::Test {};
TYPED_TEST_SUITE(AnEncoderArray, Variants);

template <class V>
void expect_bytes_of_the_model(const Message<V>& message, const std::vector<std::vector<std::byte>>& packets) {
    ASSERT_EQ(packets.size(), message.encoded.blocks.size());
    for (std::size_t b = 0; b < packets.size(); ++b) {
        const auto expected = message.bytes(message.encoded.blocks[b]);
        ASSERT_EQ(packets[b], std::vector(expected.begin(), expected.end())) << "block " << b;
    }
}

TYPED_TEST(AnEncoderArray, WritesTheBytesOfTheModelWhateverHoldsItUp) {
    std::size_t raw = 0, coded = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        for (int i = 0; i < 2; ++i) {
            const auto values = static_cast<std::uint32_t>(1 + random() % (i == 0 ? 200 : 64 * 4 * TypeParam::lanes));
            const Message<TypeParam> message(random, values, random() % 4 != 0, 64, 1 + random() % 16);
            const PortStalls none, some{30, 30, 30}, slow_sink{0, 0, 80};
            const PortStalls stalls = seed % 3 == 0 ? none : seed % 3 == 1 ? some : slow_sink;
            expect_bytes_of_the_model(message, bench.encode(message, stalls));
            EXPECT_EQ(bench.refused, 0u);
            for (const Block& block : message.encoded.blocks) ++(block.mode == BlockMode::raw ? raw : coded);
        }
    }
    EXPECT_GT(raw, 20u);
    EXPECT_GT(coded, 60u);
}

TYPED_TEST(AnEncoderArray, CodesBlocksOfOneValueAndOfOneSymbol) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        for (const std::uint32_t values : {1u, 2u, 300u}) {
            const Message<TypeParam> message(random, values, true, 64, 16, true);
            expect_bytes_of_the_model(message, bench.encode(message));
        }
    }
}

}   // namespace
}   // namespace oscar::encoder_array_test
