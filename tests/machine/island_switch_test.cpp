// Switches of islands that add and copy: the time by hand, the same at every fidelity, and sums with and without rings
// between islands.
#include <gmock/gmock.h>

#include <functional>

#include "models/collective/schedule/find_problem.hpp"
#include "models/job/schedule_on.hpp"
#include "tests/machine/islands.hpp"

namespace oscar::island_switch_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t chunk_values = 1024;
constexpr std::int64_t bytes = 4 * chunk_values;   // of a chunk

HierarchicalParams by_switch(std::uint32_t island, std::uint32_t slices = 1, std::uint32_t in_flight = 0) {
    HierarchicalParams params;
    params.island = island;
    params.inside = InsideIsland::island_switch;
    params.slices = slices;
    params.in_flight = in_flight;
    return params;
}

/// The switch adds 64 values in a cycle of 1 ns.
MachineSpec of_islands(std::uint32_t ranks, std::uint32_t island, TimingFidelity fidelity = TimingFidelity::packet) {
    MachineSpec spec = test::of_islands(ranks, island, fidelity);
    spec.network.switches.aggregator = {.adders = 64, .latency = 16, .slots = 1, .clock = 1_GHz};
    return spec;
}

/// `change` of each machine's parameters.
std::vector<std::unique_ptr<Machine>> at_each_fidelity(
    std::uint32_t ranks, std::uint32_t island, const std::function<void(MachineSpec&)>& change = [](MachineSpec&) {}) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        MachineSpec spec = of_islands(ranks, island, choice.value);
        change(spec);
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    return machines;
}

