// What blocks ask of the arrays, and what single blocks and pairs of them then take. 1,600 values on 16 lanes: 100
// rounds.
#include "models/engine/block_demand.hpp"

#include <gtest/gtest.h>

#include "models/engine/block_stages.hpp"

namespace oscar::block_demand_test {
namespace {

EngineParams engine_of(std::uint32_t packers = 1, std::uint32_t streams = 1) {
    EngineParams engine;
    engine.lanes = 16;
    engine.packers = packers;
    engine.streams = streams;
    return engine;
}

/// 48 chunks of 16 sub-streams, two more of their lengths.
Block coded_block(BlockMode mode = BlockMode::coded) {
    Block block{.values = 1'600, .bytes = 2'700, .mode = mode, .check = 7};
    block.work = {.values = 1'600, .sub_stream_slots = 100, .searches = 100, .held_tables = 3, .chunks = 48};
    return block;
}

/// Of 100 x 16 symbols of 11 bits, 2,200 bytes: 35 chunks.
Block uncoded_block(std::uint64_t width = 11) {
    Block block{.values = 1'600, .bytes = 200 * width};
    block.work = {.values = 1'600, .sub_stream_slots = 100, .offset_bits = 1'600 * width};
    return block;
}

TEST(DemandOfACodedBlock, IsItsRoundsAndItsChunksAndWhatItsTablesNeed) {
    const BlockDemand encode = encode_demand(engine_of(), coded_block());
    EXPECT_EQ(encode.lanes, 101u);   // its streams end in a slot
    EXPECT_EQ(encode.chunks, 2u + 48);
    EXPECT_EQ(encode.latency, 12u);
    EXPECT_EQ(encode.load, 3u * 16);
    const BlockDemand decode = decode_demand(engine_of(), coded_block());
    EXPECT_EQ(decode.lanes, 100u);
    EXPECT_EQ(decode.chunks, 2u + 48);
    EXPECT_EQ(decode.latency, 18u);
}

TEST(DemandOfACodedBlock, HasMoreChunksWhereItBringsItsTable) {
    const Block block = coded_block(BlockMode::coded_inline);
    EXPECT_EQ(encode_demand(engine_of(), block).chunks, 2u + 2 + 48);   // the header is a chunk, too
    EXPECT_EQ(decode_demand(engine_of(), block).chunks, 1u + 2 + 48);
    EXPECT_EQ(decode_demand(engine_of(), block).latency, 18u + 10);
}

TEST(DemandOfACodedBlock, IsDividedAmongPackers) {
    for (const auto& [packers, cycles] : {std::pair{1u, 50u}, {2u, 25u}, {4u, 13u}}) {
        EXPECT_EQ(encode_demand(engine_of(packers), coded_block()).chunks, cycles) << packers;
        EXPECT_EQ(decode_demand(engine_of(packers), coded_block()).chunks, cycles) << packers;
    }
}

TEST(DemandOfACodedBlock, IsThatOfItsBytesWhereTheyAreOneStream) {
    Block block = coded_block();
    block.work.chunks = 0;
    EXPECT_EQ(decode_demand(engine_of(), block).chunks, (2'700u + 63) / 64);
}

TEST(DemandOfACodedBlock, FetchesFourWordsOfEachStreamBeforeItBegins) {
    for (const std::uint32_t streams : {1u, 2u, 4u})
        EXPECT_EQ(decode_demand(engine_of(1, streams), coded_block()).latency, 18u + 4 * (streams - 1)) << streams;
}

TEST(DemandOfAnUncodedBlock, IsThatOfThePackerWhereALaneBringsMoreThanItMoves) {
    EXPECT_EQ(encode_demand(engine_of(), uncoded_block(32)).lanes, 100u);   // 16 x 32 bits: a chunk
    EngineParams wide = engine_of();
    wide.lanes = 64;
    Block block = uncoded_block(11);
    block.work.sub_stream_slots = 25;
    EXPECT_EQ(encode_demand(wide, block).lanes, 25u * 2);   // 64 x 11 bits are 704
    wide.packers = 2;
    EXPECT_EQ(encode_demand(wide, block).lanes, 25u);
    EXPECT_EQ(decode_demand(wide, block).chunks, 18u);
}

TEST(DemandOfAnUncodedBlock, HasASlotForEachSymbolOfALaneAndOneForTheRest) {
    EngineParams wide = engine_of();
    wide.lanes = 256;
    Block block{.values = 1'292, .bytes = 1'615};   // bare: 5 slots of 256 x 10 bits, 5 chunks each, and 12 symbols
    block.work = {.values = 1'292, .offset_bits = 12'920};
    EXPECT_EQ(encode_demand(wide, block).lanes, 5u * 5 + 1);
    EXPECT_EQ(decode_demand(wide, block).lanes, 6u);
}

TEST(DemandOfAnUncodedBlock, HasACycleMoreWhereItsLastSymbolsFillAChunkAndLeaveBits) {
    EngineParams engine = engine_of();
    engine.lanes = 64;
    engine.min_lane_values = 16;
    Block block{.values = 86, .bytes = 16 + 129};   // with a header: 5 sub-streams
    block.work = {.values = 86, .offset_bits = 86 * 12};
    EXPECT_EQ(encode_demand(engine, block).lanes, 18u);
    EXPECT_EQ(encode_demand(engine, block).tail, 1u);   // 1,032 bits: the last symbol has 4 bits in the second chunk
    block.bytes = 16 + 108;
    block.work.offset_bits = 86 * 10;
    EXPECT_EQ(encode_demand(engine, block).tail, 0u);   // 860 bits: it lies in the second chunk
}

TEST(DemandOfABlock, HasThePackersCycles) {
    EngineParams slow = engine_of(2);
    slow.packer_interval = 3;
    EXPECT_EQ(encode_demand(slow, coded_block()).chunks, 75u);   // 50 chunks, 2 in 3 cycles
    EXPECT_EQ(decode_demand(slow, coded_block()).chunks, 75u);
    EXPECT_EQ(decode_demand(slow, uncoded_block()).chunks, 53u);         // 35 chunks
    EXPECT_EQ(encode_demand(slow, uncoded_block(32)).lanes, 100u * 2);   // 512 bits a slot, 1,024 in 3 cycles
}

TEST(DemandOfAnUncodedBlock, IsThatOfTheLanesWhereTheyTakeAValueInSeveralCycles) {
    EngineParams slow = engine_of();
    slow.encode_interval = 8;
    slow.decode_interval = 4;
    EXPECT_EQ(encode_demand(slow, uncoded_block()).lanes, 100u * 8);
    EXPECT_EQ(decode_demand(slow, uncoded_block()).lanes, 100u * 4);
}

TEST(AnIdleArray, EncodesABlockInItsRoundsItsChunksAndItsLatency) {
    EXPECT_EQ(EncoderStages{}.serve(5, encode_demand(engine_of(), coded_block())).done, 5u + 48 + 101 + 12 + 50);
    EXPECT_EQ(EncoderStages{}.serve(5, encode_demand(engine_of(), uncoded_block())).done, 5u + 100 + 7);
}

TEST(AnIdleArray, DecodesABlockWhenItHasReadIt) {
    EXPECT_EQ(DecoderStages{}.serve(5, decode_demand(engine_of(), coded_block())).done, 5u + 48 + 4 + 50 + 18 + 100);
    EXPECT_EQ(DecoderStages{}.serve(5, decode_demand(engine_of(), uncoded_block())).done, 5u + 100 + 9);
}

TEST(AnArray, LoadsTablesOnceForBlocksThatShareThemAndIsEmptyMeanwhile) {
    EncoderStages encoder;
    const BlockDemand block = encode_demand(engine_of(), coded_block());
    const BlockStages first = encoder.serve(0, block), second = encoder.serve(0, block);
    EXPECT_EQ(second.begin, first.end) << "they follow each other in the lanes";
    BlockDemand other = block;
    other.tables = 8;
    EXPECT_EQ(encoder.serve(0, other).begin, second.done + 48);
}

TEST(AnArray, GoesOnCodingWhereASecondBankHoldsTheNextTables) {
    EngineParams engine = engine_of();
    engine.table_load = 0;
    EncoderStages encoder;
    const BlockStages first = encoder.serve(0, encode_demand(engine, coded_block()));
    Block other = coded_block();
    other.check = 8;
    EXPECT_EQ(encoder.serve(0, encode_demand(engine, other)).begin, first.end);
}

TEST(AnArray, LoadsTablesWhateverTheirCheckIs) {
    Block block = coded_block();
    block.check = 0;
    EXPECT_EQ(EncoderStages{}.serve(0, encode_demand(engine_of(), block)).begin, 3u * 16);
}

TEST(AnArray, IsEmptyBeforeTheFirstTableOfAWidth) {
    DecoderStages decoder;
    Block block = coded_block(BlockMode::coded_inline);
    block.work.width = 11;
    const Cycles raw = decoder.serve(0, decode_demand(engine_of(), uncoded_block())).done;
    const BlockDemand demand = decode_demand(engine_of(), block);
    const Cycles first = decoder.serve(0, demand).done;
    EXPECT_EQ(first, raw + 4 + demand.chunks + demand.latency + 100);
    EXPECT_LT(decoder.serve(0, demand).done, first + 4 + demand.chunks + demand.latency + 100) << "of the same width";
}

TEST(AnArray, PacksABlockWhileItCodesTheNext) {
    EncoderStages encoder;
    BlockDemand block = encode_demand(engine_of(), coded_block());
    const Cycles first = encoder.serve(0, block).done;
    EXPECT_EQ(encoder.serve(0, block).done, first + 101);   // lanes limit
    block.chunks = 300;
    const Cycles third = encoder.serve(0, block).done;
    EXPECT_EQ(encoder.serve(0, block).done, third + 302);   // the packer limits
}

TEST(AnArray, HoldsTwoBlocksBetweenItsUnpackerAndItsLanes) {
    DecoderStages decoder;
    const BlockDemand block = decode_demand(engine_of(), coded_block());
    const Cycles first = decoder.serve(0, block).done;
    EXPECT_EQ(decoder.serve(0, block).done, first + 100);
    EXPECT_EQ(decoder.serve(0, block).done, first + 200);
    const BlockStages fourth = decoder.serve(0, block);
    EXPECT_EQ(fourth.free, first + 100 - 3 + 54) << "is read when the second has left its half of the buffers";
}

}   // namespace
}   // namespace oscar::block_demand_test
