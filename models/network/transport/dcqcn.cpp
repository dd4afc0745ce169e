#include "models/network/transport/dcqcn.hpp"

#include <algorithm>

namespace oscar {
namespace {

constexpr std::uint64_t kbps(Bandwidth rate) { return rate.mbps * 1'000; }

}   // namespace

bool is_marked(const DcqcnParams& params, Bytes queue, double uniform) {
    if (queue >= params.mark_all_from) return true;
    if (queue <= params.mark_from) return false;
    const auto above = static_cast<double>((queue - params.mark_from).count);
    const auto range = static_cast<double>((params.mark_all_from - params.mark_from).count);
    return uniform < params.mark_probability * above / range;
}

bool NotificationPoint::answers(Time now) {
    if (last_ && now - *last_ < interval_) return false;
    last_ = now;
    return true;
}

ReactionPoint::ReactionPoint(const DcqcnParams& params, Bandwidth line)
    : params_(params),
      gain_(static_cast<std::uint64_t>(params.gain * static_cast<double>(one))),
      line_(kbps(line)),
      rate_(line_),
      target_(line_) {}

void ReactionPoint::notified(Time now) {
    advance(now);
    target_ = rate_;
    rate_ = std::max(rate_ - (rate_ * alpha_ >> (fraction_bits + 1)), std::min(kbps(params_.minimum_rate), line_));
    alpha_ = alpha_ - weighted(alpha_) + gain_;
    timer_rises_ = byte_rises_ = 0;
    since_rise_ = {};
    next_rise_ = now + params_.increase_interval;
    next_decay_ = now + params_.alpha_interval;
}

Time ReactionPoint::sent(Bytes wire, Time now) {
    advance(now);
    // bytes * 8 bit / (kbit/s * 10^3 bit/s) = bytes * 8 * 10^9 / (kbit/s) ps
    const Time gap{static_cast<std::int64_t>((wire.count * 8'000'000'000 + rate_ - 1) / rate_)};
    for (since_rise_ += wire; since_rise_ >= params_.increase_bytes; since_rise_ -= params_.increase_bytes) {
        ++byte_rises_;
        rise();
    }
    return now + gap;
}

std::uint64_t ReactionPoint::rate_kbps(Time now) {
    advance(now);
    return rate_;
}

std::uint64_t ReactionPoint::alpha(Time now) {
    advance(now);
    return alpha_;
}

/// Alpha's timer and the rate's do not touch each other, so their order does not matter.
void ReactionPoint::advance(Time now) {
    decay(now);
    for (; rate_ < line_ && next_rise_ <= now; next_rise_ += params_.increase_interval) {
        ++timer_rises_;
        rise();
    }
}

void ReactionPoint::decay(Time now) {
    for (; next_decay_ <= now && weighted(alpha_) > 0; next_decay_ += params_.alpha_interval)
        alpha_ -= weighted(alpha_);
}

void ReactionPoint::rise() {
    const std::uint32_t most = std::max(timer_rises_, byte_rises_), least = std::min(timer_rises_, byte_rises_);
    if (least > params_.fast_recoveries) target_ += (least - params_.fast_recoveries) * kbps(params_.hyper_increase);
    else if (most > params_.fast_recoveries) target_ += kbps(params_.additive_increase);
    target_ = std::min(target_, line_);
    rate_ = (rate_ + target_ + 1) / 2;
}

}   // namespace oscar
