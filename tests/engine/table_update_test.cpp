// Tables that an engine makes: in its pipelines, and between two AllReduces. A cycle of 1 GHz is a nanosecond.
#include "models/engine/engine.hpp"

#include <gtest/gtest.h>

#include "models/engine/table_learning.hpp"

namespace oscar::table_update_test {
namespace {

constexpr std::uint32_t update = 16;

EngineParams engine_with(std::uint32_t table_update) {
    EngineParams params;
    params.encode_latency = params.decode_latency = 0;
    params.finish_slots = 0;
    params.table_update = table_update;
    return params;
}

/// 64 lanes code it in 100 cycles.
Block block_with(std::uint64_t tables, BlockMode mode = BlockMode::coded) {
    Block block{.values = 6400};
    block.work = {.values = 6400, .sub_stream_slots = 100, .searches = 100, .tables = tables};
    block.mode = mode;
    return block;
}

TEST(TablesOfAnEngine, HoldUpABlockAndThoseBehindItByTheirCycles) {
    const auto engine = make_engine(engine_with(update));
    for (const auto& [tables, done] : {std::pair{0u, 100}, {1u, 216}, {3u, 364}, {0u, 464}}) {
        EXPECT_EQ(engine->encode({}, block_with(tables)).at, Time{done * 1000}) << tables;
        EXPECT_EQ(engine->decode({}, 1, block_with(tables)).at(0), Time{(done + 4) * 1000}) << tables;   // a header
    }
}

TEST(TablesOfAnEngine, AreEngineTimeOfTheCriticalPath) {
    const auto engine = make_engine(engine_with(update));
    EXPECT_EQ(engine->encode({}, block_with(2)).path, (CriticalPath{.engine_ps = 132'000}));
}

TEST(TablesOfAnEngine, AreToldFromThoseOfAnEqualBlockThatBringsNone) {
    const auto engine = make_engine(engine_with(update));
    engine->encode({}, block_with(0));
    EXPECT_EQ(engine->encode({}, block_with(0, BlockMode::coded_inline)).at, 218_ns);   // header and table: two chunks
    EXPECT_EQ(engine->encode({}, block_with(0)).at, 316_ns);
}

TEST(TablesOfAnEngine, HoldUpARunOfBlocksAsEachOfThem) {
    const auto engine = make_engine(engine_with(update)), one_by_one = make_engine(engine_with(update));
    const EventRun ready{TimedEvent{}, 5, 110_ns, &CriticalPath::wire_ps};
    TimedEvent last;
    for (std::uint32_t i = 0; i < ready.count; ++i) last = one_by_one->decode(ready[i], 1, block_with(1)).done(0);
    EXPECT_EQ(engine->decode_run(ready, 1, block_with(1)).at, last.at);
    EXPECT_EQ(last.at, Time{4'000 + 5 * 116'000});   // a block needs more than the 110 ns from one to the next
}

/// So many tables of a rank.
EngineMemoryTraffic traffic_of(std::uint64_t tables) {
    EngineMemoryTraffic traffic;
    traffic.tables_kept = tables;
    return traffic;
}

/// Engines of these clocks in MHz.
std::vector<EngineParams> engines_of(std::initializer_list<std::uint64_t> clocks, Exposure learning) {
    std::vector<EngineParams> engines;
    for (const std::uint64_t mhz : clocks) {
        EngineParams& engine = engines.emplace_back(engine_with(update));
        engine.clock = {mhz * 1000};
        engine.learning = learning;
    }
    return engines;
}

TEST(TableLearning, MakesOneTableAfterTheOtherWhereItIsExposed) {
    EXPECT_EQ(table_learning(engines_of({1000}, Exposure::exposed), traffic_of(15)),
              (CriticalPath{.engine_ps = 15 * 16'000}));
    EXPECT_EQ(table_learning(engines_of({1000}, Exposure::exposed), traffic_of(0)), CriticalPath{});
    EXPECT_EQ(table_learning(engines_of({1000}, Exposure::hidden), traffic_of(15)), CriticalPath{});
}

TEST(TableLearning, TakesTheTimeOfTheSlowestEngine) {
    EXPECT_EQ(table_learning(engines_of({1000, 500, 2000}, Exposure::exposed), traffic_of(2)),
              (CriticalPath{.engine_ps = 64'000}));
}

}   // namespace
}   // namespace oscar::table_update_test
