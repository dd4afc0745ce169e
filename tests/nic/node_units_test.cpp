// The units of a node: an engine of another kind stands in their engine's place; laws of the engine and the adders.
#include "models/nic/node_units.hpp"

#include <gmock/gmock.h>

#include "models/engine/engine.hpp"
#include "models/nic/reduce_unit.hpp"
#include "tests/machine/support.hpp"

namespace oscar::node_units_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Calls back at once: nothing happens beside what a test asks for.
struct Immediate final : Scheduler {
    explicit Immediate(Fabric& fabric) : Scheduler(fabric) {}
    void at(Time, Stage, std::uint32_t, std::function<void()> action) override { action(); }
};

struct NoClient final : FabricClient {
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

/// Blocks take a microsecond each way, whatever they hold.
class MicrosecondEngine final : public TimedEngine {
public:
    void begin() override { served = 0; }
    TimedEvent encode(const TimedEvent& ready, const Block&) override { return take(ready); }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block&) override {
        return unit_.serve(ready, blocks, 1, 0);
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        TimedEvent last;
        for (std::uint32_t i = 0; i < ready.count; ++i)
            last = later(last, decode(ready[i], blocks, block).done(blocks - 1));
        return last;
    }
    const std::vector<Span>& encoder_busy() const override { return none_; }
    const std::vector<Span>& decoder_busy() const override { return unit_.busy(); }
    std::uint32_t served = 0;

private:
    TimedEvent take(const TimedEvent& ready) {
        ++served;
        return ready.after(1_us, &CriticalPath::engine_ps);
    }
    PipelinedUnit unit_{1_MHz};
    std::vector<Span> none_;
};

struct OneStep : ::testing::Test {
    NoClient client;
    PacketFabric fabric{{}, client};
    Immediate scheduler{fabric};
    Plan plan = test::int8_plan(2);
    std::unique_ptr<Codec> codec = make_codec(FixedPointParams{}, Framing{.lanes = 4});   // blocks of 64 values
    std::vector<RankState> rank_states = test::make_endpoints(plan, *codec);
    LiveMessageSource source{plan, rank_states, *codec};
    Job job{plan, source, Issue::lock_step, {}};
    Outcome outcome;
    NodeParams node;
    OneStep() {
        test::begin(rank_states, test::codes(2, 2 * 128, 8, 1), plan);
        outcome.steps.resize(plan.schedule.steps.size());
        outcome.ranks.resize(2);
        node.gpu = {32_Gbps, 0_ps};   // a value in a nanosecond
    }
};

TEST_F(OneStep, EncodesWithTheEngineItIsGiven) {
    RunningJob running(job, 0_ps, 64_B, outcome);
    MicrosecondEngine given;
    ChannelDma dma(node.gpu);
    ReduceUnit reduce_unit(node.nic);
    NodeUnits units(Rank{0}, node, {dma, given, reduce_unit}, scheduler);
    units.begin(running);
    const StepId first = steps_by_sender(plan.schedule)[0][0];
    const auto bytes = source.send(first);
    const SharedMessage message{bytes, std::make_shared<const MessageShape>(shape_of(*bytes, 64_B))};
    EventRuns ready;
    units.encode_blocks(first, message, {}, ready);
    EXPECT_EQ(given.served, 2u);
    ASSERT_EQ(ready.size(), 2u);
    EXPECT_EQ(ready[0].at, 64_ns + 1_us);   // read by DMA, then encoded
    EXPECT_EQ(ready[1].at, 128_ns + 1_us);
    EXPECT_EQ(ready[1].path.engine_ps, 1'000'000);
    EXPECT_THAT(units.encoder_busy(), IsEmpty());
}

