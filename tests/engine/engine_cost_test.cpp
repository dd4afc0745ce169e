// Round figures that no process has: an encoder lane of 1000 um2 and 1 pJ, a decoder lane of twice that, SRAM of 0.1
// um2 and 10 fJ a bit, and factors of 2, 1.5 and 1.25 on clock, area and energy.
#include "models/engine/engine_cost.hpp"

#include <gmock/gmock.h>

#include "tests/system/support.hpp"

namespace oscar::engine_cost_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

UnitCost unit_of(EngineUnit unit, double factor) {
    UnitCost cost;
    cost.unit = unit;
    cost.area = {1000 * factor};
    cost.period = 1_ns;
    cost.energy_per_cycle = {factor};
    cost.leakage = {factor};
    return cost;
}

Technology round_figures() {
    Technology t;
    t.name = "round";
    t.node_nm = 10;
    t.units = {unit_of(EngineUnit::asc_encoder_lane, 1), unit_of(EngineUnit::asc_decoder_lane, 2),
               unit_of(EngineUnit::value_adder, 0.2), unit_of(EngineUnit::integer_adder, 0.1)};
    t.sram = {{0.1}, {0.01}, {0.001}};
    t.derating = {{2, "assumed"}, {1.5, "assumed"}, {1.25, "assumed"}};
    return t;
}

EngineParams four_lanes() {
    EngineParams engine;
    engine.lanes = 4;
    return engine;
}

TEST(EngineArea, IsOfLanesAndAddersDeratedAndOfSramAsItIs) {
    const Technology t = round_figures();
    const PricedEngine asc = priced_engine(t, AscParams{}, four_lanes(), 64, 1);
    // 4 lanes of 1000 + 2000 + 100 um2, times 1.5; 8 bits of 0.1 um2 a byte.
    EXPECT_DOUBLE_EQ(engine_area(t, asc, 1000_B).um2, 4 * 3100 * 1.5 + 800);
}

TEST(EngineSram, OfAScaledExperimentHasItsTablesOnceAndMasksAndBuffersOfTheLargerEngine) {
    const EngineSram sram{.tables = 1000_B, .masks = 30_B, .buffers = 4_B};
    EXPECT_EQ(sram.total(), 1034_B);
    EXPECT_EQ(sram.total(16), 1544_B);   // 1000 + 16 x 34
    const Technology t = round_figures();
    const PricedEngine asc = priced_engine(t, AscParams{}, four_lanes(), 64, 1);
    EXPECT_DOUBLE_EQ(engine_area(t, asc, 1544_B, 16).um2, 16 * 4 * 3100 * 1.5 + 8 * 1544 * 0.1);
    EXPECT_DOUBLE_EQ(engine_leakage(t, asc, 1544_B, 16).uw, 16 * 4 * 3.1 + 8 * 1544 * 0.001);
}

TEST(EngineArea, OfFloatsIsThatOfTheAddersOfTheReduceUnit) {
    const Technology t = round_figures();
    EXPECT_DOUBLE_EQ(engine_area(t, priced_engine(t, Fp32Params{}, four_lanes(), 64, 1), 0_B).um2, 64 * 200 * 1.5);
    EXPECT_DOUBLE_EQ(engine_area(t, priced_engine(t, FixedPointParams{}, four_lanes(), 64, 1), 0_B).um2, 4 * 100 * 1.5);
}

TEST(EngineLeakage, IsOfAllPartsWhetherTheyWorkOrNot) {
    const Technology t = round_figures();
    const Power power = engine_leakage(t, priced_engine(t, AscParams{}, four_lanes(), 64, 1), 1000_B);
    EXPECT_DOUBLE_EQ(power.uw, 4 * (1 + 2 + 0.1) + 8000 * 0.001);
    EXPECT_DOUBLE_EQ(energy_in(Power{20}, 3_us).pj, 60);   // a microwatt for a microsecond is a picojoule
}

