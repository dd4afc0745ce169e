// Gradient bucketing as in DistributedDataParallel: which tensors share one AllReduce.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// Sizes are bytes of fp32 values. Source: Li et al., PyTorch Distributed, VLDB 2020, section 4.2.3, and the defaults
/// of PyTorch's DistributedDataParallel.
struct BucketParams {
    Bytes size{25 << 20};
    Bytes first{1 << 20};
    template <class P>
    static constexpr auto fields_of() {
        return Entries{
            field("size", &P::size, "size from which on a bucket is closed", Bytes{1}, Bytes{1ULL << 40}),
            field("first", &P::first, "smaller size of the first bucket, so that sending starts early"),
        };
    }
    static constexpr auto fields() { return fields_of<BucketParams>(); }
};

/// The tensors of each bucket, as positions in `tensor_values` (values per tensor, in the model's order). The backward
/// pass completes the last tensor first, so buckets and the tensors in them run from the last to the first. A tensor is
/// never split.
/// Law: every tensor is in exactly one bucket, and no bucket is empty.
inline std::vector<std::vector<std::size_t>> make_buckets(std::span<const std::uint64_t> tensor_values,
                                                          const BucketParams& params) {
    if (tensor_values.empty()) return {};
    std::vector<std::vector<std::size_t>> buckets{{}};
    Bytes filled, limit = std::min(params.first, params.size);
    for (std::size_t tensor = tensor_values.size(); tensor-- > 0;) {
        if (!buckets.back().empty() && filled >= limit) {
            buckets.emplace_back();
            filled = {};
            limit = params.size;
        }
        buckets.back().push_back(tensor);
        filled += Bytes{4 * tensor_values[tensor]};
    }
    return buckets;
}

}   // namespace oscar
