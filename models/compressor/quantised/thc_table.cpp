#include "models/compressor/quantised/thc_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
double below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// Integral of (x - a)(b - x) density(x) from a to b: what rounding to a or b costs between them.
double cost_between(double a, double b) {
    const double mass = below(b) - below(a);
    const double first = density(a) - density(b);                                  // of x density(x)
    const double second = a * density(a) - b * density(b) + below(b) - below(a);   // of x^2 density(x)
    return (a + b) * first - second - a * b * mass;
}

/// The costs of a table's gaps, in its integers.
class Gaps {
public:
    Gaps(double threshold, std::uint32_t granularity) : threshold_(threshold), granularity_(granularity) {}
    double between(std::uint32_t a, std::uint32_t b) const { return cost_between(at(a), at(b)); }
    /// Of the gap around the middle of a symmetric table.
    double around(std::uint32_t a) const { return between(a, granularity_ - a); }

private:
    double at(std::uint32_t value) const { return threshold_ * (2.0 * value / granularity_ - 1); }
    double threshold_;
    std::uint32_t granularity_;
};

/// The lower half of the table: `count` ascending integers from 0, below half the granularity, of least cost.
std::vector<std::uint32_t> best_half(const Gaps& gaps, std::uint32_t count, std::uint32_t places) {
    constexpr double never = std::numeric_limits<double>::infinity();
    // cost[k][j]: least cost of the gaps below j where j is the k-th value; from[k][j]: the value before it then.
    std::vector cost(count, std::vector(places, never));
    std::vector from(count, std::vector(places, std::uint32_t{0}));
    cost[0][0] = 0;
    for (std::uint32_t k = 1; k < count; ++k)
        for (std::uint32_t j = k; j < places; ++j)
            for (std::uint32_t i = k - 1; i < j; ++i) {
                const double candidate = cost[k - 1][i] + gaps.between(i, j);
                if (candidate < cost[k][j]) cost[k][j] = candidate, from[k][j] = i;
            }
    std::uint32_t last = 0;
    double best = never;
    for (std::uint32_t j = count - 1; j < places; ++j) {
        const double total = 2 * cost[count - 1][j] + gaps.around(j);
        if (total < best) best = total, last = j;
    }
    std::vector<std::uint32_t> half(count);
    for (std::uint32_t k = count; k-- > 0; last = from[k][last]) half[k] = last;
    return half;
}

}   // namespace

double normal_threshold(double p) {
    double low = 0, high = 40;
    for (int i = 0; i < 200; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::numbers::sqrt2) > p ? low : high) = middle;
    }
    return high;
}

double rounding_error(const ThcTable& table) {
    const Gaps gaps(table.threshold, table.granularity);
    double sum = 0;
    for (std::size_t i = 1; i < table.values.size(); ++i) sum += gaps.between(table.values[i - 1], table.values[i]);
    return sum;
}

ThcTable make_thc_table(std::uint32_t bits, std::uint32_t granularity, double overflow) {
    if (bits < 1 || bits > 8) throw std::invalid_argument("bits must be in 1 .. 8");
    if (!(overflow > 0 && overflow < 1)) throw std::invalid_argument("overflow must be between 0 and 1");
    const std::uint32_t half = 1u << (bits - 1), places = (granularity + 1) / 2;
    if (places < half)
        throw std::invalid_argument("granularity " + std::to_string(granularity) + " has too few integers for " +
                                    std::to_string(2 * half) + " levels; write at least " +
                                    std::to_string(2 * half - 1));
    ThcTable table{normal_threshold(overflow), granularity, {}};
    table.values = best_half(Gaps(table.threshold, granularity), half, places);
    for (std::uint32_t k = half; k-- > 0;) table.values.push_back(granularity - table.values[k]);
    return table;
}

}   // namespace oscar