constexpr Time ps(std::int64_t count) { return {count}; }
constexpr Time read = ps(50'000), port = ps(50 * bytes), link = ps(100 * bytes), nic = 10_ns, flight = 100_ns,
               at_switch = 30_ns, adding = 16_ns, adder_latency = 16_ns, own = ps(25 * bytes);

/// fp32's time of two chunks on these machines, which is the same for all.
Time duration_on(const std::vector<std::unique_ptr<Machine>>& machines) {
    std::optional<Time> duration;
    for (const auto& machine : machines) {
        const Plan plan(schedule_on(by_switch(2), machine->topology()), ElementType::float32, 32, Operation::all_reduce,
                        false, 2);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        const auto run = machine->run(plan, *codec, test::floats(2, 2 * chunk_values), Issue::lock_step);
        test::expect_same(run);
        EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
        EXPECT_EQ(run.outcome.duration(), duration.value_or(run.outcome.duration()));
        duration = run.outcome.duration();
    }
    return *duration;
}

/// The next edge of the adders' clock, of 1 GHz.
constexpr Time edge(Time time) { return ps((time.ps + 999) / 1000 * 1000); }

/// An island of two. Each sends the other's chunk to the switch, which adds up the messages of one chunk, here one, and
/// then those of the next, and sends each sum to its owner, who adds its own and sends that back; the switch sends two
/// chunks to each.
TEST(IslandSwitches, AddAndCopyInTheTimeOfTheirLinksAndAdders) {
    const Time up = read + port + nic + link + flight + at_switch;
    const Time sums = adding + adding + adder_latency + link + flight + nic + own;   // of the second chunk
    const Time copies = link + link + flight + nic;
    EXPECT_EQ(duration_on(at_each_fidelity(2, 2)), edge(up) + sums + up + copies);
}

/// The same where a link carries messages with a switch at 0.8 of its rate, both ways, and GPUs take 7 us before the
/// first of them: once, not before what they send back.
TEST(IslandSwitches, HaveTheirShareOfLinksAndOneStartUp) {
    const Time start = 7_us, slower = ps(100 * bytes * 5 / 4);
    const Time up = read + port + nic + slower + flight + at_switch;
    const Time sums = adding + adding + adder_latency + slower + flight + nic + own;
    const Time copies = slower + slower + flight + nic;
    const auto with_both = [&](MachineSpec& spec) {
        spec.network.switches.aggregator.link_share = 0.8;
        spec.node.gpu.island_port->switch_start = start;
    };
    EXPECT_EQ(duration_on(at_each_fidelity(2, 2, with_both)), edge(start + up) + sums + up + copies);
}

/// What GPUs send to each other takes neither.
TEST(IslandSwitches, LeaveOtherMessagesTheWholeLink) {
    MachineSpec spec = of_islands(4, 2);
    Machine plain(spec, "plain");
    spec.network.switches.aggregator.link_share = 0.5;
    spec.node.gpu.island_port->switch_start = 1_ms;
    Machine slower(spec, "slower");
    HierarchicalParams by_ranks;
    by_ranks.island = 2;
    const Plan plan(make_schedule(by_ranks, 4), ElementType::float32, 32, Operation::all_reduce, false, 2);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto values = test::floats(4, 4 * chunk_values);
    EXPECT_EQ(slower.run(plan, *codec, values).outcome.duration(), plain.run(plan, *codec, values).outcome.duration());
}

/// Three islands of four with a ring between them, in which NICs code.
TEST(IslandSwitches, LeaveTheSameSumsAndTimesAtEveryFidelityWithRingsBetweenIslands) {
    const auto machines = at_each_fidelity(12, 4);
    for (const auto& [slices, in_flight] : {std::pair{1u, 0u}, std::pair{3u, 1u}})
        for (const Issue issue : {Issue::dependency, Issue::lock_step}) {
            const Plan plan(schedule_on(by_switch(4, slices, in_flight), machines.front()->topology()),
                            ElementType::integer, 8, Operation::all_reduce, false, 4);
            EXPECT_EQ(find_problem(Operation::all_reduce, plan.schedule), std::nullopt);
            const auto codec = make_codec(AscParams{}, Framing{});
            const auto values = test::codes(12, 12 * slices * 50, 8, slices);
            std::optional<Time> finish;
            for (const auto& machine : machines) {
                const auto run = machine->run(plan, *codec, values, issue);
                test::expect_same(run);
                EXPECT_TRUE(std::ranges::equal(run.timed[0].values().all(), exact_sum(values)));
                if (!finish) finish = run.outcome.finish;
                EXPECT_EQ(run.outcome.finish, *finish);
            }
        }
}

/// What the GPUs of an island exchange with their switch stays inside; each rank has its part of the sums between.
TEST(IslandSwitches, KeepTheirMessagesInsideAndSendEachGradientOnceUpAndDown) {
    const Schedule schedule = make_schedule(by_switch(4), 12);
    EXPECT_EQ(schedule.aggregators, 3u);
    EXPECT_TRUE(schedule.island_switches);
    const std::vector<Tier> tiers = tiers_of(schedule, 4);
    std::uint32_t up = 0, down = 0, between = 0;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (tiers[i] == Tier::between) {
            EXPECT_LT(std::max(step.from.value, step.to.value), 12u);
            ++between;
            continue;
        }
        const Rank at = std::max(step.from, step.to), rank = std::min(step.from, step.to);
        EXPECT_EQ(rank.value / 4, at.value - 12);
        if (rank == Rank{5}) step.to == rank ? ++down : ++up;
    }
    EXPECT_EQ(up, 9u + 3u);      // chunks: those of others, and those of its sums
    EXPECT_EQ(down, 3u + 12u);   // its sums, and all
    EXPECT_EQ(between, 2u * 2 * 12);
}

TEST(IslandSwitches, AreOfIslandsAsTheTopologyHasThem) {
    const Topology topology = Machine::overridden(of_islands(12, 4));
    try {
        schedule_on(by_switch(6), topology);
        FAIL() << "made";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(),
                    ::testing::HasSubstr("islands of the topology have 4 ranks, those of the collective 6"));
    }
    EXPECT_EQ(schedule_on(by_switch(1), topology).aggregators, 0u) << "a rank alone needs no switch";
}

TEST(IslandSwitches, AreNotThoseOfAJobInTheNetwork) {
    Machine machine(of_islands(4, 2));
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    const auto values = test::codes(4, 400, 8, 1);
    const auto run = [&](const Collective& collective) {
        machine.run(
            Plan(schedule_on(collective, machine.topology()), ElementType::integer, 8, Operation::all_reduce, false, 2),
            *codec, values, Issue::dependency);
    };
    run(by_switch(2));
    EXPECT_THROW(run(InNetworkParams{}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::island_switch_test
