#include "models/compressor/sparse/redsync.hpp"

#include <numeric>

#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

/// The threshold at t between mean and maximum.
float threshold_at(const MagnitudeStatistics& of, double t) {
    return static_cast<float>(of.mean + t * (static_cast<double>(of.max) - of.mean));
}

MagnitudeStatistics statistics(const SelectionInput& input, ComputeCost& operations) {
    operations.elements += 2 * input.values.size();
    operations.additions += input.values.size();
    operations.comparisons += input.values.size();
    return magnitude_statistics(input.values);
}

std::uint64_t counted(const SelectionInput& input, float threshold, ComputeCost& operations) {
    operations.elements += input.values.size();
    operations.comparisons += input.values.size();
    ++operations.rounds;
    return count_above(input.values, threshold);
}

Positions largest_of(std::span<const float> values, const Positions& candidates, std::uint64_t k) {
    const std::vector<float> trimmed = gather(values, candidates);
    Positions result = largest_positions(trimmed, k);
    for (std::uint32_t& position : result) position = candidates[position];
    return result;
}

}   // namespace

Positions select(const RedSyncSelect&, const SelectionInput& input, ComputeCost& operations) {
    const MagnitudeStatistics of = statistics(input, operations);
    const std::uint64_t k = selection_size(input.values.size(), input.factor);
    float threshold = 0;
    for (double low = 0, high = 1; high - low > 0.2;) {
        const double t = (low + high) / 2;
        threshold = threshold_at(of, t);
        const std::uint64_t count = counted(input, threshold, operations);
        if (k < count && count < 2 * k) break;
        (2 * count < k ? high : low) = t;
    }
    return positions_above(input.values, threshold);
}

Positions select(const TrimmedTopKSelect&, const SelectionInput& input, ComputeCost& operations) {
    const MagnitudeStatistics of = statistics(input, operations);
    const std::uint64_t k = selection_size(input.values.size(), input.factor);
    for (int fifths = 4; fifths >= 0; --fifths) {
        const float threshold = threshold_at(of, fifths / 5.0);
        const std::uint64_t count = counted(input, threshold, operations);
        if (count < k) continue;
        operations.comparisons += 2 * count;
        return largest_of(input.values, positions_above(input.values, threshold), k);
    }
    operations.comparisons += 2 * input.values.size();
    return largest_positions(input.values, k);
}

}   // namespace oscar
