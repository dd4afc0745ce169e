#include "sim/codes.hpp"

#include "models/collective/reference.hpp"

namespace oscar {
namespace {

std::vector<Segment> tensors_of(const Trace& trace) {
    std::vector<Segment> tensors;
    const auto& offsets = trace.layer_offsets();   // one more than there are layers
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
        tensors.push_back({static_cast<std::uint32_t>(offsets[i]), static_cast<std::uint32_t>(offsets[i + 1])});
    return tensors;
}

}   // namespace

CodeSource::CodeSource(const Trace& trace, std::uint32_t ranks, const Quantiser& quantiser)
    : trace_(trace),
      ranks_(ranks),
      quantiser_(quantiser),
      groups_(scale_groups(quantiser, tensors_of(trace))),
      scale_(quantiser) {}

IterationCodes CodeSource::next(std::uint32_t position) {
    IterationCodes it;
    it.position = position;
    it.continues = trace_.follows(position);
    if (!it.continues) scale_.reset();
    const auto view = trace_.iteration(position);
    for (std::uint32_t r = 0; r < ranks_; ++r) {
        const auto gradient = view.gradient(Rank{r});
        it.gradients.emplace_back(gradient.begin(), gradient.end());
        it.local_peaks.push_back(peaks(quantiser_, gradient, groups_));
    }
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
