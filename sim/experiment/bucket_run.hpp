// One AllReduce of an experiment's iterations: a part of the gradient, its codes, and each method's run over them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sim/experiment/method_run.hpp"

namespace oscar {

/// Scales, tables and boundaries are its own: what other buckets hold does not change what this one sends.
class BucketRun {
public:
    /// `layers`: positions in the manifest. References must outlive the run. `seed`: of stochastic rounding.
    /// Precondition: the checks of methods and bucket (sim/checks).
    BucketRun(const Parameters& parameters, const Trace& trace, const Routes& routes, std::vector<std::size_t> layers,
              std::uint64_t seed);
    BucketRun(const BucketRun&) = delete;   // the source holds a reference to the replay
    BucketRun& operator=(const BucketRun&) = delete;

    /// Told which method is next.
    using Begin = std::function<void(const std::string& method)>;
    /// The iteration at `position` by all methods: without network before the first that is replayed, then on
    /// `machine`. `fresh`: it is the first of all, and has no history.
    void run(std::uint32_t position, bool fresh, Machine& machine, const Begin& begin);

    const std::vector<std::size_t>& layers() const { return layers_; }
    std::uint64_t elements() const { return replay_.elements(); }
    const std::vector<MethodRun>& methods() const { return methods_; }

private:
    const Parameters& parameters_;
    std::vector<std::size_t> layers_;
    Replay replay_;
    CodeSource source_;
    std::vector<MethodRun> methods_;
};

using BucketRuns = std::deque<BucketRun>;   ///< which never moves them

}   // namespace oscar
