#include "sim/run/collective_result.hpp"

namespace oscar {

IterationResult result_of(const Outcome& outcome, const Plan& plan, std::uint32_t ranks,
                          const Surroundings& surroundings) {
    IterationResult result = measure(outcome, plan);
    result.waveform = outcome.waveform;
    if (surroundings.closed_form) result.closed_form_ps = surroundings.closed_form->ps;
    result.scale_exchange_ps = add(result, surroundings.scale_exchange);
    result.boundary_broadcast_ps = add(result, surroundings.boundary_broadcast);
    result.gpu_kernel_ps = add_time(result, surroundings.kernels);
    result.codec_ps += add_time(result, surroundings.learning);
    if (surroundings.elements == 0) return result;
    result.counted_bytes = 4.0 * static_cast<double>(surroundings.elements) * counted_share(plan.operation, ranks);
    result.bus_factor = bus_factor(plan.operation, ranks, plan.schedule.aggregators > 0);
    return result;
}

}   // namespace oscar
