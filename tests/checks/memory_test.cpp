// The estimate of memory before a run, and what is said where there is less.
#include "sim/checks/memory.hpp"

#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/checks/network.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::memory_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Experiment load(const std::string& yaml) {
    const testing::TemporaryFolder folder;
    return load_experiment(folder.write("exp.yaml", "payload: synthetic\nsize: 64KiB\nmethods: [fp32]\n" + yaml), {});
}

TEST(MemoryProblem, NamesTheLargestNeedAndHowToWriteItForLess) {
    const std::vector<MemoryNeed> needs{{"collective", "many steps", "choose fewer ranks", 3e9},
                                        {"network.background", "many messages", "choose larger ones", 5.5e9},
                                        {"ranks", "values", "choose fewer", 0}};
    EXPECT_FALSE(find_memory_problem(needs, 8.5e9));
    const auto problem = find_memory_problem(needs, 8.4e9);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->key, "network.background");
    EXPECT_EQ(problem->text,
              "the run needs about 8.5 GB of memory, of which 8.4 GB are free, most of it (5.5 GB) for many messages; "
              "choose larger ones");
}

TEST(Memory, OfStepsGrowsWithTheirNumberAndWithHowManyAreUnderWayAtOnce) {
    const auto bytes = [](const std::string& yaml) { return memory_of_steps(load(yaml).parameters, 1).bytes; };
    const double one = bytes("ranks: 64\ncollective: ring\n");
    EXPECT_GT(one, 2 * 63 * 64 * 80.0);   // at the very least what a step takes that shares its times
    EXPECT_NEAR(bytes("ranks: 64\ncollective: {kind: ring, slices: 8}\n") / one, 8, 0.2);
    // Half of the steps at once: 512 ranks held 725 MB (2 * 511 * 512 steps, 64 KiB, packets of 4 KiB).
    EXPECT_NEAR(bytes("ranks: 512\ncollective: direct\n"), 725e6, 200e6);
    EXPECT_GT(bytes("ranks: 4096\ncollective: {kind: direct, slices: 64}\n"), 1e11);
    EXPECT_LT(bytes("ranks: 64\njobs: [{ranks: [0-15]}, {ranks: [16-31]}]\ncollective: ring\n"), one / 2);
}

TEST(Memory, OfPacketsGrowsWithTheSizeAndTheSmallnessOfPackets) {
    const auto bytes = [](const std::string& yaml) { return memory_of_steps(load(yaml).parameters, 1).bytes; };
    EXPECT_GT(bytes("ranks: 8\nnetwork: {packet: 64B, header: 0B}\n"), bytes("ranks: 8\n") + 1000 * 40);
}

/// Of an experiment whose network is `network`.
MemoryNeed background(const std::string& network) {
    const Experiment experiment = load("ranks: 4\nnic: {latency: 1ms}\nnetwork: " + network + "\n");
    const Parameters& p = experiment.parameters;
    const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
    return memory_of_background(p, Routes(topology, p.network.routing, p.network.virtual_channels));
}

TEST(Memory, OfBackgroundTrafficIsThatOfItsMessages) {
    // A message of 1 + 82 B takes 1660 ps of a link of 400 Gbit/s: in 12 ms and more, four ranks offer 29 million.
    const MemoryNeed tiny = background("{background: {load: 0.999, message: 1B}}");
    EXPECT_EQ(tiny.key, "network.background");
    EXPECT_GT(tiny.bytes, 2e9);
    EXPECT_THAT(tiny.what, AllOf(HasSubstr("background messages in the "), HasSubstr("of which wait")));
    EXPECT_LT(background("{background: {load: 0.3, message: 64KiB}}").bytes, tiny.bytes / 100);
    EXPECT_NEAR(background("{background: {load: 0.1, message: 64KiB}}").bytes /
                    background("{background: {load: 0.2, message: 64KiB}}").bytes,
                0.5, 0.05);
}

TEST(Memory, OfValuesIsNoneWithoutValues) {
    Parameters p;
    p.ranks = 8;
    EXPECT_GE(memory_of_values(p, 1'000'000).bytes, 8 * 1e6 * 4 * 2);
    p.payload = Payload::synthetic;
    EXPECT_EQ(memory_of_values(p, 1'000'000).bytes, 0);
}

/// Of 400,000 values of each rank in one lossy method.
double bytes_of_lossy(const std::string& method, std::uint32_t ranks) {
    const testing::TemporaryFolder folder;
    const auto file = folder.write("exp.yaml", "trace: t\nmethods: [" + method + "]\n");
    Parameters p = load_experiment(file, {}).parameters;
    p.ranks = ranks;
    return memory_of_values(p, 400'000).bytes;
}

TEST(Memory, OfAnAllGatherGrowsWithTheSquareOfTheRanks) {
    const std::string top_k = "{kind: top_k, factor: 10}";
    // Values and positions of a tenth at all 64 ranks, by reference and by time, beside six arrays of all values.
    EXPECT_NEAR(bytes_of_lossy(top_k, 64), 64 * 4e5 * 4 * (6 + 2 * 64 * 0.2), 1e7);
    EXPECT_NEAR(bytes_of_lossy(top_k, 8), 8 * 4e5 * 4 * (6 + 2 * 8 * 0.2), 1e6);
    EXPECT_LT(bytes_of_lossy("{kind: top_k, factor: 1000}", 64), bytes_of_lossy(top_k, 64) / 4);
    const std::string power_sgd = "{kind: power_sgd, rank: 1}";   // by all-reduce
    EXPECT_NEAR(bytes_of_lossy(power_sgd, 64), 8 * bytes_of_lossy(power_sgd, 8), 1e6);
}

TEST(Memory, OfValuesIsThatOfTheMethodsThatRunAtOnce) {
    Parameters p;
    p.ranks = 8;
    p.methods.resize(25);
    EXPECT_EQ(concurrent_methods(p, 100'000), 25u);
    EXPECT_EQ(concurrent_methods(p, 6'553'600), 1u);   // a bucket of 25 MiB: 839 MB a method
    EXPECT_EQ(concurrent_methods(p, 1'000'000'000), 1u);
    for (std::uint64_t elements = 1000; elements < 100'000'000; elements *= 3) {
        const std::size_t methods = concurrent_methods(p, elements);
        Parameters these = p;
        these.methods.resize(methods);
        EXPECT_EQ(memory_of_values(p, elements).bytes, memory_of_values(these, elements).bytes);
        if (methods > 1) {
            EXPECT_LT(memory_of_values(p, elements).bytes, 1.6e9) << elements;
        }
    }
}

TEST(AvailableMemory, IsThatOfAHostThatRunsTests) {
    EXPECT_GT(available_memory(), 1e8);
    EXPECT_LT(available_memory(), 1e15);
}

}   // namespace
}   // namespace oscar::memory_test
