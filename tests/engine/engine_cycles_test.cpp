// Blocks of 640 values, of which asc deals to each of 4 lanes 160, and which stall a lane 5 cycles.
#include "models/engine/engine_cycles.hpp"

#include <gtest/gtest.h>

namespace oscar::engine_cycles_test {
namespace {

EngineParams engine_of(RowSearch search, std::uint32_t streams) {
    EngineParams engine;
    engine.lanes = 4;
    engine.min_lane_values = 1;
    engine.search = search;
    engine.streams = streams;
    engine.finish_slots = 0;
    return engine;
}

/// As the fullest stream of `streams` a lane has it; its stalls are the same.
Block block_of(std::uint32_t values, std::uint32_t streams, bool searches = true) {
    const std::uint64_t fullest = (values + 4 * streams - 1) / (4 * streams);
    Block block{.values = values};
    block.work = {.values = values, .sub_stream_slots = fullest + 5, .searches = searches ? fullest : 0};
    return block;
}

TEST(RowSearchTiming, OfAFlashIsACycleThatTheLatencyHoldsAlready) {
    const EngineParams flash = engine_of(RowSearch::flash, 1);
    EXPECT_EQ(decode_cycles(flash, block_of(640, 1)), 160u + 5);
    EXPECT_EQ(decode_latency(flash, block_of(640, 1)), 18u);
}

TEST(RowSearchTiming, OfHalvingTakesFourCyclesForEachOf16RowsUnlessStreamsHideThem) {
    // k streams of 160 / k values: ceil(4 / k) cycles a value and stream.
    for (const auto& [streams, cycles] : {std::pair{1u, 4 * 160u + 5},
                                          {2u, 2 * (2 * 80u + 5)},
                                          {3u, 3 * (2 * 54u + 5)},
                                          {4u, 4 * (40u + 5)},
                                          {8u, 8 * (20u + 5)}}) {
        const EngineParams binary = engine_of(RowSearch::binary, streams);
        EXPECT_EQ(decode_cycles(binary, block_of(640, streams)), cycles) << streams;
        EXPECT_EQ(decode_latency(binary, block_of(640, streams)), 18u + 3) << streams;
    }
}

TEST(RowSearchTiming, CostsNothingWhereNoRowIsSearched) {
    const EngineParams binary = engine_of(RowSearch::binary, 1);
    EXPECT_EQ(decode_cycles(binary, block_of(640, 1, false)), 160u + 5);
    EXPECT_EQ(decode_latency(binary, block_of(640, 1, false)), 18u);
}

TEST(RowSearchTiming, IsHiddenByALongerIntervalOfTheDecoder) {
    EngineParams engine = engine_of(RowSearch::binary, 1);
    engine.decode_interval = 3;
    EXPECT_EQ(decode_cycles(engine, block_of(640, 1)), 4 * 160u + 3 * 5);
    engine.decode_interval = 6;
    EXPECT_EQ(decode_cycles(engine, block_of(640, 1)), 6 * (160u + 5));
}

TEST(RowSearchTiming, OfABlockTooShortForAllStreamsIsHiddenByTheSlotsThatThoseLeaveEmpty) {
    EngineParams engine = engine_of(RowSearch::binary, 4);
    engine.min_lane_values = 64;                              // 640 values: 10 streams on 4 lanes, 3 on the fullest
    for (const std::uint32_t values : {640u, 511u, 255u}) {   // down to one stream a lane
        Block block{.values = values};
        block.work = {.values = values, .sub_stream_slots = 64, .searches = 64};
        EXPECT_EQ(decode_cycles(engine, block), 4 * 64u) << values;
        EXPECT_EQ(encode_cycles(engine, block), 4 * 64u) << values;
    }
}

TEST(StreamsOfALane, ShareTheEncoderAndTheValuesOfTheirLane) {
    const EngineParams engine = engine_of(RowSearch::binary, 4);
    EXPECT_EQ(encode_cycles(engine, block_of(640, 4)), 4 * (40u + 5));
    EXPECT_EQ(engine.framing().sub_streams(), 16u);
    EXPECT_EQ(engine.framing().sub_stream_values(), 256u);
    EXPECT_EQ(engine.framing().block_values(1), engine_of(RowSearch::flash, 1).framing().block_values(1));
}

/// One value a cycle and lane, in 165 cycles, and `tables` adaptive tables.
Block adaptive_block(std::uint64_t tables, BlockMode mode = BlockMode::coded) {
    Block block = block_of(640, 1);
    block.work.tables = tables;
    block.mode = mode;
    return block;
}

TEST(TableUpdateTiming, IsAddedOnceForEachTableToEncoderAndDecoder) {
    EngineParams engine = engine_of(RowSearch::flash, 1);
    for (const auto& [cycles, tables] : {std::pair{0u, 9u}, {16u, 0u}, {16u, 1u}, {16u, 9u}, {1u, 1u}}) {
        engine.table_update = cycles;
        EXPECT_EQ(encode_cycles(engine, adaptive_block(tables)), 165u + cycles * tables);
        EXPECT_EQ(decode_cycles(engine, adaptive_block(tables)), 165u + cycles * tables);
        EXPECT_EQ(decode_latency(engine, adaptive_block(tables)), 18u);
    }
}

TEST(TableUpdateTiming, CountsTheTableThatABlockBringsAndNoneOfARawBlock) {
    EngineParams engine = engine_of(RowSearch::flash, 1);
    engine.table_update = 16;
    EXPECT_EQ(encode_cycles(engine, adaptive_block(0, BlockMode::coded_inline)), 165u + 16);
    EXPECT_EQ(decode_cycles(engine, adaptive_block(0, BlockMode::coded_inline)), 165u + 16);
    EXPECT_EQ(encode_cycles(engine, adaptive_block(2, BlockMode::coded_inline)), 165u + 3 * 16);
    EXPECT_EQ(encode_cycles(engine, adaptive_block(0, BlockMode::raw)), 165u);
    EXPECT_EQ(encode_cycles(engine, adaptive_block(0)), 165u);
}

TEST(TableUpdateTiming, IsNotStretchedByStreamsOrIntervals) {
    EngineParams engine = engine_of(RowSearch::binary, 4);
    engine.encode_interval = engine.decode_interval = 3;
    const Block block = [] {
        Block adaptive = block_of(640, 4);
        adaptive.work.tables = 2;
        return adaptive;
    }();
    const Cycles encode = encode_cycles(engine, block), decode = decode_cycles(engine, block);
    engine.table_update = 7;
    EXPECT_EQ(encode_cycles(engine, block), encode + 14);
    EXPECT_EQ(decode_cycles(engine, block), decode + 14);
}

/// A lane whose recurrence takes four cycles codes a value of each of its streams in four cycles, or in as many as it
/// has streams.
TEST(ALoopOfSeveralCycles, IsFilledByStreams) {
    for (const auto& [streams, round] : {std::pair{1u, 4u}, {2u, 4u}, {3u, 4u}, {4u, 4u}, {8u, 8u}}) {
        EngineParams engine = engine_of(RowSearch::flash, streams);
        engine.encode_loop = engine.decode_loop = 4;
        const Block block = block_of(640, streams);
        const std::uint64_t fullest = block.work.searches;
        EXPECT_EQ(encode_cycles(engine, block), fullest * round + 5 * streams) << streams;   // stalls hold the lane
        EXPECT_EQ(decode_cycles(engine, block), fullest * round + 5 * streams) << streams;
        engine.finish_slots = 1;
        EXPECT_EQ(encode_cycles(engine, block), (fullest + 1) * round + 5 * streams) << streams;
    }
}

TEST(ALoopOfSeveralCycles, IsNotThatOfValuesThatAreNotCoded) {
    EngineParams engine = engine_of(RowSearch::flash, 1);
    engine.encode_loop = engine.decode_loop = 4;
    engine.finish_slots = 1;
    EXPECT_EQ(encode_cycles(engine, block_of(640, 1, false)), 160u + 5);
    EXPECT_EQ(decode_cycles(engine, block_of(640, 1, false)), 160u + 5);
}

}   // namespace
}   // namespace oscar::engine_cycles_test
