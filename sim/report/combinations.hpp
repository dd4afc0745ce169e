// Statistics that are made of several parts as a whole, or of other statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/aggregation.hpp"

namespace oscar::combinations {

using aggregation::Parts;

/// A bucket's time on the network, in picoseconds, and the weight of shares of it: without what ranks agree on before,
/// and without kernels of the GPU.
double network_time(const IterationResult& bucket);
/// The weight of idle_wait_share: the time between first and last use of links, in picoseconds, over all ranks.
double link_window(const IterationResult& bucket);
/// The weight of imbalance: a bucket's imbalance is largest / mean messages, and its mean messages are its payload /
/// ranks.
double payload(const IterationResult& bucket);

/// The links of buckets that are reduced one after the other: utilisations are of the summed time. Links are matched by
/// name, for a small bucket may leave a link unused.
std::vector<LinkShare> links_of_buckets(Parts buckets);
/// Per link the mean utilisation and all bytes, by name: answers may use a link in one iteration and not in another.
std::vector<LinkShare> links_of_iterations(Parts iterations);
/// The longest of the steps that buckets have; none where none has.
std::optional<LongestStep> longest_step_of_buckets(Parts buckets);
/// Mean over the links of the buckets; one that only preparations used has none.
double link_utilisation_of_buckets(Parts buckets);

/// The exchanges of one name together: bytes and times of all.
std::vector<ExchangeReport> exchanges_of_buckets(Parts buckets);
/// The same, with the mean time of an iteration.
std::vector<ExchangeReport> exchanges_of_iterations(Parts iterations);

/// The factors of all parts, ascending: tensors and trials of all, the mean gain of all trials, the last throughput.
std::vector<FactorReport> factors(Parts parts);

/// The fidelity of the whole gradient; none if a bucket has none.
std::optional<Fidelity> fidelity_of_buckets(Parts buckets);
/// None without fidelity.
std::optional<double> relative_l2_error(const IterationResult& result);
/// None without fidelity.
std::optional<double> cosine(const IterationResult& result);

/// Payload bits / values; 0 without values.
double bits_per_value(const IterationResult& result);
/// The same inside islands, and between them; none without values there.
std::optional<double> island_bits_per_value(const IterationResult& result);
std::optional<double> nic_bits_per_value(const IterationResult& result);
/// None without values or without a known entropy.
std::optional<double> entropy_bits_per_value(const IterationResult& result);
/// counted_bytes over the time, in Gbit/s; 0 if that is 0.
double algorithm_bandwidth_gbps(const IterationResult& result);
/// algorithm_bandwidth_gbps times bus_factor, in Gbit/s.
double bus_bandwidth_gbps(const IterationResult& result);
/// The name of the cause with the largest share of the critical path; see bottleneck_of.
std::string bottleneck(const IterationResult& result);
/// The name of the cause with the largest share beside the link; see bottleneck_beside_wire.
std::string break_even_limiter(const IterationResult& result);
/// The sum of the energies; none if one is none, but for that of adders, which then is not counted.
std::optional<double> energy_total_pj(const IterationResult& result);
/// The time in us times the area in mm2; none without an area.
std::optional<double> engine_area_time_us_mm2(const IterationResult& result);

}   // namespace oscar::combinations
