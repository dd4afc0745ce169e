#include "models/quantise/shared_scale.hpp"

#include <algorithm>

namespace oscar {

std::optional<std::vector<float>> SharedScale::derived() const {
    const FixedPoint& params = fixed_point(quantiser_);
    if (params.agreement == ScaleAgreement::exact || exchange_next_) return std::nullopt;
    std::vector<float> result(reduced_peaks_.size());
    for (std::size_t g = 0; g < result.size(); ++g)
        result[g] = static_cast<float>(params.margin * static_cast<double>(reduced_peaks_[g]) *
                                       static_cast<double>(ratios_[g]));
    return result;
}

std::vector<float> SharedScale::largest(std::span<const std::vector<float>> local) {
    std::vector<float> result = local.front();
    for (const auto& peaks : local)
        for (std::size_t g = 0; g < result.size(); ++g) result[g] = std::max(result[g], peaks[g]);
    return result;
}

void SharedScale::observe(std::span<const float> used, bool exchanged, std::span<const float> reduced,
                          std::span<const Segment> groups, bool saturated) {
    reduced_peaks_ = peaks(quantiser_, reduced, groups);
    if (exchanged) {
        ratios_.assign(used.size(), 0);
        for (std::size_t g = 0; g < used.size(); ++g)
            if (reduced_peaks_[g] > 0) ratios_[g] = used[g] / reduced_peaks_[g];
    }
    // A group whose sum vanished gives no scale to go on with.
    const bool unusable = std::ranges::any_of(ratios_, [](float r) { return r == 0; }) ||
                          std::ranges::any_of(reduced_peaks_, [](float p) { return p == 0; });
    exchange_next_ = saturated || unusable;
}

void SharedScale::reset() {
    exchange_next_ = true;
    ratios_.clear();
    reduced_peaks_.clear();
}

}   // namespace oscar
