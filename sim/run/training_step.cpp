#include "sim/run/training_step.hpp"

#include "sim/run/by_size.hpp"
#include "sim/run/parameter_gather.hpp"

namespace oscar {

std::optional<StepSetting> step_setting(const Parameters& p, const std::optional<StepCompute>& compute,
                                        std::span<const std::uint64_t> elements, Machine& machine) {
    if (!p.step) return std::nullopt;
    StepSetting step{*p.step, *compute, {}};
    if (!is_sharded(p.step->strategy)) return step;
    BySize<Time> gathers(p.step->reuse);
    for (const std::uint64_t values : elements)
        step.gathers.push_back(
            gathers.of(values, [&] { return run_parameter_gather(p, static_cast<std::uint32_t>(values), machine); }));
    return step;
}

StepTimeline timeline_of(const StepSetting& step, std::span<const Time> allreduce) {
    return make_timeline(step.compute, allreduce);
}

ShardedTimeline sharded_timeline_of(const StepSetting& step, std::span<const Time> reduce_scatter) {
    std::vector<UnitTraffic> traffic;
    for (std::size_t b = 0; b < reduce_scatter.size(); ++b) traffic.push_back({step.gathers[b], reduce_scatter[b]});
    return make_sharded_timeline(step.compute, traffic, step.params);
}

}   // namespace oscar
