// What the GPU has to read to plan the AllReduce of a method.
#include <gtest/gtest.h>

#include "sim/parameters/method_setup.hpp"

namespace oscar::planning_test {
namespace {

constexpr std::uint64_t elements = 1000;

Planning planning_of_choice(const CodecChoice& choice, const ChunkKind& chunks, const SplitChoice& split = {},
                            const ClassifierKind& classes = BlockClassesParams{}) {
    Parameters p;
    p.chunks = chunks;
    p.split = split;
    p.classes = classes;
    const Method method{"method", choice};
    return planning_of(p, method, *make_codec_of(p, method, 8), elements);
}

TEST(PlanningOfAMethod, ReadsAllSumsForClassesThatFollowFromThem) {
    const SplitChoice split = ContextSplitParams{};
    EXPECT_EQ(planning_of_choice(AscParams{}, EqualParams{}, split), (Planning{.values = elements}));
    EXPECT_EQ(planning_of_choice(AscParams{}, EqualParams{}, split, MixedClassesParams{.history = 1}),
              (Planning{.values = elements, .remembers = true}));
    EXPECT_EQ(planning_of_choice(AscParams{}, EqualParams{}, split, LayerClassesParams{}), Planning{});
    EXPECT_EQ(planning_of_choice(AscParams{}, EqualParams{}, {}, MixedClassesParams{.history = 1}), Planning{});
}

TEST(PlanningOfAMethod, ReadsAllSumsForChunksByPredictedCost) {
    EXPECT_EQ(planning_of_choice(AscParams{}, PredictedParams{}), (Planning{.values = elements}));
    EXPECT_EQ(planning_of_choice(RansParams{}, GreedyParams{}), (Planning{.values = elements}));
    EXPECT_EQ(planning_of_choice(AscParams{}, EqualParams{}), Planning{});
    EXPECT_EQ(planning_of_choice(AscParams{}, RoundRobinParams{}), Planning{});
}

TEST(PlanningOfAMethod, ReadsATotalPerBlockForMeasuredChunks) {
    EXPECT_EQ(planning_of_choice(AscParams{}, MeasuredParams{.granularity = 100}), (Planning{.values = 10}));
    EXPECT_EQ(planning_of_choice(AscParams{}, MeasuredParams{.granularity = 300}), (Planning{.values = 4}));
    EXPECT_EQ(planning_of_choice(AscParams{}, MeasuredParams{.granularity = 300}, ContextSplitParams{}),
              (Planning{.values = elements}));
}

TEST(PlanningOfAMethod, NeedsTheGradientItselfWhereALeaderCuts) {
    EXPECT_EQ(planning_of_choice(AscParams{}, LeaderParams{}), (Planning{.values = elements, .of_own_codes = true}));
}

TEST(PlanningOfAMethod, IsNoneWhereAllMessagesOfAWidthHaveOneSize) {
    for (const CodecChoice& choice :
         {CodecChoice(Fp32Params{}), CodecChoice(Bf16Params{}), CodecChoice(FixedPointParams{})})
        for (const ChunkKind& chunks : {ChunkKind(PredictedParams{}), ChunkKind(LeaderParams{})})
            EXPECT_EQ(planning_of_choice(choice, chunks, ContextSplitParams{}), Planning{});
}

}   // namespace
}   // namespace oscar::planning_test
