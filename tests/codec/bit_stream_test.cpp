#include "models/codec/bits/bit_stream.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/codec/support.hpp"

namespace oscar::bit_stream_test {
namespace {

TEST(BitWriter, PutsTheMostSignificantBitFirstAndFillsTheLastByteWithZeros) {
    std::vector<std::byte> bytes;
    BitWriter writer(bytes);
    writer.put(0b1, 1);
    writer.put(0b0110, 4);
    writer.put(0b11111, 5);   // 1 0110 111 | 11 000000
    EXPECT_EQ(writer.bits(), 10u);
    writer.finish();
    EXPECT_EQ(hex(bytes), "b7 c0");
}

TEST(BitWriter, AppendsBehindWhatIsThere) {
    std::vector<std::byte> bytes{std::byte{0x11}};
    BitWriter writer(bytes);
    writer.put(0xDEADBEEF, 32);
    writer.put(0, 0);
    writer.finish();
    EXPECT_EQ(hex(bytes), "11 de ad be ef");
}

TEST(BitReader, GivesBackWhatWasPutWhateverTheLengths) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> items(300);
        std::vector<std::byte> bytes;
        BitWriter writer(bytes);
        for (auto& [value, bits] : items) {
            bits = static_cast<std::uint32_t>(random() % 33);
            value = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << bits) - 1));
            writer.put(value, bits);
        }
        const std::uint64_t total = writer.bits();
        writer.finish();
        EXPECT_EQ(bytes.size(), bytes_for(total));
        BitReader reader(bytes);
        for (const auto& [value, bits] : items) ASSERT_EQ(reader.get(bits), value);
        EXPECT_EQ(reader.position(), total);
        EXPECT_TRUE(reader.skip_padding());
        EXPECT_EQ(reader.position(), 8 * bytes.size());
        EXPECT_FALSE(reader.overran());
    }
}

TEST(BitReader, ReadsZerosPastTheEndAndKnowsIt) {
    const std::vector<std::byte> bytes{std::byte{0xFF}, std::byte{0xFF}};
    BitReader reader(bytes);
    EXPECT_EQ(reader.get(16), 0xFFFFu);
    EXPECT_FALSE(reader.overran());
    EXPECT_EQ(reader.get(32), 0u);
    EXPECT_TRUE(reader.overran());
    EXPECT_EQ(reader.position(), 48u);
}

TEST(BitReader, SeesBitsThatAreSetInTheFilling) {
    const std::vector<std::byte> bytes{std::byte{0b1010'0001}};
    BitReader reader(bytes);
    EXPECT_EQ(reader.get(3), 0b101u);
    EXPECT_FALSE(reader.skip_padding());
}

}   // namespace
}   // namespace oscar::bit_stream_test
