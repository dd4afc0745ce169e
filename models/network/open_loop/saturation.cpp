#include "models/network/open_loop/saturation.hpp"

namespace oscar {

bool is_borne(const LoadPoint& point, const SaturationParams& params) {
    return point.accepted >= (1 - params.shortfall) * point.created;
}

Saturation find_saturation(const SaturationParams& params, const std::function<LoadPoint(double load)>& measure) {
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
