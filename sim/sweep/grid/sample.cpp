#include "sim/sweep/grid/sample.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "models/core/random.hpp"
#include "models/core/uint128.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_grid_points = std::uint64_t{1} << 62;
constexpr std::uint32_t most_attempts = 1000;

/// Numbers of points in the order of the grid: the last axis varies fastest.
using Numbers = std::set<std::uint64_t>;

/// Numbers of one stream, one after the other.
class Draws {
public:
    explicit Draws(std::uint64_t stream) : stream_(stream) {}
    /// Uniform below `bound`, but for 2^-64 times it.
    std::uint64_t below(std::uint64_t bound) {
        return static_cast<std::uint64_t>((UInt128{random_at(stream_, next_++)} * bound) >> 64);
    }
    double uniform() { return uniform_at(stream_, next_++); }

private:
    std::uint64_t stream_, next_ = 0;
};

/// Floyd's: each set of that many points is as likely (Bentley, Floyd, CACM 30(9), 1987).
Numbers draw_random(std::uint64_t grid, const SampleParams& params) {
    Draws draws(params.seed);
    Numbers numbers;
    for (std::uint64_t last = grid - params.points; last < grid; ++last) {
        const std::uint64_t drawn = draws.below(last + 1);
        numbers.insert(numbers.contains(drawn) ? last : drawn);
    }
    return numbers;
}

std::vector<std::uint32_t> shuffled(std::uint32_t count, Draws& draws) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    return order;
}

/// May hold fewer points, where two are the same.
Numbers draw_hypercube(const std::vector<Axis>& axes, const SampleParams& params, std::uint32_t attempt) {
    Draws draws(random_at(params.seed, attempt));
    std::vector<std::uint64_t> numbers(params.points);
    for (const Axis& axis : axes) {
        const std::vector<std::uint32_t> part = shuffled(params.points, draws);
        for (std::uint32_t i = 0; i < params.points; ++i) {
            const double place = (part[i] + draws.uniform()) / params.points * static_cast<double>(axis.size());
            numbers[i] = numbers[i] * axis.size() + std::min(static_cast<std::uint64_t>(place), axis.size() - 1);
        }
    }
    return {numbers.begin(), numbers.end()};
}

Settings point(const std::vector<Axis>& axes, std::uint64_t number) {
    std::vector<const Settings*> choices;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        choices.push_back(&(*axis)[number % axis->size()]);
        number /= axis->size();
    }
    Settings settings;
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice)
        settings.insert(settings.end(), (*choice)->begin(), (*choice)->end());
    return settings;
}

}   // namespace

std::optional<std::uint64_t> points_of(const std::vector<Axis>& axes) {
    std::uint64_t points = 1;
    for (const Axis& axis : axes) {
        if (points > most_grid_points / axis.size()) return std::nullopt;
        points *= axis.size();
    }
    return points;
}

std::optional<std::vector<Settings>> sample(const std::vector<Axis>& axes, const SampleParams& params) {
    Numbers numbers;
    if (params.kind == SampleKind::random) numbers = draw_random(points_of(axes).value(), params);
    for (std::uint32_t attempt = 0; numbers.size() < params.points; ++attempt) {
        if (attempt == most_attempts) return std::nullopt;
        numbers = draw_hypercube(axes, params, attempt);
    }
    std::vector<Settings> points;
    points.reserve(numbers.size());
    for (const std::uint64_t number : numbers) points.push_back(point(axes, number));
    return points;
}

}   // namespace oscar
