// AllReduces whose engines are the RTL, beside its cycle model: whole outcomes. The RTL's bytes and sums are compared
// with the codec's as it runs.
#include <systemc>

using sc_core::sc_time_stamp;   // as Verilator's headers call it where SystemC is there

#include "Decoder4x1x3x0.h"
#include "Encoder4x1x3x0.h"
#include "models/codec/kinds/asc.hpp"
#include "models/engine/verilated/verilated_decoder.hpp"
#include "models/engine/verilated/verilated_encoder.hpp"
#include "models/machine/node/array_engine_module.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::engine_in_machine_test {
namespace {

using test::Machine;
using test::MachineSpec;

std::shared_ptr<ArrayModel> rtl_array(EngineArray unit, Layout layout) {
    EXPECT_EQ(layout, Layout::magnitude);
    const ArrayShape shape{.lanes = 4};
    if (unit == EngineArray::encoder) return std::make_shared<VerilatedEncoder<Encoder4x1x3x0>>(shape, 3);
    return std::make_shared<VerilatedDecoder<Decoder4x1x3x0>>(shape, 3);
}

class TheRtlInAMachine : public ::testing::TestWithParam<TimingFidelity> {};

TEST_P(TheRtlInAMachine, GivesTheOutcomeOfItsCycleModel) {
    MachineSpec spec;
    spec.fidelity = GetParam();
    spec.node.engine.kind = EngineKind::cycles;
    spec.node.engine.lanes = 4;
    spec.node.engine.min_lane_values = 8;
    spec.node.engine.clock = 700_MHz;   // whose edges are no whole picoseconds
    MachineParts parts;
    parts.make_engine = [](const std::string& name, const EngineParams& params) {
        return std::make_unique<ArrayEngineModule>(name.c_str(), params, rtl_array);
    };
    Machine cycles(spec, "cycles"), rtl(spec, "rtl", parts);
    const Plan plan(make_schedule(RingParams{}, spec.ranks), ElementType::integer, 8);
    const auto asc = make_codec(AscParams{}, spec.node.engine.framing()), uncoded = test::fixed_point_codec(spec);
    for (const std::uint32_t size : {300u, 5'000u})
        for (const Codec* codec : {asc.get(), uncoded.get()}) {
            const auto values = test::codes(spec.ranks, size, 8, size);
            test::expect_same(rtl.run(plan, *codec, values).outcome, cycles.run(plan, *codec, values).outcome);
        }
}

INSTANTIATE_TEST_SUITE_P(Fidelity, TheRtlInAMachine,
                         ::testing::Values(TimingFidelity::flit, TimingFidelity::packet, TimingFidelity::message));

}   // namespace
}   // namespace oscar::engine_in_machine_test
