// NVSwitches that add, as NCCL's tuner counts on them: rates, latencies, chunks, and where it considers them.
#include "models/predict/nccl_nvls.hpp"

#include <gmock/gmock.h>

#include "models/predict/nccl_tuner.hpp"

namespace oscar::nccl_nvls_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

/// On NVLink 4 or 5; the NICs of a node carry 400 GB/s together.
NvlsMachine machine(std::uint32_t ranks_per_node, std::uint32_t nodes, NvlsGpus gpus = NvlsGpus::hopper) {
    return {gpus, gpus == NvlsGpus::hopper ? 2960_Gbps : 5774_Gbps, 3200_Gbps, ranks_per_node, nodes};
}

double gigabytes_a_second(const NvlsMachine& machine, Operation operation = Operation::all_reduce) {
    return static_cast<double>(nvls_rate(machine, operation).value().mbps) / 8000;
}

/// A port of 370 GB/s carries 9 channels of 40 GB/s, 7 of 50, 5 of 60 or 4 of 60, the largest; NVLink 5, 721.75 GB/s, 9
/// of 80. Published of H100: 480 GB/s of eight GPUs and 440 of six (NVIDIA/nccl#1455), of eight B300 845.
TEST(NvlsRate, InANodeHasAChannelForEachGpuAtARateOfTheSearch) {
    EXPECT_NEAR(gigabytes_a_second(machine(8, 1)), 2 * 0.85 * 40 * 7, 0.01);   // 476
    EXPECT_NEAR(gigabytes_a_second(machine(6, 1)), 2 * 0.85 * 50 * 5, 0.01);   // 425
    EXPECT_NEAR(gigabytes_a_second(machine(4, 1)), 2 * 0.85 * 60 * 3, 0.01);   // 306, less than a ring's 370
    EXPECT_NEAR(gigabytes_a_second(machine(3, 1)), 2 * 0.85 * 60 * 2, 0.01);
    EXPECT_NEAR(gigabytes_a_second(machine(8, 1, NvlsGpus::blackwell)), 2 * 0.74 * 80 * 7, 0.01);   // 829
}

/// Of 72 GPUs 32 add: 33 channels of 20 GB/s are within 721.75.
TEST(NvlsRate, OfManyGpusHas32Channels) {
    EXPECT_NEAR(gigabytes_a_second(machine(72, 1, NvlsGpus::blackwell)), 2 * 0.74 * 20 * 31, 0.01);
}

TEST(NvlsRate, OfAReduceScatterOrAllGatherIsThatOfOneWayOfThePartsOfOthers) {
    for (const Operation operation : {Operation::reduce_scatter, Operation::all_gather})
        EXPECT_NEAR(gigabytes_a_second(machine(8, 1), operation), 0.85 * 40 * 7 * 7 / 8, 0.01);
}

/// Eight channels of 57.7 GB/s are less than 476 inside and 800 of the NICs; of 45.5 less than 400 of the NICs.
TEST(NvlsRate, BetweenNodesIsLimitedByTheNetworkAndItsChannels) {
    EXPECT_NEAR(gigabytes_a_second(machine(8, 2)), 8 * 57.7, 0.01);
    EXPECT_NEAR(gigabytes_a_second(machine(8, 4)), 8 * 45.5, 0.01);
    NvlsMachine slow = machine(8, 2);
    slow.network = 800_Gbps;
    EXPECT_NEAR(gigabytes_a_second(slow), 200, 0.01);   // of two nodes, which send one half each way
    slow.nodes = 3;
    EXPECT_NEAR(gigabytes_a_second(slow), 100, 0.01);
    EXPECT_NEAR(gigabytes_a_second(machine(8, 4, NvlsGpus::blackwell)), 8 * 43.1, 0.01);
}

