// Switches of islands that add and copy: the time by hand, the same at every fidelity, and sums with and without rings
// between islands.
#include <gmock/gmock.h>

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

std::vector<std::unique_ptr<Machine>> at_each_fidelity(std::uint32_t ranks, std::uint32_t island) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{}))
        machines.push_back(
            std::make_unique<Machine>(of_islands(ranks, island, choice.value), std::string(choice.text)));
    return machines;
}

constexpr Time ps(std::int64_t count) { return {count}; }
constexpr Time read = ps(50'000), port = ps(50 * bytes), link = ps(100 * bytes), nic = 10_ns, flight = 100_ns,
               at_switch = 30_ns, adding = 16_ns, adder_latency = 16_ns, own = ps(25 * bytes);

/// An island of two. Each sends the other's chunk to the switch, which adds up the messages of one chunk, here one, and
/// then those of the next, and sends each sum to its owner, who adds its own and sends that back; the switch sends two
/// chunks to each.
TEST(IslandSwitches, AddAndCopyInTheTimeOfTheirLinksAndAdders) {
    const Time arrived = read + port + nic + link + flight + at_switch;
    const Time up = ps((arrived.ps + 999) / 1000 * 1000);                            // an edge of the adders' clock
    const Time sums = adding + adding + adder_latency + link + flight + nic + own;   // of the second chunk
    const Time back = read + port + nic + link + flight + at_switch;
    const Time copies = link + link + flight + nic;
    for (const auto& machine : at_each_fidelity(2, 2)) {
        const Plan plan(schedule_on(by_switch(2), machine->topology()), ElementType::float32, 32, Operation::all_reduce,
                        false, 2);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        const auto run = machine->run(plan, *codec, test::floats(2, 2 * chunk_values), Issue::lock_step);
        test::expect_same(run);
        EXPECT_EQ(run.outcome.duration(), up + sums + back + copies);
        EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
    }
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
