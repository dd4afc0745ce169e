// Statistics that are made of several parts as a whole, or of other statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/aggregation.hpp"

namespace oscar::inline report::combinations {

using aggregation::Parts;

/// Weights. Shares are of the time without what ranks agree on before, and without kernels of the GPU; a bucket's
/// imbalance is largest / mean messages, and its mean messages are its payload / ranks.
double network_time(const IterationResult& bucket);
double link_window(const IterationResult& bucket);
double payload(const IterationResult& bucket);

/// Of buckets, one after the other: utilisations are of the summed time, by name, for a small bucket may leave a link
/// unused.
std::vector<LinkShare> links_of_buckets(Parts buckets);
/// Per link the mean utilisation and all bytes, by name: answers may use a link in one iteration and not in another.
std::vector<LinkShare> links_of_iterations(Parts iterations);
/// Mean over the links of the buckets; one that only preparations used has none.
double link_utilisation_of_buckets(Parts buckets);

/// Of the whole gradient; none if a bucket has none.
std::optional<Fidelity> fidelity_of_buckets(Parts buckets);
std::optional<double> relative_l2_error(const IterationResult& result);
std::optional<double> cosine(const IterationResult& result);

double bits_per_value(const IterationResult& result);
std::optional<double> entropy_bits_per_value(const IterationResult& result);
double algorithm_bandwidth_gbps(const IterationResult& result);
double bus_bandwidth_gbps(const IterationResult& result);
std::string bottleneck(const IterationResult& result);
std::string break_even_limiter(const IterationResult& result);

}   // namespace oscar::inline report::combinations
