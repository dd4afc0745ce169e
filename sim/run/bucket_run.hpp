// One AllReduce of an experiment's iterations: a part of the gradient, its codes, and each method's run over them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/run/bucket_methods.hpp"

namespace oscar {

/// The results of a method's run over the iterations.
struct MethodResults {
    std::string name;
    std::vector<IterationResult> iterations;   ///< the timed ones
};

/// The run of one bucket by all methods. Its scales, tables and boundaries are its own: the values of other buckets do
/// not change what this one sends.
class BucketRun {
public:
    /// `layers`: positions in the manifest. References must outlive the run. `seed`: of stochastic rounding and of
    /// lossy compressors. `backward`: time of the backward pass, where there is a step. `parallel` runs the ranks.
    /// Precondition: the checks of methods and bucket (sim/checks).
    BucketRun(const Parameters& parameters, const Trace& trace, const Routes& routes, std::vector<std::size_t> layers,
              std::uint64_t seed, Time backward, ParallelFor parallel);

    /// Called with the share of an iteration that a method has done: 0 when it begins.
    using MethodProgress = std::function<void(std::uint32_t position, const std::string& method, double share)>;
    /// The iterations from `first` on by all methods: without network before the first that is replayed, then on
    /// `machine`. concurrent_methods (sim/checks) tells how many methods run together; the codes are made anew for each
    /// such group.
    void run(std::uint32_t first, Machine& machine, const MethodProgress& progress);

    const std::vector<std::size_t>& layers() const { return layers_; }       ///< positions in the manifest
    std::uint64_t elements() const { return replay_.elements(); }            ///< values of a rank
    const std::vector<MethodResults>& methods() const { return methods_; }   ///< in the order of the experiment

private:
    IterationCodes uncoded_at(std::uint32_t position) const;
    void run_iteration(const IterationCodes& codes, const BucketMethods& methods, Machine& machine,
                       const MethodProgress& progress) const;

    std::vector<std::size_t> layers_;
    Replay replay_;
    BucketSetting setting_;
    std::vector<MethodResults> methods_;
};

using BucketRuns = std::deque<BucketRun>;   ///< which never moves them

}   // namespace oscar
