#include "sim/fit/machine_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace oscar {
namespace {

constexpr double slowest = 1e7, fastest_rate = 1e13;   // B/s

double seconds(Time time) { return static_cast<double>(time.ps) * 1e-12; }

/// Of the fastest candidate at `rate` B/s, without launch.
double rest_of(const FitPoint& point, double rate) {
    double least = INFINITY;
    for (const auto& line : point.candidates)
        least = std::min(least, seconds(line.fixed) + static_cast<double>(line.carried.count) / rate);
    return least;
}

/// A launch in s, and the mean |relative error| with it.
struct LaunchFit {
    double launch, error;
};

/// The launch >= 0 of least mean |launch + rest - measured| / measured is the median of measured - rest, each weighted
/// by 1 / measured.
LaunchFit best_launch(std::span<const FitPoint> points, double rate) {
    struct Difference {
        double seconds, weight;
    };
    std::vector<Difference> differences;
    double half = 0;
    for (const FitPoint& point : points) {
        const double measured = seconds(point.measured.time);
        differences.push_back({measured - rest_of(point, rate), 1 / measured});
        half += differences.back().weight / 2;
    }
    auto sorted = differences;
    std::ranges::sort(sorted, {}, &Difference::seconds);
    auto median = sorted.begin();
    for (double sum = median->weight; sum < half && median + 1 != sorted.end(); sum += median->weight) ++median;
    const double launch = std::max(0.0, median->seconds);
    double error = 0;
    for (const Difference& d : differences) error += std::abs(launch - d.seconds) * d.weight;
    return {launch, error / static_cast<double>(points.size())};
}

/// The rate of least error among `steps` rates from low to high, spaced by equal ratios; low and high become its
/// neighbours but one.
double narrow(std::span<const FitPoint> points, double& low, double& high, int steps) {
    const auto rate_at = [&, from = low, ratio = high / low](int i) {
        return from * std::pow(ratio, static_cast<double>(std::clamp(i, 0, steps - 1)) / (steps - 1));
    };
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < steps; ++i)
        if (const double error = best_launch(points, rate_at(i)).error; error < least) {
            least = error;
            best = i;
        }
    low = rate_at(best - 2);
    high = rate_at(best + 2);
    return rate_at(best);
}

}   // namespace

FitPoint tuner_point(std::uint32_t ranks, std::uint32_t ranks_per_node, MeasuredTime measured) {
    NcclParams tuner;
    tuner.ranks_per_node = ranks_per_node;
    FitPoint point{ranks, measured, {}};
    for (const Predicted& candidate : predictions(tuner, ranks, measured.size))
        point.candidates.push_back(*candidate.line);
    return point;
}

FitPoint line_point(std::uint32_t ranks, MeasuredTime measured) { return {ranks, measured, {{Time{}, measured.size}}}; }

FittedFigures fit_figures(std::span<const FitPoint> points) {
    double low = slowest, high = fastest_rate, rate = 0;
    for (int round = 0; round < 4; ++round) rate = narrow(points, low, high, 400);
    const double launch_ns = std::round(best_launch(points, rate).launch * 1e9);
    const double mbps = std::round(rate * 8e-6);
    return {Time{static_cast<std::int64_t>(launch_ns) * 1000}, Bandwidth{static_cast<std::uint64_t>(mbps)}};
}

double time_under(const FittedFigures& figures, const FitPoint& point) {
    return seconds(figures.launch) + rest_of(point, static_cast<double>(figures.bandwidth.mbps) / 8e-6);
}

double mean_error(const FittedFigures& figures, std::span<const FitPoint> points) {
    double sum = 0;
    for (const FitPoint& point : points) {
        const double measured = seconds(point.measured.time);
        sum += std::abs(time_under(figures, point) - measured) / measured;
    }
    return sum / static_cast<double>(points.size());
}

double left_out_error(std::span<const FitPoint> points) {
    double sum = 0;
    for (const FitPoint& point : points) {
        std::vector<FitPoint> others;
        std::ranges::copy_if(points, std::back_inserter(others),
                             [&](const FitPoint& other) { return other.measured.size != point.measured.size; });
        sum += mean_error(fit_figures(others), std::span(&point, 1));
    }
    return sum / static_cast<double>(points.size());
}

}   // namespace oscar
