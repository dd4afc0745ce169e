#include "sim/report/combinations.hpp"

#include <algorithm>
#include <map>

namespace oscar {
namespace {

/// Adds `utilisation` and `wire_bytes` to the link of that name.
void add(std::vector<LinkShare>& links, const std::string& name, double utilisation, std::uint64_t wire_bytes) {
    auto share = std::ranges::find(links, name, &LinkShare::name);
    if (share == links.end()) share = links.insert(share, {name, 0, 0});
    share->utilisation += utilisation;
    share->wire_bytes += wire_bytes;
}

}   // namespace

double combinations::network_time(const IterationResult& bucket) {
    return static_cast<double>(bucket.allreduce_ps - bucket.scale_exchange_ps - bucket.boundary_broadcast_ps -
                               bucket.gpu_kernel_ps);
}
double combinations::link_window(const IterationResult& bucket) { return static_cast<double>(bucket.link_window_ps); }
double combinations::payload(const IterationResult& bucket) { return static_cast<double>(bucket.payload_bytes); }

std::vector<LinkShare> combinations::links_of_buckets(Parts buckets) {
    double time = 0;
    for (const IterationResult& bucket : buckets) time += network_time(bucket);
    std::vector<LinkShare> links;
    for (const IterationResult& bucket : buckets)
        for (const LinkShare& link : bucket.links)
            add(links, link.name, link.utilisation * network_time(bucket) / time, link.wire_bytes);
    return links;
}

std::vector<LinkShare> combinations::links_of_iterations(Parts iterations) {
    std::vector<LinkShare> links;
    for (const IterationResult& it : iterations)
        for (const LinkShare& link : it.links)
            add(links, link.name, link.utilisation / static_cast<double>(iterations.size()), link.wire_bytes);
    return links;
}

double combinations::link_utilisation_of_buckets(Parts buckets) {
    double utilisation = 0, used = 0;
    for (const LinkShare& link : links_of_buckets(buckets)) {
        utilisation += link.utilisation;
        used += link.utilisation > 0;
    }
    return used > 0 ? utilisation / used : 0;
}

std::optional<LongestStep> combinations::longest_step_of_buckets(Parts buckets) {
    const auto time = [](const IterationResult& bucket) {
        return bucket.longest_step ? bucket.longest_step->time_ps : -1;
    };
    return std::ranges::max_element(buckets, {}, time)->longest_step;
}

std::vector<ExchangeReport> combinations::exchanges_of_buckets(Parts buckets) {
    std::vector<ExchangeReport> all;
    for (const IterationResult& bucket : buckets)
        for (const ExchangeReport& exchange : bucket.exchanges) {
            const auto known = std::ranges::find(all, exchange.what, &ExchangeReport::what);
            if (known == all.end()) {
                all.push_back(exchange);
                continue;
            }
            known->payload_bytes += exchange.payload_bytes;
            known->wire_bytes += exchange.wire_bytes;
            known->time_ps += exchange.time_ps;
            known->overlapped = known->overlapped && exchange.overlapped;
        }
    return all;
}

std::vector<ExchangeReport> combinations::exchanges_of_iterations(Parts iterations) {
    std::vector<ExchangeReport> all = exchanges_of_buckets(iterations);
    for (ExchangeReport& exchange : all) exchange.time_ps /= static_cast<std::int64_t>(iterations.size());
    return all;
}

namespace {

void add(FactorReport& sum, const FactorReport& other) {
    const double tried = static_cast<double>(sum.tried), more = static_cast<double>(other.tried);
    if (other.gain) sum.gain = (sum.gain.value_or(0) * tried + *other.gain * more) / (tried + more);
    if (other.throughput) sum.throughput = other.throughput;
    sum.tensors += other.tensors;
    sum.tried += other.tried;
}

}   // namespace

std::vector<FactorReport> combinations::factors(Parts parts) {
    std::map<double, FactorReport> all;
    for (const IterationResult& part : parts)
        for (const FactorReport& factor : part.factors)
            add(all.try_emplace(factor.factor, FactorReport{factor.factor, 0, 0, {}, {}}).first->second, factor);
    std::vector<FactorReport> result;
    result.reserve(all.size());
    for (const auto& [factor, report] : all) result.push_back(report);
    return result;
}

std::optional<Fidelity> combinations::fidelity_of_buckets(Parts buckets) {
    Deviation deviation;
    for (const IterationResult& bucket : buckets) {
        if (!bucket.fidelity) return std::nullopt;
        deviation += bucket.fidelity->deviation;
    }
    return fidelity(deviation);
}

std::optional<double> combinations::relative_l2_error(const IterationResult& result) {
    return result.fidelity ? std::optional(result.fidelity->relative_l2_error) : std::nullopt;
}
std::optional<double> combinations::cosine(const IterationResult& result) {
    return result.fidelity ? std::optional(result.fidelity->cosine) : std::nullopt;
}

namespace {

std::optional<double> bits_of_a_value(std::uint64_t bytes, std::uint64_t values) {
    if (values == 0) return std::nullopt;
    return 8.0 * static_cast<double>(bytes) / static_cast<double>(values);
}

}   // namespace

double combinations::bits_per_value(const IterationResult& result) {
    return bits_of_a_value(result.payload_bytes, result.values).value_or(0);
}
std::optional<double> combinations::island_bits_per_value(const IterationResult& result) {
    return bits_of_a_value(result.island_payload_bytes, result.island_values);
}
std::optional<double> combinations::nic_bits_per_value(const IterationResult& result) {
    return bits_of_a_value(result.nic_payload_bytes, result.nic_values);
}

std::optional<double> combinations::entropy_bits_per_value(const IterationResult& result) {
    if (!result.entropy_bits || result.values == 0) return std::nullopt;
    return *result.entropy_bits / static_cast<double>(result.values);
}

double combinations::algorithm_bandwidth_gbps(const IterationResult& result) {
    return result.allreduce_ps > 0 ? 8000 * result.counted_bytes / static_cast<double>(result.allreduce_ps) : 0;
}
double combinations::bus_bandwidth_gbps(const IterationResult& result) {
    return algorithm_bandwidth_gbps(result) * result.bus_factor;
}

std::string combinations::bottleneck(const IterationResult& result) {
    return std::string(bottleneck_of(result.critical_path, dma_limit_of(result)).name);
}
std::string combinations::break_even_limiter(const IterationResult& result) {
    return std::string(bottleneck_beside_wire(result.critical_path, dma_limit_of(result)).name);
}

std::optional<double> combinations::energy_total_pj(const IterationResult& result) {
    double sum = result.energy_reduce_pj.value_or(0);
    for (const auto& part : {result.energy_codec_pj, result.energy_memory_pj, result.energy_leakage_pj,
                             result.energy_dma_pj, result.energy_link_pj}) {
        if (!part) return std::nullopt;
        sum += *part;
    }
    return sum;
}

std::optional<double> combinations::engine_area_time_us_mm2(const IterationResult& result) {
    if (!result.engine_area_um2) return std::nullopt;
    return static_cast<double>(result.allreduce_ps) * 1e-6 * *result.engine_area_um2 * 1e-6;
}

}   // namespace oscar
