// The estimate of a run's work beside the work that is counted.
#include "sim/checks/effort/events.hpp"

#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/load.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::effort_test {
namespace {

using ::testing::HasSubstr;

Experiment experiment_of(const std::string& yaml) {
    return make_experiment(parse_config("{payload: synthetic, methods: [fp32], " + yaml + "}", "w.yaml"), "w.yaml");
}

RunEffort effort_of(const Parameters& p) {
    const Topology topology = make_topology(p.network, p.ranks);
    return oscar::effort_of(p, Routes(topology, p.network.routing), {});
}

TEST(Effort, IsWithinAFactorOfFourOfTheCrossingsThatAreCounted) {
    const std::vector<std::string> cases{
        "size: 1MiB, ranks: 8",
        "size: 1MiB, ranks: 8, collective: direct",
        "size: 1MiB, ranks: 8, collective: {kind: ring, channels: 4, slices: 2}, network: {topology: hierarchical}",
        "size: 256KiB, ranks: 16, network: {topology: fat_tree, packet: 256B}",
        "size: 64KiB, ranks: 8, network: {reliability: go_back_n, loss: {rate: 0.01}}",
        "size: 64KiB, ranks: 8, network: {reliability: selective, loss: {rate: 0.2}}",
        "size: 64KiB, ranks: 4, network: {packet: 256B, reliability: selective, loss: {rate: 0.1}, faults: {drop: "
        "0.5}}",
        "size: 1MiB, ranks: 8, network: {reliability: link_retry, loss: {rate: 0.3}}",
        "size: 1MiB, ranks: 8, network: {background: {load: 0.5, message: 4KiB}}",
    };
    std::vector<Parameters> parameters;
    std::vector<std::unique_ptr<test::SmallMachine>> machines;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        parameters.push_back(experiment_of(cases[i]).parameters);
        machines.push_back(
            std::make_unique<test::SmallMachine>(parameters[i], ("machine" + std::to_string(i)).c_str()));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(cases[i]);
        run_synthetic(parameters[i], parameters[i].methods[0], machines[i]->routes, machines[i]->system);
        const SimulationCost cost = machines[i]->system.cost();
        const double flits =
            static_cast<double>((parameters[i].network.packet + parameters[i].network.header).count) / 64;
        const double counted = static_cast<double>(cost.flit_hops) / flits, expected = effort_of(parameters[i]).packets;
        EXPECT_GT(expected, counted / 4);
        EXPECT_LT(expected, counted * 4);
    }
}

