// The cost of small runs, with the round figures of tests/engine/engine_cost_test.cpp.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"

namespace oscar::cost_test {
namespace {

using test::Laboratory;
using ::testing::HasSubstr;
using ::testing::Not;

/// Links at 5, DMA at 4 and GPU memory at 3 pJ a bit.
const std::string technology = R"(
  technology:
    name: round
    node_nm: 10
    units:
      - {unit: asc_encoder_lane, area: 1000um2, period: 1ns, energy_per_cycle: 1pJ, leakage: 1uW}
      - {unit: asc_decoder_lane, variant: flash, search: flash, area: 2000um2, period: 1ns, energy_per_cycle: 2pJ, leakage: 2uW}
      - {unit: integer_adder, area: 100um2, energy_per_cycle: 100fJ, leakage: 100nW}
      - {unit: value_adder, area: 100um2, energy_per_cycle: 100fJ, leakage: 100nW}
    sram: {area_per_bit: 0.1um2, energy_per_bit: 10fJ/bit, leakage_per_bit: 1nW}
    derating:
      clock: {factor: 2, source: assumed}
      area: {factor: 1.5, source: assumed}
      energy: {factor: 1.25, source: assumed}
    link: {energy: 5pJ/bit, source: assumed}
    dma: {energy: 4pJ/bit, source: assumed}
    gpu_memory: {energy: 3pJ/bit, source: assumed}
)";

/// A ring of 4 ranks with 600 values: chunks of 150, of which each rank sends 6 and adds 3.
std::string ring(const std::string& methods, const std::string& engine = "") {
    return "ranks: 4\niterations: {first: 1, count: 1}\nchunks: equal\nsplit: none\nquantiser: {kind: max, bits: 8, "
           "agreement: delayed}\nmethods: " +
           methods + "\nengine:\n  lanes: 4\n  min_lane_values: 1\n  finish_slots: 0\n" + engine;
}

constexpr double ranks = 4, steps = 24;

TEST(Cost, OfFloatsIsThatOfDmaLinksAndAdditions) {
    const MethodReport m = Laboratory(ring("[fp32]", technology)).run().methods[0];
    // DMA reads each of 600 values once, and writes its sum.
    EXPECT_DOUBLE_EQ(m.energy_dma_pj.value(), ranks * 2 * 600 * 4 * 8 * (4 + 3));
    // A chunk is a packet with a header, and crosses two links, to the switch and from it.
    const double packet = 150 * 4 + static_cast<double>(NetworkParams{}.header.count);
    EXPECT_DOUBLE_EQ(m.energy_link_pj.value(), steps * packet * 2 * 8 * 5);
    EXPECT_DOUBLE_EQ(m.energy_reduce_pj.value(), ranks * 3 * 150 * 0.1 * 1.25);
    EXPECT_EQ(m.energy_codec_pj, 0);
    EXPECT_EQ(m.energy_memory_pj, 0);
    // 64 adders of 0.1 uW in each NIC.
    EXPECT_DOUBLE_EQ(m.energy_leakage_pj.value(), ranks * 64 * 0.1 * static_cast<double>(m.allreduce_ps) * 1e-6);
    EXPECT_DOUBLE_EQ(m.energy_total_pj.value(),
                     *m.energy_dma_pj + *m.energy_link_pj + *m.energy_reduce_pj + *m.energy_leakage_pj);
    EXPECT_DOUBLE_EQ(m.engine_area_um2.value(), 64 * 100 * 1.5);
    EXPECT_EQ(m.engine_sram_bytes, 0u);
}

TEST(Cost, OfACoderIsThatOfItsLanesTheirSramAndFewerBitsOnLinks) {
    const Report report = Laboratory(ring("[fp32, asc]", technology)).run();
    const MethodReport &fp32 = report.methods[0], &asc = report.methods[1];
    // 150 values on 4 lanes take 38 cycles. A rank encodes 3 partial sums and its final one, which others pass on, and
    // decodes 6 messages.
    EXPECT_DOUBLE_EQ(asc.energy_codec_pj.value(), ranks * 4 * (4 * 38 * 1 + 6 * 38 * 2) * 1.25);
    EXPECT_DOUBLE_EQ(asc.energy_reduce_pj.value(), *fp32.energy_reduce_pj);
    EXPECT_DOUBLE_EQ(asc.energy_dma_pj.value(), *fp32.energy_dma_pj);
    // Encoded bytes are written and read at both ends; each rank reads and writes its tables.
    const double accessed =
        4 * static_cast<double>(asc.payload_bytes) + 2 * ranks * static_cast<double>(asc.table_memory_bytes);
    EXPECT_DOUBLE_EQ(asc.energy_memory_pj.value(), accessed * 8 * 0.01);
    double link_bytes = 0;
    for (const LinkShare& link : asc.links) link_bytes += static_cast<double>(link.wire_bytes);
    EXPECT_DOUBLE_EQ(asc.energy_link_pj.value(), link_bytes * 8 * 5);
    const double sram_bits = 8 * static_cast<double>(asc.engine_sram_bytes.value());
    EXPECT_GT(sram_bits, 8 * 256 * 1024);   // of engine.table_sram, and buffers
    EXPECT_DOUBLE_EQ(asc.engine_area_um2.value(), 4 * (1000 + 2000 + 100) * 1.5 + sram_bits * 0.1);
    EXPECT_DOUBLE_EQ(asc.energy_leakage_pj.value(),
                     ranks * (4 * (1 + 2 + 0.1) + sram_bits * 0.001) * static_cast<double>(asc.allreduce_ps) * 1e-6);
    EXPECT_DOUBLE_EQ(asc.engine_area_time_us_mm2.value(),
                     static_cast<double>(asc.allreduce_ps) * 1e-6 * *asc.engine_area_um2 * 1e-6);
}

TEST(Cost, AtTheBreakEvenEnergyOfALinkIsThatOfTheFirstMethod) {
    const Report report = Laboratory(ring("[fp32, asc]", technology)).run();
    const MethodReport &fp32 = report.methods[0], &asc = report.methods[1];
    EXPECT_DOUBLE_EQ(asc.energy_saved_pj.value(), *fp32.energy_total_pj - *asc.energy_total_pj);
    EXPECT_EQ(fp32.energy_saved_pj, 0);
    EXPECT_EQ(fp32.break_even_energy_pj_per_bit, std::nullopt);   // it saves no bits over itself
    const auto total_at = [](const MethodReport& m, double pj_per_bit) {
        return *m.energy_total_pj - *m.energy_link_pj + m.link_bits * pj_per_bit;
    };
    const double break_even = asc.break_even_energy_pj_per_bit.value();
    EXPECT_GT(break_even, 0);
    EXPECT_NEAR(total_at(asc, break_even) / total_at(fp32, break_even), 1, 1e-12);
    EXPECT_LT(total_at(asc, 1.01 * break_even), total_at(fp32, 1.01 * break_even));
}

TEST(Cost, OfACoderThatTheTechnologyLacksIsNullButForWhatDoesNotDependOnIt) {
    const Report report = Laboratory(ring("[fp32, zero_value]", technology)).run();
    const auto method = to_json(report)["methods"][1];
    for (const char* key :
         {"energy_total_pj", "energy_codec_pj", "energy_memory_pj", "energy_leakage_pj", "energy_saved_pj",
          "break_even_energy_pj_per_bit", "engine_area_um2", "engine_sram_bytes", "engine_area_time_us_mm2"})
        EXPECT_TRUE(method.at(key).is_null()) << key;
    for (const char* key : {"energy_dma_pj", "energy_link_pj"}) EXPECT_TRUE(method.at(key).is_number()) << key;
    EXPECT_THAT(report.notes,
                ::testing::Contains("zero_value: engine.technology has no lanes of zero_value; its energy "
                                    "and area are null"));
}

TEST(Cost, IsNotInAReportWithoutATechnology) {
    const Report report = Laboratory(ring("[fp32, asc]")).run();
    EXPECT_THAT(to_json(report).dump(), Not(::testing::ContainsRegex("energy|area|engine_sram|technology")));
    EXPECT_THAT(test::unbroken_table(report), Not(HasSubstr("Energy of an AllReduce")));
}

TEST(Cost, IsInTablesAndTheTechnologyInTheConfigurationWhereOneIsGiven) {
    const Report report = Laboratory(ring("[fp32, asc]", technology)).run();
    const std::string text = test::unbroken_table(report);
    for (const char* head : {"energy uJ", "codec uJ", "DMA uJ", "link uJ", "saved uJ", "break-even pJ/bit",
                             "engine mm2", "SRAM KiB", "time x area us mm2"})
        EXPECT_THAT(text, HasSubstr(head));
    EXPECT_EQ(report.config["engine"]["technology"]["units"][0]["area"], "1000um2");
    EXPECT_EQ(report.config["engine"]["technology"]["derating"]["clock"]["factor"], 2);
}

TEST(Cost, OfALossyMethodIsTheSumOfItsExchanges) {
    const MethodReport m = Laboratory(ring("[{kind: top_k, factor: 10}]", technology)).run().methods[0];
    EXPECT_GT(m.energy_dma_pj.value(), 0);
    EXPECT_DOUBLE_EQ(m.energy_link_pj.value(), m.link_bits * 5);
    double link_bytes = 0;
    for (const LinkShare& link : m.links) link_bytes += static_cast<double>(link.wire_bytes);
    EXPECT_DOUBLE_EQ(m.link_bits, 8 * link_bytes);
}

TEST(Cost, IsThatOfTheMachineAndTheGradientBeforeTheyWereScaledDown) {
    const MethodReport m = Laboratory(ring("[fp32]", technology) + "scale: 4\n").run().methods[0];
    EXPECT_DOUBLE_EQ(m.engine_area_um2.value(), 64 * 100 * 1.5);   // 16 adders for a quarter of the values
    EXPECT_DOUBLE_EQ(m.energy_leakage_pj.value(), ranks * 64 * 0.1 * static_cast<double>(m.allreduce_ps) * 1e-6);
    // 600 values stand for 2400, which DMA reads once and whose sums it writes.
    EXPECT_DOUBLE_EQ(m.energy_dma_pj.value(), ranks * 2 * 2400 * 4 * 8 * (4 + 3));
    EXPECT_DOUBLE_EQ(m.energy_reduce_pj.value(), ranks * 3 * 600 * 0.1 * 1.25);
    double link_bytes = 0;   // those of links are of the small gradient, as a note of the report says
    for (const LinkShare& link : m.links) link_bytes += static_cast<double>(link.wire_bytes);
    EXPECT_DOUBLE_EQ(m.energy_link_pj.value(), 4 * link_bytes * 8 * 5);
}

TEST(Cost, NamesTheUnitsWhoseEnergyWasReplayedAndThoseWithAnAssumedActivity) {
    std::string replayed = technology;
    const std::string encoder = "energy_per_cycle: 1pJ";
    replayed.replace(replayed.find(encoder), encoder.size(), encoder + ", energy_basis: replayed");
    const Report report = Laboratory(ring("[fp32, asc]", replayed)).run();
    EXPECT_THAT(report.notes, ::testing::Contains("asc: energy_codec_pj is replayed for asc_encoder_lane; assumed for "
                                                  "asc_decoder_lane"));
    // Of each rank's 4 messages encoded and 6 decoded, in 38 cycles of 4 lanes, the encoders' are replayed.
    EXPECT_DOUBLE_EQ(report.methods[1].energy_codec_replayed_pj.value(), ranks * 4 * (4 * 38 * 1) * 1.25);
    EXPECT_EQ(report.methods[0].energy_codec_replayed_pj, 0);
}

TEST(Cost, OfSeveralIterationsIsTheirMean) {
    const std::string one = ring("[asc]", technology),
                      two = std::string(one).replace(one.find("count: 1"), 8, "count: 2");
    const MethodReport m = Laboratory(two).run().methods[0];
    ASSERT_EQ(m.iterations.size(), 2u);
    EXPECT_DOUBLE_EQ(m.energy_link_pj.value(), (*m.iterations[0].energy_link_pj + *m.iterations[1].energy_link_pj) / 2);
}

}   // namespace
}   // namespace oscar::cost_test
