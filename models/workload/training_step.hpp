// A training step around its AllReduces: computation, buckets that become ready during it, one communication stream.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/workload/buckets.hpp"

namespace oscar {

enum class StepStrategy : std::uint8_t { ddp, fsdp, hsdp };
constexpr auto choices(StepStrategy) {
    return std::array{
        Choice{"ddp", StepStrategy::ddp, "every rank has the whole model; buckets are summed by AllReduce"},
        Choice{"fsdp", StepStrategy::fsdp,
               "every rank has a shard of each bucket: its parameters are gathered before its passes, its "
               "gradients reduce-scattered"},
        Choice{"hsdp", StepStrategy::hsdp,
               "the same in groups of ranks: parameters are gathered in each group, and its gradients reduce-scattered "
               "there and then summed over the groups (HYBRID_SHARD)"}};
}

enum class ParameterWords : std::uint8_t { fp32, bf16 };
constexpr auto choices(ParameterWords) {
    return std::array{Choice{"fp32", ParameterWords::fp32, "4 bytes each"},
                      Choice{"bf16", ParameterWords::bf16, "2 bytes each"}};
}

/// A bucket that a list gives, such as one that a profiler has seen.
struct GivenBucket {
    Bytes bytes{1 << 20};
    Time ready;
    static constexpr auto fields() {
        using G = GivenBucket;
        return Entries{
            field("bytes", &G::bytes, "size as fp32 values; a method may send fewer bytes", Bytes{4},
                  Bytes{1ULL << 32}),
            field("ready", &G::ready, "when its gradients are complete, from the start of the backward pass", Time{},
                  Time{1'000'000'000'000'000}),
        };
    }
    friend bool operator==(const GivenBucket&, const GivenBucket&) = default;
};

/// The computation of a step, and the division of the gradient into collectives.
struct StepParams {
    StepStrategy strategy = StepStrategy::ddp;
    BucketParams buckets;
    bool overlap = true;
    std::optional<Time> forward, backward;
    Time optimiser;
    std::uint32_t group = 0;
    std::uint32_t prefetch = 1;
    bool reshard = true;
    ParameterWords parameters = ParameterWords::fp32;
    std::vector<GivenBucket> given = {};
    bool reuse = true;
    static constexpr Time longest{1'000'000'000'000'000};   // 1000 s: below 2^53 ps, so that scaling in double is exact
    static constexpr auto fields() {
        using S = StepParams;
        return Entries{
            field("strategy", &S::strategy, "sharding of parameters between steps"),
            field("buckets", &S::buckets, "buckets of the gradient, each a collective of its own"),
            field("overlap", &S::overlap,
                  "overlap: a bucket is sent as soon as it is ready; else all after the backward pass"),
            field("forward", &S::forward, "time of the forward pass; null: half the backward pass", Time{}, longest),
            field("backward", &S::backward,
                  "time of the backward pass, to which the trace's ready times are scaled; null: as captured", Time{},
                  longest),
            field("optimiser", &S::optimiser, "time of the optimiser after the last collective", Time{}, longest),
            field("group", &S::group,
                  "hsdp: neighbouring ranks that share the parameters (a divisor of `ranks`); 0: an island of the "
                  "topology",
                  0u, 65536u),
            field("prefetch", &S::prefetch,
                  "fsdp, hsdp: number of buckets whose parameters are gathered ahead of the computed one", 0u, 1024u),
            field("reshard", &S::reshard,
                  "fsdp, hsdp: gathered parameters are freed after the forward pass and gathered again"),
            field("parameters", &S::parameters, "fsdp, hsdp: number format of gathered parameters"),
            field("given", &S::given,
                  "buckets in the order in which they are sent (payload: synthetic), as scripts/import_step takes them "
                  "from a profile; none: those of the trace"),
            field(
                "reuse", &S::reuse,
                "of collectives without values (given buckets, gathers of parameters), those of one size are simulated "
                "once, which changes no figure; false: each"),
        };
    }
};

/// True if every rank keeps a shard of the parameters.
constexpr bool is_sharded(StepStrategy strategy) { return strategy != StepStrategy::ddp; }

/// `time` in a span of `from`, as it lies in one of `to`; as it is if `from` is no time.
Time scaled(Time time, Time from, Time to);

/// The step on a GPU that takes `factor` times as long for everything. A backward pass that is not given takes
/// `captured_backward` at a factor of 1.
StepParams slowed(StepParams params, Time captured_backward, double factor);

/// The computation of one step. `ready`: per bucket, when its gradients are complete, from the start of the step.
struct StepCompute {
    Time forward, backward, optimiser;
    std::vector<Time> ready;
    /// The time of a step without any communication.
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
