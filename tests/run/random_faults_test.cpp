// Random faults on random networks: every run ends, by a bound that is counted in events.
#include <gmock/gmock.h>

#include "models/network/transport/livelock.hpp"
#include "sim/checks/checks.hpp"
#include "sim/checks/effort/events.hpp"
#include "sim/checks/load_experiment.hpp"
#include "sim/checks/network.hpp"
#include "sim/config/load.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::random_faults_test {
namespace {

/// The generator alone: the standard distributions differ between hosts.
class Pick {
public:
    explicit Pick(std::uint64_t seed) : random_(seed) {}
    const char* of(std::initializer_list<const char*> values) { return values.begin()[random_() % values.size()]; }

private:
    std::mt19937_64 random_;
};

/// An experiment of a few thousand packets at most, with faults, losses and timeouts of all sizes. Background traffic
/// goes on while packets wait for their timeouts, so its events grow with them.
std::string random_yaml(std::uint64_t seed) {
    Pick pick(seed);
    const std::string repair = pick.of({"go_back_n", "selective"});
    std::string network =
        std::string("topology: ") + pick.of({"star", "fat_tree", "leaf_spine", "{kind: hierarchical, island: 4}"}) +
        ", packet: " + pick.of({"256B", "1KiB", "4KiB"}) +
        ", link: {bandwidth: " + pick.of({"1Gbps", "25Gbps", "400Gbps"}) +
        ", propagation: " + pick.of({"10ns", "500ns", "5us"}) + ", buffer: " + pick.of({"16KiB", "64KiB", "1MiB"}) +
        "}, reliability: {kind: " + repair + ", timeout: " + pick.of({"1us", "3us", "10us", "30us", "100us", "1ms"}) +
        ", window: " + pick.of({"1", "8", "256"}) + "}" +
        pick.of({"", ", loss: {rate: 0.01}", ", loss: {rate: 0.3}", ", loss: {rate: 0.99}"}) +
        ", faults: {drop: " + pick.of({"0", "0.05", "0.5", "1"}) + ", flip: " + pick.of({"0", "0.05", "0.5"}) +
        ", duplicate: " + pick.of({"0", "0.5", "1"}) + ", reorder: " + pick.of({"0", "0.5"}) + "}" +
        pick.of({"", ", flow_control: lossy", ", flow_control: pfc"}) + pick.of({"", "", ", congestion: dcqcn"}) +
        pick.of({"", "", ", background: {load: 0.1, message: 4KiB}"});
    return "{payload: synthetic, methods: [fp32], size: " + std::string(pick.of({"4KiB", "16KiB", "64KiB"})) +
           ", ranks: " + pick.of({"4", "8"}) +
           ", collective: {kind: " + pick.of({"ring", "direct", "halving_doubling", "all_to_all"}) +
           ", issue: " + pick.of({"lock_step", "dependency"}) + "}, network: {" + network + "}}";
}

/// The experiment, or nothing where it is refused.
std::optional<Parameters> checked(const std::string& yaml) {
    try {
        const Experiment experiment = make_experiment(parse_config(yaml, "w.yaml"), "w.yaml");
        const Parameters& p = experiment.parameters;
        const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
        run_checks(checks_as_cabled, CabledExperiment{experiment, topology, 0});
        return p;
    } catch (const ConfigError&) {
        return std::nullopt;
    }
}

class RandomFaults : public ::testing::TestWithParam<std::uint64_t> {};

/// Of which a run announces more than it does in a few seconds.
bool is_announced_as_long(const Parameters& p) {
    constexpr double few_packets = 500'000;
    const Topology topology = make_topology(p.network, p.ranks);
    return p.network.background && effort_of(p, Routes(topology, p.network.routing), {}).packets > few_packets;
}

/// Four experiments a seed: those that are neither refused nor announced as long end, delivered or in a livelock that
/// is found.
TEST_P(RandomFaults, EndWithinABoundedNumberOfEvents) {
    constexpr std::uint64_t each = 4, most_events = 6'000'000;
    std::vector<std::pair<std::string, Parameters>> experiments;
    for (std::uint64_t i = 0; i < each; ++i) {
        const std::string yaml = random_yaml(each * GetParam() + i);
        if (const auto p = checked(yaml); p && !is_announced_as_long(*p)) experiments.emplace_back(yaml, *p);
    }
    std::vector<std::unique_ptr<test::SmallMachine>> machines;   // all are made before any runs
    for (const auto& [yaml, p] : experiments)
        machines.push_back(
            std::make_unique<test::SmallMachine>(p, ("machine" + std::to_string(machines.size())).c_str()));
    for (std::size_t i = 0; i < experiments.size(); ++i) {
        const auto& [yaml, p] = experiments[i];
        SCOPED_TRACE(yaml);
        try {
            run_synthetic(p, p.methods[0], machines[i]->routes, machines[i]->system);
        } catch (const Livelock&) {
        }
        EXPECT_LT(machines[i]->system.cost().events, most_events);
        EXPECT_GT(machines[i]->system.cost().events, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomFaults, ::testing::Range<std::uint64_t>(0, 40));

}   // namespace
}   // namespace oscar::random_faults_test
