// Points drawn from a grid that is too large to compute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/fields.hpp"
#include "sim/sweep/grid/axes.hpp"

namespace oscar {

enum class SampleKind : std::uint8_t { random, latin_hypercube };
constexpr auto choices(SampleKind) {
    return std::array{Choice{"random", SampleKind::random, "each point of the grid is as likely as any other"},
                      Choice{"latin_hypercube", SampleKind::latin_hypercube,
                             "each axis is cut into as many equal parts as there are points, and each part has one "
                             "point (McKay, Beckman, Conover, Technometrics 1979)"}};
}

struct SampleParams {
    SampleKind kind = SampleKind::random;
    std::uint32_t points = 50;
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        using S = SampleParams;
        return Entries{
            field("kind", &S::kind, "how points are drawn"),
            field("points", &S::points, "distinct points of the grid that are computed", 1u, 100'000u),
            field("seed", &S::seed, "of the draw; the same seed draws the same points"),
        };
    }
};

/// The points of the grid of `axes`; no more than 2^62, else nothing.
std::optional<std::uint64_t> points_of(const std::vector<Axis>& axes);

/// `params.points` distinct points, in the order of the grid. Precondition: points_of(axes) has a value, and as many.
/// Nothing where no Latin hypercube of distinct points was found.
std::optional<std::vector<Settings>> sample(const std::vector<Axis>& axes, const SampleParams& params);

}   // namespace oscar
