#include "sim/replay/codes.hpp"

#include "models/collective/endpoint/reference.hpp"
#include "models/core/random.hpp"

namespace oscar {

IterationCodes uncoded(std::uint32_t position, bool continues, std::vector<std::vector<float>> gradients,
                       std::uint64_t seed) {
    IterationCodes it;
    it.position = position;
    it.seed = random_at(~seed, position);
    it.continues = continues;
    it.gradients = std::move(gradients);
    return it;
}

CodeSource::CodeSource(std::span<const Segment> tensors, std::uint32_t ranks, const Quantiser& quantiser,
                       std::uint64_t seed, ParallelFor parallel)
    : quantiser_(quantiser),
      groups_(scale_groups(quantiser, tensors)),
      scale_(quantiser),
      seed_(seed),
      parallel_(std::move(parallel)),
      feedback_(ranks) {}

/// The gradient of one rank with its residual; empty where there is none.
std::vector<float> CodeSource::corrected(std::size_t rank, const IterationCodes& it) const {
    if (feedback_[rank].residual().empty()) return {};
    return feedback_[rank].corrected(it.gradients[rank]);
}

/// Codes of one rank; what they leave out stays as its residual if the quantiser wants one.
Quantised CodeSource::quantise_rank(std::size_t rank, std::span<const float> values, const IterationCodes& it) {
    const FixedPoint& params = fixed_point(quantiser_);
    Quantised result = quantise(values, groups_, it.peaks, params, random_at(random_at(seed_, it.position), rank));
    if (params.residual) feedback_[rank].keep(values, dequantise(result.codes, groups_, it.peaks, params.bits));
    return result;
}

IterationCodes CodeSource::next(const Replay& replay, std::uint32_t position) {
    return next(position, replay.follows(position), replay.gradients(position, parallel_));
}

IterationCodes CodeSource::next(std::uint32_t position, bool continues, std::vector<std::vector<float>> gradients) {
    IterationCodes it = uncoded(position, continues, std::move(gradients), seed_);
    if (!it.continues) {
        scale_.reset();
        for (ErrorFeedback& feedback : feedback_) feedback.reset();
    }
    const std::size_t ranks = feedback_.size();
    std::vector<std::vector<float>> corrected_gradients(ranks);
    const auto values = [&](std::size_t r) -> const std::vector<float>& {
        return corrected_gradients[r].empty() ? it.gradients[r] : corrected_gradients[r];
    };
    it.local_peaks.resize(ranks);
    parallel_(ranks, [&](std::size_t r) {
        corrected_gradients[r] = corrected(r, it);
        it.local_peaks[r] = peaks(quantiser_, values(r), groups_);
    });
    const auto derived = scale_.derived();
    it.exchanged = !derived;
    it.peaks = derived ? *derived : SharedScale::largest(it.local_peaks);

    std::vector<Quantised> quantised(ranks);
    parallel_(ranks, [&](std::size_t r) { quantised[r] = quantise_rank(r, values(r), it); });
    bool too_many = false;
    for (Quantised& rank : quantised) {
        it.saturated += rank.saturated;
        too_many |= rank.saturated > may_saturate(quantiser_, rank.codes.size());
        it.codes.push_back(std::move(rank.codes));
    }
    it.sum = exact_sum(it.codes);
    it.reduced = dequantise(it.sum, groups_, it.peaks, fixed_point(quantiser_).bits);
    scale_.observe(it.peaks, it.exchanged, it.reduced, groups_, too_many);
    it.fidelity = fidelity(it.reduced, std::vector<std::span<const float>>(it.gradients.begin(), it.gradients.end()));
    return it;
}

}   // namespace oscar
