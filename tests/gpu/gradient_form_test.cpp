// Gradients in GPU memory as fp32 or as codes: bytes per value, and what DMA takes for them. See
// test::readable for what takes how long; a byte is read or written in 0.25 ns.
#include "models/gpu/gradient_form.hpp"

#include <gmock/gmock.h>

#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::gradient_form_test {
namespace {

using test::MachineSpec;
using test::PlainMachine;
using test::readable;

Plan plan_of(std::uint32_t ranks, ElementType number, std::uint32_t bits) {
    return {make_schedule(RingParams{}, ranks), number, bits};
}

TEST(ValueBytes, AreFourEachWayWhereTheNicConverts) {
    for (const auto& [number, bits] :
         {std::pair{ElementType::integer, 8u}, {ElementType::float32, 32u}, {ElementType::bfloat16, 16u}})
        EXPECT_EQ(value_bytes(GradientForm::fp32, plan_of(8, number, bits)), (ValueBytes{4, 4}));
}

TEST(ValueBytes, AreThoseOfAWordWhereItIsAFloat) {
    EXPECT_EQ(value_bytes(GradientForm::codes, plan_of(8, ElementType::float32, 32)), (ValueBytes{4, 4}));
    EXPECT_EQ(value_bytes(GradientForm::codes, plan_of(8, ElementType::bfloat16, 16)), (ValueBytes{2, 2}));
    EXPECT_EQ(value_bytes(GradientForm::words, plan_of(8, ElementType::bfloat16, 16)), (ValueBytes{2, 2}));
    EXPECT_EQ(value_bytes(GradientForm::words, plan_of(8, ElementType::float8_e4m3, 8)), (ValueBytes{1, 1}));
}

struct Widths {
    std::uint32_t ranks, bits;
    ValueBytes bytes;
};

TEST(ValueBytes, OfIntegersAreTheWholeBytesOfOneRanksCodeAndOfTheSum) {
    // A sum of 2, 3 and 256 ranks has 1, 2 and 8 bits more.
    for (const Widths& w : {Widths{2, 2, {1, 1}}, Widths{2, 7, {1, 1}}, Widths{2, 8, {1, 2}}, Widths{3, 6, {1, 1}},
                            Widths{3, 7, {1, 2}}, Widths{3, 9, {2, 2}}, Widths{2, 15, {2, 2}}, Widths{2, 16, {2, 3}},
                            Widths{256, 8, {1, 2}}, Widths{256, 9, {2, 3}}, Widths{256, 16, {2, 3}}})
        EXPECT_EQ(value_bytes(GradientForm::codes, plan_of(w.ranks, ElementType::integer, w.bits)), w.bytes)
            << w.ranks << " ranks, " << w.bits << " bits";
}

struct CodesInMemory : ::testing::Test {
    MachineSpec spec = [] {
        MachineSpec s = readable();
        s.node.gpu.gradients = GradientForm::codes;
        return s;
    }();
    PlainMachine::Result run(std::uint32_t bits) {
        PlainMachine machine(spec);
        return machine.run(plan_of(2, ElementType::integer, bits), *test::fixed_point_codec(spec),
                           test::codes(2, 2 * 64, bits, 1));
    }
    /// Until the last write has begun: its block is decoded, and there is no other.
    static Time last_decoded(const RankUse& rank) { return rank.decoder.back().end + 18_ns; }
};

TEST_F(CodesInMemory, AreReadAsOneByteAValue) {
    const auto result = run(8);
    EXPECT_EQ(result.outcome.ranks[0].encoder.front().begin, 87_ns);   // 64 / 4 + 70.3, and on to an edge
}

TEST_F(CodesInMemory, AreReadAsTwoBytesAValueFromNineBitsOn) {
    const auto result = run(9);
    EXPECT_EQ(result.outcome.ranks[0].encoder.front().begin, 103_ns);   // 2 * 64 / 4 + 70.3, and on to an edge
}

TEST_F(CodesInMemory, AreWrittenAsWideAsTheSum) {
    const auto result = run(8);   // the sum of two ranks has 9 bits: 2 bytes
    for (const RankUse& rank : result.outcome.ranks) EXPECT_EQ(rank.finish, last_decoded(rank) + 32_ns + 70'300_ps);
    test::expect_same(result);
}

TEST_F(CodesInMemory, AreWrittenAsThreeBytesAValueFromSeventeenBitsOn) {
    const auto result = run(16);
    for (const RankUse& rank : result.outcome.ranks) EXPECT_EQ(rank.finish, last_decoded(rank) + 48_ns + 70'300_ps);
}

TEST_F(CodesInMemory, HoldUpASumUntilItsOperandIsRead) {
    // At 10 ns a byte: 64 bytes to send are there at 710.3 ns and on the other side at 711 + 28 + 10 + 64 + 100 + 10,
    // long before as many to add.
    spec.node.gpu.dma_bandwidth = 800_Mbps;
    const auto result = run(8);
    EXPECT_EQ(result.outcome.steps[0].arrived, 923_ns);
    EXPECT_EQ(result.outcome.ranks[1].decoder.front().begin, 1351_ns);   // 1280 + 70.3, and on to an edge
    EXPECT_EQ(result.outcome.path.total_ps(), result.outcome.duration().ps);
}

TEST_F(CodesInMemory, LeaveFp32AsItIs) {
    PlainMachine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto result = machine.run(test::fp32_plan(2), *codec, test::floats(2, 2 * 64));
    for (const RankUse& rank : result.outcome.ranks) {
        EXPECT_EQ(rank.wire.front().begin, 64_ns + 70'300_ps + 10_ns);
        EXPECT_EQ(rank.finish, result.outcome.steps[2].ready + 64_ns + 70'300_ps);   // the copy is not added
    }
}

struct FormCase {
    std::uint32_t bits;
    GradientForm form;
};
void PrintTo(const FormCase& c, std::ostream* out) { *out << c.bits << " bits, " << to_text(c.form); }

class ClosedFormOfGradients : public ::testing::TestWithParam<FormCase> {};

TEST_P(ClosedFormOfGradients, TakesTheNicsTimeForASumAndForItsWrite) {
    const FormCase& c = GetParam();
    MachineSpec spec = readable();
    spec.node.gpu = {.dma_bandwidth = 1_Gbps,
                     .dma_latency = 70_ns,
                     .gradients = c.form};   // 8 ns a byte: the operand holds up the sum, its write that of the copy
    test::Machine machine(spec);
    const Plan plan = plan_of(2, ElementType::integer, c.bits);
    const auto codec = test::fixed_point_codec(spec);
    const auto run = machine.run(plan, *codec, test::codes(2, 2 * 64, c.bits, 1));
    const EngineMemoryTraffic none;
    const StepCost sum =
        step_cost({machine.routes(), spec.network, spec.node.gpu, spec.node.nic, spec.node.engine, none}, plan, *codec,
                  StepId{0}, *run.reference.messages[0], false);
    const Time ready = run.outcome.steps[0].ready;
    EXPECT_EQ(sum.lead + sum.wire + sum.path + sum.tail, ready);
    EXPECT_EQ(run.outcome.ranks[1].finish, ready + sum.after + (sum.after - 70_ns));
}

INSTANTIATE_TEST_SUITE_P(Over, ClosedFormOfGradients,
                         ::testing::Values(FormCase{8, GradientForm::fp32}, FormCase{8, GradientForm::codes},
                                           FormCase{7, GradientForm::codes}, FormCase{12, GradientForm::codes},
                                           FormCase{16, GradientForm::codes}));

}   // namespace
}   // namespace oscar::gradient_form_test
