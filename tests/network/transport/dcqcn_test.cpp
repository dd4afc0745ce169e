#include <gmock/gmock.h>

#include "models/network/transport/dcqcn.hpp"

namespace oscar::dcqcn_test {
namespace {

constexpr double one = 1 << 28;

DcqcnParams quick_gain() {
    DcqcnParams params;
    params.gain = 0.25;
    return params;
}

TEST(CongestionPoint, MarksNoneUpToKminAllFromKmaxAndAShareThatGrowsBetweenThem) {
    DcqcnParams params;
    params.mark_from = 100_B;
    params.mark_all_from = 200_B;
    params.mark_probability = 0.5;
    EXPECT_FALSE(is_marked(params, 100_B, 0.0));
    EXPECT_TRUE(is_marked(params, 101_B, 0.0));
    EXPECT_TRUE(is_marked(params, 150_B, 0.2499));   // half of the way: 0.25
    EXPECT_FALSE(is_marked(params, 150_B, 0.25));
    EXPECT_FALSE(is_marked(params, 199_B, 0.495));   // 0.5 * 99 / 100
    EXPECT_TRUE(is_marked(params, 200_B, 0.9999));
}

TEST(CongestionPoint, WithKminEqualToKmaxIsAThreshold) {
    DcqcnParams params;
    params.mark_from = params.mark_all_from = 100_B;
    EXPECT_FALSE(is_marked(params, 99_B, 0.0));
    EXPECT_TRUE(is_marked(params, 100_B, 0.9999));
}

TEST(NotificationPoint, AnswersOncePerInterval) {
    NotificationPoint point(50_us);
    EXPECT_TRUE(point.answers(7_us));
    EXPECT_FALSE(point.answers(57_us - 1_ps));
    EXPECT_TRUE(point.answers(57_us));
    EXPECT_FALSE(point.answers(58_us));
}

TEST(ReactionPoint, SendsAtTheRateOfItsLinkUntilItIsNotified) {
    ReactionPoint point({}, 40_Gbps);
    EXPECT_EQ(point.rate_kbps(0_ps), 40'000'000u);
    EXPECT_EQ(point.sent(1000_B, 10_ns), 10_ns + 200_ns);   // 8000 bit at 40 bit/ns
}

TEST(ReactionPoint, CutsByHalfOfAlphaWhichIsOneAtFirst) {
    ReactionPoint point(quick_gain(), 40_Gbps);
    point.notified(0_ps);
    EXPECT_EQ(point.rate_kbps(0_ps), 20'000'000u);
    EXPECT_EQ(static_cast<double>(point.alpha(0_ps)) / one, 1.0);   // (1 - g) * 1 + g
    EXPECT_EQ(point.sent(1000_B, 0_ps), 400_ns);
}

TEST(ReactionPoint, AlphaShrinksByOneMinusGAfterEachIntervalWithoutANotification) {
    ReactionPoint point(quick_gain(), 40_Gbps);
    point.notified(0_ps);
    EXPECT_EQ(static_cast<double>(point.alpha(55_us - 1_ps)) / one, 1.0);
    EXPECT_EQ(static_cast<double>(point.alpha(55_us)) / one, 0.75);
    EXPECT_EQ(static_cast<double>(point.alpha(110_us)) / one, 0.5625);
    point.notified(110_us);   // (1 - 0.25) * 0.5625 + 0.25
    EXPECT_EQ(static_cast<double>(point.alpha(165_us - 1_ps)) / one, 0.671875);
}

TEST(ReactionPoint, RisesHalfWayToTheRateBeforeTheCutInEachOfTheFirstRises) {
    ReactionPoint point({}, 40_Gbps);
    point.notified(0_ps);
    EXPECT_EQ(point.rate_kbps(55_us - 1_ps), 20'000'000u);
    EXPECT_EQ(point.rate_kbps(55_us), 30'000'000u);
    EXPECT_EQ(point.rate_kbps(110_us), 35'000'000u);
    EXPECT_EQ(point.rate_kbps(165_us), 37'500'000u);
    EXPECT_EQ(point.rate_kbps(220_us), 38'750'000u);
    EXPECT_EQ(point.rate_kbps(275_us), 39'375'000u);
}

TEST(ReactionPoint, BehindTheFirstRisesTheTargetGrowsByTheAdditiveStep) {
    DcqcnParams params;
    params.fast_recoveries = 1;
    ReactionPoint point(params, 40_Gbps);
    point.notified(0_ps);
    point.notified(0_ps);   // target 20 Gbit/s, rate 10
    EXPECT_EQ(point.rate_kbps(55_us), 15'000'000u);
    EXPECT_EQ(point.rate_kbps(110_us), (15'000'000u + 20'040'000u) / 2);
    EXPECT_EQ(point.rate_kbps(165_us), (17'520'000u + 20'080'000u) / 2);
}

TEST(ReactionPoint, BytesRaiseTheRateAsTimeDoes) {
    DcqcnParams params;
    params.increase_bytes = 3000_B;
    ReactionPoint point(params, 40_Gbps);
    point.notified(0_ps);
    point.sent(2999_B, 1_us);
    EXPECT_EQ(point.rate_kbps(1_us), 20'000'000u);
    point.sent(1_B, 1_us);
    EXPECT_EQ(point.rate_kbps(1_us), 30'000'000u);
}

TEST(ReactionPoint, WhenTimeAndBytesBothAreBeyondTheFirstRisesTheStepGrowsWithEach) {
    DcqcnParams params;
    params.fast_recoveries = 1;
    params.increase_bytes = 1000_B;
    ReactionPoint point(params, 40_Gbps);
    point.notified(0_ps);
    point.notified(0_ps);                              // target 20 Gbit/s, rate 10
    EXPECT_EQ(point.rate_kbps(55_us), 15'000'000u);    // timer 1
    EXPECT_EQ(point.rate_kbps(110_us), 17'520'000u);   // timer 2: target 20.04
    point.sent(1000_B, 110_us);                        // bytes 1: target 20.08
    EXPECT_EQ(point.rate_kbps(110_us), 18'800'000u);
    point.sent(1000_B, 110_us);   // bytes 2: both beyond 1, by one: target 20.48
    EXPECT_EQ(point.rate_kbps(110_us), 19'640'000u);
    EXPECT_EQ(point.rate_kbps(165_us), 20'260'000u);   // timer 3, bytes 2: target 20.88
    point.sent(1000_B, 165_us);                        // bytes 3, both beyond 1 by two: target 21.68
    EXPECT_EQ(point.rate_kbps(165_us), 20'970'000u);
}

TEST(ReactionPoint, CountsRisesAnewFromEachNotification) {
    DcqcnParams params;
    params.fast_recoveries = 1;
    params.increase_bytes = 1000_B;
    ReactionPoint point(params, 40_Gbps);
    for (int i = 0; i < 9; ++i) point.sent(1000_B, 0_ps);   // rises that find nothing to raise
    point.notified(0_ps);
    point.notified(0_ps);                             // target 20 Gbit/s, rate 10
    EXPECT_EQ(point.rate_kbps(55_us), 15'000'000u);   // the first rise again
}

TEST(ReactionPoint, CountsBytesAnewFromEachNotification) {
    DcqcnParams params;
    params.increase_bytes = 3000_B;
    ReactionPoint point(params, 40_Gbps);
    point.notified(0_ps);
    point.sent(2999_B, 1_us);   // one byte less than a rise
    point.notified(1_us);       // alpha is still one: 20 Gbit/s to 10; the 2999 bytes no longer count
    point.sent(2999_B, 1_us);
    EXPECT_EQ(point.rate_kbps(1_us), 10'000'000u);
    point.sent(1_B, 1_us);   // the 3000th since: half of the way back to 20 Gbit/s
    EXPECT_EQ(point.rate_kbps(1_us), 15'000'000u);
}

TEST(ReactionPoint, NeverFallsBelowTheLeastRateNorRisesAboveItsLink) {
    DcqcnParams params;
    params.fast_recoveries = 0;
    params.minimum_rate = 100_Mbps;
    ReactionPoint point(params, 1_Gbps);
    for (int i = 0; i < 100; ++i) point.notified(0_ps);
    EXPECT_EQ(point.rate_kbps(0_ps), 100'000u);
    EXPECT_EQ(point.rate_kbps(1000_ms), 1'000'000u);
}

TEST(ReactionPoint, IsTheSameHoweverOftenItIsAsked) {
    ReactionPoint asked({}, 100_Gbps), left({}, 100_Gbps);
    for (ReactionPoint* point : {&asked, &left}) point->notified(3_us);
    for (Time t = 3_us; t < 900_us; t += 7_us) asked.rate_kbps(t);
    EXPECT_EQ(asked.rate_kbps(900_us), left.rate_kbps(900_us));
    EXPECT_EQ(asked.alpha(900_us), left.alpha(900_us));
}

}   // namespace
}   // namespace oscar::dcqcn_test
