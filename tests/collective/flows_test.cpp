// Transfers from a list: who gets what, how much, and when it may begin.
#include "models/collective/algorithms/listed/flows.hpp"

#include <gmock/gmock.h>

#include <random>

#include "models/collective/schedule/find_problem.hpp"

namespace oscar::flows_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FlowsParams random_flows(std::uint32_t ranks, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    FlowsParams params;
    for (std::uint64_t i = 0; i < 1 + random() % 9; ++i) {
        const auto from = static_cast<std::uint32_t>(random() % ranks);
        const auto away = static_cast<std::uint32_t>(1 + random() % (ranks - 1));
        params.flows.push_back({from, (from + away) % ranks, {4 * (1 + random() % 100)}, {}});
    }
    return params;
}

TEST(Flows, GiveEachReceiverWhatItsSenderHadAndNobodyElseAnything) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
        for (const std::uint32_t slices : {1u, 3u}) {
            for (FlowsParams params : {FlowsParams{}, random_flows(ranks, ranks)}) {
                params.slices = slices;
                const Schedule schedule = make_schedule(params, ranks);
                EXPECT_EQ(find_transfer_problem(params, schedule), std::nullopt)
                    << ranks << " ranks, " << slices << " slices";
                EXPECT_EQ(find_problem(Operation::transfers, schedule), std::nullopt) << ranks;
                EXPECT_EQ(schedule.timesteps(), 1u);
            }
        }
}

/// Two to rank 1, which then sends one on, and a second after that has come back.
TEST(Flows, WaitForThoseThatTheyAreAfterSliceBySlice) {
    FlowsParams params;
    params.slices = 2;
    params.flows = {{0, 1, 1_KiB, {}, {}}, {2, 1, 1_KiB, {}, {}}, {1, 3, 1_KiB, {}, {0, 1}}, {3, 1, 1_KiB, {}, {2}}};
    const Schedule schedule = make_schedule(params, 4);
    EXPECT_EQ(find_transfer_problem(params, schedule), std::nullopt);
    EXPECT_EQ(find_problem(Operation::transfers, schedule), std::nullopt);
    for (const std::uint32_t slice : {0u, 1u}) {
        const auto step = [&](std::uint32_t flow) { return StepId{4 * slice + flow}; };
        EXPECT_TRUE(schedule.after(step(0)).empty());
        EXPECT_THAT(schedule.after(step(2)), ElementsAre(step(0), step(1)));
        EXPECT_THAT(schedule.after(step(3)), ElementsAre(step(2)));
        EXPECT_EQ(schedule.steps[step(1).value].timestep, Timestep{0});
        EXPECT_EQ(schedule.steps[step(2).value].timestep, Timestep{1});
        EXPECT_EQ(schedule.steps[step(3).value].timestep, Timestep{2});
    }
}

