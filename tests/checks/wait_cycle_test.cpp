#include "sim/checks/network_problem.hpp"

#include <gmock/gmock.h>

#include "tests/network/topology/support.hpp"

namespace oscar::wait_cycle_test {
namespace {

using ::testing::HasSubstr;

TEST(WaitCycles, OfATorusAreNamedWithTheirRemedy) {
    const Topology torus = make_topology(TorusParams{1, 6}, 6, {});
    const auto why = find_deadlock_problem(torus, {}, 1);
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr("under dimension_order routing: "));
    EXPECT_THAT(*why, ::testing::ContainsRegex("switch[0-5]->switch[0-5], switch[0-5]->switch[0-5], .*, and 2 more, "
                                               "which waits for the first; "));
    EXPECT_THAT(*why, HasSubstr("set network.virtual_channels: 2"));
    EXPECT_EQ(find_deadlock_problem(torus, {}, 2), std::nullopt);
}

/// Eight switches with a rank each, cabled where their binary numbers differ in one bit.
Topology cube_with_dimensions() {
    Topology cube{8, 8};
    for (std::uint32_t r = 0; r < 8; ++r) cube.cable(node_of(Rank{r}), cube.switch_node(r), LinkParams{});
    for (std::uint32_t r = 0; r < 8; ++r)
        for (std::uint32_t d = 0; d < 3; ++d) {
            Topology::Edge edge;
            edge.dimension = d;
            if ((r >> d & 1) == 0) cube.cable(cube.switch_node(r), cube.switch_node(r | 1u << d), edge);
        }
    return cube;
}

TEST(WaitCycles, OfOtherRoutesAreOpenedByDimensionOrderWhereThatHelps) {
    const Topology cube = cube_with_dimensions();
    EXPECT_EQ(find_deadlock_problem(cube, {}, 1), std::nullopt);   // dimension order is its default
    EXPECT_THAT(*find_deadlock_problem(cube, SprayParams{}, 1), ::testing::EndsWith("; choose dimension_order"));
    const Topology torus = make_topology(TorusParams{6, 6}, 36, {});
    EXPECT_THAT(*find_deadlock_problem(torus, SprayParams{}, 1),
                ::testing::EndsWith("; choose dimension_order with network.virtual_channels: 2"));
}

TEST(WaitCycles, OfARingOfSwitchesAreOpenedByADatelineInAGraph) {
    const Topology plain = make_topology(test::switch_ring(6, 0), 6, {});
    EXPECT_THAT(*find_deadlock_problem(plain, {}, 1), HasSubstr("leave out one of these links, or write a graph in "
                                                                "which it is a dateline"));
    EXPECT_THAT(*find_deadlock_problem(plain, {}, 1), HasSubstr(", and 2 more, which waits for the first"));
}

}   // namespace
}   // namespace oscar::wait_cycle_test