TEST(Effort, GrowsWithTheIterationsMethodsAndValuesOfATrace) {
    const auto of = [](const std::string& yaml, std::vector<std::uint64_t> buckets) {
        const Parameters p = make_experiment(parse_config("{trace: t, " + yaml + "}", "w.yaml"), "w.yaml").parameters;
        const Topology topology = make_topology(p.network, p.ranks);
        return oscar::effort_of(p, Routes(topology, p.network.routing), buckets);
    };
    const RunEffort one = of("methods: [asc], iterations: {count: 1}", {100'000});
    EXPECT_EQ(one.values, 2 * 7 * 8 * 12'500.0);   // steps of a ring, an eighth of the values each
    EXPECT_EQ(of("methods: [asc], iterations: {count: 5}", {100'000}).values, 5 * one.values);
    EXPECT_EQ(of("methods: [asc, fp32], iterations: {count: 1}", {100'000}).packets, 2 * one.packets);
    EXPECT_EQ(of("methods: [asc], iterations: {count: 1}", {100'000, 100'000}).steps, 2 * one.steps);
}

/// Background traffic goes on while packets wait for their timeouts: a run of this counted 282 million events.
TEST(Effort, OfBackgroundTrafficGrowsWithTheTimeThatRepairTakes) {
    const auto crossings = [](const std::string& timeout) {
        return effort_of(experiment_of("size: 64KiB, ranks: 4, collective: {kind: direct, issue: dependency}, network: "
                                       "{topology: leaf_spine, packet: 256B, link: {bandwidth: 400Gbps, propagation: "
                                       "10ns, buffer: 1MiB}, reliability: {kind: go_back_n, timeout: " +
                                       timeout +
                                       "}, loss: {rate: 0.01}, faults: {drop: 0.5, flip: 0.5}, background: {load: 0.1, "
                                       "message: 4KiB}}")
                             .parameters)
            .packets;
    };
    EXPECT_GT(crossings("1ms"), 282e6 / 4);
    EXPECT_LT(crossings("1ms"), 282e6 * 4);
    EXPECT_LT(crossings("10us"), crossings("1ms") / 50);
}

TEST(Effort, AtFidelityFlitIsThatOfFlits) {
    const double packets = effort_of(experiment_of("size: 1MiB").parameters).packets;
    EXPECT_EQ(effort_of(experiment_of("size: 1MiB, fidelity: flit").parameters).packets, 64 * packets);
    EXPECT_EQ(effort_of(experiment_of("size: 1MiB, fidelity: message").parameters).packets, 0);
}

TEST(Effort, OfAMinuteAndMoreIsSaid) {
    EXPECT_EQ(note_on_effort({1e6, 1e7, 0}), std::nullopt);
    EXPECT_THAT(note_on_effort({0, 1e9, 0}).value(), HasSubstr("about 10 min of a core: 0 steps, 1e+09 crossings"));
}

TEST(Effort, OfRepeatedPacketsIsTwiceThatOfOthersWhereHalfOfThemAreDropped) {
    const auto packets = [](const std::string& faults) {
        return effort_of(
                   experiment_of("size: 64KiB, ranks: 4, network: {reliability: selective" + faults + "}").parameters)
            .packets;
    };
    EXPECT_DOUBLE_EQ(packets(", faults: {drop: 0.5}"), 2 * packets(""));
}

TEST(Effort, IsSaidFromAMinuteOnAndNotBefore) {
    EXPECT_EQ(note_on_effort({0, 0.99e8, 0}), std::nullopt);   // 0.6 us each: 59.4 s
    EXPECT_THAT(note_on_effort({0, 1.01e8, 0}).value(), HasSubstr("about 1 min of a core"));
}

/// A run of 75 s: 22 million messages of other hosts, each of which is more than the crossing of its links.
TEST(Effort, OfSmallMessagesOfOtherHostsIsSaid) {
    const Parameters p = experiment_of(
                             "size: 16MiB, ranks: 64, folding: never, network: {background: {load: 0.9, "
                             "message: 64B}}")
                             .parameters;
    EXPECT_GT(effort_of(p).steps, 1e7);
    EXPECT_THAT(note_on_effort(effort_of(p)).value_or("none"), HasSubstr("min of a core"));
}

TEST(Effort, OfThousandsOfMethodsIsSaidHoweverLittleTheySend) {
    std::string names = "asc";
    for (int i = 1; i < 5000; ++i) names += ", {kind: asc, name: m" + std::to_string(i) + "}";
    Parameters p = make_experiment(parse_config("{trace: t, methods: [" + names + "]}", "w.yaml"), "w.yaml").parameters;
    const Topology topology = make_topology(p.network, p.ranks);
    const std::vector<std::uint64_t> buckets{6};
    const auto effort = [&] { return oscar::effort_of(p, Routes(topology, p.network.routing), buckets); };
    EXPECT_EQ(effort().runs, 5000 * 2);   // iterations
    EXPECT_THAT(note_on_effort(effort()).value_or("none"), HasSubstr("1e+04 iterations of methods"));
    p.methods.resize(50);
    EXPECT_EQ(note_on_effort(effort()), std::nullopt);
}

/// A run that is stopped as soon as it says how long it takes.
TEST(Effort, IsAnnouncedBeforeTheRunBegins) {
    struct Said {
        std::string sentence;
    };
    const Announce stop = [](const std::string& sentence) { throw Said{sentence}; };
    const Experiment experiment =
        experiment_of("size: 4GiB, ranks: 64, collective: {kind: ring}, network: {packet: 1KiB}");
    try {
        run(experiment, test::ignore, 1, stop);
        FAIL() << "it ran";
    } catch (const Said& said) {
        EXPECT_THAT(said.sentence, HasSubstr("min of a core"));
    }
}

TEST(Effort, IsNotSpokenOfBeforeAShortRun) {
    const Announce fail = [](const std::string& sentence) { FAIL() << sentence; };
    run(experiment_of("size: 1MiB"), test::ignore, 1, fail);
}

}   // namespace
}   // namespace oscar::effort_test
