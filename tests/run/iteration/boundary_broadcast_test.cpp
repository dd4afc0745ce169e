#include "sim/run/iteration/boundary_broadcast.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "tests/run/methods.hpp"

namespace oscar::boundary_broadcast_test {
namespace {

using namespace test;   // methods and iterations

std::vector<ChunkLayout> alike(ChunkCount count) {
    return std::vector(count.groups, make_layout(EqualParams{}, 1000, count, {}));
}

class TimeOfBoundaryBroadcast : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(TimeOfBoundaryBroadcast, IsThatOfOneReadFromMemoryAndAPacketPerDoublingOfTheRanksThatKnow) {
    const std::uint32_t ranks = GetParam();
    SmallMachine machine(ranks);
    // Rank 0 reads the words once and sends them in each timestep, as in an exchange with as many timesteps.
    const auto doublings = static_cast<std::uint32_t>(std::bit_width(ranks - 1));
    for (const std::uint32_t slices : {1u, 4u})
        EXPECT_EQ(run_boundary_broadcast(machine.system, alike({ranks, slices}), {ranks, slices}, Issue::lock_step)
                      .path.total_ps(),
                  exchange_by_hand(doublings + 1, ranks * slices).ps)
            << slices << " slices";
}

INSTANTIATE_TEST_SUITE_P(Ranks, TimeOfBoundaryBroadcast, ::testing::Values(2u, 3u, 8u, 9u));

TEST(BoundaryBroadcast, RefusesARankThatCutsElsewhereThanRank0) {
    SmallMachine machine(4);
    for (std::uint32_t rank = 1; rank < 4; ++rank) {
        auto layouts = alike({4, 1});
        layouts[rank] = layout_of_ends(std::vector<std::uint32_t>{250, 501, 750, 1000}, {4, 1});
        EXPECT_THROW(run_boundary_broadcast(machine.system, layouts, {4, 1}, Issue::lock_step), std::logic_error);
    }
    EXPECT_NO_THROW(run_boundary_broadcast(machine.system, alike({4, 1}), {4, 1}, Issue::lock_step));
}

TEST(BoundaryBroadcast, IsToEachRankWhateverTheNumberOfChunks) {
    EXPECT_EQ(boundary_bytes({4, 1}, 4), 4 * 4 * 3u);
    EXPECT_EQ(boundary_bytes({8, 2}, 4), 4 * 8 * 2 * 3u);   // two channels, two slices
    EXPECT_EQ(boundary_bytes({1, 1}, 4), 4 * 3u);           // a tree
}

TEST(BoundaryBroadcast, TakesTimeAndBytesOfItsOwnInEveryIterationThatHasAHistory) {
    SmallMachine machine;
    machine.parameters.chunks = LeaderParams{};
    for (const Method& method : {asc, inlined, fixed}) {
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, uneven(0, false, 1), {}, {});
        run.iterate(machine.system, uneven(1, true, 2), {}, {{.wire_ps = 5'000'000}});
        const IterationResult &first = run.results()[0], &second = run.results()[1];
        EXPECT_EQ(first.boundary_broadcast_ps, 0);
        EXPECT_EQ(first.side_bytes, 0u);
        const bool tells = method.name != "fixed_point";   // whose chunks are always equal
        // Four ends of 4 bytes to three ranks, in two timesteps.
        EXPECT_EQ(second.boundary_broadcast_ps, tells ? exchange_by_hand(3, 4).ps : 0) << method.name;
        EXPECT_EQ(second.side_bytes, tells ? 48u : 0u) << method.name;
        // On the wire each of the three messages has 82 bytes of header, and so has each of the 24 of the AllReduce.
        EXPECT_EQ(second.wire_bytes, second.payload_bytes + 24 * 82 + (tells ? 48 + 3 * 82 : 0)) << method.name;
        EXPECT_EQ(second.critical_path.total_ps(), second.allreduce_ps);
        EXPECT_NEAR(static_cast<double>(*second.closed_form_ps), static_cast<double>(second.allreduce_ps), 200'000);
        EXPECT_EQ(second.sums_match_reference, true);
    }
}

TEST(BoundaryBroadcast, CutsByTheCodesOfRank0InTheSameIteration) {
    // The dear quarter was at the beginning in t-1 and is at the end in t: only who looks at t sees it.
    SmallMachine machine;
    IterationCodes turned = uneven(1, true, 2);
    for (auto& codes : turned.codes) std::ranges::reverse(codes);
    std::ranges::reverse(turned.sum);
    std::vector<double> imbalance;
    for (const ChunkKind& chunks : {ChunkKind(LeaderParams{}), ChunkKind(PredictedParams{})}) {
        machine.parameters.chunks = chunks;
        const Method method{"zero_value", ZeroValueParams{}};   // no table that must follow the turn
        MethodRun run = run_of(machine, method);
        run.warm_up(uneven(0, false, 1));
        run.iterate(machine.system, turned, {}, {});
        EXPECT_EQ(run.results()[0].sums_match_reference, true);
        imbalance.push_back(run.results()[0].imbalance);
    }
    EXPECT_LT(imbalance[0], 1.3);
    EXPECT_GT(imbalance[1], 2);
}

}   // namespace
}   // namespace oscar::boundary_broadcast_test
