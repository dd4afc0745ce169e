// Engines that answer later, in a whole machine. Seeds are printed.
#include <deque>
#include <random>

#include "models/machine/node/clocked_engine_module.hpp"
#include "tests/machine/plain_engine.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::clocked_engine_test {
namespace {

using test::expect_same;
using test::Machine;
using test::MachineSpec;
using test::RandomJob;

/// Takes the cycles of test::PlainEngine and counts them with its clock; stalls `stall` percent of the cycles.
class CountingEngine final : public ClockedEngineModule {
public:
    CountingEngine(const sc_core::sc_module_name& name, const EngineParams& params, std::uint32_t stall = 0)
        : ClockedEngineModule(name, params), params_(params), stall_(stall) {}
    void begin() override {
        ClockedEngineModule::begin();
        for (auto& unit : units_) unit = {};
    }

private:
    struct Unit {
        Cycles free = 0;   // the first cycle in which its input is free
        bool occupied = false;
        std::deque<Cycles> done;   // of the blocks that it has taken
    };
    void edge() override {
        serve(EngineArray::encoder);
        serve(EngineArray::decoder);
    }
    void serve(EngineArray which) {
        Unit& unit = units_[static_cast<std::size_t>(which)];
        release_at_end(which, unit);
        for (const Block* block = offered(which); block != nullptr && unit.free <= cycle(); block = offered(which)) {
            if (random_() % 100 < stall_) {
                unit.free = cycle() + 1;
                break;
            }
            const bool encodes = which == EngineArray::encoder;
            unit.free = cycle() + (encodes ? encode_cycles(params_, *block) : decode_cycles(params_, *block));
            unit.done.push_back(unit.free + (encodes ? params_.encode_latency : decode_latency(params_, *block)));
            accept(which);
            unit.occupied = true;
            release_at_end(which, unit);
        }
        while (!unit.done.empty() && unit.done.front() <= cycle()) {
            unit.done.pop_front();
            finish(which);
        }
    }

    void release_at_end(EngineArray which, Unit& unit) {
        if (!unit.occupied || unit.free > cycle()) return;
        unit.occupied = false;
        release(which);
    }

    EngineParams params_;
    std::uint32_t stall_;
    std::minstd_rand random_{1};
    std::array<Unit, 2> units_;
};

MachineParts counting_parts(std::uint32_t stall = 0) {
    MachineParts parts;
    parts.make_engine = [stall](const std::string& name, const EngineParams& params) {
        return std::make_unique<CountingEngine>(name.c_str(), params, stall);
    };
    return parts;
}

TimingFidelity fidelity_of(std::uint64_t seed) {
    return std::array{TimingFidelity::flit, TimingFidelity::packet, TimingFidelity::message}[seed % 3];
}

class AnEngineThatAnswersLater : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AnEngineThatAnswersLater, TakesTheTimeOfOneOfTheSameCyclesThatAnswersAtOnce) {
    RandomJob job(GetParam());
    job.spec.fidelity = fidelity_of(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine later(job.spec, "later", counting_parts()), at_once(job.spec, "at_once", test::plain_engines());
    const Outcome a = job.run_on(later).outcome, b = job.run_on(at_once).outcome;
    expect_same(a, b);
}

/// Slices that start as soon as their data is there may overtake each other at a unit, and then a delay may even help
/// (Graham, SIAM J. Appl. Math. 17(2), 1969): of these times say nothing.
TEST_P(AnEngineThatAnswersLater, ThatStallsTakesNoLessTimeAndBringsTheSameSums) {
    RandomJob job(GetParam());
    job.spec.fidelity = fidelity_of(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine stalls(job.spec, "stalls", counting_parts(60)), flows(job.spec, "flows", counting_parts());
    const Outcome a = job.run_on(stalls).outcome, b = job.run_on(flows).outcome;
    EXPECT_EQ(a.records, b.records);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    const bool in_order = job.slices == 1 || job.issue == Issue::lock_step;
    if (in_order) {
        EXPECT_GE(a.finish, b.finish);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, AnEngineThatAnswersLater, ::testing::Range<std::uint64_t>(0, 40));

/// Accepts and never finishes.
class SilentEngine final : public ClockedEngineModule {
public:
    using ClockedEngineModule::ClockedEngineModule;

private:
    void edge() override {
        if (offered(EngineArray::encoder) != nullptr) accept(EngineArray::encoder);
    }
};

TEST(AnEngineThatNeverAnswers, EndsTheRunWithItsNameTheBlockAndTheCycle) {
    MachineSpec spec = test::readable();
    spec.node.engine.answer_limit = 5_us;
    MachineParts parts;
    parts.make_engine = [](const std::string& name, const EngineParams& params) {
        return std::make_unique<SilentEngine>(name.c_str(), params);
    };
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    Machine machine(spec, "machine", parts);
    try {
        machine.run(plan, *test::fixed_point_codec(spec), test::codes(2, 128, 8, 1));
        FAIL() << "it answered";
    } catch (const std::runtime_error& error) {   // 64 values are there after 70.3 ns and 64 ns of DMA
        EXPECT_STREQ(
            error.what(),
            "machine.rank0.engine: the encoder has not answered for a block of 64 values, whose data was there "
            "at cycle 135, by cycle 5135, which is engine.answer_limit later");
    }
}

/// On a clock that never ends; takes a block at each of its edges.
class FreeRunningEngine final : public ClockedEngineModule {
public:
    SC_HAS_PROCESS(FreeRunningEngine);
    FreeRunningEngine(const sc_core::sc_module_name& name, const EngineParams& params)
        : ClockedEngineModule(name, params), clock_("clock", 1, sc_core::SC_NS) {
        SC_METHOD(rise);
        sensitive << clock_.posedge_event();
        dont_initialize();
    }

private:
    void edge() override {}
    void rise() {
        for (const EngineArray unit : {EngineArray::encoder, EngineArray::decoder}) {
            if (accepted(unit) > 0) finish(unit);
            if (offered(unit) != nullptr) accept(unit);
        }
    }
    sc_core::sc_clock clock_;
};

TEST(AnEngineWithAClockOfItsOwn, MayLetItRunForEver) {
    const MachineSpec spec = test::readable();
    MachineParts parts;
    parts.make_engine = [](const std::string& name, const EngineParams& params) {
        return std::make_unique<FreeRunningEngine>(name.c_str(), params);
    };
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    Machine machine(spec, "machine", parts);
    for (int job = 0; job < 2; ++job) {
        const Outcome outcome = machine.run(plan, *test::fixed_point_codec(spec), test::codes(2, 128, 8, 1)).outcome;
        // 64 values are there at 134.3 ns, are taken at 135 ns and coded at 136 ns; then NIC, 64 bytes, cable, NIC.
        EXPECT_EQ(outcome.steps[0].arrived, 136_ns + 10_ns + 64_ns + 100_ns + 10_ns);
        EXPECT_EQ(outcome.steps[0].ready, 321_ns);   // taken at once, decoded at the next edge
    }
}

}   // namespace
}   // namespace oscar::clocked_engine_test
