#include "models/network/transport/congestion_points.hpp"

#include <gmock/gmock.h>

namespace oscar {

using namespace literals;
namespace {

/// Marks nothing up to 1000 B, everything from 3000 B on, and half of the packets just below that.
DcqcnParams marking() { return {.mark_from = 1000_B, .mark_all_from = 3000_B, .mark_probability = 0.5}; }

TEST(CongestionPoints, CountTheBytesThatWaitForEachLink) {
    CongestionPoints points(UncontrolledParams{}, 2, 1);
    points.joins(EdgeId{0}, 700_B);
    points.joins(EdgeId{1}, 50_B);
    points.joins(EdgeId{0}, 300_B);
    points.leaves(EdgeId{0}, 700_B);
    EXPECT_EQ(points.queued(EdgeId{0}), 300_B);
    EXPECT_EQ(points.queued(EdgeId{1}), 50_B);
}

TEST(CongestionPoints, MarkNothingWithoutDcqcn) {
    CongestionPoints points(UncontrolledParams{}, 1, 1);
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(points.joins(EdgeId{0}, 1000_B));
}

TEST(CongestionPoints, MarkByWhatWaitsBeforeThePacketAndNotByItself) {
    CongestionPoints points(marking(), 1, 1);
    EXPECT_FALSE(points.joins(EdgeId{0}, 1000_B)) << "before it is nothing";
    EXPECT_FALSE(points.joins(EdgeId{0}, 2000_B)) << "1000 B are not above the threshold";
    EXPECT_TRUE(points.joins(EdgeId{0}, 64_B)) << "from 3000 B on every packet";
    points.leaves(EdgeId{0}, 2064_B);
    EXPECT_FALSE(points.joins(EdgeId{0}, 64_B));
}

/// Which of 64 packets are marked that find 2999 B before them.
std::string marks(CongestionPoints& points) {
    std::string text;
    points.joins(EdgeId{0}, 2999_B - points.queued(EdgeId{0}));
    for (int i = 0; i < 64; ++i) {
        text += points.joins(EdgeId{0}, 100_B) ? 'x' : '.';
        points.leaves(EdgeId{0}, 100_B);
    }
    return text;
}

TEST(CongestionPoints, ChooseTheSameMarksForASeedAgainAfterARestart) {
    CongestionPoints one(marking(), 1, 1), two(marking(), 1, 2);
    const std::string first = marks(one);
    EXPECT_THAT(first, ::testing::AllOf(::testing::HasSubstr("x"), ::testing::HasSubstr(".")));
    EXPECT_NE(first, marks(two));
    EXPECT_NE(first, marks(one)) << "the draws go on";
    one.leaves(EdgeId{0}, 2999_B);
    one.restart(1);
    EXPECT_EQ(first, marks(one));
    one.leaves(EdgeId{0}, 2999_B);
    one.restart(2);
    EXPECT_NE(first, marks(one));
}

TEST(CongestionPoints, StillHoldWhatWaitedBeforeARestart) {
    CongestionPoints points(marking(), 1, 1);
    points.joins(EdgeId{0}, 500_B);
    points.restart(3);
    EXPECT_EQ(points.queued(EdgeId{0}), 500_B);
}

}   // namespace
}   // namespace oscar
