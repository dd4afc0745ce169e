// Notes on links inside a node and between rails: each is there where the simulated time shows what it says.
#include <gmock/gmock.h>

#include "sim/config/load.hpp"
#include "sim/run/notes/notes.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::topology_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two nodes of eight GPUs, with all defaults, in flow style.
const std::string dgx = "ranks: 16, network: {topology: {kind: hierarchical}, packet: 16KiB}, ";

Parameters parameters_of(const std::string& yaml) {
    return make_experiment(parse_config("{" + yaml + "}", "w.yaml"), "w.yaml").parameters;
}
const std::string synthetic = "payload: synthetic, size: 1MiB, methods: [fp32], ";

std::string island_note(const std::string& yaml) {
    const Parameters p = parameters_of(yaml);
    return note_on_island_links(p, make_topology(p.network, p.ranks)).value_or("none");
}

TEST(IslandLinks, AreNotedWithTheKeysThatMakeThemSlower) {
    EXPECT_THAT(island_note(synthetic + dgx),
                AllOf(HasSubstr("gpu.dma_bandwidth (461 Gbit/s), nic.adders x nic.clock (2048 Gbit/s) are slower than "
                                "network.topology.island_link (3600 Gbit/s)"),
                      Not(HasSubstr("engine.lanes x")), Not(HasSubstr("is coded on it"))));
}

TEST(IslandLinks, AreNotedForTheEngineOfIntegersAndForCoders) {
    EXPECT_THAT(
        island_note("trace: t, methods: [fixed_point], " + dgx),
        AllOf(HasSubstr("engine.lanes x engine.clock (512 Gbit/s)"), Not(HasSubstr("nic.adders x nic.clock ("))));
    EXPECT_THAT(island_note("trace: t, methods: [fp32, asc, zstd], gpu: {dma_bandwidth: 4Tbps}, nic: {adders: 4096}, "
                            "engine: {lanes: 1024}, " +
                            dgx),
                AllOf(HasSubstr("as between islands: asc, zstd is coded on it;"), Not(HasSubstr("slower"))));
}

TEST(IslandLinks, AreNotNotedWhereNothingIsSlowerOrThereAreNone) {
    EXPECT_EQ(island_note(synthetic + "gpu: {dma_bandwidth: 4Tbps}, nic: {adders: 4096}, " + dgx), "none");
    EXPECT_EQ(island_note(synthetic + "ranks: 16"), "none");
    EXPECT_EQ(island_note(synthetic + "ranks: 4, network: {topology: {kind: hierarchical, island: 1}}"), "none");
}

TEST(IslandLinks, AreNotedInFiguresBeforeScaling) {
    EXPECT_THAT(island_note(synthetic + "scale: 8, " + dgx), HasSubstr("gpu.dma_bandwidth (461 Gbit/s)"));
}

TEST(IslandLinks, AreNotedInTheReportAndItsTables) {
    const testing::TemporaryFolder folder;
    const auto file = folder.write("exp.yaml", "{" + synthetic + "ranks: 8, network: {topology: hierarchical}}");
    const Report report = run(load_experiment(file, {}), test::ignore);
    EXPECT_THAT(report.notes,
                ::testing::Contains(HasSubstr("links inside an island (NVLink) are reached through the NIC")));
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("gpu.dma_bandwidth (461 Gbit/s)"));
}

/// A ring of 16 ranks on four islands of four, of which the NICs alone limit the rate.
struct OnRails {
    explicit OnRails(const std::string& topology,
                     const std::string& collective = "{kind: ring, channels: 4, channel_order: rotated}")
        : p(parameters_of("payload: synthetic, size: 32MiB, methods: [fp32], ranks: 16, gpu: {dma_bandwidth: 100Tbps}, "
                          "nic: {adders: 65536}, collective: " +
                          collective +
                          ", network: {link: {bandwidth: 10Gbps, buffer: 4MiB}, topology: {kind: hierarchical, island: "
                          "4" +
                          topology + "}}")) {}
    std::string note() const {
        const Topology topology = make_topology(p.network, p.ranks);
        return note_on_rails(p, Routes(topology, p.network.routing)).value_or("none");
    }
    Parameters p;
};

double time_of(test::SmallMachine& machine) {
    return static_cast<double>(
        run_synthetic(machine.parameters, machine.parameters.methods[0], machine.routes, machine.system).allreduce_ps);
}

/// Each channel crosses from every island over the cable of one rail, and back from the spine over another: four
/// connections of a quarter of the bucket each.
TEST(Rails, AreNotedByTheShareOfTheRateThatIsLeft) {
    const OnRails defaults(""), one_switch(", rails: false"), spines(", spines: 4");
    test::SmallMachine with(defaults.p, "with"), without(one_switch.p, "without"), more(spines.p, "more");
    EXPECT_THAT(defaults.note(), HasSubstr("between rails and spines limit ring to 1/4 of the rate of the NICs"));
    EXPECT_THAT(defaults.note(), HasSubstr("write network.topology.rails: false"));
    EXPECT_EQ(one_switch.note(), "none");
    const double rate = time_of(without);
    EXPECT_NEAR(time_of(with) / rate, 4, 0.2);
    EXPECT_THAT(defaults.note(), HasSubstr("or network.topology.spines: 4, "));
    EXPECT_LT(time_of(more) / rate, 3.5);   // hashed: better, and not all of it
}

TEST(Rails, HaveNoNoteWhereMessagesStayOnThem) {
    const std::string hierarchical = "{kind: hierarchical, island: 4}";
    EXPECT_EQ(OnRails("", hierarchical).note(), "none");
    EXPECT_EQ(OnRails(", spines: 0", hierarchical).note(), "none");
}

/// The remedies that a note names are tried: each gives the NICs their rate.
TEST(Rails, AreNoLimitToTheCollectiveThatTheNoteNames) {
    const OnRails ring(""), staying("", "{kind: hierarchical, island: 4}"),
        staying_on_one(", rails: false", "{kind: hierarchical, island: 4}");
    EXPECT_THAT(ring.note(), HasSubstr("or collective: hierarchical, whose messages stay on their rail"));
    test::SmallMachine rails(staying.p, "rails"), one(staying_on_one.p, "one");
    EXPECT_NEAR(time_of(rails) / time_of(one), 1, 0.01);
}

}   // namespace
}   // namespace oscar::topology_test
