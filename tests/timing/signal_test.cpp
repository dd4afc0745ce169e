// Levels over time.
#include "models/timing/signal.hpp"

#include <gmock/gmock.h>

namespace oscar {

using namespace literals;

namespace {

using Changes = std::vector<SignalChange>;
constexpr Time forever{1'000'000'000'000};

TEST(Level, TakesChangesInAnyOrderAndThoseOfAnInstantTogether) {
    Level level(5);
    level.add(30_ns, 2);
    level.add(10_ns, -1);
    level.add(20_ns, 3);
    level.add(20_ns, -3);   // nothing to see at 20 ns
    EXPECT_EQ(level.changes({}, {}, forever), (Changes{{0_ns, 5}, {10_ns, 4}, {30_ns, 6}}));
    level.clear();
    EXPECT_EQ(level.changes({}, {}, forever), (Changes{{0_ns, 5}}));
}

TEST(Level, BeginsAWindowWithWhatItIsThenAndEndsWithIt) {
    Level level;
    level.add(110_ns, 1);
    level.add(120_ns, 1);
    level.add(130_ns, 1);
    level.add(131_ns, 1);
    EXPECT_EQ(level.changes(100_ns, 20_ns, 30_ns), (Changes{{20_ns, 2}, {30_ns, 3}}));
}

TEST(Level, StaysBusyWhereSpansTouch) {
    Level busy;
    busy.add_busy({10_ns, 20_ns});
    busy.add_busy({20_ns, 25_ns});
    EXPECT_EQ(busy.changes({}, {}, forever), (Changes{{0_ns, 0}, {10_ns, 1}, {25_ns, 0}}));
}

}   // namespace
}   // namespace oscar
