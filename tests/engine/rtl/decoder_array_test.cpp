// Decoder arrays against messages of the codec: sums and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include ARRAY_HEADER
#include "tests/engine/rtl/decoder_array_bench.hpp"

namespace oscar::decoder_array_test {
namespace {

using test::ArrayVariant;
using test::DecoderArrayBench;
using test::Message;
using test::packets_of;
using test::SinkStalls;

using Variants = ::testing::Types<ArrayVariant<ARRAY, ARRAY_LANES, ARRAY_STREAMS, ARRAY_CLASSES>>;

template <class V>
class ADecoderArray : public ::testing::Test {};
TYPED_TEST_SUITE(ADecoderArray, Variants, test::VariantName);

template <class V>
std::vector<std::uint32_t> sums_of(const Message<V>& message) {
    std::vector<std::uint32_t> sums;
    for (std::size_t i = 0; i < message.symbols.size(); ++i)
        sums.push_back(static_cast<std::uint32_t>(message.symbols[i]) + DecoderArrayBench<V>::local(i));
    return sums;
}

TYPED_TEST(ADecoderArray, AddsTheSymbolsOfTheModelsBytesWhateverHoldsItUp) {
    std::size_t raw = 0, coded = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        for (int i = 0; i < 2; ++i) {
            const auto values = static_cast<std::uint32_t>(1 + random() % (i == 0 ? 200 : 64 * 4 * TypeParam::lanes));
            const Message<TypeParam> message(random, values, random() % 4 != 0, 64, 1 + random() % 16);
            const SinkStalls none, some{30, 30, 30, 30}, slow_sink{0, 0, 0, 80};
            const SinkStalls stalls = seed % 3 == 0 ? none : seed % 3 == 1 ? some : slow_sink;
            ASSERT_EQ(bench.decode(message, packets_of(message), stalls), sums_of(message)) << "message " << i;
            ASSERT_EQ(bench.errors, 0u);
            for (const Block& block : message.encoded.blocks) ++(block.mode == BlockMode::raw ? raw : coded);
        }
    }
    EXPECT_GT(raw, 20u);
    EXPECT_GT(coded, 60u);
}

TYPED_TEST(ADecoderArray, DecodesBlocksOfOneValueAndOfOneSymbol) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        for (const std::uint32_t values : {1u, 2u, 300u}) {
            const Message<TypeParam> message(random, values, true, 64, 16, true);
            ASSERT_EQ(bench.decode(message, packets_of(message)), sums_of(message));
            ASSERT_EQ(bench.errors, 0u);
        }
    }
}

}   // namespace
}   // namespace oscar::decoder_array_test