TEST(CoderEnergy, IsOfAllLanesInEachCycleInWhichTheirArrayIsOccupied) {
    const Technology t = round_figures();
    const PricedEngine asc = priced_engine(t, AscParams{}, four_lanes(), 64, 1);
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30, .added_values = 1000};
    EXPECT_DOUBLE_EQ(coder_energy(t, asc, work).total.pj, (100 * 4 * 1 + 30 * 4 * 2) * 1.25);
    EXPECT_DOUBLE_EQ(adder_energy(t, asc, work).value().pj, 1000 * 0.1 * 1.25);   // by the value, not by the cycle
}

TEST(CoderEnergy, CountsTablesOfAnArrayOnceAndTheirMakingByItsCycles) {
    Technology t = round_figures();
    t.units.push_back(unit_of(EngineUnit::table_registers, 10));
    t.units.push_back(unit_of(EngineUnit::table_unit, 7));
    const PricedEngine asc = priced_engine(t, AscParams{}, four_lanes(), 64, 1);
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30, .table_cycles = 50};
    EXPECT_DOUBLE_EQ(coder_energy(t, asc, work).total.pj, (100 * (4 + 10) + 30 * (8 + 10) + 50 * 7) * 1.25);
}

TEST(CoderEnergy, TellsTheShareOfPartsWhoseSimulationWasReplayed) {
    Technology t = round_figures();
    t.units[0].energy_basis = EnergyBasis::replayed;
    t.units[1].energy_basis = EnergyBasis::vectorless;
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30};
    const CoderEnergy energy = coder_energy(t, priced_engine(t, AscParams{}, four_lanes(), 64, 1), work);
    EXPECT_DOUBLE_EQ(energy.replayed.pj, 100 * 4 * 1 * 1.25);   // the encoder's lanes
    EXPECT_DOUBLE_EQ(energy.total.pj, (100 * 4 * 1 + 30 * 4 * 2) * 1.25);
}

/// A packer serves 16 lanes, on either side.
TEST(EngineArea, HasAPackerAndAnUnpackerForEach16LanesOfACoder) {
    Technology t = round_figures();
    t.units.push_back(unit_of(EngineUnit::block_packer, 5));
    t.units.push_back(unit_of(EngineUnit::block_unpacker, 3));
    const auto area = [&](const CodecChoice& codec, std::uint32_t lanes) {
        EngineParams engine;
        engine.lanes = lanes;
        return engine_area(t, priced_engine(t, codec, engine, 64, 1), 0_B).um2;
    };
    EXPECT_DOUBLE_EQ(area(AscParams{}, 16), (16 * 3100 + 8000) * 1.5);
    EXPECT_DOUBLE_EQ(area(AscParams{}, 17), (17 * 3100 + 2 * 8000) * 1.5);
    EXPECT_DOUBLE_EQ(area(FixedPointParams{}, 17), 17 * 100 * 1.5);   // values of one width need none
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30};
    EngineParams engine;
    engine.lanes = 17;
    EXPECT_DOUBLE_EQ(coder_energy(t, priced_engine(t, AscParams{}, engine, 64, 1), work).total.pj,
                     (100 * (17 * 1 + 2 * 5) + 30 * (17 * 2 + 2 * 3)) * 1.25);
}

TEST(CoderEnergy, IsNothingForValuesThatAreSentAsTheyAre) {
    const Technology t = round_figures();
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30};
    for (const CodecChoice& codec :
         {CodecChoice{Fp32Params{}}, CodecChoice{Bf16Params{}}, CodecChoice{FixedPointParams{}}})
        EXPECT_EQ(coder_energy(t, priced_engine(t, codec, four_lanes(), 64, 1), work).total.pj, 0) << codec.name();
}

TEST(AdderEnergy, IsNoneWithoutAFigureAndTheEngineIsThenWithoutAdders) {
    Technology t = round_figures();
    t.units.pop_back();
    const PricedEngine asc = priced_engine(t, AscParams{}, four_lanes(), 64, 1);
    EXPECT_EQ(adder_energy(t, asc, {.added_values = 1}), std::nullopt);
    EXPECT_DOUBLE_EQ(engine_area(t, asc, 0_B).um2, 4 * 3000 * 1.5);
    EXPECT_THAT(asc.missing, IsEmpty());
    EXPECT_THAT(asc.uncounted, ::testing::Contains("integer_adder"));
}

