// A whole machine with switches or routers of a user's own. Seeds are printed.
#include "models/machine/switch/switch.hpp"
#include "tests/machine/router/counted_router.hpp"
#include "tests/machine/support.hpp"

namespace oscar::custom_switch_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

constexpr Time switch_delay = 77'777_ps;

/// Ours, with each flit a fixed time later, which counts the packets that come to it.
struct LateSwitch : Switch {
    std::uint64_t& packets;
    LateSwitch(const sc_core::sc_module_name& name, const LinkedModuleParams& params, PacketOwner& owner,
               std::uint64_t& counter)
        : Switch(name, params, owner), packets(counter) {}
    void receive(std::uint32_t input, const Flit& flit, ExactTime begin, ExactTime end) override {
        if (flit.tail) ++packets;
        Switch::receive(input, flit, begin + switch_delay, end + switch_delay);
    }
};

class ASwitchOfAUsersOwn : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ASwitchOfAUsersOwn, ThatIsAFixedTimeLaterIsOneOfALongerLatency) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    job.spec.topology = StarParams{};
    MachineSpec late = job.spec, slow = job.spec;
    late.fidelity = TimingFidelity::flit;
    slow.network.switches.latency = slow.network.switches.latency + switch_delay;
    std::uint64_t packets = 0;
    MachineParts parts;
    parts.make_switch = [&](const std::string& name, const LinkedModuleParams& params, PacketOwner& owner) {
        return std::make_unique<LateSwitch>(name.c_str(), params, owner, packets);
    };
    Machine own(late, "own", parts), ours(slow, "ours");
    const Outcome outcome = job.run_on(own).outcome;
    const Outcome expected = job.run_on(ours).outcome;
    EXPECT_EQ(outcome.finish, expected.finish);
    for (std::size_t s = 0; s < outcome.steps.size(); ++s) {   // whose critical paths call the delay wire, not latency
        EXPECT_EQ(outcome.steps[s].sent, expected.steps[s].sent) << "step " << s;
        EXPECT_EQ(outcome.steps[s].arrived, expected.steps[s].arrived) << "step " << s;
        EXPECT_EQ(outcome.steps[s].ready, expected.steps[s].ready) << "step " << s;
    }
    std::uint64_t sent = 0;
    for (std::uint32_t rank = 0; rank < job.spec.ranks; ++rank) sent += outcome.links[EdgeId{2 * rank}].packets;
    EXPECT_EQ(packets, sent);
    EXPECT_GT(packets, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seed, ASwitchOfAUsersOwn, ::testing::Range<std::uint64_t>(0, 20));

TEST(ARouterOfAUsersOwn, StandsInAWholeMachine) {
    RandomJob job(3);
    job.spec.topology = MeshParams{1, job.spec.ranks};
    job.spec.network.switches.architecture = InputQueuedParams{};
    job.spec.fidelity = TimingFidelity::flit;
    std::uint64_t acts = 0;
    MachineParts parts;
    parts.make_router = test::make_counted_router(acts);
    Machine own(job.spec, "own", parts), ours(job.spec, "ours");
    EXPECT_EQ(job.run_on(own).outcome.finish, job.run_on(ours).outcome.finish);
    EXPECT_GT(acts, 0u);
}

}   // namespace
}   // namespace oscar::custom_switch_test
