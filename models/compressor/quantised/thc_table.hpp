// The table of THC: which integers the few levels of a message stand for, so that they can be summed.
#pragma once

#include <cstdint>
#include <vector>

namespace oscar {

/// A normal value x of deviation 1, clamped to [-threshold, threshold], is (x / threshold + 1) / 2 * granularity on a
/// scale of integers, and becomes one of the values next to it.
struct ThcTable {
    double threshold = 0;
    std::uint32_t granularity = 0;
    std::vector<std::uint32_t> values;   ///< ascending, from 0 to the granularity; one per level
};

/// The threshold beyond which, on either side together, a normal value of deviation 1 lies with probability p; 0 < p <
/// 1.
double normal_threshold(double p);

/// The mean of the squared error of a normal value that is within the threshold, times the probability that it is,
/// when it is rounded at random, right on average, to the next values of the table.
double rounding_error(const ThcTable& table);

/// The table of 2^bits levels with the least rounding error among those that are symmetric, by dynamic programming.
/// Throws std::invalid_argument where the granularity has too few integers for that, and for bits beyond 1 .. 8.
/// Source: Li et al., NSDI 2024, section on non-uniform quantisation.
ThcTable make_thc_table(std::uint32_t bits, std::uint32_t granularity, double overflow);

}   // namespace oscar
