// An iteration of several AllReduces as one result.
#pragma once

#include <span>

#include "sim/report/metrics.hpp"

namespace oscar {

/// One method's AllReduces of all buckets of an iteration, one after the other without a pause. Times, bytes and counts
/// are sums, closed form and sums included; shares are of the summed times; error and cosine are those of the whole
/// gradient. `chunk_prediction_error` is the mean by payload of those buckets that were predicted.
/// Law: one bucket is its own sum. Precondition: at least one bucket.
IterationResult sum_of_buckets(std::span<const IterationResult> buckets);

}   // namespace oscar
