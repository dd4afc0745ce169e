#include "sim/replay/codes.hpp"

#include "models/collective/endpoint/reference.hpp"
#include "models/core/random.hpp"

namespace oscar::inline replay {
CodeSource::CodeSource(const Replay& replay, const Quantiser& quantiser, std::uint64_t seed)
    : replay_(replay),
      quantiser_(quantiser),
      groups_(scale_groups(quantiser, replay.tensors())),
      scale_(quantiser),
      seed_(seed),
      feedback_(replay.ranks()) {}

/// Codes of one rank; what they leave out stays as its residual if the quantiser wants one.
Quantised CodeSource::quantise_rank(std::uint32_t rank, std::span<const float> values, const IterationCodes& it) {
    const FixedPoint& params = fixed_point(quantiser_);
    Quantised result = quantise(values, groups_, it.peaks, params, random_at(random_at(seed_, it.position), rank));
    if (params.residual) feedback_[rank].keep(values, dequantise(result.codes, groups_, it.peaks, params.bits));
    return result;
}

IterationCodes CodeSource::next(std::uint32_t position) {
    IterationCodes it;
    it.position = position;
    it.draw = random_at(~seed_, position);
    it.continues = replay_.follows(position);
    if (!it.continues) {
        scale_.reset();
        for (ErrorFeedback& feedback : feedback_) feedback.reset();
    }
    it.gradients = replay_.gradients(position);
    std::vector<std::vector<float>> values;
    for (std::uint32_t r = 0; r < replay_.ranks(); ++r) values.push_back(feedback_[r].corrected(it.gradients[r]));
    for (const auto& rank : values) it.local_peaks.push_back(peaks(quantiser_, rank, groups_));
    const auto derived = scale_.derived();
    it.exchanged = !derived;
    it.peaks = derived ? *derived : SharedScale::largest(it.local_peaks);

    bool too_many = false;
    for (std::uint32_t r = 0; r < replay_.ranks(); ++r) {
        Quantised rank = quantise_rank(r, values[r], it);
        it.saturated += rank.saturated;
        too_many |= rank.saturated > may_saturate(quantiser_, values[r].size());
        it.codes.push_back(std::move(rank.codes));
    }
    it.sum = exact_sum(it.codes);
    const auto reduced = dequantise(it.sum, groups_, it.peaks, fixed_point(quantiser_).bits);
    scale_.observe(it.peaks, it.exchanged, reduced, groups_, too_many);
    const std::vector<std::span<const float>> gradients(it.gradients.begin(), it.gradients.end());
    it.fidelity = fidelity(reduced, gradients);
    return it;
}

}   // namespace oscar::inline replay
