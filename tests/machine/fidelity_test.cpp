// Whole machines at all fidelities: the same outcome, to the picosecond. Seeds are printed.
#include "tests/machine/background_support.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::fidelity_test {
namespace {

using test::expect_same;
using test::Machine;
using test::MachineSpec;
using test::RandomJob;

Outcome outcome_at(TimingFidelity fidelity, const RandomJob& job, const std::vector<std::unique_ptr<Machine>>& all) {
    return job.run_on(*all[static_cast<std::size_t>(fidelity)]).outcome;
}

class AFidelity : public ::testing::TestWithParam<std::uint64_t> {};

void expect_same_at_all_fidelities(const RandomJob& job) {
    SCOPED_TRACE(::testing::Message() << job);
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

TEST_P(AFidelity, ChangesNothingBesideBackgroundTraffic) {
    RandomJob job(GetParam());
    job.spec = test::beside_random_background(job.spec, GetParam());
    expect_same_at_all_fidelities(job);
}

INSTANTIATE_TEST_SUITE_P(Seed, AFidelity, ::testing::Range<std::uint64_t>(0, 60));

}   // namespace
}   // namespace oscar::fidelity_test
