#include "models/network/link/exact_time.hpp"

#include <gtest/gtest.h>

#include "models/core/random.hpp"

namespace oscar::exact_time_test {
namespace {

TEST(ExactTimes, OfAPacketRoundUpToItsSerialization) {
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        const Bytes size{random_at(1, i) % (4u << 20)};
        const Bandwidth rate{1 + random_at(2, i) % (i % 2 ? 10'000'000 : 1'000)};
        ASSERT_EQ((size * ExactTime::of_byte(rate)).rounded_up(), serialization(size, rate))
            << size.count << " B at " << rate.mbps;
    }
}

TEST(ExactTimes, OfPartsAddUpToThatOfTheWhole) {
    const ExactTime byte = ExactTime::of_byte({7});
    EXPECT_EQ(Bytes{100} * byte + Bytes{23} * byte, Bytes{123} * byte);
    EXPECT_EQ((ExactTime{Time{5}} + Time{3}).rounded_up(), Time{8});
}

}   // namespace
}   // namespace oscar::exact_time_test
