#include "models/compressor/base/murmur3.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace oscar::murmur3_test {
namespace {

std::uint32_t of_text(std::string_view text, std::uint32_t seed) {
    return murmur3(std::as_bytes(std::span(text.data(), text.size())), seed);
}

TEST(Murmur3, HasTheKnownAnswersOfItsFamily) {
    EXPECT_EQ(of_text("", 0), 0u);
    EXPECT_EQ(of_text("", 1), 0x514E28B7u);
    EXPECT_EQ(of_text("", 0xffffffff), 0x81F16F39u);
    EXPECT_EQ(of_text("\x21\x43\x65\x87", 0), 0xF55B516Bu);
    EXPECT_EQ(of_text("\x21\x43\x65\x87", 0x5082EDEE), 0x2362F9DEu);
    EXPECT_EQ(of_text("test", 0x9747b28c), 0x704B81DCu);
    EXPECT_EQ(of_text("Hello, world!", 0x9747b28c), 0x24884CBAu);
}

TEST(Murmur3, OfBlockNumbersHasTheKnownAnswersOfTheThreeSeeds) {
    constexpr std::uint32_t expected[4][3] = {{0x2362F9DE, 0x78ED212D, 0x06DFADFC},
                                              {0xFBF1402A, 0x5E11E574, 0x13D35112},
                                              {0x40B23B7F, 0xDB9A7E8C, 0x2CDEFD20},
                                              {0x32850971, 0xCF6CC8A9, 0xDE0EB68B}};
    for (std::uint32_t block = 0; block < 4; ++block)
        for (std::uint32_t seed = 0; seed < 3; ++seed) EXPECT_EQ(murmur3(block, seed), expected[block][seed]);
}

TEST(Murmur3, OfAWordIsThatOfItsBytesTheLeastSignificantFirst) {
    const std::array bytes{std::byte{0x21}, std::byte{0x43}, std::byte{0x65}, std::byte{0x87}};
    EXPECT_EQ(murmur3(0x87654321u, 7), murmur3(bytes, 7));
}

}   // namespace
}   // namespace oscar::murmur3_test
