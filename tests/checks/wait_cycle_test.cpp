#include "sim/checks/wait_cycle.hpp"

#include <gmock/gmock.h>

#include "tests/network/topology/support.hpp"

namespace oscar {
namespace {

using testing::HasSubstr;

TEST(WaitCycles, OfATorusAreNamedWithTheirRemedy) {
    const Topology torus = make_topology(TorusParams{1, 6}, 6, {});
    const auto why = find_deadlock_problem(torus, {}, 1);
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr("under dimension_order routing: "));
    EXPECT_THAT(*why, testing::ContainsRegex("switch[0-5]->switch[0-5], switch[0-5]->switch[0-5], .*, and 2 more, "
                                             "which waits for the first; "));
    EXPECT_THAT(*why, HasSubstr("set network.virtual_channels: 2"));
    EXPECT_EQ(find_deadlock_problem(torus, {}, 2), std::nullopt);
}

TEST(WaitCycles, OfARingOfSwitchesAreOpenedByADatelineInAGraph) {
    const Topology plain = make_topology(test::switch_ring(6, 0), 6, {});
    EXPECT_THAT(*find_deadlock_problem(plain, {}, 1), HasSubstr("leave out one of these links, or write a graph in "
                                                                "which it is a dateline"));
    EXPECT_THAT(*find_deadlock_problem(plain, {}, 1), HasSubstr(", and 2 more, which waits for the first"));
}

}   // namespace
}   // namespace oscar
