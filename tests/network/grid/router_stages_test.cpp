// One router by itself, in the middle of a mesh of three by three: its number is 4, and node 5 is east of it.
#include "models/network/grid/router_stages.hpp"

#include <gmock/gmock.h>

#include <deque>

#include "models/core/random.hpp"

namespace oscar::router_stages_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr RouterId centre{4};
constexpr NodeId at_centre = node_at(centre), east_of_it{5};

RouterLayout layout_with(const VcRouterParams& params = {}) { return {RouterGrid(RouterMeshParams{3, 3}), params}; }
std::uint32_t input_of(const RouterLayout& layout, Port port, std::uint32_t vc = 0) {
    return layout.local(index_of(port), vc);
}
RouterFlit flit_to(NodeId to, std::uint16_t sequence = 0, bool tail = true) {
    return {0, 3, static_cast<std::uint16_t>(to.value), sequence, 0, tail};
}

TEST(RouterStages, AllocateAVcAndThenTheSwitch) {
    VcRouterParams params;
    params.routing_delay = 1;
    params.vc_alloc_delay = 2;
    params.sw_alloc_delay = 3;
    const RouterLayout layout = layout_with(params);
    RouterStages router(layout, centre);
    EXPECT_TRUE(router.idle());
    router.arrive(input_of(layout, Port::west), flit_to(east_of_it), 10);
    EXPECT_EQ(router.held(), 1u);
    // Route in cycle 10, VC in 11 and 12, switch from 13 on: the flit wins it in 15.
    EXPECT_EQ(router.next_work(10), 12u);
    for (Cycles now = 10; now < 15; ++now) EXPECT_THAT(router.step(now), IsEmpty()) << now;
    const auto left = router.step(15);
    ASSERT_THAT(left, SizeIs(1));
    EXPECT_EQ(left[0].port, Port::east);
    EXPECT_EQ(left[0].input, input_of(layout, Port::west));
    EXPECT_EQ(layout.port_of[left[0].output], index_of(Port::east));
    EXPECT_EQ(router.held(), 0u);
    EXPECT_TRUE(router.idle());
    EXPECT_FALSE(router.next_work(15));
}

TEST(RouterStages, LetBodyFlitsFollowTheirHead) {
    const RouterLayout layout = layout_with();
    RouterStages router(layout, centre);
    const std::uint32_t input = input_of(layout, Port::west);
    for (std::uint16_t i = 0; i < 3; ++i) router.arrive(input, flit_to(east_of_it, i, i == 2), 0);
    EXPECT_THAT(router.step(0), IsEmpty()) << "VC allocation";
    std::vector<std::uint32_t> outputs;
    for (Cycles now = 1; now <= 3; ++now) {
        const auto left = router.step(now);
        ASSERT_THAT(left, SizeIs(1));
        EXPECT_EQ(left[0].flit.sequence, now - 1);
        outputs.push_back(left[0].output);
    }
    EXPECT_THAT(outputs, ::testing::Each(outputs[0])) << "the VC of the packet";
    EXPECT_FALSE(router.owner(outputs[0])) << "the tail has given it back";
}

TEST(RouterStages, SendNothingWithoutCreditAndSayWhatAPacketWaitsFor) {
    VcRouterParams params;
    params.vcs = 1;
    params.vc_flits = 2;
    const RouterLayout layout = layout_with(params);
    RouterStages router(layout, centre);
    const std::uint32_t west = input_of(layout, Port::west), node = input_of(layout, Port::node),
                        east = input_of(layout, Port::east);
    router.arrive(west, flit_to(east_of_it, 0, false), 0);
    router.arrive(west, flit_to(east_of_it, 1, false), 0);
    router.step(0);
    router.arrive(node, flit_to(east_of_it), 1);
    Cycles now = 1;
    for (; now < 3; ++now) EXPECT_THAT(router.step(now), SizeIs(1));
    EXPECT_EQ(router.credits(east), 0u);
    router.arrive(west, flit_to(east_of_it, 2, true), now);
    EXPECT_THAT(router.step(now), IsEmpty());
    EXPECT_FALSE(router.next_work(now)) << "until a credit comes";
    const auto behind = router.wait_of(west), at_node = router.wait_of(node);
    ASSERT_TRUE(behind && at_node);
    EXPECT_FALSE(behind->here);
    EXPECT_EQ(behind->vc, east) << "the buffer behind it is full";
    EXPECT_TRUE(at_node->here);
    EXPECT_EQ(at_node->vc, west) << "which holds the only VC";
    router.take_credit(east);
    EXPECT_THAT(router.step(++now), SizeIs(1));
}

