#include "models/core/long_hash.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/core/hash.hpp"

namespace oscar {
namespace {

std::vector<std::byte> random_bytes(std::size_t size, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

TEST(LongHash, IsThatOfTheBytesOneByOneForEverySizeAndStart) {
    const std::vector<std::byte> bytes = random_bytes(5000, 1);
    for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{0xFF}, 0x123456789ABCDEF0u, ~std::uint64_t{0}})
        for (std::size_t size = 0; size <= bytes.size(); size += size % 512 < 2 || size % 512 > 509 ? 1 : 73) {
            const auto part = std::span(bytes).last(size);
            ASSERT_EQ(fnv1a_long(part, start), fnv1a(part, start)) << size;
        }
}

TEST(LongHash, IsThatOfTheBytesOneByOneWhereTheyAreAlike) {
    for (unsigned value = 0; value < 256; ++value) {
        const std::vector<std::byte> bytes(1536, static_cast<std::byte>(value));
        ASSERT_EQ(fnv1a_long(bytes, value), fnv1a(bytes, value)) << value;
    }
}

TEST(LongHash, CanBeContinued) {
    const std::vector<std::byte> bytes = random_bytes(4096, 2);
    const std::span<const std::byte> all(bytes);
    EXPECT_EQ(fnv1a_long(all.subspan(1025), fnv1a_long(all.first(1025), 7)), fnv1a(all, 7));
}

}   // namespace
}   // namespace oscar
