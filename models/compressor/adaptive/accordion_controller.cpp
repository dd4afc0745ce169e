#include "models/compressor/adaptive/accordion_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

double norm(std::span<const float> gradient, const TensorShape& tensor) {
    return std::sqrt(squared_norm(gradient.subspan(tensor.begin, tensor.end - tensor.begin)));
}

}   // namespace

double relative_change(double before, double now) {
    if (before == 0) return now == 0 ? 0 : std::numeric_limits<double>::infinity();
    return std::fabs(now - before) / before;
}

void EpochRegimes::add(std::span<const float> gradient, std::span<const TensorShape> tensors) {
    tensors_.assign(tensors.begin(), tensors.end());
    critical_.resize(tensors.size(), true);
    sum_.resize(gradient.size());
    std::ranges::transform(sum_, gradient, sum_.begin(), std::plus{});
}

bool EpochRegimes::end_epoch(double learning_rate) {
    const bool compared = epoch_ % period_ == 0;
    if (compared) compare();
    // After the comparison, so that it is overridden.
    if (learning_rate_ && learning_rate < *learning_rate_) critical_.assign(critical_.size(), true);
    learning_rate_ = learning_rate;
    std::ranges::fill(sum_, 0.0f);
    ++epoch_;
    return compared;
}

void EpochRegimes::compare() {
    std::vector<double> norms;
    for (const TensorShape& tensor : tensors_) norms.push_back(norm(sum_, tensor));
    for (std::size_t t = 0; t < norms.size(); ++t)
        critical_[t] = norms_.empty() || norms_[t] == 0 || relative_change(norms_[t], norms[t]) >= threshold_;
    norms_ = std::move(norms);
}

double WindowedAverage::add(double value) {
    values_.push_back(value);
    if (values_.size() > window_) values_.pop_front();
    if (values_.size() < window_) return 0;
    double sum = 0, weights = 0;
    for (const double v : values_) {   // the oldest first
        sum = sum * (1 - weight_) + v;
        weights = weights * (1 - weight_) + 1;
    }
    return sum / weights;
}

bool StepRegime::critical(std::span<const float> gradient, std::span<const TensorShape> tensors) {
    double norms = 0;
    for (const TensorShape& tensor : tensors) norms += norm(gradient, tensor);
    const double before = std::exchange(before_, average_.add(norms));
    return before > 0 && relative_change(before, before_) >= threshold_;
}

}   // namespace oscar