TEST(RouterStages, WaitForNothingAtTheNode) {
    const RouterLayout layout = layout_with();
    RouterStages router(layout, centre);
    router.arrive(input_of(layout, Port::west), flit_to(at_centre), 0);
    EXPECT_FALSE(router.wait_of(input_of(layout, Port::west)));
    router.step(0);
    const auto left = router.step(1);
    ASSERT_THAT(left, SizeIs(1));
    EXPECT_EQ(left[0].port, Port::node);
}

TEST(RouterStages, HaveNoVcsToGiveWhereThereIsNoLink) {
    const RouterLayout layout = layout_with();
    const RouterStages corner(layout, RouterId{0}), middle(layout, centre);
    for (std::uint32_t v = 0; v < layout.params.vcs; ++v) {
        EXPECT_EQ(corner.credits(input_of(layout, Port::west, v)), 0u);
        EXPECT_EQ(middle.credits(input_of(layout, Port::west, v)), layout.params.vc_flits);
    }
}

/// Something that comes to a router in a cycle.
struct Coming {
    Cycles cycle;
    bool flit;          ///< else a credit
    std::uint32_t vc;   ///< input or output
    RouterFlit what;
};

/// What has left, with its cycle.
using Left = std::vector<std::tuple<Cycles, int, int, std::uint16_t, std::uint64_t>>;

VcRouterParams random_params(std::uint64_t seed) {
    VcRouterParams params;
    params.vcs = static_cast<std::uint32_t>(1 + random_at(seed, 0) % 4);
    params.vc_flits = static_cast<std::uint32_t>(1 + random_at(seed, 1) % 6);
    params.reuse = random_at(seed, 2) % 2 == 0 ? VcReuse::when_empty : VcReuse::when_sent;
    params.routing_delay = static_cast<std::uint32_t>(random_at(seed, 3) % 3);
    params.vc_alloc_delay = static_cast<std::uint32_t>(1 + random_at(seed, 4) % 3);
    params.sw_alloc_delay = static_cast<std::uint32_t>(1 + random_at(seed, 5) % 3);
    params.input_speedup = static_cast<std::uint32_t>(1 + random_at(seed, 6) % params.vcs);
    return params;
}

/// Feeds a router packets of random lengths at all inputs as far as its buffers have room, gives credits back some
/// cycles after flits have left, and steps it in each cycle, or only in those in which it has work.
Left run(std::uint64_t seed, bool every_cycle) {
    const RouterLayout layout = layout_with(random_params(seed));
    RouterStages router(layout, centre);
    std::deque<Coming> credits;
    std::vector<std::uint16_t> next(64);
    std::vector<NodeId> to(64);
    Left result;
    std::uint64_t drawn = 0;
    std::optional<Cycles> due;
    for (Cycles now = 0; now < 400; ++now) {
        bool comes = false;
        for (; !credits.empty() && credits.front().cycle == now; credits.pop_front(), comes = true)
            router.take_credit(credits.front().vc);
        for (std::uint32_t input = 0; input < router_ports * layout.params.vcs; ++input) {
            if (random_at(seed + 1, drawn++) % 16 != 0 || router.held(input) == layout.params.vc_flits) continue;
            // From the west to the east, and from anywhere to the node: ways in dimension order.
            if (next[input] == 0)
                to[input] = layout.port_of[input] == index_of(Port::west) && drawn % 3 != 0 ? east_of_it : at_centre;
            const bool tail = random_at(seed + 2, drawn) % 4 == 0;
            router.arrive(input,
                          {now, static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(to[input].value),
                           next[input], 0, tail},
                          now);
            next[input] = static_cast<std::uint16_t>(tail ? 0 : next[input] + 1);
            comes = true;
        }
        if (!every_cycle && !comes && due != now) continue;
        for (const RouterStages::Departure& left : router.step(now)) {
            result.push_back({now, left.input, left.output, left.flit.sequence, left.flit.created});
            credits.push_back({now + 5, false, left.output, {}});
        }
        due = router.next_work(now);
    }
    return result;
}

TEST(RouterStages, AreTheSameWhereCyclesWithoutWorkAreLeftOut) {
    for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        const Left all = run(seed, true);
        EXPECT_EQ(run(seed, false), all);
        EXPECT_GT(all.size(), 20u);
    }
}

}   // namespace
}   // namespace oscar::router_stages_test
