// A whole machine with memories and engines of a user's own. Seeds are printed.
#include "models/machine/node/engine_module.hpp"
#include "models/machine/node/gpu_memory.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::custom_parts_test {
namespace {

using test::expect_same;
using test::Machine;
using test::MachineSpec;
using test::RandomJob;

constexpr Time delay = 77'777_ps;

/// Answers a fixed time later than ours, and counts what it is asked.
struct LateMemory final : MemoryModule {
    GpuParams gpu;
    std::uint64_t& requests;
    LateMemory(const std::string& name, const GpuParams& params, std::uint64_t& counter)
        : MemoryModule(name.c_str()), gpu(params), requests(counter) {
        socket_.register_nb_transport_fw(this, &LateMemory::transport);
    }
    tlm::tlm_target_socket<>& socket() override { return socket_; }

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time& later_by) {
        ++requests;
        later_by += sc_core::sc_time::from_value(static_cast<std::uint64_t>((gpu.dma_latency + delay).ps));
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    tlm_utils::simple_target_socket<LateMemory> socket_{"socket"};
};

/// Ours with more cycles of latency.
std::unique_ptr<Engine> late_engine(const std::string& name, EngineParams params) {
    params.encode_latency += 40;
    params.decode_latency += 50;
    return make_engine_module(name, params);
}

class PartsOfAUsersOwn : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PartsOfAUsersOwn, AMemoryThatAnswersLaterIsOneOfALongerLatency) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    job.spec.node.gpu.dma_reads.reset();   // whose number is set against gpu.dma_latency, not the memory's
    for (NodeParams& node : job.spec.nodes) node.gpu.dma_reads.reset();
    MachineSpec slow = job.spec;
    for (NodeParams& node : slow.nodes) node.gpu.dma_latency = node.gpu.dma_latency + delay;
    slow.node.gpu.dma_latency = slow.node.gpu.dma_latency + delay;
    std::uint64_t requests = 0;
    MachineParts parts;
    parts.make_gpu_memory = [&](const std::string& name, const GpuParams& gpu) {
        return std::make_unique<LateMemory>(name, gpu, requests);
    };
    Machine own(job.spec, "own", parts), ours(slow, "ours");
    const Outcome outcome = job.run_on(own).outcome;
    expect_same(outcome, job.run_on(ours).outcome);
    EXPECT_GT(requests, 0u);
}

TEST_P(PartsOfAUsersOwn, AnEngineIsAskedForEveryNode) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    MachineSpec slow = job.spec;
    const auto delay_engine = [](EngineParams& engine) {
        engine.encode_latency += 40;
        engine.decode_latency += 50;
    };
    for (NodeParams& node : slow.nodes) delay_engine(node.engine);
    delay_engine(slow.node.engine);
    MachineParts parts;
    std::uint32_t made = 0;
    parts.make_engine = [&](const std::string& name, const EngineParams& params) {
        ++made;
        return late_engine(name, params);
    };
    Machine own(job.spec, "own", parts), ours(slow, "ours");
    expect_same(job.run_on(own).outcome, job.run_on(ours).outcome);
    EXPECT_EQ(made, job.spec.ranks);
}

INSTANTIATE_TEST_SUITE_P(Seed, PartsOfAUsersOwn, ::testing::Range<std::uint64_t>(0, 20));

TEST(TheMachine, HasAModuleForEachPartOfANodeAtEveryFidelity) {
    for (const TimingFidelity fidelity : {TimingFidelity::flit, TimingFidelity::packet, TimingFidelity::message}) {
        MachineSpec spec;
        spec.fidelity = fidelity;
        const std::string name = "machine" + std::to_string(static_cast<int>(fidelity));
        const Machine machine(spec, name);
        for (const std::string part : {"gpu_memory", "dma", "engine", "reduce_unit"})
            for (std::uint32_t rank = 0; rank < spec.ranks; ++rank) {
                const std::string module = name + ".rank" + std::to_string(rank) + "." + part;
                EXPECT_NE(sc_core::sc_find_object(module.c_str()), nullptr) << module;
            }
        if (fidelity != TimingFidelity::flit) continue;
        for (const std::string module : {".rank3.nic.port0", ".switch0.port0", ".link_rank0-switch0"})
            EXPECT_NE(sc_core::sc_find_object((name + module).c_str()), nullptr) << name + module;
    }
}

}   // namespace
}   // namespace oscar::custom_parts_test
