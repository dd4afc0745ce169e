#include "models/core/hash.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <type_traits>
#include <unordered_set>

#include "models/core/index.hpp"

namespace oscar::hash_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Hash, OfNothingIsItsStart) { EXPECT_EQ(fnv1a({}, 42), 42U); }

TEST(Hash, MeetsThePublishedVectorFromThePublishedStart) {
    // FNV-1a 64 of "a" from the offset basis 0xcbf29ce484222325: isthe.com/chongo/tech/comp/fnv
    EXPECT_EQ(fnv1a(bytes_of("a"), 0xcbf29ce484222325ULL), 0xaf63dc4c8601ec8cULL);
}

TEST(Hash, CanBeContinued) {
    EXPECT_EQ(fnv1a(bytes_of("bar"), fnv1a(bytes_of("foo"))), fnv1a(bytes_of("foobar")));
    EXPECT_NE(fnv1a(bytes_of("foobar")), fnv1a(bytes_of("foobaz")));
}

TEST(Index, IsComparedAndHashedByValue) {
    EXPECT_LT(Rank{1}, Rank{2});
    EXPECT_EQ((std::unordered_set<Rank>{Rank{1}, Rank{1}, Rank{2}}.size()), 2U);
    static_assert(!std::is_same_v<Rank, ChunkId>);
}

}   // namespace
}   // namespace oscar::hash_test
