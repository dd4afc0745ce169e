// What engines read beside the values: how much of it, and when it holds a step up. See test::readable for what takes
// how long; a byte is read in 0.25 ns.
#include "models/engine/engine_memory_traffic.hpp"

#include <gmock/gmock.h>

#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::engine_memory_traffic_test {
namespace {

using test::MachineSpec;
using test::readable;
using ::testing::ElementsAre;

EngineMemoryTraffic reads_of(const CodecChoice& choice, ValueClasses classes, Bytes mask_sram, Bytes table_sram,
                             std::uint64_t elements = 1000) {
    EngineParams engine;
    engine.mask_sram = mask_sram;
    engine.table_sram = table_sram;
    const auto codec = make_codec(choice, engine.framing());
    return engine_reads(engine, test::int8_plan(3), *codec, classes, elements);
}

TEST(MaskReads, AreAsManyBitsAValueAsTellTheClassesApart) {
    for (const auto& [classes, bits] : {std::pair{1u, 0u}, {2u, 1u}, {3u, 2u}, {4u, 2u}, {5u, 3u}, {16u, 4u}})
        EXPECT_EQ(reads_of(AscParams{}, {classes}, 0_B, 1_MiB).mask_bits, bits) << classes;
}

TEST(MaskReads, AreSavedByAnSramThatHoldsTheWholeBucketsClasses) {
    EXPECT_EQ(reads_of(AscParams{}, {4}, 249_B, 1_MiB).mask_bits, 2u);   // 1000 values of 2 bits
    EXPECT_EQ(reads_of(AscParams{}, {4}, 250_B, 1_MiB).mask_bits, 0u);
    EXPECT_EQ(reads_of(AscParams{}, {4}, 250_B, 1_MiB).mask_memory_needed, 250_B);
}

TEST(MaskReads, AreOncePerBlockWhereNeighboursShareAClass) {
    const EngineMemoryTraffic reads = reads_of(AscParams{}, {8, 64}, 0_B, 1_MiB);
    EXPECT_EQ(reads.mask_of(64), 1_B);           // 3 bits
    EXPECT_EQ(reads.mask_of(65), 1_B);           // 6 bits
    EXPECT_EQ(reads.mask_of(64 * 8 + 1), 4_B);   // 27 bits
    EXPECT_EQ(reads.mask_memory_needed, 6_B);    // of 1000 values: 16 blocks
    EXPECT_EQ(reads_of(AscParams{}, {8, 64}, 6_B, 1_MiB).mask_bits, 0u);
    EXPECT_EQ(reads_of(AscParams{}, {8, 0}, 0_B, 1_MiB).mask_bits, 0u);   // their position tells the class
}

TEST(MaskReads, AreOfCodersThatUseClassesOnly) {
    EXPECT_EQ(reads_of(FixedPointParams{}, {4}, 0_B, 0_B).mask_bits, 0u);
    EXPECT_EQ(reads_of(Fp32Params{}, {4}, 0_B, 0_B).mask_bits, 0u);
}

TEST(TableReads, AreOfBothLinksInEachTimestepOfTheReduceScatterAndOnceOfTheFinalSums) {
    // Three ranks: two timesteps in which a rank sends on one link and receives on another, then the final sums. A key
    // has 68 B for each of four classes and for all together.
    const Bytes key{68 * 5};
    const EngineMemoryTraffic reads = reads_of(AscParams{}, {4}, 1_MiB, 0_B);
    EXPECT_EQ(reads.table_memory_needed, key + key + key + key + key);
    for (const auto& rank : reads.tables) EXPECT_THAT(rank, ElementsAre(key + key, key + key, key, 0_B));
    EXPECT_EQ(reads_of(AscParams{}, {1}, 1_MiB, 0_B).table_memory_needed, Bytes{5 * 68});
    EXPECT_EQ(reads_of(RansParams{}, {1}, 1_MiB, 0_B).table_memory_needed, Bytes{5 * 68});
}

/// Ranges of sums of 10 bits are searched in 152 bins: 64 and 3 octaves of 4 on each side of zero.
constexpr Bytes searched{(16 * (10 + 10 + 4) + 152 * 24) / 8};

TEST(TableReads, AreOfOneTableWhereOneServesAllLinks) {
    const EngineMemoryTraffic reads = reads_of(AtalantaParams{}, {1}, 1_MiB, 0_B);
    for (const auto& rank : reads.tables) EXPECT_THAT(rank, ElementsAre(searched, 0_B, 0_B, 0_B));
    EXPECT_EQ(reads.tables_kept, 1u);
}

TEST(TableReads, AreOfACounterPerBinWhereRangesAreSearched) {
    const EngineMemoryTraffic reads = reads_of(AscParams{.layout = Layout::ranges}, {4}, 1_MiB, 0_B);
    EXPECT_EQ(reads.table_memory_needed, Bytes{5 * 5 * searched.count});
    EXPECT_EQ(reads.tables_kept, 25u);
    EXPECT_EQ(reads_of(AscParams{}, {4}, 1_MiB, 0_B).tables_kept, 25u);
}

TEST(TableReads, AreNoneWhereTablesComeWithTheMessageOrWithTheValues) {
    for (const CodecChoice& choice :
         {CodecChoice(AacParams{}), CodecChoice(AtalantaParams{.table = AtalantaTable::sent_inline}),
          CodecChoice(FixedPointParams{}), CodecChoice(Fp32Params{})}) {
        EXPECT_TRUE(reads_of(choice, {1}, 0_B, 0_B).tables.empty()) << choice.name();
        EXPECT_EQ(reads_of(choice, {1}, 0_B, 0_B).table_memory_needed, 0_B) << choice.name();
    }
}

TEST(TableReads, AreSavedByAnSramForAllAndAheadOfTimeWithOneForTwoTimesteps) {
    EXPECT_TRUE(reads_of(AscParams{}, {4}, 1_MiB, 1700_B).tables.empty());
    EXPECT_FALSE(reads_of(AscParams{}, {4}, 1_MiB, 1699_B).tables.empty());
    EXPECT_TRUE(reads_of(AscParams{}, {4}, 1_MiB, 1360_B).prefetch);   // 2 * 680
    EXPECT_FALSE(reads_of(AscParams{}, {4}, 1_MiB, 1359_B).prefetch);
}

constexpr Framing of_128_lanes{.lanes = 128};

TEST(LaneTables, ByTheSymbolAreBoundsOfEachLaneClassAndSpeedAndWhatItHasSeen) {
    AscParams asc{.adapt = Update::symbol};   // a window of 256 values, which 9 bits count to
    constexpr std::uint64_t set = 15 * 16;    // 15 bounds of 16 bits
    EXPECT_EQ(lane_tables(asc, of_128_lanes, 8), Bytes{128 * 8 * (2 * set + 9) / 8});   // 62,592
    EXPECT_EQ(lane_tables(asc, of_128_lanes, 1), Bytes{128 * (2 * set + 9) / 8});
    EXPECT_EQ(lane_tables(asc, {.lanes = 64}, 8), Bytes{64 * 8 * (2 * set + 9) / 8});
    asc.adapt_quick = 0;   // one speed
    EXPECT_EQ(lane_tables(asc, of_128_lanes, 8), Bytes{128 * 8 * (set + 9) / 8});
    asc.adapt_window = 1024;
    EXPECT_EQ(lane_tables(asc, of_128_lanes, 8), Bytes{128 * 8 * (set + 11) / 8});
    EXPECT_EQ(lane_tables(AacParams{.update = Update::symbol}, of_128_lanes, 1), Bytes{128 * (2 * set + 9) / 8});
}

TEST(LaneTables, ByTheBlockAreTwoTablesAndTwoSetsOfCountersOfAClassForAllLanes) {
    // Windows of 128 lanes are 32,768 values, 16 bits; intervals of 16 are 2,048 in all, 12 bits.
    constexpr std::uint64_t bits = 2 * 16 * 10 + 16 * (16 + 12);
    EXPECT_EQ(lane_tables(AscParams{.adapt = Update::block}, of_128_lanes, 8), Bytes{8 * bits / 8});
    EXPECT_EQ(lane_tables(AacParams{}, of_128_lanes, 1), Bytes{bits / 8});
}

TEST(LaneTables, OfAnInlineTableAreItsCounts) {
    EXPECT_EQ(lane_tables(AtalantaParams{.table = AtalantaTable::sent_inline}, of_128_lanes, 1),
              20_B);   // 16 of 10 bits
}

TEST(LaneTables, AreNoneWhereNothingChangesInsideABlock) {
    for (const CodecChoice& choice :
         {CodecChoice{AscParams{}}, CodecChoice{AacParams{.update = Update::none}}, CodecChoice{AtalantaParams{}},
          CodecChoice{RansParams{}}, CodecChoice{FixedPointParams{}}, CodecChoice{ZstdParams{}}})
        EXPECT_EQ(lane_tables(choice, of_128_lanes, 8), 0_B) << choice.name();
}

/// Three ranks and chunks of one block of 64 values: step 3 is the first of timestep 1, the sum of two ranks.
struct ReadingMachine : ::testing::Test {
    MachineSpec spec = [] {
        MachineSpec s = readable();
        s.ranks = 3;
        return s;
    }();
    test::PlainMachine machine{spec};
    const Plan plan = test::int8_plan(3);
    Outcome run(const EngineMemoryTraffic& reads) {
        return machine
            .run(plan, *test::fixed_point_codec(spec), test::codes(3, 3 * 64, 8, 1), Issue::lock_step, {}, nullptr,
                 reads)
            .outcome;
    }
    EngineMemoryTraffic tables(Bytes of_timestep_0, Bytes of_timestep_1) const {
        EngineMemoryTraffic reads;
        reads.tables.assign(3, {of_timestep_0, of_timestep_1, 0_B, 0_B});
        return reads;
    }
};

TEST_F(ReadingMachine, ReadsTheClassesOfLocalValuesWithThem) {
    EngineMemoryTraffic reads;
    reads.mask_bits = 8;                                                           // 64 B more: 16 ns
    EXPECT_EQ(run({}).ranks[0].encoder.front().begin, 135_ns);                     // 64 + 70.3, and on to an edge
    EXPECT_EQ(run(reads).ranks[0].encoder.front().begin, 151_ns);                  // 64 + 16 + 70.3
    EXPECT_EQ(run(reads).ranks[0].encoder[1].begin, run(reads).steps[3].issued);   // those of a sum are there
}

TEST_F(ReadingMachine, ReadsTheClassesOfWhatComesWithItsOperandAndOfCopiesAlone) {
    EngineMemoryTraffic reads;
    reads.mask_bits = 4096;   // 512 B a value, so that it is the classes that are late: 8192 ns for 64 values
    const Outcome outcome = run(reads);
    const Time local = 64_ns + 8192_ns;
    EXPECT_EQ(outcome.ranks[0].decoder.front().begin, local + 64_ns + 8192_ns + 71_ns);   // 70.3, and on to an edge
    const StepTimes& copy = outcome.steps[6];   // timestep 2: a copy may be handed on before it is decoded
    EXPECT_EQ(copy.ready, copy.arrived);
    EXPECT_LT(copy.ready, copy.issued + 8192_ns);
}

TEST_F(ReadingMachine, ReadsTheFirstTablesBeforeTheFirstValues) {
    EXPECT_EQ(run(tables(400_B, 0_B)).ranks[0].encoder.front().begin, 100_ns + 135_ns);
}

TEST_F(ReadingMachine, HidesTheTablesOfATimestepBehindTheOneBefore) {
    EXPECT_EQ(run(tables(0_B, 400_B)).finish, run({}).finish);
}

TEST_F(ReadingMachine, WaitsForTablesThatTheDmaHasNotBroughtInTime) {
    // Asked for at once, behind 64 values to send and 64 to add: 64 + 64 + 10000 + 70.3 ns.
    const Outcome outcome = run(tables(0_B, 40'000_B));
    EXPECT_LT(outcome.steps[3].issued, 10'199_ns);
    EXPECT_EQ(outcome.ranks[0].encoder[1].begin, 10'199_ns);
    EXPECT_EQ(outcome.path.total_ps(), outcome.duration().ps);
    EXPECT_GE(outcome.path.dma_ps, 10'128'000);
}

TEST_F(ReadingMachine, DecodesACopyWhenItsTablesAreThere) {
    // Rank 1's alone are late, so that what rank 0 sends in timestep 2 is there long before. They are asked for with
    // timestep 1, behind the 64 values to add.
    EngineMemoryTraffic reads;
    reads.tables.assign(3, std::vector<Bytes>(4));
    reads.tables[1][2] = 40'000_B;
    const Outcome outcome = run(reads);
    const Time there = outcome.steps[3].issued + 64_ns + 10'000_ns + 71_ns;   // 70.3, and on to an edge
    EXPECT_LT(outcome.steps[6].arrived, there);
    EXPECT_EQ(outcome.ranks[1].decoder[2].begin, there);
    EXPECT_EQ(outcome.ranks[0].decoder[2].begin, run({}).ranks[0].decoder[2].begin);
}

TEST_F(ReadingMachine, AsksForTablesWhenTheirTimestepBeginsIfThereIsNoRoomForTwo) {
    EngineMemoryTraffic reads = tables(0_B, 400_B);
    reads.prefetch = false;
    const Outcome outcome = run(reads);
    EXPECT_EQ(outcome.ranks[0].encoder[1].begin, outcome.steps[3].issued + 100_ns + 71_ns);
}

}   // namespace
}   // namespace oscar::engine_memory_traffic_test
