#include "sim/codes.hpp"

#include "models/collective/reference.hpp"

namespace oscar {
CodeSource::CodeSource(const Replay& replay, const Quantiser& quantiser)
    : replay_(replay), quantiser_(quantiser), groups_(scale_groups(quantiser, replay.tensors())), scale_(quantiser) {}

IterationCodes CodeSource::next(std::uint32_t position) {
    IterationCodes it;
    it.position = position;
    it.continues = replay_.follows(position);
    if (!it.continues) scale_.reset();
    it.gradients = replay_.gradients(position);
    for (const auto& gradient : it.gradients) it.local_peaks.push_back(peaks(quantiser_, gradient, groups_));
    const auto derived = scale_.derived();
    it.exchanged = !derived;
    it.peaks = derived ? *derived : SharedScale::largest(it.local_peaks);

    const std::uint32_t bits = fixed_point(quantiser_).bits;
    bool too_many = false;
    for (const auto& gradient : it.gradients) {
        Quantised rank = quantise(gradient, groups_, it.peaks, bits);
        it.saturated += rank.saturated;
        too_many |= rank.saturated > may_saturate(quantiser_, gradient.size());
        it.codes.push_back(std::move(rank.codes));
    }
    it.sum = exact_sum(it.codes);
    const auto reduced = dequantise(it.sum, groups_, it.peaks, bits);
    scale_.observe(it.peaks, it.exchanged, reduced, groups_, too_many);
    const std::vector<std::span<const float>> gradients(it.gradients.begin(), it.gradients.end());
    it.fidelity = fidelity(reduced, gradients);
    return it;
}

}   // namespace oscar