TEST(NvlsRate, IsNoneOfTwoGpusOfAPortTooSlowAndOfPartsBetweenNodes) {
    EXPECT_FALSE(nvls_rate(machine(2, 1), Operation::all_reduce));
    EXPECT_FALSE(nvls_rate(machine(1, 8), Operation::all_reduce));
    EXPECT_FALSE(nvls_rate(machine(8, 2), Operation::all_gather));
    NvlsMachine slow = machine(8, 1);
    slow.nvlink = 215_Gbps;   // 26.9 GB/s, and 9 of 3 are 27
    EXPECT_FALSE(nvls_rate(slow, Operation::all_reduce));
    slow.nvlink = 216_Gbps;
    EXPECT_TRUE(nvls_rate(slow, Operation::all_reduce));
}

/// Eight GPUs, 16 channels: chunks of 128 KiB make 16 MiB.
TEST(NvlsChunks, AreSmallerOfFewerBytes) {
    const auto chunks = [](Bytes size) { return nvls_chunks(machine(8, 1), size); };
    EXPECT_EQ(chunks(2_GiB), 128u);
    EXPECT_EQ(chunks(1_GiB), 64u);     // just 64 of 128 KiB
    EXPECT_EQ(chunks(512_MiB), 64u);   // of 64 KiB, 8 MiB
    EXPECT_EQ(chunks(64_MiB), 8u);     // just 8 of them
    EXPECT_EQ(chunks(32_MiB), 8u);     // of 32 KiB, 4 MiB
    EXPECT_EQ(chunks(4_MiB), 2u);      // of 16 KiB, 2 MiB
    EXPECT_EQ(chunks(1_KiB), 1u);
}

TEST(NvlsChunks, OfTreesAreSmallerOfFewerBytesAndOfFourNodes) {
    const auto chunks = [](std::uint32_t nodes, Bytes size) { return nvls_chunks(machine(8, nodes), size); };
    EXPECT_EQ(chunks(2, 64_MiB), 4u);                                            // of 128 KiB, 16 MiB
    EXPECT_EQ(chunks(2, 32_MiB), 4u);                                            // of 64 KiB
    EXPECT_EQ(chunks(4, 64_MiB), 8u);                                            // of 64 KiB
    EXPECT_EQ(chunks(4, 4_MiB), 1u);                                             // of 32 KiB
    EXPECT_EQ(nvls_chunks(machine(8, 1, NvlsGpus::blackwell), 1536_MiB), 64u);   // 24 channels, 24 MiB
    EXPECT_EQ(nvls_chunks(machine(8, 2, NvlsGpus::blackwell), 256_MiB), 8u);     // 32 channels, 32 MiB
}

NcclParams tuner(std::uint32_t ranks_per_node) {
    NcclParams params;
    params.release = NcclRelease::v2_28;
    params.ranks_per_node = ranks_per_node;
    params.network_ll128 = true;
    params.bandwidth = 2960_Gbps;
    params.nvls = NvlsGpus::hopper;
    return params;
}

std::vector<std::string> names(const NcclParams& params, std::uint32_t ranks) {
    std::vector<std::string> result;
    for (const Predicted& candidate : predictions(params, ranks, 1_MiB)) result.push_back(candidate.name);
    return result;
}

Time time_of(const NcclParams& params, std::uint32_t ranks, Bytes size, const std::string& name) {
    for (const Predicted& candidate : predictions(params, ranks, size))
        if (candidate.name == name) return candidate.time;
    ADD_FAILURE() << name << " is no candidate";
    return {};
}

TEST(NcclTunerNvls, IsConsideredWithinANodeAndItsTreesBetweenNodes) {
    EXPECT_THAT(names(tuner(8), 8), ElementsAre("ring/LL", "ring/LL128", "ring/Simple", "NVLS/Simple"));
    EXPECT_THAT(names(tuner(8), 32), Contains("NVLSTree/Simple"));
    EXPECT_THAT(names(tuner(8), 32), Not(Contains("NVLS/Simple")));
    EXPECT_THAT(names(tuner(2), 2), Not(Contains("NVLS/Simple")));
    NcclParams old = tuner(8), other = tuner(8);
    old.release = NcclRelease::v2_8;
    EXPECT_THAT(names(old, 8), Not(Contains("NVLS/Simple")));
    other.nvls.reset();
    EXPECT_THAT(names(other, 8), Not(Contains("NVLS/Simple")));
}

