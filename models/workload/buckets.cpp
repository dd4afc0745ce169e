#include "models/workload/buckets.hpp"

#include <algorithm>

namespace oscar {

std::vector<std::vector<std::size_t>> make_buckets(std::span<const std::uint64_t> tensor_values,
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
