// Remedies that are tried: those that may shorten what limits a method on its machine.
#include "sim/commands/trials.hpp"

#include <gmock/gmock.h>

namespace oscar::trials_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

MethodReport limited_by(Cause cause) {
    MethodReport method;
    method.name = "asc";
    method.critical_path.*cause = 100;
    method.engine_utilisation = 0.5;
    return method;
}

TEST(Remedies, OfALinkAnEngineOrAddersAreTwiceAsMuchOfThem) {
    Parameters p;
    p.network.link.bandwidth = 25_Gbps;
    p.engine.lanes = 64;
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::wire_ps), p), ElementsAre("network.link.bandwidth=50Gbps"));
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::engine_ps), p), ElementsAre("engine.lanes=128"));
    MethodReport uncoded = limited_by(&CriticalPath::engine_ps);
    uncoded.engine_utilisation = 0;
    EXPECT_THAT(remedies_of(uncoded, p), ElementsAre("nic.adders=128"));
}

TEST(Remedies, OfDmaAreSmallerWordsAndAFasterBus) {
    Parameters p;
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::dma_ps), p),
                ElementsAre("gpu.gradients=codes", "gpu.dma_bandwidth=922Gbps"));
    p.gpu.gradients = GradientForm::codes;
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::dma_ps), p), ElementsAre("gpu.dma_bandwidth=922Gbps"));
    p.gpu.pcie_switch = PcieSwitchParams{.gpus = 2, .uplink = 461_Gbps};
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::dma_ps), p),
                ElementsAre("gpu.pcie_switch.uplink=922Gbps", "gpu.dma_bandwidth=922Gbps"));
}

TEST(Remedies, OfWaitingDependOnTheNetworkAndTheSchedule) {
    Parameters p;
    MethodReport method = limited_by(&CriticalPath::wait_ps);
    method.imbalance = 1.3;
    const auto plain = remedies_of(method, p);
    EXPECT_THAT(plain, Contains("collective.issue=dependency"));
    EXPECT_THAT(plain, Contains("chunks=predicted"));
    EXPECT_THAT(plain, Not(Contains(HasSubstr("topology"))));
    EXPECT_THAT(plain, Not(Contains(HasSubstr("staging"))));
    p.nic.staging_memory = 1_MiB;
    EXPECT_THAT(remedies_of(method, p), Not(Contains(HasSubstr("staging")))) << "nobody has waited for it";
    method.staging_wait_ps = 1;
    EXPECT_THAT(remedies_of(method, p), Contains("nic.staging_memory=4MiB"));
    method.imbalance = 1;
    EXPECT_THAT(remedies_of(method, p), Not(Contains("chunks=predicted")));
    p.network.topology.params = IslandsParams{};
    EXPECT_EQ(remedies_of(method, p).front(), "network.topology.rails=false");
}

TEST(Remedies, OfLatencyAreSchedulesOfFewerTimesteps) {
    EXPECT_THAT(remedies_of(limited_by(&CriticalPath::latency_ps), Parameters{}),
                Contains("collective.kind=halving_doubling"));
}

TEST(Remedies, OfNoTimeAreNone) { EXPECT_TRUE(remedies_of(MethodReport{}, Parameters{}).empty()); }

TEST(TrialsInWords, NameTheLargestGainOfEachMethodFirst) {
    const Trials trials{{{"fp32", "a=1", 100'000'000, 50'000'000},
                         {"asc", "b=1", 10'000'000, 9'000'000},
                         {"fp32", "c=1", 100'000'000, 20'000'000}},
                        true};
    const std::string text = to_text(trials, 200);
    EXPECT_THAT(text, HasSubstr("fp32 with c=1: 20.000 us instead of 100.000, 5.00 times as fast\n"
                                "fp32 with a=1: 50.000 us instead of 100.000, 2.00 times as fast\n"
                                "asc with b=1: 9.000 us instead of 10.000, 1.11 times as fast\n"));
    EXPECT_THAT(text, HasSubstr("Others would have taken longer"));
    EXPECT_EQ(to_text(Trials{}, 80), "");
}

}   // namespace
}   // namespace oscar::trials_test
