#include "sim/report/bucket_sum.hpp"

#include <algorithm>

namespace oscar {
namespace {

void add_times_and_counts(IterationResult& sum, const IterationResult& bucket) {
    sum.allreduce_ps += bucket.allreduce_ps;
    sum.scale_exchange_ps += bucket.scale_exchange_ps;
    sum.gpu_kernel_ps += bucket.gpu_kernel_ps;
    sum.boundary_broadcast_ps += bucket.boundary_broadcast_ps;
    if (sum.closed_form_ps && bucket.closed_form_ps) *sum.closed_form_ps += *bucket.closed_form_ps;
    else sum.closed_form_ps.reset();
    if (sum.entropy_bits && bucket.entropy_bits) *sum.entropy_bits += *bucket.entropy_bits;
    else sum.entropy_bits.reset();
    sum.codec_ps += bucket.codec_ps;
    sum.wire_ps += bucket.wire_ps;
    sum.wait_ps += bucket.wait_ps;
    sum.critical_path += bucket.critical_path;
    sum.link_window_ps += bucket.link_window_ps;
    sum.payload_bytes += bucket.payload_bytes;
    sum.wire_bytes += bucket.wire_bytes;
    sum.values += bucket.values;
    sum.counted_bytes += bucket.counted_bytes;
    sum.side_bytes += bucket.side_bytes;
    sum.resent_messages += bucket.resent_messages;
    sum.resent_bytes += bucket.resent_bytes;
    sum.table_memory_bytes = std::max(sum.table_memory_bytes, bucket.table_memory_bytes);
    sum.mask_memory_bytes = std::max(sum.mask_memory_bytes, bucket.mask_memory_bytes);
    sum.saturated_values += bucket.saturated_values;
    if (sum.transport && bucket.transport) *sum.transport += *bucket.transport;
    if (sum.faults && bucket.faults) *sum.faults += *bucket.faults;
    if (sum.background && bucket.background) *sum.background += *bucket.background;
    if (sum.matches && bucket.matches) sum.matches = *sum.matches && *bucket.matches;
    else sum.matches.reset();
}

/// The time that shares are of: without what ranks agree on before, and kernels of the GPU.
double network_time(const IterationResult& bucket) {
    return static_cast<double>(bucket.allreduce_ps - bucket.scale_exchange_ps - bucket.boundary_broadcast_ps -
                               bucket.gpu_kernel_ps);
}
double window(const IterationResult& bucket) { return static_cast<double>(bucket.link_window_ps); }
double payload(const IterationResult& bucket) { return static_cast<double>(bucket.payload_bytes); }

/// figure(bucket) by weight(bucket).
template <class Figure, class Weight>
double mean(std::span<const IterationResult> buckets, Figure figure, Weight weight) {
    double sum = 0, weights = 0;
    for (const IterationResult& bucket : buckets) {
        sum += std::invoke(figure, bucket) * weight(bucket);
        weights += weight(bucket);
    }
    return weights > 0 ? sum / weights : 0;
}

std::optional<double> prediction_error(std::span<const IterationResult> buckets) {
    std::vector<IterationResult> predicted;
    std::ranges::copy_if(buckets, std::back_inserter(predicted),
                         [](const auto& bucket) { return bucket.chunk_prediction_error.has_value(); });
    if (predicted.empty()) return std::nullopt;
    return mean(
        predicted, [](const auto& bucket) { return *bucket.chunk_prediction_error; }, payload);
}

/// Of the whole gradient; none if a bucket has none.
std::optional<Fidelity> fidelity_of_all(std::span<const IterationResult> buckets) {
    Deviation deviation;
    for (const IterationResult& bucket : buckets) {
        if (!bucket.fidelity) return std::nullopt;
        deviation += bucket.fidelity->deviation;
    }
    return fidelity(deviation);
}

/// By name, for a small bucket may leave a link unused.
std::vector<LinkShare> links(std::span<const IterationResult> buckets) {
    double time = 0;
    for (const IterationResult& bucket : buckets) time += network_time(bucket);
    std::vector<LinkShare> sum;
    for (const IterationResult& bucket : buckets)
        for (const LinkShare& link : bucket.links) {
            auto known = std::ranges::find(sum, link.name, &LinkShare::name);
            if (known == sum.end()) known = sum.insert(sum.end(), {link.name, 0, 0});
            known->utilisation += link.utilisation * network_time(bucket) / time;
            known->wire_bytes += link.wire_bytes;
        }
    return sum;
}

}   // namespace

IterationResult sum_of_buckets(std::span<const IterationResult> buckets) {
    using I = IterationResult;
    I sum = buckets.front();
    if (buckets.size() == 1) return sum;
    for (const I& bucket : buckets.subspan(1)) add_times_and_counts(sum, bucket);
    sum.fidelity = fidelity_of_all(buckets);
    // A bucket's imbalance is largest / mean messages, and its mean messages are its payload / ranks.
    sum.imbalance = mean(buckets, &I::imbalance, payload);
    sum.chunk_prediction_error = prediction_error(buckets);
    sum.links = links(buckets);
    double utilisation = 0, used = 0;   // a link that only preparations used has none
    for (const LinkShare& link : sum.links) {
        utilisation += link.utilisation;
        used += link.utilisation > 0;
    }
    sum.link_utilisation = used > 0 ? utilisation / used : 0;
    sum.idle_wait_share = mean(buckets, &I::idle_wait_share, window);
    sum.engine_utilisation = mean(buckets, &I::engine_utilisation, network_time);
    return sum;
}

}   // namespace oscar
