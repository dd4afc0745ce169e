// What a switch that adds does with codes: it decodes and encodes with engines of its own, or adds packed integers as
// they come.
#include <gtest/gtest.h>

#include "models/engine/block_stages.hpp"
#include "tests/system/in_network.hpp"

namespace oscar::in_network_codes_test {
namespace {

using test::chunks;
using test::Machine;
using test::MachineSpec;

/// Cycles of an idle decoder for a block.
Cycles decoding(const EngineParams& engine, const Block& block) {
    return DecoderStages{}.serve(0, decode_demand(engine, block)).done;
}

/// What an engine has to do for the one block of a message.
Time through(Frequency clock, Time ready, Cycles cycles) {
    return Clock(clock).edge(Clock(clock).next_edge(ready) + cycles);
}

/// Two ranks send at once, so that one engine for both would let one wait. The tables' first iteration: all messages
/// bring one inline.
TEST(InNetworkOnAStar, DecodesAtEachPortAddsAndEncodesOnceWhatCannotBeAddedCoded) {
    MachineSpec spec;
    spec.ranks = 2;
    spec.node.engine.clock = 700_MHz;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 2), ElementType::integer, 8);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    auto values = test::codes(2, 1000, 8, 3);
    values[1] = values[0];
    const auto run = machine.run(plan, *codec, values, Issue::dependency);
    const auto& steps = run.outcome.steps;
    const auto block = [&](std::size_t i) { return run.reference.messages[i]->blocks.at(0); };
    const EngineParams& engine = spec.node.engine;
    ASSERT_EQ(steps[0].arrived, steps[1].arrived);
    for (const std::size_t up : {0u, 1u})
        EXPECT_EQ(steps[up].ready, through(engine.clock, steps[up].arrived, decoding(engine, block(up))));
    const Time added = through(1_GHz, steps[0].ready, (1000 + 63) / 64 + 16);
    const Time encoded = through(engine.clock, added, EncoderStages{}.serve(0, encode_demand(engine, block(2))).done);
    const Bytes wire = Bytes{run.reference.messages[2]->size()} + spec.network.header;
    ASSERT_LT(wire, spec.network.packet);
    for (const std::size_t down : {2u, 3u})
        EXPECT_EQ(steps[down].sent, encoded + serialization(wire, spec.network.link.bandwidth));
    EXPECT_EQ(run.outcome.records[2], run.outcome.records[3]);
}

/// The first rank's engine is the switch's as well; the other's makes no difference to what the switch does.
TEST(InNetworkOnAStar, HasAnEngineAsTheFirstRanks) {
    MachineSpec spec;
    spec.ranks = 2;
    spec.nodes.assign(2, spec.node);
    spec.nodes[0].engine.clock = 700_MHz;
    spec.nodes[1].engine.clock = 300_MHz;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 2), ElementType::integer, 8);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(2, 1000, 8, 3), Issue::dependency);
    const EngineParams& engine = spec.nodes[0].engine;
    for (const std::size_t up : {0u, 1u}) {
        const Block& block = run.reference.messages[up]->blocks.at(0);
        EXPECT_EQ(run.outcome.steps[up].ready,
                  through(engine.clock, run.outcome.steps[up].arrived, decoding(engine, block)));
    }
}

TEST(InNetworkOnAStar, AddsPackedIntegersAsTheyComeAndSendsTheSumAsWideAsItIs) {
    MachineSpec spec;
    spec.ranks = 5;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 5), ElementType::integer, 8);
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(5, 1000, 8, 3), Issue::dependency);
    const auto& steps = run.outcome.steps;
    for (std::size_t up = 0; up < 5; ++up) {
        EXPECT_EQ(steps[up].ready, steps[up].arrived);
        EXPECT_EQ(run.outcome.records[up].bytes, 1000u);   // 8 bits
    }
    const Time added = through(1_GHz, steps[4].ready, (1000 + 63) / 64 + 16);
    const Bytes wire = Bytes{1000 * 11 / 8} + spec.network.header;   // sums of 5: 8 + 3 bits
    for (std::size_t down = 5; down < 10; ++down) {
        EXPECT_EQ(run.outcome.records[down].bytes, 1375u);
        EXPECT_EQ(steps[down].sent, added + serialization(wire, spec.network.link.bandwidth));
    }
}

}   // namespace
}   // namespace oscar::in_network_codes_test
