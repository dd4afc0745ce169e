// The training step in the report: where its time goes, its speed-up, and the speed-up by Amdahl's law.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/fields.hpp"
#include "models/workload/sharded_step.hpp"

namespace oscar {

/// One bucket; times from the start of the step, mean over iterations.
struct BucketReport {
    std::vector<std::string> layers;
    std::uint64_t elements = 0;
    std::int64_t ready_ps = 0, start_ps = 0, end_ps = 0, allreduce_ps = 0;
    static constexpr auto fields() {
        using B = BucketReport;
        return Entries{field("layers", &B::layers, "in the order in which they lie in the bucket"),
                       field("elements", &B::elements, "values per rank"),
                       field("ready_ps", &B::ready_ps, "its gradients are complete"),
                       field("start_ps", &B::start_ps, "it is ready and the bucket before it is sent"),
                       field("end_ps", &B::end_ps, "all ranks hold its sum, or their shards of it"),
                       field("allreduce_ps", &B::allreduce_ps, "between those")};
    }
};

/// Amdahl's law for a method over another: the step shrinks by what is exposed of the other's AllReduces, as if
/// what is exposed shrank as they do. Overlap breaks that, and `difference` says by how much.
struct AmdahlCheck {
    double exposed_share = 0, allreduce_speedup = 1, predicted = 1, simulated = 1, difference = 0;
    static constexpr auto fields() {
        using A = AmdahlCheck;
        return Entries{
            field("exposed_share", &A::exposed_share, "f, of the other method's step"),
            field("allreduce_speedup", &A::allreduce_speedup, "S, of the summed collectives"),
            field("predicted", &A::predicted, "speed-up of the step, 1 / (1 - f + f / S)"),
            field("simulated", &A::simulated, "speed-up of the step"),
            field("difference", &A::difference, "predicted / simulated - 1"),
        };
    }
};

/// Communication of a step by its purpose where parameters are sharded, mean over iterations. Laws: the first three
/// make up communication_ps of the step, the others exposed_ps, up to the rounding of means.
struct ShardingReport {
    std::int64_t gather_forward_ps = 0, gather_backward_ps = 0, reduce_scatter_ps = 0;
    std::int64_t exposed_gather_forward_ps = 0, exposed_gather_backward_ps = 0, exposed_reduce_scatter_ps = 0;
    static constexpr auto fields() {
        using S = ShardingReport;
        return Entries{
            field("gather_forward_ps", &S::gather_forward_ps, "all-gathers of parameters before forward passes"),
            field("gather_backward_ps", &S::gather_backward_ps, "the same before backward passes"),
            field("reduce_scatter_ps", &S::reduce_scatter_ps, "reduce-scatters of gradients"),
            field("exposed_gather_forward_ps", &S::exposed_gather_forward_ps,
                  "of gather_forward_ps, while no pass is computed"),
            field("exposed_gather_backward_ps", &S::exposed_gather_backward_ps, "of gather_backward_ps, likewise"),
            field("exposed_reduce_scatter_ps", &S::exposed_reduce_scatter_ps, "of reduce_scatter_ps, likewise"),
        };
    }
};

/// Mean over iterations. Laws: step_ps = compute_ps + exposed_ps; communication_ps = Σ allreduce_ps of the buckets, up
/// to the rounding of means, and without the gathers of sharded parameters.
struct StepReport {
    std::int64_t step_ps = 0, compute_ps = 0, forward_ps = 0, backward_ps = 0, optimiser_ps = 0;
    std::int64_t communication_ps = 0, exposed_ps = 0;
    double exposed_share = 0, scaling_efficiency = 1;
    std::vector<BucketReport> buckets;
    std::optional<ShardingReport> sharding;                    ///< where parameters are sharded
    std::vector<std::pair<std::string, double>> speedup;       ///< over each method: its step / this one's
    std::vector<std::pair<std::string, AmdahlCheck>> amdahl;   ///< over each method
    static constexpr auto fields() {
        using S = StepReport;
        return Entries{
            field("step_ps", &S::step_ps, "the whole training step"),
            field("compute_ps", &S::compute_ps, "forward, backward and optimiser"),
            field("forward_ps", &S::forward_ps, "of compute_ps, the forward pass"),
            field("backward_ps", &S::backward_ps, "of compute_ps, the backward pass"),
            field("optimiser_ps", &S::optimiser_ps, "of compute_ps, the optimiser"),
            field("communication_ps", &S::communication_ps, "all collectives, hidden or not"),
            field("exposed_ps", &S::exposed_ps, "of step_ps, what computation does not hide: step_ps - compute_ps"),
            field("exposed_share", &S::exposed_share, "exposed_ps / step_ps"),
            field("scaling_efficiency", &S::scaling_efficiency,
                  "samples per second of N ranks over N times those of one, which has no AllReduce: compute_ps / "
                  "step_ps"),
            field("buckets", &S::buckets, "each AllReduce or reduce-scatter, in the order of sending"),
        };
    }
};

/// The step of one method over its iterations, at least one, each a timeline of the same `buckets`, from which layers
/// and elements are taken. Comparisons are left to add_comparison.
StepReport summarise(const StepCompute& compute, const std::vector<StepTimeline>& iterations,
                     std::vector<BucketReport> buckets);

/// The step of one method where parameters are sharded; the rest as above.
StepReport summarise(const StepCompute& compute, const std::vector<ShardedTimeline>& iterations,
                     std::vector<BucketReport> buckets);

/// Adds speed-up and check over the step of the method `name`. Precondition: both steps take time.
void add_comparison(StepReport& step, const std::string& name, const StepReport& other);

/// The JSON of the report's `step` of a method.
nlohmann::ordered_json step_json(const StepReport& step);

}   // namespace oscar