/// Moments and blocks drawn at random.
TEST(Engine, TakesARunAsEachOfItsMomentsOneByOne) {
    test::Draws draw(3);
    for (int round = 0; round < 200; ++round) {
        EngineParams params;
        params.clock = {draw.between(200'000, 3'000'000)};
        params.decode_latency = draw.number(0, 30);
        const auto at_once = make_engine(params), one_by_one = make_engine(params);
        for (int i = 0; i < 5; ++i) {
            const EventRun ready{{draw.up_to(2_us)}, draw.number(1, 9), draw.up_to(100_ns)};
            Block block;
            block.values = draw.number(1, 500);
            block.work.values = block.values;
            block.work.sub_stream_slots = draw.between(0, 40);
            const std::uint32_t blocks = draw.number(1, 3);
            TimedEvent last;
            for (std::uint32_t k = 0; k < ready.count; ++k)
                last = later(last, one_by_one->decode(ready[k], blocks, block).done(blocks - 1));
            ASSERT_EQ(at_once->decode_run(ready, blocks, block).at, last.at) << "seed 3, round " << round;
        }
        ASSERT_EQ(at_once->decoder_busy(), one_by_one->decoder_busy());
        ASSERT_THAT(at_once->encoder_busy(), IsEmpty());
        at_once->begin();
        ASSERT_THAT(at_once->decoder_busy(), IsEmpty());
    }
}

TEST(ReduceUnit, BeginsAPieceInACycleOfItsOwnAndGoesOnWithinIt) {
    ReduceUnit unit({.adders = 4, .clock = 1_GHz});
    EXPECT_EQ(unit.add({}, 1, 6, true).at(0), 2_ns + 1_ns);    // 2 cycles, and the second stage
    EXPECT_EQ(unit.add({}, 1, 2, false).at(0), 2_ns + 1_ns);   // in what is left of the second cycle
    EXPECT_EQ(unit.add({}, 1, 2, true).at(0), 3_ns + 1_ns);
    unit.begin(false);
    EXPECT_EQ(unit.add({}, 1, 4, true).at(0), 1_ns + 1_ns);
    EXPECT_THAT(unit.busy(), IsEmpty());
}

TEST(ReduceUnit, NotesWhenItAddsWhereItIsAskedTo) {
    ReduceUnit unit({.adders = 4, .clock = 1_GHz});
    unit.begin(true);
    unit.add({}, 1, 6, true);
    unit.add_run({{10_ns}, 2, 5_ns}, 1, 4);
    EXPECT_THAT(unit.busy(), ElementsAre(Span{0_ns, 2_ns}, Span{10_ns, 11_ns}, Span{15_ns, 16_ns}));
    unit.begin(true);
    EXPECT_THAT(unit.busy(), IsEmpty());
}

TEST(Dma, ServesEachDirectionInOrder) {
    ChannelDma dma({32_Gbps, 10_ns});   // 4 bytes in a nanosecond
    EXPECT_EQ(dma.read({}, 40_B).at, 20_ns);
    EXPECT_EQ(dma.read({}, 40_B).at, 30_ns);
    EXPECT_EQ(dma.write(EventRun{{}}, 1, 40_B).at, 20_ns);   // the other direction is free
    dma.begin(false);
    EXPECT_EQ(dma.read({}, 40_B).at, 20_ns);
}

/// Whatever is written is there at one instant, each time for another cause.
struct AtOneInstant final : Dma {
    std::int64_t writes = 0;
    void begin(bool) override { writes = 0; }
    DmaUse use() const override { return {}; }
    TimedEvent read(const TimedEvent& now, Bytes) override { return now; }
    void read(const TimedEvent& now, std::uint32_t count, Bytes, EventRuns& there) override {
        there.push_back({now, count});
    }
    TimedEvent write(const EventRun&, std::uint32_t, Bytes) override { return write(); }
    TimedEvent write(const ServiceBatch&, Bytes) override { return write(); }
    TimedEvent write() {
        const Time waited{100'000 * ++writes};
        return TimedEvent{}.until(waited, &CriticalPath::wait_ps).until(5_us, &CriticalPath::dma_ps);
    }
};

TEST_F(OneStep, NamesTheFirstOfTheResultsThatAreThereLastAtOneInstant) {
    RunningJob running(job, 0_ps, 64_B, outcome);
    MicrosecondEngine given;
    AtOneInstant dma;
    ReduceUnit reduce_unit(node.nic);
    NodeUnits units(Rank{0}, node, {dma, given, reduce_unit}, scheduler);
    units.begin(running);
    std::vector<StepId> copies;
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.completes(StepId{i})) copies.push_back(StepId{i});
    ASSERT_GE(copies.size(), 2u);
    const Block block{.values = 64};
    Inbound inbound;
    for (const StepId copy : {copies[0], copies[1]})
        units.decode_blocks(copy, inbound, {.blocks = 1, .block = &block}, EventRun{{1_us}});
    EXPECT_EQ(dma.writes, 2);
    EXPECT_EQ(outcome.ranks[0].last, copies[0]);
    EXPECT_EQ(outcome.ranks[0].path.wait_ps, 100'000);
}

}   // namespace
}   // namespace oscar::node_units_test