TEST(PricedEngine, NamesTheLanesThatTheTechnologyLacks) {
    const Technology t = round_figures();
    const auto missing = [&](const CodecChoice& codec) { return priced_engine(t, codec, four_lanes(), 64, 1).missing; };
    EXPECT_THAT(missing(AscParams{}), IsEmpty());
    EXPECT_THAT(missing(RansParams{}),
                ElementsAre("rans_encoder_lane with streams: 1", "rans_decoder_lane with streams: 1"));
    EXPECT_THAT(missing(ZeroValueParams{}), ElementsAre("lanes of zero_value"));
    EXPECT_THAT(missing(ZstdParams{}), ElementsAre("processor for its software"));
}

/// A kind of its own, as a user adds one.
struct NewParams {};
struct NewRansParams {
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::rans}; }
};
TEST(EngineCoder, OfAKindIsWhatItsParametersSayAndUnknownWhereTheySayNothing) {
    EXPECT_EQ(engine_coder_of(NewParams{}).kind, EngineCoder::Kind::unknown);
    EXPECT_EQ(engine_coder_of(NewRansParams{}).kind, EngineCoder::Kind::rans);
    EXPECT_TRUE(engine_coder_of(AscParams{.adapt = Update::symbol}).adaptive);
    EXPECT_EQ(engine_coder_of(AtalantaParams{}).layout, Layout::ranges);
}

TEST(PricedEngine, SaysWhatADecoderLaneThatFitsNoneWouldHaveToHave) {
    Technology t = round_figures();
    t.units[1].search = RowSearch::binary;
    EXPECT_THAT(priced_engine(t, AtalantaParams{}, four_lanes(), 64, 1).missing,
                ElementsAre("asc_decoder_lane with search: flash, streams: 1, layout: ranges, adaptive: false"));
}

/// Parts that serve many lanes, of which the larger engine has fewer for each lane, are in it as often as it needs
/// them.
TEST(PricedEngine, OfAScaledExperimentHasTheCostOfTheEngineThatItStandsFor) {
    Technology t = round_figures();
    for (const EngineUnit unit :
         {EngineUnit::rans_encoder_lane, EngineUnit::rans_decoder_lane, EngineUnit::rans_word_distributor,
          EngineUnit::symbol_counts, EngineUnit::table_registers, EngineUnit::table_unit, EngineUnit::block_packer,
          EngineUnit::block_unpacker})
        t.units.push_back(unit_of(unit, 7));
    EngineParams small = four_lanes(), large = four_lanes();
    small.lanes = 5;
    large.lanes = 80;
    const EngineWork work{.encoder_cycles = 100, .decoder_cycles = 30, .table_cycles = 50};
    for (const CodecChoice& codec : {CodecChoice{AscParams{}}, CodecChoice{RansParams{}}}) {
        const PricedEngine whole = priced_engine(t, codec, large, 64, 1),
                           part = priced_engine(t, codec, small, 4, 1, 16);
        EXPECT_NEAR(16 * engine_area(t, part, 0_B).um2, engine_area(t, whole, 0_B).um2, 1e-6) << codec.name();
        EXPECT_NEAR(16 * coder_energy(t, part, work).total.pj, coder_energy(t, whole, work).total.pj, 1e-6)
            << codec.name();
        EXPECT_NEAR(16 * engine_leakage(t, part, 0_B).uw, engine_leakage(t, whole, 0_B).uw, 1e-6) << codec.name();
    }
}

