// The methods of one bucket, and an iteration by them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/run/iteration/iterated_method.hpp"

namespace oscar {

/// A bucket as all methods see it. References must outlive it and its methods.
struct BucketSetting {
    const Parameters& parameters;
    const Routes& routes;
    std::vector<TensorShape> shapes;   ///< of the tensors, which tile the bucket
    std::uint64_t seed = 1;            ///< of stochastic rounding and of lossy compressors
    Time backward;                     ///< of the backward pass, where there is a step
    ParallelFor parallel;              ///< runs the ranks

    std::uint64_t elements() const { return shapes.back().end; }   ///< values of a rank
    std::vector<Segment> tensors() const;
};

/// The seed of a bucket: buckets draw independently, but one that is all of the gradient draws by the seed itself.
std::uint64_t seed_of(const Parameters& parameters, std::uint64_t bucket);

/// The run of a method, by what the method is. Precondition: the checks of methods and bucket (sim/checks).
std::unique_ptr<IteratedMethod> make_method(const BucketSetting& bucket, const Method& method);

/// The source of the codes that all methods of the bucket carry.
CodeSource make_codes(const BucketSetting& bucket);

using BucketMethods = std::vector<std::unique_ptr<IteratedMethod>>;
/// True if one of the methods makes its messages of the gradients' codes or needs their shared scale: lossy methods do
/// not.
bool take_codes(const BucketMethods& methods);

/// The share of an iteration that a method has done: 0 when it begins.
using ShareOfMethod = std::function<void(const IteratedMethod& method, double share)>;
/// One iteration on the machine: the exchange of the scales, where the codes cost one, and each method.
void iterate(const BucketMethods& methods, const BucketSetting& bucket, Machine& machine, const IterationCodes& codes,
             const ShareOfMethod& progress);

}   // namespace oscar
