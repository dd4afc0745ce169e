// How the ranks come to one scale per iteration: exchanged (`exact`) or
// derived from what all of them already hold (`delayed`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/quantise/quantiser.hpp"

namespace oscar {

/// The agreement over the iterations of a run. Everything it uses is known to every rank: the peaks exchanged, the
/// reduced gradient, and one flag per rank that says whether too many of its values saturated.
class SharedScale {
public:
    explicit SharedScale(const Quantiser& quantiser) : quantiser_(quantiser) {}

    /// Peaks derived from the reduced gradients so far (`delayed`); nothing when they must be exchanged (`exact`).
    std::optional<std::vector<float>> derived() const;

    /// The result of the exchange: per group the largest of the ranks' local peaks.
    static std::vector<float> largest(std::span<const std::vector<float>> local);

    /// Tells what came of an iteration: the peaks used, whether they were exchanged, the reduced gradient (dequantised
    /// sum), and whether any rank saturated more than it may.
    /// `delayed`: peak(t) = margin * peak(t-1's sum) * ratio, the ratio of local peak to the sum's peak as last
    /// exchanged.
    void observe(std::span<const float> used, bool exchanged, std::span<const float> reduced,
                 std::span<const Segment> groups, bool saturated);

    /// Forgets everything: a new bucket, or iterations that do not follow each other.
    void reset();

private:
    Quantiser quantiser_;
    std::vector<float> reduced_peaks_;   ///< of the sum of the last iteration
    std::vector<float> ratios_;          ///< local peak / reduced peak at the last exchange
    bool exchange_next_ = true;
};

}   // namespace oscar
