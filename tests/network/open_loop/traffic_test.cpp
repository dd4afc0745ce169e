#include "models/network/open_loop/traffic.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/network/open_loop/saturation.hpp"
#include "tests/network/grid/support.hpp"

namespace oscar::traffic_test {
namespace {

const RouterGrid mesh4(RouterMeshParams{4, 4});

TrafficParams tornado() {
    TrafficParams traffic;
    traffic.pattern = TornadoTrafficParams{};
    return traffic;
}

// The published latencies of this router, to a tenth of a cycle, are of one run of some thousand packets. Packets pass
// 2 to 7 routers, latencies spread by 8 cycles: over 16,000 packets a mean has a standard deviation of 8 / 126 = 0.06.
// At 0.4, near saturation, queues correlate over some 1,000 cycles: 20 independent stretches give 5 / sqrt(20), 1.1.
TEST(TornadoOnA4x4Mesh, HasThePublishedLatencies) {
    const std::tuple<double, double, double> published[] = {
        {0.05, 18.1, 0.2}, {0.20, 18.2, 0.2}, {0.30, 18.7, 0.2}, {0.40, 22.6, 1.1}};
    for (const auto& [load, cycles, tolerance] : published) {
        const LoadPoint point = measure_load(mesh4, test::small_buffers(), tornado(), load, 1);
        EXPECT_NEAR(point.mean_latency.value(), cycles, tolerance) << load;
        EXPECT_NEAR(point.accepted, point.created, 0.002) << load;
        EXPECT_TRUE(point.steady) << load;
    }
}

// Every link carries the flits of one node, and passes 4 in 9 cycles: at full load, all links do nothing else.
TEST(TornadoOnA4x4Mesh, AcceptsFourNinthsAtFullLoad) {
    TrafficParams traffic = tornado();
    traffic.measure = 9000;
    traffic.drain = 0;
    const LoadPoint point = measure_load(mesh4, test::small_buffers(), traffic, 1, 1);
    EXPECT_NEAR(point.accepted, 4.0 / 9, 0.0005);   // a flit more or less at each node is 1 / 9000
    EXPECT_FALSE(point.mean_latency);
    EXPECT_GT(point.backlog_flits, 16u * 9000 / 2);
}

// Bisection ends within 0.01 of the highest load that is borne; of a load above 4/9, 4/9 arrives, so that it is borne
// up to 4/9 / (1 - 0.01) = 0.449. Below 0.43 queues are short (under 40 cycles in all).
TEST(TornadoOnA4x4Mesh, SaturatesAtFourNinths) {
    TrafficParams traffic = tornado();
    traffic.drain = 0;
    const Saturation found = find_saturation(
        {0.01, 0.01}, [&](double load) { return measure_load(mesh4, test::small_buffers(), traffic, load, 1); });
    EXPECT_GE(found.load, 0.42);
    EXPECT_LE(found.load, 0.449);
    EXPECT_NEAR(found.at_full_load, 4.0 / 9, 0.001);
}

TEST(MeasuredLoad, IsAFunctionOfTheSeed) {
    const auto measure = [](std::uint64_t seed) {
        TrafficParams traffic;
        traffic.measure = 2000;
        return measure_load(mesh4, VcRouterParams{}, traffic, 0.3, seed);
    };
    EXPECT_EQ(measure(1).mean_latency, measure(1).mean_latency);
    EXPECT_EQ(measure(1).packets, measure(1).packets);
    EXPECT_NE(measure(1).mean_latency, measure(2).mean_latency);
}

// 16 nodes in 20,000 cycles at 0.3: 96,000 expected, standard deviation sqrt(320,000 * 0.3 * 0.7) = 259: 0.0008 of the
// load.
TEST(MeasuredLoad, CreatesWhatIsOfferedAndMeasuresAllOfIt) {
    const LoadPoint point = measure_load(mesh4, VcRouterParams{}, TrafficParams{}, 0.3, 3);
    EXPECT_NEAR(point.created, 0.3, 5 * 0.0008);
    EXPECT_EQ(point.packets, static_cast<std::uint64_t>(std::llround(point.created * 16 * 20'000)));
    EXPECT_LE(*point.p50_latency, *point.p99_latency);
    EXPECT_LE(*point.p99_latency, *point.max_latency);
}

TEST(MeasuredLoad, CountsFlitsWherePacketsHaveSeveral) {
    TrafficParams traffic;
    traffic.packet_flits = 4;
    const LoadPoint point = measure_load(mesh4, VcRouterParams{}, traffic, 0.2, 1);
    EXPECT_NEAR(point.accepted, 0.2, 0.005);
    EXPECT_NEAR(static_cast<double>(point.packets), 0.2 / 4 * 16 * 20'000, 600);
}

/// A network that bears loads up to `bound` and passes that of more.
LoadPoint with_bound(double load, double bound) {
    LoadPoint point;
    point.offered = point.created = load;
    point.accepted = std::min(load, bound);
    return point;
}

TEST(SaturationSearch, FindsTheBoundWithinItsResolutionFromBelow) {
    for (const double bound : {0.01, 0.3, 0.5, 0.777}) {
        const Saturation found = find_saturation({0.001, 1e-4}, [&](double load) { return with_bound(load, bound); });
        EXPECT_NEAR(found.load, bound, 0.0011) << bound;
        EXPECT_DOUBLE_EQ(found.at_full_load, bound);
    }
}

TEST(SaturationSearch, IsTheFullLoadWhereThatIsBorne) {
    const Saturation found = find_saturation({}, [](double load) { return with_bound(load, 2); });
    EXPECT_EQ(found.load, 1);
    EXPECT_EQ(found.accepted, 1);
}

// Dally & Towles 2004: links of the mesh bear 0.5, of the torus 1. The router of this test (12 VCs of 32 flits, given
// when sent, 4 iterations, 2 switch inputs a port) is to reach nine tenths of that; a lesser one would not show the
// bound at all.
TEST(UniformOn8x8, ReachesNineTenthsOfWhatLinksBear) {
    VcRouterParams router;
    router.vcs = 12;
    router.vc_flits = 32;
    router.reuse = VcReuse::when_sent;
    router.vc_alloc_iterations = router.sw_alloc_iterations = 4;
    router.input_speedup = 2;
    TrafficParams traffic;
    traffic.measure = 3000;
    traffic.drain = 0;
    traffic.most_warm_ups = 3;
    const auto accepted = [&](const RouterGridKind& kind, double load) {
        const LoadPoint point = measure_load(RouterGrid(kind), router, traffic, load, 1);
        return point.accepted / point.created;
    };
    EXPECT_GT(accepted(RouterMeshParams{8, 8}, 0.45), 0.99);
    EXPECT_LT(accepted(RouterMeshParams{8, 8}, 0.55), 0.97);
    EXPECT_GT(accepted(RouterTorusParams{8, 8}, 0.9), 0.99);
}

}   // namespace
}   // namespace oscar::traffic_test