/// 1e9 bytes at 14/8 / 476 GB/s are 3676.47 us.
TEST(NcclTunerNvls, TakesTheLatencyOfTheSwitchAndOfTheTrees) {
    EXPECT_NEAR(static_cast<double>(time_of(tuner(8), 8, {1'000'000'000}, "NVLS/Simple").ps) / 1e6,
                25 + 1e6 * 14 / 8 / 476, 0.01);
    EXPECT_NEAR(static_cast<double>(time_of(tuner(8), 32, {1'000'000'000}, "NVLSTree/Simple").ps) / 1e6,
                25 + 2 * 2 * 14 + 1e6 * 62 / 32 / 364, 0.01);   // two levels
}

/// LL sends 1 MiB in 15 us and 13 us of bytes, NVLS in 25 and 3.9; of 512 KiB LL saves a half of the 13.
TEST(NcclTunerNvls, IsChosenFromOneMebibyteOn) {
    EXPECT_EQ(fastest_choice(tuner(8), 8, 512_KiB).predicted.name, "ring/LL");
    EXPECT_EQ(fastest_choice(tuner(8), 8, 2_MiB).predicted.name, "NVLS/Simple");
    EXPECT_EQ(fastest_choice(tuner(8), 8, 1_GiB).predicted.name, "NVLS/Simple");
    EXPECT_EQ(fastest_choice(tuner(4), 4, 1_GiB).predicted.name, "ring/Simple");   // 306 against 370 GB/s
}

/// Half of the steps and bytes of an AllReduce's ring: 7 of 0.6 us; of 2 nodes of 4 one of 7 goes between them. No
/// plateau.
TEST(NcclTunerShards, TakeHalfTheStepsOfARing) {
    for (const Operation operation : {Operation::reduce_scatter, Operation::all_gather}) {
        NcclParams params = tuner(0);
        params.bandwidth = 8_Gbps;
        params.operation = operation;
        EXPECT_EQ(time_of(params, 8, {8000}, "ring/LL").ps, 6'600'000 + 7 * 600'000 + 14'000'000);
        params.ranks_per_node = 4;
        EXPECT_EQ(time_of(params, 8, {8000}, "ring/Simple").ps, 8'400'000 + 6 * 3'400'000 + 1 * 14'000'000 + 7'000'000);
        EXPECT_THAT(names(params, 8), ElementsAre("ring/LL", "ring/LL128", "ring/Simple"));
        params.release = NcclRelease::v2_8;   // counts one hop more
        EXPECT_EQ(time_of(params, 8, {8000}, "ring/Simple").ps, 8'400'000 + 5 * 3'400'000 + 2 * 9'600'000 + 7'000'000);
    }
}

TEST(NcclTunerShards, AreTheOnlyOperationsBesideAnAllReduce) {
    NcclParams params = tuner(8);
    params.operation = Operation::broadcast;
    EXPECT_THROW(predictions(params, 8, 1_MiB), std::invalid_argument);
}

/// 1.86 us a GB at 208 GB/s against 7/8 / 370 GB/s: a ring is faster, as NCCL finds.
TEST(NcclTunerShards, AreFasterOnARingThanByTheSwitches) {
    NcclParams params = tuner(8);
    params.operation = Operation::all_gather;
    for (const Bytes size : {64_KiB, 4_MiB, 1_GiB})
        EXPECT_EQ(fastest_choice(params, 8, size).algorithm, NcclAlgorithm::ring);
    EXPECT_NEAR(static_cast<double>(time_of(params, 8, {1'000'000'000}, "NVLS/Simple").ps) / 1e6,
                25 + 1e6 / (0.85 * 40 * 7 * 7 / 8), 0.01);
}

}   // namespace
}   // namespace oscar::nccl_nvls_test
