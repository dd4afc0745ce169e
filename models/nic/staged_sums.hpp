// Sums of kernels where messages are staged in GPU memory.
#pragma once

#include "models/gpu/gradient_form.hpp"
#include "models/nic/running_job.hpp"

namespace oscar {

/// The bytes of the own values that a kernel adds a step's message of `values` values to; 0 where the step does not
/// add.
inline Bytes own_bytes(const Plan& plan, StepId id, GradientForm form, std::uint64_t values) {
    if (!plan.adds(id)) return {};
    const auto [carried, held] = plan.contributions[id.value];
    return {values * sum_bytes(form, plan, held - carried)};
}

/// When values that the GPU has been handed can be used: kernels have added them to what was there, if they add. A
/// kernel adds a block while DMA writes the next.
inline TimedEvent usable(const RunningJob& job, StepId id, GradientForm form, Bandwidth kernels, std::uint64_t values,
                         const TimedEvent& handed) {
    const Plan& plan = job.job.plan;
    if (!job.places.staged() || !plan.adds(id)) return handed;
    const auto [carried, held] = plan.contributions[id.value];
    const Bytes moved = Bytes{values * (sum_bytes(form, plan, carried) + sum_bytes(form, plan, held))} +
                        own_bytes(plan, id, form, values);
    return handed.after(serialization(moved, kernels), &CriticalPath::dma_ps);
}

}   // namespace oscar
