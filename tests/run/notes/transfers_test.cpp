// Notes on the order of flows and on timeouts.
#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/load.hpp"
#include "sim/run/notes/notes.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::transfers_test {
namespace {

using ::testing::HasSubstr;

Parameters with_flows(const std::string& list) {
    return make_experiment(parse_config("{payload: synthetic, ranks: 4, methods: [fp32], "
                                        "collective: {kind: flows, issue: "
                                        "dependency, flows: [" +
                                            list + "]}}",
                                        "w.yaml"),
                           "w.yaml")
        .parameters;
}

std::string order_note(const std::string& list) { return note_on_order_of_flows(with_flows(list)).value_or("none"); }

const std::string small = "{from: 0, to: 1, bytes: 4KiB}", large = "{from: 0, to: 2, bytes: 64KiB}";

TEST(TheOrderOfFlows, IsNotedWhereARankBeginsSeveralAtOneInstant) {
    EXPECT_THAT(order_note(small + ", " + large),
                HasSubstr("rank 0 begins several flows at 0ps; it posts them in the order of the list"));
    EXPECT_EQ(order_note(small + ", {from: 0, to: 2, bytes: 64KiB, start: 1us}"), "none");
    EXPECT_EQ(order_note(small + ", {from: 3, to: 2, bytes: 64KiB}"), "none");
    EXPECT_EQ(order_note(small + ", " + small), "none");   // either may be first
}

/// What the note says.
TEST(TheOrderOfFlows, DecidesTimesWhereARankBeginsSeveralAtOneInstant) {
    test::SmallMachine one(with_flows(small + ", " + large), "one"), other(with_flows(large + ", " + small), "other");
    const auto ends = [](test::SmallMachine& machine) {
        std::vector<std::int64_t> times;
        for (const auto& flow :
             run_synthetic(machine.parameters, machine.parameters.methods[0], machine.routes, machine.system).flows)
            times.push_back(flow.end_ps);
        return times;
    };
    const auto a = ends(one), b = ends(other);
    EXPECT_LT(a[0], b[1]);   // the small flow ends sooner where it is posted first
}

std::string timeout_note(const std::string& network) {
    const Parameters p =
        make_experiment(
            parse_config("{payload: synthetic, size: 1MiB, methods: [fp32], network: {" + network + "}}", "w.yaml"),
            "w.yaml")
            .parameters;
    const Topology topology = make_topology(p.network, p.ranks);
    return note_on_timeout(p, Routes(topology, p.network.routing)).value_or("none");
}

/// 64 KiB at 10 Gbit/s take 52.4 us.
TEST(ATimeout, IsNotedWhereAPacketBehindAFullBufferTakesLonger) {
    const std::string slow = "link: {bandwidth: 10Gbps, buffer: 64KiB}, reliability: {kind: go_back_n, timeout: ";
    EXPECT_THAT(timeout_note(slow + "50us}"), HasSubstr("network.reliability.timeout: 50us is less than the "));
    EXPECT_EQ(timeout_note(slow + "70us}"), "none");
    EXPECT_EQ(timeout_note("link: {bandwidth: 10Gbps, buffer: 64KiB}"), "none");
}

}   // namespace
}   // namespace oscar::transfers_test
