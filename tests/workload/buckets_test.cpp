#include "models/workload/buckets.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/core/random.hpp"

namespace oscar::buckets_test {
namespace {

using ::testing::ElementsAre;

using Buckets = std::vector<std::vector<std::size_t>>;

TEST(Buckets, FillFromTheLastTensorAndCloseWithTheOneThatFillsThem) {
    // 4 bytes a value: 40, 40, 80, 40 B. Limit 80 B: {3, 2} holds 120 B, {1, 0} 80 B.
    const std::vector<std::uint64_t> values = {10, 10, 20, 10};
    EXPECT_EQ(make_buckets(values, {Bytes{80}, Bytes{80}}), (Buckets{{3, 2}, {1, 0}}));
}

TEST(Buckets, HaveTheirGateAtTheLastByte) {
    const std::vector<std::uint64_t> values = {1, 10, 10};
    EXPECT_EQ(make_buckets(values, {Bytes{80}, Bytes{80}}), (Buckets{{2, 1}, {0}}));
    EXPECT_EQ(make_buckets(values, {Bytes{81}, Bytes{81}}), (Buckets{{2, 1, 0}}));
}

TEST(Buckets, CloseTheFirstEarlierButNeverLater) {
    const std::vector<std::uint64_t> values = {10, 10, 10, 10};
    EXPECT_EQ(make_buckets(values, {Bytes{80}, Bytes{40}}), (Buckets{{3}, {2, 1}, {0}}));
    EXPECT_EQ(make_buckets(values, {Bytes{80}, Bytes{1000}}), (Buckets{{3, 2}, {1, 0}}));
    EXPECT_EQ(make_buckets(values, {Bytes{80}, Bytes{}}), (Buckets{{3}, {2, 1}, {0}}));
}

TEST(Buckets, AreThePyTorchDefaultsForAResNetSizedTail) {
    // 512 * 1000 + 1000 values are 2.05 MB, above the 1 MiB of the first bucket: fc.weight closes it.
    const std::vector<std::uint64_t> values = {2'359'296, 512, 512'000, 1000};
    EXPECT_EQ(make_buckets(values, {}), (Buckets{{3, 2}, {1, 0}}));
}

TEST(Buckets, HoldEachTensorOnceAndNoneIsEmpty) {
    EXPECT_TRUE(make_buckets({}, {}).empty());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<std::uint64_t> values(1 + random() % 40);
        for (auto& v : values) v = random() % 1000;
        const BucketParams params{Bytes{1 + random() % 4000}, Bytes{random() % 4000}};
        std::vector<std::size_t> seen;
        for (const auto& bucket : make_buckets(values, params)) {
            EXPECT_FALSE(bucket.empty());
            seen.insert(seen.end(), bucket.begin(), bucket.end());
        }
        std::vector<std::size_t> all(values.size());
        std::iota(all.rbegin(), all.rend(), std::size_t{0});
        EXPECT_EQ(seen, all);   // from the last to the first
    }
}

}   // namespace
}   // namespace oscar::buckets_test
