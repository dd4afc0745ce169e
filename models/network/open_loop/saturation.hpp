// Saturation load: the injection rate at which queues grow without bound.
#pragma once

#include <functional>

#include "models/network/open_loop/traffic.hpp"

namespace oscar {

struct SaturationParams {
    double resolution = 0.005;
    double shortfall = 0.01;
    static constexpr auto fields() {
        using S = SaturationParams;
        return Entries{
            field("resolution", &S::resolution,
                  "distance between a sustained load and one that is not, in flits a cycle and node", 0.0001, 0.5),
            field("shortfall", &S::shortfall,
                  "share of the flits created in the measured cycles that may be missing at a sustained load", 0.0001,
                  0.5),
        };
    }
};

struct Saturation {
    double load = 0;           ///< the highest that was borne
    double accepted = 0;       ///< at that load
    double at_full_load = 0;   ///< accepted where each node offers a flit a cycle: less, where overload is unfair
    static constexpr auto fields() {
        using S = Saturation;
        return Entries{field("load", &S::load, "highest offered load that was borne, flits a cycle and node"),
                       field("accepted", &S::accepted, "flits arrived at that load, a cycle and node"),
                       field("at_full_load", &S::at_full_load, "flits arrived where each node offers one a cycle")};
    }
};

/// True if the flits that arrived in the measured cycles are no fewer than the flits created, less a share of
/// `shortfall`.
inline bool is_borne(const LoadPoint& point, const SaturationParams& params) {
    return point.accepted >= (1 - params.shortfall) * point.created;
}

/// Finds the saturation by bisection between 0 and 1; `measure` gives the point of a load. A load of 1 that is borne is
/// the saturation.
inline Saturation find_saturation(const SaturationParams& params,
                                  const std::function<LoadPoint(double load)>& measure) {
    const LoadPoint full = measure(1);
    if (is_borne(full, params)) return {1, full.accepted, full.accepted};
    Saturation found{0, 0, full.accepted};
    for (double refused = 1; refused - found.load > params.resolution;) {
        const LoadPoint point = measure((found.load + refused) / 2);
        if (is_borne(point, params)) {
            found.load = point.offered;
            found.accepted = point.accepted;
        } else {
            refused = point.offered;
        }
    }
    return found;
}

}   // namespace oscar
