#include "sim/run/training_step.hpp"

#include <algorithm>

#include "sim/parameters/nodes.hpp"

namespace oscar {
StepCompute compute_of(const Parameters& p, const TraceManifest& manifest,
                       const std::vector<std::vector<std::size_t>>& buckets) {
    const Time backward = std::ranges::max_element(manifest.layers, {}, &TraceLayer::ready)->ready;
    std::vector<Time> ready;
    for (const auto& layers : buckets) {
        Time last;
        for (const std::size_t l : layers) last = std::max(last, manifest.layers[l].ready);
        ready.push_back(last);
    }
    const StepParams step = slowed(*p.step, backward, slowdown_of(p));
    return make_compute(step, ready, backward);
}

}   // namespace oscar
