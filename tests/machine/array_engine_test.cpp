// Engines of kind cycles in whole machines, and what the module behind them asks of its arrays.
#include "models/machine/node/array_engine_module.hpp"

#include <gmock/gmock.h>

#include "models/codec/kinds/asc.hpp"
#include "models/codec/kinds/atalanta.hpp"
#include "models/engine/arrays/decoder_cycles.hpp"
#include "models/engine/arrays/encoder_cycles.hpp"
#include "tests/machine/support.hpp"

namespace oscar::array_engine_test {
namespace {

using test::Machine;
using test::MachineSpec;

MachineSpec of_kind(EngineKind kind) {
    MachineSpec spec;
    spec.node.engine.kind = kind;
    spec.node.engine.lanes = 4;
    spec.node.engine.lane_values = 32;
    spec.node.engine.min_lane_values = 8;
    return spec;
}

/// An array that demands what ArrayModel demands of its caller.
class StrictArray final : public ArrayModel {
public:
    explicit StrictArray(std::shared_ptr<ArrayModel> array) : array_(std::move(array)) {}
    void reset() override {
        array_->reset();
        inside_ = 0;
        tables_.clear();
    }
    Cycles load(Widths widths, std::span<const Table> tables) override {
        EXPECT_EQ(inside_, 0u) << "tables change under a block";
        widths_ = widths;
        if (!tables.empty()) tables_.assign(tables.begin(), tables.end());
        ++loads;
        return array_->load(widths, tables);
    }
    bool can_take() const override { return array_->can_take(); }
    void take(const ArrayBlock& block) override {
        EXPECT_TRUE(can_take());
        EXPECT_EQ(block.width, widths_.symbols);
        if (block.header.mode == BlockMode::coded) {
            EXPECT_TRUE(std::ranges::equal(block.tables, tables_));
        }
        if (block.header.mode == BlockMode::coded_inline) tables_.assign(block.tables.begin(), block.tables.end());
        ++inside_;
        ++blocks;
        array_->take(block);
    }
    ArrayEvents step() override {
        const ArrayEvents events = array_->step();
        inside_ -= events.finished;
        return events;
    }
    static inline std::size_t loads = 0, blocks = 0;

private:
    std::shared_ptr<ArrayModel> array_;
    std::size_t inside_ = 0;
    Widths widths_;
    std::vector<Table> tables_;
};

MachineParts with_arrays(const MakeArray& make) {
    MachineParts parts;
    parts.make_engine = [make](const std::string& name, const EngineParams& params) {
        return std::make_unique<ArrayEngineModule>(name.c_str(), params, make);
    };
    return parts;
}

std::shared_ptr<ArrayModel> strict_array(EngineArray unit, Layout) {
    const ArrayShape shape{.lanes = 4};
    if (unit == EngineArray::encoder) return std::make_shared<StrictArray>(std::make_shared<EncoderCycles>(shape));
    return std::make_shared<StrictArray>(std::make_shared<DecoderCycles>(shape));
}

std::vector<std::unique_ptr<Codec>> codecs_of(const MachineSpec& spec) {
    const Framing framing = spec.node.engine.framing();
    std::vector<std::unique_ptr<Codec>> codecs;
    codecs.push_back(make_codec(FixedPointParams{}, framing));
    codecs.push_back(make_codec(AscParams{}, framing));   // in its first iteration each message brings its table
    codecs.push_back(make_codec(AtalantaParams{.table = AtalantaTable::sent_inline}, framing));
    return codecs;
}

TEST(AnEngineOfArrays, MovesTheSameBytesAsThePipelinedOneInNearlyItsTime) {
    const MachineSpec spec = of_kind(EngineKind::cycles), before = of_kind(EngineKind::pipelined);
    const Plan plan(make_schedule(RingParams{}, spec.ranks), ElementType::integer, 8);
    Machine cycles(spec, "cycles"), pipelined(before, "pipelined");
    for (const auto& codec : codecs_of(spec)) {
        const auto values = test::codes(spec.ranks, 700, 8, 1);
        const Outcome a = cycles.run(plan, *codec, values).outcome, b = pipelined.run(plan, *codec, values).outcome;
        EXPECT_EQ(a.records, b.records);
        EXPECT_EQ(a.wire_bytes, b.wire_bytes);
        EXPECT_NEAR(static_cast<double>(a.finish.ps), static_cast<double>(b.finish.ps),
                    0.01 * static_cast<double>(a.finish.ps));
    }
}

TEST(AnEngineOfArrays, LoadsTablesAndWidthsIntoEmptyArraysBeforeTheBlocksThatNeedThem) {
    StrictArray::loads = StrictArray::blocks = 0;
    const MachineSpec spec = of_kind(EngineKind::cycles);
    const Plan plan(make_schedule(RingParams{}, spec.ranks), ElementType::integer, 8);
    Machine machine(spec, "strict", with_arrays(strict_array));
    for (const auto& codec : codecs_of(spec)) machine.run(plan, *codec, test::codes(spec.ranks, 700, 8, 1));
    EXPECT_GT(StrictArray::blocks, 100u);
    EXPECT_GT(StrictArray::loads, 20u) << "sums grow wider";
    EXPECT_LT(StrictArray::loads, StrictArray::blocks) << "blocks of a message share them";
}

/// Works until its fifth edge.
class BrokenArray final : public ArrayModel {
public:
    void reset() override {}
    Cycles load(Widths, std::span<const Table>) override { return 0; }
    bool can_take() const override { return edges_ == 0; }
    void take(const ArrayBlock&) override {}
    ArrayEvents step() override {
        if (++edges_ == 5) throw std::runtime_error("a wrong byte");
        return {};
    }

private:
    int edges_ = 0;
};

TEST(AnEngineOfArrays, ThatDisagreesEndsTheRunWithItsNameAndTheCycle) {
    MachineSpec spec = test::readable();
    Machine machine(spec, "broken", with_arrays([](EngineArray, Layout) { return std::make_shared<BrokenArray>(); }));
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    try {
        machine.run(plan, *test::fixed_point_codec(spec), test::codes(2, 128, 8, 1));
        FAIL() << "it went on";
    } catch (const std::runtime_error& error) {   // the values are there at 134.3 ns, and taken at cycle 135
        EXPECT_THAT(error.what(), ::testing::MatchesRegex("broken.rank[01].engine: cycle 140: a wrong byte"));
    }
}

}   // namespace
}   // namespace oscar::array_engine_test
