// Machines in one process.
#include <gtest/gtest.h>

#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::several_machines_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

TEST(SeveralMachines, OfAProcessTakeTurnsAndLeaveEachOthersTimesAlone) {
    RandomJob job(11), other(12);
    Machine first(job.spec, "first"), second(other.spec, "second"), third(job.spec, "third");
    const Outcome alone = job.run_on(first).outcome;
    other.run_on(second);
    test::expect_same(alone, job.run_on(third).outcome);   // after others, on a clock that has gone on
    other.run_on(second);
    test::expect_same(alone, job.run_on(first).outcome);
}

TEST(SeveralMachines, AreAllMadeBeforeTheFirstOfThemRuns) {
    RandomJob job(11);
    Machine first(job.spec, "first");
    job.run_on(first);
    try {
        const Machine late(job.spec, "late");
        FAIL() << "it was made";
    } catch (const sc_core::sc_report& report) {
        EXPECT_EQ(report.get_id(), 529) << report.what();
    }
}

}   // namespace
}   // namespace oscar::several_machines_test