TEST(PricedEngine, HasTheTablesOfEachArrayTwiceWhereTheyAreLoadedInNoTime) {
    Technology t = round_figures();
    t.units.push_back(unit_of(EngineUnit::table_registers, 7));
    EngineParams one_bank = four_lanes(), two_banks = four_lanes();
    two_banks.table_load = 0;
    const auto cells = [&](const EngineParams& engine) {
        return engine_area(t, priced_engine(t, AscParams{}, engine, 64, 1), 0_B).um2;
    };
    const double of_registers = 2 * t.units.back().area.um2 * t.derating.area.factor;   // encoder and decoder
    EXPECT_NEAR(cells(two_banks) - cells(one_bank), of_registers, 1e-9);
}

TEST(FindUnit, TakesTheEntryThatSaysMostOfWhatIsNeeded) {
    Technology t = round_figures();
    UnitCost binary = unit_of(EngineUnit::asc_decoder_lane, 3), of_4 = binary, of_any = binary;
    binary.search = of_4.search = RowSearch::binary;
    of_4.streams = 4;
    of_any.streams = 2;
    t.units = {unit_of(EngineUnit::asc_decoder_lane, 2), binary, of_4, of_any};
    const auto found = [&](RowSearch search, std::uint32_t streams) {
        return find_unit(t, EngineUnit::asc_decoder_lane, {.search = search, .streams = streams}) - t.units.data();
    };
    EXPECT_EQ(found(RowSearch::flash, 1), 0);
    EXPECT_EQ(found(RowSearch::binary, 1), 1);
    EXPECT_EQ(found(RowSearch::binary, 4), 2);
    EXPECT_EQ(found(RowSearch::flash, 2), 3);
    EXPECT_EQ(found(RowSearch::binary, 2), 1);   // one key each: the first
    EXPECT_EQ(find_unit(t, EngineUnit::table_unit, {}), nullptr);
}

TEST(EngineSram, HasTwoLargestBlocksAtEachEndAndTheMemoriesThatAreUsed) {
    const EngineParams engine = four_lanes();
    const auto asc = make_codec(AscParams{}, engine.framing());
    EngineMemoryTraffic traffic;
    traffic.table_memory_needed = 68_B;
    const EngineSram sram = engine_sram(engine, *asc, traffic, 10);
    EXPECT_EQ(sram.buffers.count, 4 * asc->bound(4 * 1024, 10).count);
    EXPECT_GE(sram.buffers.count, 4u * 4096 * 10 / 8);   // a block that is not coded has its values and a header
    EXPECT_EQ(sram.tables, engine.table_sram);
    EXPECT_EQ(sram.masks, 0_B);
    traffic.mask_memory_needed = 1_B;
    EXPECT_EQ(engine_sram(engine, *asc, traffic, 10).masks, engine.mask_sram);
    EXPECT_EQ(engine_sram(engine, *make_codec(FixedPointParams{}, engine.framing()), {}, 10).total(), 0_B);
}

TEST(FastestClock, IsThatOfTheDeratedPeriod) {
    Technology t = round_figures();
    EXPECT_EQ(fastest_clock(t, t.units[0]), 500_MHz);   // 1 ns times 2
    t.units[0].period = 1250_ps;
    EXPECT_EQ(fastest_clock(t, t.units[0]), 400_MHz);
    t.units[0].period.reset();
    EXPECT_EQ(fastest_clock(t, t.units[0]), std::nullopt);
}

TEST(TransferEnergy, IsOfEightBitsAByte) { EXPECT_DOUBLE_EQ(energy_of(1000, EnergyPerBit{5.5}).pj, 44'000); }

TEST(BreakEvenLinkEnergy, IsWhatTheCodecSpendsForEachBitThatItSaves) {
    EXPECT_DOUBLE_EQ(break_even_link_energy(Energy{300}, 200).value().pj, 1.5);
    EXPECT_EQ(break_even_link_energy(Energy{-300}, 200).value().pj, 0);   // it spends less on any link
    EXPECT_EQ(break_even_link_energy(Energy{300}, 0), std::nullopt);
    EXPECT_EQ(break_even_link_energy(Energy{300}, -1), std::nullopt);
}

}   // namespace
}   // namespace oscar::engine_cost_test
