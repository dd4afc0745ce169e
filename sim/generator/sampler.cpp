#include "sim/generator/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/generator/arithmetic.hpp"

namespace oscar {
namespace {

struct SampleUse {
    enum : std::uint64_t { rows, columns, phases, elements, signals, own, own_silence, iteration_scale, rank_scale };
};
constexpr std::uint64_t layers = 1U << 20;   // uses of the seed's stream from here on
/// Share of the variance of log scales that all layers have in common: 0.46 to 0.86 in captures of five networks.
constexpr double joint_scale = 0.7;

float low(const NormalTable& normal, std::uint64_t bits) { return normal(static_cast<std::uint32_t>(bits)); }
float high(const NormalTable& normal, std::uint64_t bits) { return normal(static_cast<std::uint32_t>(bits >> 32)); }
float root(double share) { return static_cast<float>(std::sqrt(share)); }

RowOrColumnParams row_params(const LayerParams& p) {
    return {p.row_sigma, p.row_spread, p.silent_rows, p.row_agreement, p.churn, p.row_strengths};
}
RowOrColumnParams column_params(const LayerParams& p) {
    return {p.column_sigma, p.column_spread, p.silent_columns, p.column_agreement, p.churn, p.column_strengths};
}

/// A standard normal number. The `size` numbers of its group lie one in each of `size` equally likely ranges, so that a
/// few ranks or iterations have the spread of many.
double balanced_normal(Stream stream, std::uint64_t i, std::uint64_t size) {
    const Stream group = stream.of(i / size);
    const double own = group.uniform(i % size);
    double below = 0;
    for (std::uint64_t k = 0; k < size; ++k) below += group.uniform(k) < own;
    return normal_quantile((below + std::max(group.uniform(size + i % size), 0x1p-54)) / static_cast<double>(size));
}

/// A single row or column is no structure: its strength is the layer's scale.
RowOrColumnParams unless_single(const RowOrColumnParams& params, std::uint64_t count) {
    return count > 1 ? params : RowOrColumnParams{};
}

/// The model without what a grid of one row or column cannot have.
LayerParams within(LayerParams p, const Grid& grid) {
    if (grid.rows == 1) p.row_sigma = p.row_spread = p.silent_rows = 0, p.row_strengths.clear();
    if (grid.columns == 1) p.column_sigma = p.column_spread = p.silent_columns = 0, p.column_strengths.clear();
    return p;
}

}   // namespace

LayerSampler::LayerSampler(const LayerModel& model, std::uint64_t seed, std::uint64_t layer)
    : params_(within(model.params, grid_of(model.shape))),
      grid_(grid_of(model.shape)),
      curve_(params_),
      stream_(Stream{mix(seed)}.of(layers + layer)),
      scales_(Stream{mix(seed)}),
      rows_(unless_single(row_params(params_), grid_.rows), stream_.of(SampleUse::rows), grid_.rows),
      columns_(unless_single(column_params(params_), grid_.columns), stream_.of(SampleUse::columns), grid_.columns) {}

void LayerSampler::share(std::uint64_t iteration, std::uint64_t first, std::size_t count) {
    if (iteration != iteration_) lines_.clear();
    iteration_ = iteration;
    first_ = first;
    const NormalTable& normal = normal_table();
    const Stream signal = stream_.of(SampleUse::signals).of(iteration), phase = stream_.of(SampleUse::phases);
    signal_.resize(count);
    for (std::size_t i = 0; i < count; ++i) signal_[i] = low(normal, signal.bits(first + i));
    strength_.assign(count, 0);
    loudness_.assign(count, 0);
    if (params_.element_sigma == 0 && params_.silent_elements == 0) return;
    const auto sigma = static_cast<float>(params_.element_sigma * std::numbers::log2e);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t epoch = epoch_of(phase, params_.churn, iteration, first + i),
                            bits = stream_.of(SampleUse::elements).of(epoch).bits(first + i);
        strength_[i] = sigma * low(normal, bits);
        loudness_[i] = high(normal, bits);
    }
}

const LayerSampler::RankLines& LayerSampler::lines_of(std::uint32_t rank) {
    if (lines_.size() <= rank) lines_.resize(rank + 1);
    RankLines& lines = lines_[rank];
    if (!lines.drawn) lines = {true, rows_.draw(iteration_, rank), columns_.draw(iteration_, rank)};
    return lines;
}

/// log2 of the scale that a rank has in the iteration.
float LayerSampler::log2_scale(std::uint32_t rank) const {
    const auto both = [&](std::uint64_t use, std::uint64_t key, std::uint64_t i, std::uint64_t size) {
        return std::sqrt(joint_scale) * balanced_normal(scales_.of(use).of(key), i, size) +
               std::sqrt(1 - joint_scale) * balanced_normal(stream_.of(use).of(key), i, size);
    };
    if (!params_.course.empty()) {
        // Ranks beyond the course have that of a later iteration.
        const std::uint64_t ranks = params_.course_ranks, iterations = params_.course.size() / ranks,
                            t = (iteration_ + rank / ranks) % iterations;
        const double ln = params_.course[t * ranks + rank % ranks] - params_.decay * static_cast<double>(iteration_);
        return log2_of(static_cast<float>(params_.scale)) + static_cast<float>(ln * std::numbers::log2e);
    }
    const double ln = params_.iteration_spread * both(SampleUse::iteration_scale, 0, iteration_, 4) +
                      params_.rank_spread * both(SampleUse::rank_scale, iteration_, rank, 8) -
                      params_.decay * static_cast<double>(iteration_);
    return log2_of(static_cast<float>(params_.scale)) + static_cast<float>(ln * std::numbers::log2e);
}

void LayerSampler::fill(std::uint32_t rank, std::span<float> out) {
    const RankLines& lines = lines_of(rank);
    const NormalTable& normal = normal_table();
    const Stream random = stream_.of(SampleUse::own).of(iteration_).of(rank),
                 silence = stream_.of(SampleUse::own_silence).of(iteration_).of(rank);
    const float scale = log2_scale(rank), spread = static_cast<float>(params_.element_spread * std::numbers::log2e),
                common = root(params_.rank_correlation), alone = root(1 - params_.rank_correlation),
                agreed = root(params_.element_agreement), apart = root(1 - params_.element_agreement);
    const double silent = params_.silent_elements;
    const auto threshold = static_cast<float>(silent > 0 && silent < 1 ? normal_quantile(silent) : silent * 100);
    std::uint64_t cell = first_ % grid_.cells, column = first_ / grid_.cells % grid_.columns,
                  row = first_ / grid_.cells / grid_.columns;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint64_t bits = random.bits(first_ + i);
        const float z = common * signal_[i] + alone * low(normal, bits);
        float u = lines.rows[row] + lines.columns[column] + strength_[i] + spread * high(normal, bits);
        if (silent > 0 && agreed * loudness_[i] + apart * low(normal, silence.bits(first_ + i)) < threshold)
            u = -INFINITY;
        const float magnitude = u < -1000 || z == 0 ? 0.0F : exp2_of(curve_(u + log2_of(std::fabs(z))) + scale);
        out[i] = z < 0 ? -magnitude : magnitude;
        if (++cell < grid_.cells) continue;
        cell = 0;
        if (++column < grid_.columns) continue;
        column = 0;
        ++row;
    }
}

}   // namespace oscar
