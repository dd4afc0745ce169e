#include "sim/run/bucket_methods.hpp"

#include <algorithm>

#include "models/core/random.hpp"
#include "sim/run/iteration/method_run.hpp"
#include "sim/run/lossy/lossy_run.hpp"
#include "sim/run/scale_exchange.hpp"
#include "sim/run/start_jitter.hpp"

namespace oscar {

std::vector<Segment> BucketSetting::tensors() const {
    std::vector<Segment> segments;
    for (const TensorShape& shape : shapes)
        segments.push_back({static_cast<std::uint32_t>(shape.begin), static_cast<std::uint32_t>(shape.end)});
    return segments;
}

std::uint64_t seed_of(const Parameters& p, std::uint64_t bucket) { return p.step ? random_at(p.seed, bucket) : p.seed; }

std::unique_ptr<IteratedMethod> make_method(const BucketSetting& b, const Method& method) {
    if (method.lossy)
        return std::make_unique<LossyRun>(b.parameters, method, b.routes, b.shapes, b.seed, b.backward, b.parallel);
    return std::make_unique<MethodRun>(b.parameters, method, b.routes, b.tensors(), b.parallel);
}

CodeSource make_codes(const BucketSetting& b) {
    return {b.tensors(), b.parameters.ranks, b.parameters.quantiser, b.seed, b.parallel};
}

bool take_codes(const BucketMethods& methods) {
    return std::ranges::any_of(methods, [](const auto& method) { return !method->is_lossy(); });
}

void iterate(const BucketMethods& methods, const BucketSetting& bucket, Machine& machine, const IterationCodes& codes,
             const ShareOfMethod& progress) {
    PriorExchange exchange;
    if (codes.exchanged) exchange = run_scale_exchange(machine, codes, issue_of(bucket.parameters.collective));
    const std::vector<Time> starts = starts_of(bucket.parameters, codes.position);
    for (const auto& method : methods) {
        const auto share_done = [&](double share) { progress(*method, share); };
        share_done(0);
        method->iterate(machine, codes, starts, exchange, share_done);
    }
}

}   // namespace oscar
