// A training step with sharded parameters: a unit's are gathered before its passes, its gradients reduce-scattered.
#pragma once

#include <span>
#include <vector>

#include "models/workload/training_step.hpp"

namespace oscar {

/// The computation of a unit, which is a bucket of layers.
struct UnitPasses {
    Time forward, backward;
    friend bool operator==(const UnitPasses&, const UnitPasses&) = default;
};

/// Per bucket: its backward pass lasts from when the ones before are ready until it is, its forward pass is the same
/// part of the forward pass. The rest of either, before the first forward and after the last backward pass of a unit,
/// belongs to layers that are in no bucket. Precondition: the buckets overlap the backward pass.
std::vector<UnitPasses> passes_of(const StepCompute& compute);

/// The durations of a unit's collectives.
struct UnitTraffic {
    Time gather, reduce_scatter;
};

/// A step's times of collectives by what they are for.
struct StepTraffic {
    Time gather_forward, gather_backward, reduce_scatter;
    Time total() const { return gather_forward + gather_backward + reduce_scatter; }
    friend bool operator==(const StepTraffic&, const StepTraffic&) = default;
};

/// Laws: communication.total() == step.communication, exposed.total() == step.exposed(), and none of `exposed` is
/// longer than the same of `communication`.
struct ShardedTimeline {
    StepTimeline step;   ///< its buckets are the reduce-scatters, each ready at the end of its backward pass
    StepTraffic communication, exposed;
};

/// The forward pass goes through the units from the last to the first, the backward pass back. One stream carries their
/// collectives in the order of issue. Before each pass the unit's parameters are gathered, unless they are there: the
/// unit at the turn keeps them, and without `reshard` all do. Gathers are issued up to `prefetch` units ahead of the
/// one that is computed, but not across the turn; a reduce-scatter when its backward pass ends, before the gathers that
/// are issued then. So with prefetch 0 and reshard no pass of a unit overlaps anything. The optimiser, on shards,
/// starts when all is done. `traffic`: per bucket of `compute`. Sources: Rajbhandari et al., ZeRO, SC 2020,
/// section 5.3; Zhao et al., PyTorch FSDP, VLDB 2023, sections 3.3 and 4.3.
ShardedTimeline make_sharded_timeline(const StepCompute& compute, std::span<const UnitTraffic> traffic,
                                      const StepParams& params);

}   // namespace oscar
