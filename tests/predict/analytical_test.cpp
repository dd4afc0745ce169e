#include "models/predict/analytical.hpp"

#include <gtest/gtest.h>

#include <random>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/algorithms/halves.hpp"

namespace oscar::analytical_test {
namespace {

/// T of one split over `bytes`, in whole nanoseconds, as the formula stands in the literature; rates in bytes per
/// second.
std::int64_t ring_formula(const AnalyticalParams& p, std::int64_t n, std::int64_t hop_count, std::int64_t bytes) {
    const std::int64_t m = bytes / n, latency = hop_count * p.latency.ps / 1000;
    const auto over = [m](Bytes rate) { return m * 1'000'000'000 / static_cast<std::int64_t>(rate.count); };
    return (2 * (n - 1) + 1) * p.endpoint_delay.ps / 1000 + 2 * (n - 1) * (latency + over(p.bandwidth)) +
           (n - 1) * p.memory_passes * over(p.memory);
}

Time ring_time(const AnalyticalParams& params, std::uint32_t ranks, Bytes size) {
    return analytical_time(params, make_schedule(RingParams{}, ranks), size);
}

AnalyticalParams four_splits(AnalyticalTopology topology, Bytes memory) {
    AnalyticalParams params;
    params.topology = topology;
    params.memory = memory;
    params.splits = 4;
    return params;
}

TEST(Analytical, GivesTheRegressionOfTheAnalyticalNetworkToTheNanosecond) {
    // m = 1 MiB / 4 / 8 = 32768 B; a hop floor(500 + 32768 / 53.6870912) = 1110 ns; memory floor(32768 / 50) = 655 ns;
    // 4 (15 * 10 + 14 * 1110 + 7 * 3 * 655) = 117780 ns.
    EXPECT_EQ(ring_time(four_splits(AnalyticalTopology::ring, {50'000'000'000}), 8, 1_MiB), 117'780_ns);
}

TEST(Analytical, GivesThePublishedGridToTheNanosecond) {
    const auto params = four_splits(AnalyticalTopology::star, {1'600'000'000'000});
    const std::uint64_t sizes[] = {1024, 16384, 65536, 1048576, 67108864};
    const std::int64_t of_8[] = {56600, 57104, 58812, 92440, 2354112};
    const std::int64_t of_16[] = {121240, 121720, 123520, 159640, 2582860};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(ring_time(params, 8, {sizes[i]}).ps, of_8[i] * 1000) << sizes[i];
        EXPECT_EQ(ring_time(params, 16, {sizes[i]}).ps, of_16[i] * 1000) << sizes[i];
    }
}

/// A split begins with the delay of an endpoint, which two collectives pay twice.
TEST(Analytical, GivesTheHalvesOfAnAllReduceItsTimeTogether) {
    AnalyticalParams params = four_splits(AnalyticalTopology::star, {1'600'000'000'000});
    const auto time = [&](const Collective& collective) {
        return analytical_time(params, make_schedule(collective, 16, 4), 16_MiB).ps;
    };
    const std::int64_t delays = params.splits * params.endpoint_delay.ps;
    EXPECT_EQ(time(ReduceScatterParams{}) + time(AllGatherParams{}), time(HierarchicalParams{}) + delays);
    ReduceScatterParams first;
    first.shape = ReduceScatterShape::ring;
    EXPECT_EQ(time(first) + time(all_gather_of(first)), time(RingParams{}) + delays);
}

TEST(Analytical, EvaluatesARingScheduleToItsFormula) {
    std::mt19937_64 random(1);
    for (std::uint32_t n = 2; n <= 33; ++n)
        for (const AnalyticalTopology topology : {AnalyticalTopology::ring, AnalyticalTopology::star}) {
            const Bytes size{random() % 100'000'000}, memory{1'000'000'000 + random() % 2'000'000'000'000};
            AnalyticalParams params = four_splits(topology, memory);
            params.splits = 1 + static_cast<std::uint32_t>(random() % 5);
            params.bandwidth = {1'000'000'000 + random() % 400'000'000'000};
            const auto part = static_cast<std::int64_t>(size.count / params.splits);
            const std::int64_t hop_count = topology == AnalyticalTopology::star ? 2 : 1;
            EXPECT_EQ(ring_time(params, n, size).ps, params.splits * ring_formula(params, n, hop_count, part) * 1000)
                << n << " ranks, " << size.count << " bytes";
        }
}

TEST(Analytical, CountsHopsTheShorterWayRoundARing) {
    EXPECT_EQ(hops(AnalyticalTopology::ring, 16, Rank{1}, Rank{4}), 3u);
    EXPECT_EQ(hops(AnalyticalTopology::ring, 16, Rank{4}, Rank{1}), 3u);
    EXPECT_EQ(hops(AnalyticalTopology::ring, 16, Rank{15}, Rank{0}), 1u);
    EXPECT_EQ(hops(AnalyticalTopology::star, 16, Rank{1}, Rank{4}), 2u);
    EXPECT_EQ(hops(AnalyticalTopology::fully_connected, 16, Rank{1}, Rank{4}), 1u);
}

TEST(Analytical, ForwardsAMebibyteOverOneTwoAndThreeHopsAsPublished) {
    AnalyticalParams params;   // 1 MiB / 53.6870912 B/ns = 19531.25 ns; with 500 ns floor 20031
    params.forwarding = Forwarding::store_and_forward;
    EXPECT_EQ(transit(params, 3, 1_MiB), 60'093_ns);
    EXPECT_EQ(transit(params, 2, 1_MiB), 40'062_ns);
    EXPECT_EQ(transit(params, 1, 1_MiB), 20'031_ns);
    params.forwarding = Forwarding::cut_through;
    EXPECT_EQ(transit(params, 3, 1_MiB), 21'031_ns);
    EXPECT_EQ(transit(params, 2, 1_MiB), 20'531_ns);
}

TEST(Analytical, DropsTheFractionOfTheSumAndNotOfItsParts) {
    AnalyticalParams params;
    params.latency = 500'750_ps;
    params.bandwidth = {1'000'000'000};           // 1 B/ns
    EXPECT_EQ(transit(params, 1, {7}), 507_ns);   // 500.75 + 7
    params.bandwidth = {4'000'000'000};           // a quarter of a nanosecond a byte
    EXPECT_EQ(transit(params, 1, {1}), 501_ns);   // 500.75 + 0.25: whole only together
    params.latency = 500'749_ps;
    EXPECT_EQ(transit(params, 1, {1}), 500_ns);
}

TEST(Analytical, TakesChunksBetweenTwoRanksInOneTimestepAsOneMessage) {
    const auto step = [](std::uint32_t chunk) {
        return Step{Rank{0}, Rank{1}, ChunkId{chunk}, Op::reduce, Timestep{0}, {}};
    };
    AnalyticalParams params;
    params.bandwidth = params.memory = {1'000'000'000};   // 1 B/ns
    // 10 + (500 + 2 * 100) + 3 * 2 * 100 + 10
    EXPECT_EQ(analytical_time(params, {2, 2, {step(0), step(1)}}, {200}), 1'320_ns);
}

TEST(Analytical, TakesNoTimeForAnEmptySchedule) { EXPECT_EQ(analytical_time({}, {2, 1, {}}, 1_KiB), 0_ps); }

}   // namespace
}   // namespace oscar::analytical_test
