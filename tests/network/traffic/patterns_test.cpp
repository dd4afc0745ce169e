// The one family of patterns, and which senders can follow each.
#include "models/network/traffic/patterns.hpp"

#include <gmock/gmock.h>

namespace oscar::patterns_test {
namespace {

TEST(TrafficPatterns, AreUniformWhereNoneIsNamed) { EXPECT_EQ(TrafficPattern{}.name(), "uniform"); }

TEST(TrafficPatterns, CanEachBeFollowedBySomeSenders) {
    for_each_kind(traffic_patterns, []<class P>(const Kind<P>& kind) {
        const bool routers = is_defined_for(P{}, PatternSenders::routers);
        const bool ranks = is_defined_for(P{}, PatternSenders::ranks);
        EXPECT_TRUE(routers || ranks) << kind.name;
        EXPECT_EQ(routers && ranks, P::senders == PatternSenders::both) << kind.name;
    });
}

TEST(TrafficPatterns, OfBothSortsOfSendersAreUniformAndTornado) {
    EXPECT_TRUE(is_defined_for(UniformTrafficParams{}, PatternSenders::routers));
    EXPECT_TRUE(is_defined_for(UniformTrafficParams{}, PatternSenders::ranks));
    EXPECT_TRUE(is_defined_for(TornadoTrafficParams{}, PatternSenders::ranks));
    EXPECT_FALSE(is_defined_for(IncastTrafficParams{3}, PatternSenders::routers));
    EXPECT_FALSE(is_defined_for(HotspotTrafficParams{}, PatternSenders::ranks));
}

TEST(TrafficPatterns, AreNamedInTheOrderOfTheFamily) {
    EXPECT_EQ(patterns_for(PatternSenders::ranks), "uniform, permutation, incast, tornado");
    EXPECT_EQ(patterns_for(PatternSenders::routers),
              "uniform, tornado, bit_complement, transpose, bit_reverse, shuffle, neighbor, hotspot");
}

}   // namespace
}   // namespace oscar::patterns_test
