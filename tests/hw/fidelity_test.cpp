// Whole machines at all fidelities: the same outcome, to the picosecond. Seeds are printed.
#include "tests/hw/support.hpp"

namespace oscar {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

void expect_same(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.finish, b.finish);
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.sent, b.sent);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    EXPECT_EQ(a.resent.messages, b.resent.messages);
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        const StepTimes &x = a.steps[i], &y = b.steps[i];
        ASSERT_EQ(std::tie(x.issued, x.sent, x.arrived, x.ready, x.path),
                  std::tie(y.issued, y.sent, y.arrived, y.ready, y.path))
            << "step " << i;
    }
    for (std::size_t r = 0; r < a.ranks.size(); ++r) {
        const RankUse &x = a.ranks[r], &y = b.ranks[r];
        EXPECT_EQ(std::tie(x.encoder, x.decoder, x.wire, x.finish, x.path),
                  std::tie(y.encoder, y.decoder, y.wire, y.finish, y.path))
            << "rank " << r;
    }
    for (std::size_t e = 0; e < a.links.size(); ++e) {
        const LinkUse &x = a.links[e], &y = b.links[e];
        EXPECT_EQ(std::tie(x.name, x.busy, x.packets, x.wire_bytes, x.flits),
                  std::tie(y.name, y.busy, y.packets, y.wire_bytes, y.flits))
            << x.name;
    }
}

Outcome outcome_at(TimingFidelity fidelity, const RandomJob& job, const std::vector<std::unique_ptr<Machine>>& all) {
    return job.run_on(*all[static_cast<std::size_t>(fidelity)]).outcome;
}

class AFidelity : public testing::TestWithParam<std::uint64_t> {};

void expect_same_at_all_fidelities(const RandomJob& job) {
    SCOPED_TRACE(testing::Message() << job);
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        MachineSpec spec = job.spec;
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    const Outcome packet = outcome_at(TimingFidelity::packet, job, machines);
    {
        SCOPED_TRACE("flit against packet");
        expect_same(outcome_at(TimingFidelity::flit, job, machines), packet);
    }
    SCOPED_TRACE("message against packet");
    expect_same(outcome_at(TimingFidelity::message, job, machines), packet);
}

TEST_P(AFidelity, ChangesNothingInTheOutcomeOfAJob) { expect_same_at_all_fidelities(RandomJob(GetParam())); }

TEST_P(AFidelity, ChangesNothingWhereEachNodeIsAnother) {
    RandomJob job(GetParam());
    test::Draws draw(GetParam() + 1);
    job.spec = with_random_nodes(job.spec, draw);
    expect_same_at_all_fidelities(job);
}

INSTANTIATE_TEST_SUITE_P(Seed, AFidelity, testing::Range<std::uint64_t>(0, 60));

}   // namespace
}   // namespace oscar
