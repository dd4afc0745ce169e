// Two figures fitted to times.
#include "sim/fit/machine_fit.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "sim/fit/machine_file.hpp"

namespace oscar::machine_fit_test {
namespace {

using ::testing::HasSubstr;

/// What a machine of these figures takes for 1 KiB to 512 MiB.
std::vector<FitPoint> points_of(const FittedFigures& figures, std::uint32_t ranks, std::uint32_t ranks_per_node) {
    std::vector<FitPoint> points;
    for (std::uint64_t size = 1 << 10; size <= 1 << 29; size *= 2) {
        FitPoint point = tuner_point(ranks, ranks_per_node, {Bytes{size}, {}});
        point.measured.time.ps = std::llround(time_under(figures, point) * 1e12);
        points.push_back(point);
    }
    return points;
}

void expect_near(const FittedFigures& fitted, const FittedFigures& made) {
    EXPECT_NEAR(static_cast<double>(fitted.launch.ps), static_cast<double>(made.launch.ps),
                1e-3 * static_cast<double>(made.launch.ps));
    EXPECT_NEAR(static_cast<double>(fitted.bandwidth.mbps), static_cast<double>(made.bandwidth.mbps),
                1e-3 * static_cast<double>(made.bandwidth.mbps));
}

TEST(MachineFit, FindsTheFiguresThatMadeTheTimes) {
    for (const FittedFigures& made : {FittedFigures{12_us, 400_Gbps}, FittedFigures{37_us, 1850_Gbps}})
        for (const auto& [ranks, node] : {std::pair{8u, 8u}, std::pair{8u, 4u}, std::pair{64u, 8u}}) {
            const auto points = points_of(made, ranks, node);
            expect_near(fit_figures(points), made);
            EXPECT_LT(mean_error(fit_figures(points), points), 1e-3);
        }
}

TEST(MachineFit, IsNotMovedByOneWildSize) {
    auto points = points_of({12_us, 400_Gbps}, 8, 8);
    points[9].measured.time.ps *= 5;
    expect_near(fit_figures(points), {12_us, 400_Gbps});
}

TEST(MachineFit, HasNoNegativeLaunch) {
    std::vector<FitPoint> points{line_point(8, {1_MiB, 1_us}), line_point(8, {2_MiB, 3_us}),
                                 line_point(8, {4_MiB, 7_us})};
    EXPECT_GE(fit_figures(points).launch.ps, 0);
}

/// No launch or bandwidth near the fitted ones is better.
TEST(MachineFit, HasTheLeastErrorOfItsNeighbours) {
    auto points = points_of({20_us, 300_Gbps}, 8, 4);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].measured.time.ps += static_cast<std::int64_t>(i * i % 7) * 3'000'000;
    const FittedFigures best = fit_figures(points);
    for (const std::int64_t percent : {90, 98, 99, 101, 102, 110}) {
        const FittedFigures other_launch{Time{best.launch.ps * percent / 100}, best.bandwidth};
        const FittedFigures other_rate{best.launch,
                                       Bandwidth{best.bandwidth.mbps * static_cast<std::uint64_t>(percent) / 100}};
        EXPECT_LE(mean_error(best, points), mean_error(other_launch, points) + 1e-5) << percent;
        EXPECT_LE(mean_error(best, points), mean_error(other_rate, points) + 1e-5) << percent;
    }
}

/// The times of a line, and one size that lies off it by half: left out, it is off by half, and the others are met.
TEST(MachineFit, ErrorOfLeftOutSizesIsThatOfTheFitOfTheOthers) {
    std::vector<FitPoint> points;
    for (std::int64_t i = 1; i <= 8; ++i)
        points.push_back(
            line_point(8, {Bytes{static_cast<std::uint64_t>(i) * 1'000'000}, Time{i * 20'000'000 + 5'000'000}}));
    EXPECT_LT(left_out_error(points), 1e-3);
    points[4].measured.time.ps *= 2;
    EXPECT_NEAR(left_out_error(points), 0.5 / 8, 2e-3);
}

/// The configurations of the validation hold what scripts/fit_machine fitted to the same times.
TEST(MachineFit, OfTheShippedLogsIsThatOfTheValidation) {
    for (const auto& [name, least] : {std::pair{"a100", 32_KiB}, std::pair{"polaris", 32_KiB}}) {
        std::ifstream log_file(std::string("configs/validation/") + name + ".log"),
            config(std::string("configs/validation/") + name + "-machine.yaml");
        const NcclLog log = read_nccl_log({std::istreambuf_iterator<char>(log_file), {}});
        std::vector<FitPoint> points;
        for (const MeasuredTime& measured : log.times)
            if (measured.size >= least) points.push_back(tuner_point(log.ranks, log.ranks_per_node, measured));
        const std::string text = text_of({log.ranks, log.ranks_per_node, fit_figures(points), "About.\n"});
        EXPECT_THAT(text, ::testing::StartsWith("# About.\n"));
        std::string tuner;
        for (std::string line; std::getline(config, line);)
            if (line.starts_with("tuner:")) tuner = line;
        EXPECT_THAT(text, HasSubstr(tuner));
    }
}

}   // namespace
}   // namespace oscar::machine_fit_test
