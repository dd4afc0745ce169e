// A method on a bucket, iteration after iteration.
#pragma once

#include <string>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/machine/machine.hpp"
#include "sim/replay/codes.hpp"
#include "sim/report/metrics.hpp"
#include "sim/run/iteration/progress.hpp"

namespace oscar {

/// A codec of the NIC (MethodRun) or a lossy compressor (LossyRun), with all that it keeps from iteration to iteration.
class IteratedMethod {
public:
    virtual ~IteratedMethod() = default;
    /// An iteration without network, from which the method learns.
    virtual void warm_up(const IterationCodes& codes) = 0;
    /// An iteration on the simulated machine; adds to the results. `start`: per rank, empty: all at once. `exchange`:
    /// time and traffic of the scale exchange; charged to quantised methods only.
    virtual void iterate(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                         const PriorExchange& exchange, const ShareDone& progress) = 0;
    /// The sum over the ranks that the iteration of `codes`, the last one, has left. Precondition: it was simulated.
    virtual std::vector<float> reduced(const IterationCodes& codes) const = 0;
    /// What a lossy compressor made of the last iteration, but for its mean; null where there is none.
    virtual const CompressionResult* compressed() const { return nullptr; }
    /// An epoch has ended, and the next begins with this learning rate: for schedules of compressors.
    virtual void end_epoch(double) {}
    /// See Compressor::has_momentum().
    virtual bool has_momentum() const { return false; }
    /// True if a lossy compressor makes its messages.
    bool is_lossy() const { return compressed() != nullptr; }
    /// True if it sends the codes alone, so that it needs no gradients.
    virtual bool quantised() const = 0;
    virtual const std::string& name() const = 0;
    virtual const std::vector<IterationResult>& results() const = 0;   ///< one per iterate()
};

}   // namespace oscar