TEST(Flows, AreRefusedThatWaitForALaterOneOrForAMessageToAnother) {
    const auto error_of = [](const FlowSpec& second) {
        FlowsParams params;
        params.flows = {{0, 1, 1_KiB, {}, {}}, second};
        try {
            make_schedule(params, 4);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(error_of({1, 2, 1_KiB, {}, {0}}), "");
    EXPECT_EQ(error_of({1, 2, 1_KiB, {}, {1}}), "flow 1: it is after flow 1, which must come before it in the list");
    EXPECT_EQ(error_of({2, 3, 1_KiB, {}, {0}}),
              "flow 1: it is after flow 0, which goes to rank 1 and not to its sender, rank 2");
}

/// Flow 1 waits for computation 1, that for 0, and that for flow 0.
TEST(Flows, WaitForComputationsAndThroughThemForFlows) {
    FlowsParams params;
    params.slices = 2;
    params.flows = {{0, 1, 1_KiB, {}, {}}, {1, 2, 1_KiB, {}, {}, {1}}, {2, 0, 1_KiB, {}, {1}}};
    params.computations = {{1, 0, 3_us, {0}, {}}, {1, 1, 0_ps, {}, {0}}};
    const Schedule schedule = make_schedule(params, 3);
    EXPECT_EQ(schedule.timesteps(), 3u);
    EXPECT_EQ(find_transfer_problem(params, schedule), std::nullopt);
    const Computations computations = computations_of(params, 3);
    EXPECT_THAT(computations.all[0].after, ElementsAre(StepId{0}, StepId{3}));   // of both slices
    EXPECT_THAT(computations.before_step, ElementsAre(ElementsAre(), ElementsAre(1), ElementsAre(), ElementsAre(),
                                                      ElementsAre(1), ElementsAre()));
    EXPECT_THAT(without_computations(params).flows[1].after, ElementsAre(0));
}

TEST(Flows, AreRefusedWhoseComputationsWaitForThemOrAreOfAnother) {
    const auto error_of = [](std::vector<ComputationSpec> computations, std::vector<std::uint32_t> computed) {
        FlowsParams params;
        params.flows = {{0, 1, 1_KiB, {}, {}}, {1, 2, 1_KiB, {}, {}, std::move(computed)}, {2, 1, 1_KiB, {}}};
        params.computations = std::move(computations);
        try {
            make_schedule(params, 3);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(error_of({{1, 0, 1_us, {0}, {}}}, {0}), "");
    EXPECT_EQ(error_of({{3, 0, 1_us, {}, {}}}, {}), "computation 0: rank 3 must be one of 0 to 2");
    EXPECT_EQ(error_of({{1, 0, 1_us, {}, {0}}}, {}),
              "computation 0: it is after computation 0, which must come before it in the list");
    EXPECT_EQ(error_of({{0, 0, 1_us, {}, {}}}, {0}), "flow 1: it is after computation 0 of rank 0, and is of rank 1");
    EXPECT_EQ(error_of({{1, 0, 1_us, {2}, {}}}, {0}),
              "flow 1: it is after computation 0, which waits for flow 2; that must come before it in the list");
    EXPECT_EQ(error_of({}, {0}), "flow 1: it is after computation 0, which must come before it in the list");
}

TEST(Flows, WithoutAListGoFromEachRankToTheNext) {
    EXPECT_THAT(flows_of(FlowsParams{}, 3),
                ElementsAre(FlowSpec{0, 1, 1_MiB, {}}, FlowSpec{1, 2, 1_MiB, {}}, FlowSpec{2, 0, 1_MiB, {}}));
}

TEST(Flows, AreNotBroughtAboutByAScheduleThatLosesAddsOrMisdirectsOne) {
    FlowsParams params;
    params.flows = {{0, 1, 1_KiB, {}}, {2, 3, 1_KiB, {}}};
    const Schedule whole = make_schedule(params, 4);
    Schedule lost = whole, misdirected = whole, added = whole, uncut = whole;
    lost.steps.pop_back();
    EXPECT_EQ(find_transfer_problem(params, lost), "rank 3 ends with chunk 1 of other ranks than rank 2");
    misdirected.steps[0].to = Rank{2};
    EXPECT_EQ(find_transfer_problem(params, misdirected), "rank 1 ends with chunk 0 of other ranks than rank 0");
    added.steps[0].op = Op::reduce;
    EXPECT_EQ(find_transfer_problem(params, added), "rank 1 ends with chunk 0 of other ranks than rank 0");
    added = whole;
    added.steps.push_back({Rank{0}, Rank{2}, ChunkId{0}, Op::copy, Timestep{0}});
    EXPECT_EQ(find_transfer_problem(params, added), "rank 2 ends with chunk 0 of other ranks than rank 2");
    uncut.chunks = 3;
    EXPECT_EQ(find_transfer_problem(params, uncut), "3 chunks are not 1 of each flow");
}

TEST(Flows, RefuseEndsThatAreNoTwoRanks) {
    for (const FlowSpec& wrong : {FlowSpec{4, 1, 1_KiB, {}}, FlowSpec{1, 4, 1_KiB, {}}, FlowSpec{2, 2, 1_KiB, {}}}) {
        FlowsParams params;
        params.flows = {{0, 1, 1_KiB, {}}, wrong};
        try {
            make_schedule(params, 4);
            ADD_FAILURE() << wrong.from << " to " << wrong.to;
        } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), HasSubstr("flow 1: ranks"));
            EXPECT_THAT(error.what(), HasSubstr("must be two of 0 to 3"));
        }
    }
}

TEST(Flows, AreCutInSlicesThatTogetherAreTheirBytes) {
    for (std::uint32_t ranks = 2; ranks <= 9; ++ranks) {
        FlowsParams params = random_flows(ranks, ranks);
        params.slices = 3;
        const ChunkLayout layout = layout_of(params, ranks);
        const std::size_t flows = params.flows.size();
        ASSERT_EQ(layout.chunks(), 3 * flows);
        std::uint64_t all = 0;
        for (std::uint32_t i = 0; i < flows; ++i) {
            std::uint64_t values = 0;
            for (std::uint32_t s = 0; s < 3; ++s)
                values += layout.size(ChunkId{static_cast<std::uint32_t>(s * flows) + i});
            EXPECT_EQ(4 * values, params.flows[i].bytes.count);
            all += 4 * values;
        }
        EXPECT_EQ(size_of(params, ranks).count, all);
    }
}

TEST(Flows, BeginEachAtItsOwnTimeInAllSlices) {
    FlowsParams params;
    params.slices = 2;
    params.flows = {{0, 1, 1_KiB, 3_us}, {1, 0, 1_KiB, {}}};
    EXPECT_THAT(releases_of(params, 2), ElementsAre(3_us, 0_ps, 3_us, 0_ps));
}

}   // namespace
}   // namespace oscar::flows_test
