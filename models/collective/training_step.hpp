// A training step around its AllReduces: computation, buckets that become ready during it, one communication stream.
#pragma once

#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "models/collective/buckets.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// What is computed in a step, and how the gradient is cut into AllReduces.
struct StepParams {
    BucketParams buckets;
    bool overlap = true;
    std::optional<Time> forward, backward;
    Time optimiser;
    static constexpr Time longest{1'000'000'000'000'000};   // 1000 s: below 2^53 ps, so that scaling in double is exact
    static constexpr auto fields() {
        using S = StepParams;
        return std::tuple{
            field("buckets", &S::buckets, "how the gradient is cut; each bucket is an AllReduce"),
            field("overlap", &S::overlap,
                  "whether a bucket is sent as soon as it is ready, or all after the backward pass"),
            field("forward", &S::forward, "time of the forward pass; null: half the backward pass", Time{}, longest),
            field("backward", &S::backward,
                  "time of the backward pass, to which the trace's ready times are scaled; null: they are taken as "
                  "captured",
                  Time{}, longest),
            field("optimiser", &S::optimiser, "time of the optimiser after the last AllReduce", Time{}, longest),
        };
    }
};

/// As on a GPU that takes `factor` times as long for everything, where a step as given takes `captured_backward` for
/// its backward pass unless it says otherwise.
StepParams slowed(StepParams params, Time captured_backward, double factor);

/// The computation of one step. `ready`: per bucket, when its gradients are complete, from the start of the step.
struct StepCompute {
    Time forward, backward, optimiser;
    std::vector<Time> ready;
    Time total() const { return forward + backward + optimiser; }
};

/// `captured_ready`: per bucket, from the start of a backward pass of `captured_backward`, which no bucket exceeds.
/// Both are scaled to the parameters' backward pass if that is given. A forward pass that is not given takes half as
/// long as the backward pass, which computes two matrix products for each of its one. Source: Narayanan et al., SC
/// 2021, appendix.
/// Precondition: captured_backward > 0, or the backward pass is to take no time, or nothing overlaps.
/// Law: what is ready last in the capture is ready at forward + backward.
StepCompute make_compute(const StepParams& params, std::span<const Time> captured_ready, Time captured_backward);

/// One AllReduce within the step, all times from the start of the step.
struct BucketTimes {
    Time ready, start, end;
    friend bool operator==(const BucketTimes&, const BucketTimes&) = default;
};

/// Law: compute <= step <= compute + communication, and exposed = step - compute.
struct StepTimeline {
    std::vector<BucketTimes> buckets;
    Time compute, communication, step;
    Time exposed() const { return step - compute; }   ///< communication that no computation hides
};

/// One stream carries the buckets in their order: each starts when it is ready and the one before it is done. The
/// optimiser starts when the backward pass and the last AllReduce are done. `allreduce`: how long each bucket takes.
/// Source: Li et al., PyTorch Distributed, VLDB 2020, section 3.2.3.
StepTimeline make_timeline(const StepCompute& compute, std::span<const Time> allreduce);

}   // namespace oscar
