// Flow control, loss and repair in whole runs of the program.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::transport_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

const std::string quick =
    "run configs/experiments/demo.yaml --set ranks=4 --set iterations.count=2 --set fidelity=packet "
    "--set methods=[fp32,asc] ";

/// The report of the quick run with these settings.
nlohmann::ordered_json report_with(const std::string& settings) {
    const Folder out;
    const auto run = oscar_sim(quick + settings + " -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(out.text());
}

TEST(LossyNetwork, ChangesTimesButNoSum) {
    const auto plain = report_with("");
    for (const std::string repair : {"go_back_n", "selective", "link_retry"}) {
        const auto lossy = report_with("--set network.loss.rate=0.01 --set network.reliability=" + repair);
        for (std::size_t m = 0; m < 2; ++m) {
            const auto &method = lossy["methods"][m], &ideal = plain["methods"][m];
            EXPECT_EQ(method["sums_match_reference"], true) << repair;
            EXPECT_GT(method["transport"]["damaged_packets"], 0) << repair;
            EXPECT_GT(method["allreduce_ps"], ideal["allreduce_ps"]) << repair;
            EXPECT_EQ(method["payload_bytes"], ideal["payload_bytes"]) << repair;
            EXPECT_TRUE(method["closed_form_ps"].is_null());
            EXPECT_FALSE(ideal.contains("transport"));
            const bool again = method["transport"]["retransmitted_packets"] > 0;
            EXPECT_EQ(again, repair != "link_retry");
            EXPECT_EQ(method["wire_bytes"] > ideal["wire_bytes"], again) << repair;
        }
        EXPECT_NE(lossy["methods"][0]["iterations"][0]["allreduce_ps"],
                  lossy["methods"][0]["iterations"][1]["allreduce_ps"])
            << "both iterations drew the same";
    }
}

TEST(LossyNetwork, GivesEachMethodTheSameWhateverElseRuns) {
    const std::string loss = " --set network.loss.rate=0.01 --set network.reliability=go_back_n";
    const auto both = report_with(loss), alone = report_with(loss + " --set methods=[asc]");
    EXPECT_EQ(both["methods"][1]["allreduce_ps"], alone["methods"][0]["allreduce_ps"]);
    EXPECT_EQ(both["methods"][1]["transport"], alone["methods"][0]["transport"]);
}

TEST(PausesAndDrops, ThatNeverHappenChangeNoTime) {
    const auto credit = report_with("");
    for (const std::string other : {"network.flow_control=pfc", "network.flow_control=lossy",
                                    "network.congestion=dcqcn", "network.reliability=link_retry"}) {
        const auto report = report_with("--set " + other);
        for (std::size_t m = 0; m < 2; ++m)
            EXPECT_EQ(report["methods"][m]["allreduce_ps"], credit["methods"][m]["allreduce_ps"]) << other;
    }
}

TEST(NetworkSettings, ThatCannotWorkAreRefusedWhereTheyStand) {
    const auto loss = oscar_sim(quick + "--set network.loss.rate=0.1");
    EXPECT_EQ(loss.status, 2);
    EXPECT_THAT(loss.output, HasSubstr("nothing repairs it; write network.reliability"));
    const auto flit = oscar_sim(quick + "--set fidelity=flit --set network.flow_control=pfc");
    EXPECT_EQ(flit.status, 2);
    EXPECT_THAT(flit.output, HasSubstr("write fidelity: packet"));
    const auto pfc = oscar_sim(quick + "--set network.flow_control=pfc --set network.link.buffer=6KiB");
    EXPECT_EQ(pfc.status, 2);
    EXPECT_THAT(pfc.output, HasSubstr("write buffer: "));
}

TEST(Livelock, EndsTheProgramWithStatus3AndNamesFlowAndLosses) {
    const auto run = oscar_sim(quick +
                               "--set network.loss.rate=0.99 --set network.reliability=go_back_n "
                               "--set network.stall=1ms");
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.output, HasSubstr("livelock: flow rank"));
    EXPECT_THAT(run.output, HasSubstr("lost so far:"));
}

TEST(DroppedPackets, ThatNothingRepairsEndTheProgramWithStatus3) {
    const auto run = oscar_sim(quick + "--set network.flow_control=lossy --set network.link.buffer=5KiB");
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.output, HasSubstr("packets were lost:"));
    EXPECT_THAT(run.output, HasSubstr("write network.reliability: {kind: go_back_n}"));
}

}   // namespace
}   // namespace oscar::transport_test
