#include "models/compressor/adaptive/gravac_controller.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace oscar {
namespace {

constexpr double rounding = 1e-9;   // relative, of factors that are quotients of factors

bool within(double a, double b, double of, double omega) { return std::fabs(a - b) <= omega * of; }

}   // namespace

std::vector<double> policy_steps(const GravacParams& params) {
    const double last = params.max_factor / params.min_factor;
    std::vector<double> steps;
    const bool geometric = params.policy == ScalingPolicy::geometric;
    for (double exponent = 1; std::exp2(exponent) < last; exponent = geometric ? exponent + 1 : 2 * exponent)
        steps.push_back(std::exp2(exponent));
    steps.push_back(last);
    return steps;
}

GravacController::GravacController(const GravacParams& params, std::uint32_t ranks)
    : params_(params),
      weight_(params.smoothing > 0 ? params.smoothing : std::min(1.0, ranks / 100.0)),
      samples_(static_cast<double>(ranks) * params.batch),
      floor_(params.min_factor) {
    check_factor(params.min_factor);
    check_factor(params.max_factor);
    if (params.max_factor < params.min_factor)
        throw std::invalid_argument("gravac: max_factor is less than min_factor; the search needs a range");
    steps_ = policy_steps(params);
    candidate_ = advanced(floor_, floor_);
}

GravacLevel GravacController::decide(const GravacNorms& norms) {
    if (norms.reference > 0) {
        note(floor_, norms.reference, norms.floor);
        if (candidate_ != floor_) note(candidate_, norms.reference, norms.candidate);
    }
    level_ = candidate_gain() >= params_.epsilon ? GravacLevel::candidate
             : floor_gain() >= params_.epsilon   ? GravacLevel::floor
                                                 : GravacLevel::dense;
    return level_;
}

double GravacController::sent_factor() const {
    return level_ == GravacLevel::candidate ? candidate_ : level_ == GravacLevel::floor ? floor_ : 1;
}

std::vector<FactorGain> GravacController::gains() const {
    std::vector<FactorGain> gains{{floor_, floor_gain()}};
    if (candidate_ != floor_) gains.push_back({candidate_, candidate_gain()});
    if (throughputs_.contains(1)) gains.push_back({.factor = 1, .gain = 1});
    for (FactorGain& of : gains)
        if (const auto found = throughputs_.find(of.factor); found != throughputs_.end())
            of.throughput = found->second.value();
    return gains;
}

void GravacController::completed(const StepTime& time) {
    const bool uncompressed = level_ == GravacLevel::dense && params_.dense_time == DenseTime::without_compression;
    const Time total = time.backward + time.communication + (uncompressed ? Time{} : time.compression);
    if (total.ps <= 0) throw std::invalid_argument("gravac: a step must take time; tell how long in completed()");
    const double gained = level_ == GravacLevel::dense ? 1 : gain(sent_factor());
    const double throughput = samples_ / (static_cast<double>(total.ps) * 1e-12) * gained;
    throughputs_[sent_factor()].add(throughput, params_.throughput == ThroughputMemory::last ? 1 : weight_);
    if (++iteration_ % params_.window == 0) check();
}

double GravacController::gain(double factor) const {
    const auto found = kept_.find(factor);
    if (found == kept_.end()) return 1;
    const Kept& kept = found->second;
    return params_.average == GainAverage::ratios ? kept.ratio.value() : kept.kept.value() / kept.reference.value();
}

void GravacController::note(double factor, double reference, double kept) {
    Kept& noted = kept_[factor];
    noted.ratio.add(kept / reference, weight_);
    noted.kept.add(kept, weight_);
    noted.reference.add(reference, weight_);
}

/// The policy: the least of its steps above `step`, and the greatest for ever.
double GravacController::next_step(double step) const {
    const auto found = std::ranges::upper_bound(steps_, step * (1 + rounding));
    return found == steps_.end() ? steps_.back() : *found;
}

double GravacController::advanced(double base, double candidate) const { return base * next_step(candidate / base); }

void GravacController::check() {
    scale_up();
    if (const auto ideal = saturated_factor()) candidate_ = std::max(*ideal, floor_);
    if (within(candidate_, floor_, floor_, rounding)) candidate_ = floor_;   // one level, not two that are almost one
}

void GravacController::scale_up() {
    const bool same = candidate_ != floor_ && within(floor_gain(), candidate_gain(), floor_gain(), params_.omega);
    const double evaluated = candidate_, base = params_.step_base == StepBase::floor ? floor_ : params_.min_factor;
    const double next = advanced(base, candidate_), step = next / base;
    if (same) floor_ = params_.floor_move == FloorMove::evaluated ? evaluated : next;
    candidate_ = params_.step_base == StepBase::floor ? step * floor_ : std::max(next, floor_);
    if (params_.overshoot == Overshoot::clamp) candidate_ = std::min(candidate_, params_.max_factor);
    if (params_.overshoot == Overshoot::clamp) floor_ = std::min(floor_, params_.max_factor);
}

/// The factor that is kept because the two highest throughputs are one, or none.
std::optional<double> GravacController::saturated_factor() const {
    if (throughputs_.size() < 2) return {};
    std::vector<std::pair<double, double>> ascending;   // throughput, factor
    for (const auto& [factor, throughput] : throughputs_) ascending.emplace_back(throughput.value(), factor);
    std::ranges::sort(ascending);
    const auto [highest, of_highest] = ascending.back();
    const auto [second, of_second] = ascending[ascending.size() - 2];
    if (!within(highest, second, second, params_.omega)) return {};
    return params_.saturation == SaturationChoice::lower_factor ? std::min(of_highest, of_second) : of_second;
}

}   // namespace oscar
