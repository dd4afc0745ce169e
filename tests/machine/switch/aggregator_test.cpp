// The slot of an aggregator: free for its children when the last copy of the sum has left.
#include "models/machine/switch/aggregator.hpp"

#include <gmock/gmock.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/network/event/composed.hpp"

namespace oscar::aggregator_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// Does at once what is asked for, and notes the time for which it is.
struct AtOnce : Scheduler {
    explicit AtOnce(Fabric& fabric) : Scheduler(fabric) {}
    void at(Time time, Stage, std::uint32_t, std::function<void()> action) override {
        last = time;
        action();
    }
    Time last;
};

/// A switch above three ranks that are told of a slot in 100, 200 and 300 ns; one chunk, whose sum it sends to each.
struct AnAggregator : ::testing::Test {
    static constexpr std::uint32_t ranks = 3;
    test::NotingClient client;
    PacketFabric fabric{FabricParams{}, client};
    AtOnce scheduler{fabric};
    std::vector<std::pair<std::uint32_t, Time>> freed;   ///< child, when it learns of it
    Aggregator aggregator{{{{0}, 100_ns}, {{1}, 200_ns}, {{2}, 300_ns}},
                          EngineParams{},
                          AggregatorParams{},
                          scheduler,
                          [this](Rank child, const TimedEvent& now) {
                              EXPECT_EQ(now.at, scheduler.last);
                              freed.emplace_back(child.value, now.at);
                          }};
    Plan plan{make_schedule(of_one_chunk(), ranks), ElementType::float32, 32};
    std::unique_ptr<Codec> codec = make_codec(Fp32Params{}, Framing{});
    ChunkLayout layout = make_layout(EqualParams{}, 64, {1, 1}, {});
    SyntheticMessageSource participants{plan, *codec, layout};
    Job job{plan, participants, Issue::dependency, {}};
    Outcome outcome;
    RunningJob running{job, Time{}, 4096_B, outcome};
    std::vector<StepId> up, down;   ///< steps to the switch, and those of the sum from it

    static InNetworkParams of_one_chunk() {
        InNetworkParams params;
        params.slices = 1;
        return params;
    }
    AnAggregator() {
        aggregator.begin(running);
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
            (plan.schedule.steps[i].from.value == ranks ? down : up).push_back(StepId{i});
    }
};

TEST_F(AnAggregator, FreesItsSlotWhenTheLastCopyHasLeftInWhateverOrderItIsToldOfThem) {
    ASSERT_EQ(down.size(), ranks);
    aggregator.departed(down[0], {20_ns});
    aggregator.departed(down[1], {30_ns});
    EXPECT_THAT(freed, IsEmpty()) << "one is still to leave";
    aggregator.departed(down[2], {10_ns});   // of another link
    EXPECT_THAT(freed, ElementsAre(Pair(0, 130_ns), Pair(1, 230_ns), Pair(2, 330_ns)));
}

TEST_F(AnAggregator, CountsCopiesOfAChunkAnewWhenItsSlotWasFreed) {
    for (const Time left : {Time{20'000}, Time{900'000}}) {
        freed.clear();
        for (const StepId copy : down) aggregator.departed(copy, {left});
        ASSERT_EQ(freed.size(), ranks);
        EXPECT_EQ(freed[0].second, left + 100_ns);
    }
}

TEST_F(AnAggregator, FreesNothingForWhatItPassesOnToItsParent) {
    for (const StepId sum : up) aggregator.departed(sum, {20_ns});
    EXPECT_THAT(freed, IsEmpty());
}

/// The adders take 64 values in a cycle of 1 ns and 16 more.
TEST_F(AnAggregator, AddsEachChunkInACycleOfItsOwn) {
    const auto summed = [&](Time now) {
        const auto bytes = participants.send(down[0]);
        EventRuns ready;
        aggregator.encode_blocks(down[0], {bytes, std::make_shared<const MessageShape>(shape_of(*bytes, 4096_B))},
                                 {now}, ready);
        return ready[0].at;
    };
    layout = make_layout(EqualParams{}, 8, {1, 1}, {});   // 8 values, which leave 56 adders free
    EXPECT_EQ(summed(0_ns), 17_ns);
    EXPECT_EQ(summed(0_ns), 18_ns) << "not beside the first in the adders that it leaves free";
    aggregator.begin(running);
    EXPECT_EQ(summed(0_ns), 17_ns) << "another job finds them free";
}

}   // namespace
}   // namespace oscar::aggregator_test
