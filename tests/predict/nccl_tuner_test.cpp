#include "models/predict/nccl_tuner.hpp"

#include <gmock/gmock.h>

#include "models/predict/predictors.hpp"

namespace oscar::nccl_tuner_test {
namespace {

using ::testing::ElementsAre;

/// 1 GB/s, so that a byte takes a nanosecond; no launch.
NcclParams plain(std::uint32_t ranks_per_node) {
    NcclParams params;
    params.ranks_per_node = ranks_per_node;
    params.bandwidth = 8_Gbps;
    return params;
}

Time time_of(const std::vector<Predicted>& candidates, std::string_view name) {
    for (const Predicted& candidate : candidates)
        if (candidate.name == name) return candidate.time;
    ADD_FAILURE() << name << " is no candidate";
    return {};
}

std::vector<std::string> names(const std::vector<Predicted>& candidates) {
    std::vector<std::string> result;
    for (const Predicted& candidate : candidates) result.push_back(candidate.name);
    return result;
}

TEST(NcclTuner, SumsTheHopsOfARingInANode) {
    const auto all = predictions(plain(0), 8, {8000});   // 14 hops; 2 * 7/8 * 8000 = 14000 bytes
    EXPECT_EQ(time_of(all, "ring/LL").ps, 3'600'000 + 14 * 470'000 + 4 * 14'000'000);
    EXPECT_EQ(time_of(all, "ring/LL128").ps, 10'000'000 + 14 * 1'900'000 + 15'218'000);   // 14000 / 0.92 = 15217.4
    EXPECT_EQ(time_of(all, "ring/Simple").ps, 8'400'000 + 14 * 3'400'000 + 14'000'000);
}

TEST(NcclTuner, SumsTheHopsOfARingBetweenNodes) {
    const auto all = predictions(plain(4), 8, {8000});   // 2 nodes: 4 of the 14 hops are of the network
    EXPECT_EQ(time_of(all, "ring/LL").ps, 3'600'000 + 10 * 470'000 + 4 * 2'700'000 + 4 * 14'000'000);
    // The plateau: 1.4 of (8.4 + 10 * 3.4 + 4 * 9.6) us.
    EXPECT_EQ(time_of(all, "ring/Simple").ps, 80'800'000 * 14 / 10 + 14'000'000);
}

TEST(NcclTuner, SumsTheHopsOfATreeBetweenNodes) {
    const auto all = predictions(plain(4), 16, {8000});   // 4 nodes: 2 levels; 3 hops in each node
    // floor(log2(8000 / 64)) = 6: LL has 0.7, Simple 0.9 of 0.9 of the bandwidth; 16000 bytes.
    EXPECT_EQ(time_of(all, "tree/LL").ps,
              4'400'000 + 2 * (3 * 470'000 + 2 * 5'000'000) + 4 * 25'397'000);   // 16000 / 0.63 = 25396.8
    EXPECT_EQ(time_of(all, "tree/Simple").ps,
              2 * (3 * 3'400'000 + 2 * 50'000'000) + 19'754'000);   // 16000 / 0.81 = 19753.1
}

TEST(NcclTuner, CorrectsTreesBySizeUpToTheEndOfTheTable) {
    const auto slowdown = [](std::string_view name, std::uint64_t size) {   // bytes carried over 2 * size / 0.9
        for (const Predicted& p : predictions(plain(4), 8, {size}))
            if (p.name == name) return static_cast<double>(p.line->carried.count) * 0.9 / 2 / static_cast<double>(size);
        return 0.0;
    };
    EXPECT_NEAR(slowdown("tree/Simple", 63), 1 / 0.9, 0.02);        // like 64 B; whole bytes
    EXPECT_NEAR(slowdown("tree/Simple", 1 << 16), 1 / 0.6, 1e-3);   // floor(log2(64 Ki / 64)) = 10
    EXPECT_NEAR(slowdown("tree/LL", 1 << 16), 4 / 0.6, 1e-3);
    EXPECT_NEAR(slowdown("tree/Simple", std::uint64_t{1} << 28), 1 / 0.9, 1e-3);   // 22, the last
    EXPECT_NEAR(slowdown("tree/Simple", std::uint64_t{1} << 29), 1, 1e-3);         // beyond
}

TEST(NcclTuner, ConsidersTreesAndTheNetworksLL128OnlyWhereTheyWork) {
    EXPECT_THAT(names(predictions(plain(0), 8, 1_KiB)), ElementsAre("ring/LL", "ring/LL128", "ring/Simple"));
    EXPECT_THAT(names(predictions(plain(4), 8, 1_KiB)),
                ElementsAre("ring/LL", "tree/LL", "ring/Simple", "tree/Simple"));
    NcclParams params = plain(4);
    params.network_ll128 = true;
    EXPECT_EQ(predictions(params, 8, 1_KiB).size(), 6u);
}

TEST(NcclTuner, ChoosesLowLatencyForSmallAndBandwidthForLarge) {
    NcclParams params;
    params.bandwidth = 1600_Gbps;
    const auto choice = [&](Bytes size) { return fastest(predictions(params, 8, size)).name; };
    EXPECT_EQ(choice(1_KiB), "ring/LL");
    EXPECT_EQ(choice(4_MiB), "ring/LL128");
    EXPECT_EQ(choice(1_GiB), "ring/Simple");
}

TEST(NcclTuner, NamesTheFastestOfAllWithItsAlgorithmAndProtocol) {
    const auto chosen = [](std::uint32_t ranks_per_node, Bytes size) {
        const NcclParams params = plain(ranks_per_node);
        const NcclChoice choice = fastest_choice(params, 8, size);
        EXPECT_EQ(choice.predicted.name, fastest(predictions(params, 8, size)).name);
        EXPECT_EQ(choice.predicted.name,
                  std::string(to_text(choice.algorithm)) + "/" + std::string(to_text(choice.protocol)));
        return choice.predicted.name;
    };
    EXPECT_EQ(chosen(4, 64_B), "tree/LL");
    EXPECT_EQ(chosen(4, 1_GiB), "ring/Simple");
    EXPECT_EQ(chosen(0, 64_B), "ring/LL");
}

TEST(NcclTuner, GivesTheLinksOfATreeNineTenthsOrLessOfTheRate) {
    const NcclParams params = plain(4);                                                              // 8 Gbit/s
    EXPECT_EQ(tree_of(params, 8, NcclProtocol::simple, {std::uint64_t{1} << 30}).rate, 7200_Mbps);   // beyond the table
    EXPECT_EQ(tree_of(params, 8, NcclProtocol::simple, 64_KiB).rate,
              Bandwidth{4320});   // 0.6 of 0.9: floor(log2(1024)) = 10
    EXPECT_EQ(tree_of(params, 8, NcclProtocol::ll, 64_KiB).rate, Bandwidth{1080});   // and a quarter
    EXPECT_EQ(tree_of(params, 8, NcclProtocol::ll, 1_KiB).hop.network, 5_us);
    EXPECT_EQ(tree_of(params, 8, NcclProtocol::ll, 1_KiB).base, 4400_ns);
}

NcclParams recent(std::uint32_t ranks_per_node) {
    NcclParams params = plain(ranks_per_node);
    params.release = NcclRelease::v2_28;
    params.network_ll128 = true;
    return params;
}

/// Two nodes of four: 2 of the 14 hops are of the network; the 14000 bytes pass at a half (LL), 0.92 (LL128) or all.
TEST(NcclTuner, OfRelease228SumsTheHopsOfARing) {
    const auto all = predictions(recent(4), 8, {8000});
    EXPECT_EQ(time_of(all, "ring/LL").ps, 6'600'000 + 12 * 1'000'000 + 2 * 2'700'000 + 28'000'000);   // posting: 1 us
    EXPECT_EQ(time_of(all, "ring/LL128").ps, 14'000'000 + 12 * 1'900'000 + 2 * 4'000'000 + 15'218'000);
    EXPECT_EQ(time_of(all, "ring/Simple").ps, (8'400'000 + 12 * 3'400'000 + 2 * 14'000'000) * 14 / 10 + 14'000'000);
    NcclParams amd = recent(4);
    amd.host = NcclHost::amd;   // posting takes 2 us, three times that with Simple
    EXPECT_EQ(time_of(predictions(amd, 8, {8000}), "ring/Simple").ps,
              (8'400'000 + 12 * 6'000'000 + 2 * 14'000'000) * 14 / 10 + 14'000'000);
    const auto in_a_node = predictions(recent(0), 8, {8000});
    EXPECT_EQ(time_of(in_a_node, "ring/LL").ps, 6'600'000 + 14 * 600'000 + 28'000'000);
}

TEST(NcclTuner, OfRelease228GivesARingOfSingleRanksTheLatenciesOfTrees) {
    const auto all = predictions(recent(1), 8, {8000});
    EXPECT_EQ(time_of(all, "ring/LL128").ps, 14'000'000 + 14 * 8'500'000 + 15'218'000);
}

/// 4 nodes of 4: 2 levels; floor(log2(8000 / 64)) = 6: 0.7 (LL), 0.8 (LL128) and 0.9 (Simple). 16000 bytes at 8000
/// Mbit/s times 0.92, of which LL has 10/38, LL128 15/16: 1936.8, 6900, 7360 Mbit/s before the correction, rounded
/// down.
TEST(NcclTuner, OfRelease228SumsTheHopsOfATree) {
    const auto all = predictions(recent(4), 16, {8000});
    EXPECT_EQ(time_of(all, "tree/LL").ps, 6'800'000 + 2 * (3 * 600'000 + 2 * 5'000'000) + 94'465'000);   // 1355 Mbit/s
    EXPECT_EQ(time_of(all, "tree/LL128").ps,
              14'000'000 + 2 * (3 * 1'250'000 + 2 * 8'500'000) + 23'189'000);   // 5520 Mbit/s: 23188.4
    EXPECT_EQ(time_of(all, "tree/Simple").ps,
              8'400'000 + 2 * (3 * 4'000'000 + 2 * 14'000'000) + 19'324'000);   // 6624 Mbit/s: 19323.7
}

TEST(NcclTuner, OfRelease228LimitsLowLatencyByTheHost) {
    NcclParams params = recent(4);
    params.bandwidth = 3200_Gbps;
    const auto most = [&](NcclHost host, std::uint32_t ranks) {
        params.host = host;
        return rate_of(params, ranks, NcclAlgorithm::ring, NcclProtocol::ll, 1_MiB);
    };
    EXPECT_EQ(most(NcclHost::intel, 4), 1128_Gbps);   // one node
    EXPECT_EQ(most(NcclHost::intel, 8), 312_Gbps);
    EXPECT_EQ(most(NcclHost::amd, 8), 180_Gbps);
    EXPECT_EQ(most(NcclHost::intel, 16), 163'200_Mbps);
    EXPECT_EQ(most(NcclHost::amd, 16), 152_Gbps);
}

TEST(NcclTuner, CutsATreeOfSimpleFinerWhereItIsDeepOrTheSizeIsSmall) {
    const auto chunks = [](std::uint32_t ranks, Bytes size) {
        return tree_chunks(plain(4), ranks, NcclProtocol::simple, size);
    };
    EXPECT_EQ(chunks(8, 1_GiB), 1024u);     // 512 KiB of 512 MiB
    EXPECT_EQ(chunks(8, 64_MiB), 64u);      // depth 3 + 1: 64 >= 8 * 4
    EXPECT_EQ(chunks(128, 64_MiB), 64u);    // depth 3 + 5: 64 >= 8 * 8
    EXPECT_EQ(chunks(256, 64_MiB), 128u);   // depth 3 + 6: 64 < 8 * 9, so 256 KiB
    EXPECT_EQ(chunks(256, 4_MiB), 32u);     // 16 of 128 KiB < 4 * 9, so 64 KiB
    EXPECT_EQ(chunks(256, 1_MiB), 16u);     // 8 of 64 KiB < 9, so 32 KiB, the least
    EXPECT_EQ(chunks(256, 4_B), 1u);
}

TEST(NcclTuner, CutsATreeOfLowLatencyIntoWhatAWarpMoves) {
    EXPECT_EQ(tree_chunks(plain(4), 8, NcclProtocol::ll, 64_KiB), 128u);     // 32 KiB / (32 * 8 B)
    EXPECT_EQ(tree_chunks(plain(4), 8, NcclProtocol::ll128, 64_KiB), 69u);   // ceil(32 KiB / (4 * 120 B))
    EXPECT_EQ(tree_chunks(plain(4), 8, NcclProtocol::ll, 0_B), 1u);
}

TEST(NcclTuner, IsMonotoneInSizeForEveryCandidateWithoutACorrection) {
    for (std::uint64_t size = 64; size < std::uint64_t{1} << 34; size *= 2)
        for (const char* name : {"ring/LL", "ring/Simple"})
            EXPECT_LE(time_of(predictions(plain(4), 8, {size}), name),
                      time_of(predictions(plain(4), 8, {2 * size}), name));
}

TEST(NcclTuner, AddsTheLaunchToEveryCandidateOutsideItsLine) {
    NcclParams params = plain(4);
    const auto without = predictions(params, 8, 1_MiB);
    params.launch = 25_us;
    const auto with = predictions(params, 8, 1_MiB);
    for (std::size_t i = 0; i < with.size(); ++i) {
        EXPECT_EQ(with[i].time, without[i].time + 25_us);
        EXPECT_EQ(with[i].line->fixed + serialization(with[i].line->carried, params.bandwidth), without[i].time);
    }
}

TEST(NcclTuner, RefusesNodesThatDoNotDivideTheRanks) {
    EXPECT_THROW(predictions(plain(3), 8, 1_KiB), std::invalid_argument);
}

TEST(Predictors, TakeTheFirstOfEquallyFastCandidates) {
    EXPECT_EQ(fastest({{"a", 2_ns}, {"b", 1_ns}, {"c", 1_ns}}).name, "b");
}

TEST(Predictors, AnswerForEveryKindOfTheirList) {
    const Schedule schedule = make_schedule(RingParams{}, 8);
    for_each_kind(predictors, [&]<class P>(const Kind<P>& kind) {
        const auto candidates = predictions(Predictor{P{}}, {schedule, 1_MiB});
        ASSERT_FALSE(candidates.empty()) << kind.name;
        EXPECT_GT(fastest(candidates).time, Time{}) << kind.name;
    });
}

TEST(Predictors, DrawALineOfLatencyAndBandwidth) {
    EXPECT_EQ(predictions(LineParams{3_us, 8_Gbps}, {{}, {2000}})[0].time, 5_us);   // 3 us + 2000 B at 1 B/ns
}

}   // namespace
}   // namespace oscar::nccl_tuner_test
