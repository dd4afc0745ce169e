#include "sim/generator/curve.hpp"

#include <cmath>
#include <numbers>

#include "sim/generator/arithmetic.hpp"
#include "sim/generator/random.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t draws = 1U << 16;

}   // namespace

double interpolate(const std::vector<double>& from, const std::vector<double>& to, double x) {
    const auto above = std::upper_bound(from.begin(), from.end(), x);
    if (above == from.begin()) return to.front();
    if (above == from.end()) return to.back();
    const auto i = static_cast<std::size_t>(above - from.begin());
    return to[i - 1] + (to[i] - to[i - 1]) * (x - from[i - 1]) / (from[i] - from[i - 1]);
}

double strength(double sigma, const std::vector<double>& quantiles, double share) {
    if (quantiles.empty()) return sigma * std::numbers::log2e * normal_quantile(share);
    const double at = share * static_cast<double>(quantiles.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), quantiles.size() - 2);
    return quantiles[below] + (at - static_cast<double>(below)) * (quantiles[below + 1] - quantiles[below]);
}

DrawnMagnitudes drawn_magnitudes(const LayerParams& p) {
    const Stream stream{0};   // the same for every seed of a trace: the curve is a function of the parameters
    const NormalTable& normal = normal_table();
    const auto normal_at = [&](std::uint64_t use, std::uint64_t i) {
        return static_cast<double>(normal(static_cast<std::uint32_t>(stream.of(use).bits(i))));
    };
    std::vector<double> u(draws);
    for (std::uint64_t i = 0; i < draws; ++i) {
        const double own = p.row_spread * normal_at(0, i) + p.column_spread * normal_at(1, i) +
                           p.element_spread * normal_at(2, i) + p.element_sigma * normal_at(3, i);
        const auto share = [&](std::uint64_t use) { return std::max(stream.of(use).uniform(i), 0x1p-54); };
        u[i] = own * std::numbers::log2e + strength(p.row_sigma, p.row_strengths, share(4)) +
               strength(p.column_sigma, p.column_strengths, share(5)) +
               static_cast<double>(log2_of(static_cast<float>(std::fabs(normal_at(6, i)))));
    }
    std::ranges::sort(u);
    DrawnMagnitudes drawn;
    for (const double share : magnitude_shares)
        drawn.quantiles.push_back(u[static_cast<std::size_t>(share * static_cast<double>(draws - 1))]);
    double sum = 0;
    for (const double value : u) sum += static_cast<double>(exp2_of(static_cast<float>(value)));
    drawn.log2_mean = static_cast<double>(log2_of(static_cast<float>(sum / static_cast<double>(draws))));
    return drawn;
}

MagnitudeCurve::MagnitudeCurve(const LayerParams& params) : to_(params.magnitudes) {
    const DrawnMagnitudes drawn = drawn_magnitudes(params);
    from_ = drawn.quantiles;
    if (to_.empty()) {
        shift_ = -static_cast<float>(drawn.log2_mean);
        to_ = from_;
        for (double& value : to_) value -= drawn.log2_mean;
        return;
    }
    const double step = (from_.back() - from_.front()) / cells;
    start_ = static_cast<float>(from_.front());
    inverse_step_ = static_cast<float>(1 / step);
    for (int i = 0; i <= cells; ++i)
        values_.push_back(static_cast<float>(interpolate(from_, to_, from_.front() + i * step)));
    values_.push_back(values_.back());
}

double MagnitudeCurve::inverse(double magnitude) const { return interpolate(to_, from_, magnitude); }

}   // namespace oscar
