// The time of a transfer: its bytes, the headers of its packets, and the requests that it waits for.
#include "models/timing/channel_rate.hpp"

#include <gtest/gtest.h>

namespace oscar::channel_rate_test {
namespace {

using namespace literals;

constexpr std::int64_t ns = 1000;

TEST(ChannelRate, WithoutPacketsIsThatOfTheBytes) {
    const ChannelRate rate(8_Gbps);   // a byte a ns
    EXPECT_EQ(rate.time_of(1000_B).ps, 1000 * ns);
    EXPECT_EQ(rate.net(), 8_Gbps);
}

TEST(ChannelRate, CountsAHeaderForEachPacketThatIsBegun) {
    ChannelRate rate(8_Gbps);
    rate.payload = 256_B;
    rate.header = 24_B;
    EXPECT_EQ(rate.time_of(1_B).ps, 25 * ns);
    EXPECT_EQ(rate.time_of(256_B).ps, 280 * ns);
    EXPECT_EQ(rate.time_of(257_B).ps, 305 * ns);
    EXPECT_NEAR(static_cast<double>(rate.net().mbps), 8000. * 256 / 280, 1);
}

TEST(ChannelRate, WaitsForAsManyRequestsAsATransferHas) {
    ChannelRate rate(8_Gbps);
    rate.payload = 256_B;
    rate.header = 24_B;
    rate.request = 512_B;
    rate.between = 1_us;
    EXPECT_EQ(rate.time_of(512_B), 1_us);
    EXPECT_EQ(rate.time_of(513_B), 2_us);
    rate.between = 100_ns;   // sooner than the bytes
    EXPECT_EQ(rate.time_of(512_B).ps, 560 * ns);
}

TEST(ChannelRate, HasTheNetRateOfTheSlowerOfBytesAndRequests) {
    ChannelRate rate(8_Gbps);
    rate.payload = rate.request = 128_B;
    rate.between = 1_us;
    EXPECT_NEAR(static_cast<double>(rate.net().mbps), 1024, 1);
}

}   // namespace
}   // namespace oscar::channel_rate_test
