#include "models/network/transport/selective_repeat.hpp"

#include <algorithm>
#include <utility>

namespace oscar {

SelectiveSender::SelectiveSender(const SelectiveParams& params) : params_(params) {
    params_.window = std::min(params.window, params.reorder);
}

std::optional<std::uint64_t> SelectiveSender::next() const {
    for (std::uint64_t lost = std::max(repeat_from_, base_); lost < lost_below_; ++lost)
        if (!kept_[lost - base_]) return lost;
    if (fresh() == offered_ || kept_.size() >= params_.window) return std::nullopt;
    return fresh();
}

void SelectiveSender::sent(Time now) {
    const std::uint64_t number = *next();
    if (number == fresh()) kept_.push_back(false);
    else repeat_from_ = number + 1;
    if (!deadline_) deadline_ = now + params_.timeout;
}

void SelectiveSender::acknowledge(std::uint64_t expected) {
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(expected - base_));
    base_ = expected;
}

void SelectiveSender::answered(const Answer& answer, Time now) {
    bool news = answer.expected > base_;
    if (news) acknowledge(answer.expected);
    if (answer.kept && *answer.kept >= base_ && !kept_[*answer.kept - base_]) {
        kept_[*answer.kept - base_] = news = true;
        lost_below_ = std::max(lost_below_, *answer.kept);
    }
    if (kept_.empty()) deadline_.reset();
    else if (news) deadline_ = now + params_.timeout;
}

void SelectiveSender::expired(Time) {
    repeat_from_ = base_;
    lost_below_ = fresh();
    deadline_.reset();
}

/// What is kept from the one expected on.
std::uint64_t SelectiveReceiver::deliver() {
    std::uint64_t count = 0;
    for (; !kept_.empty() && kept_.front(); ++count) kept_.pop_front();
    expected_ += count;
    return count;
}

ReceivingEnd::Verdict SelectiveReceiver::received(std::uint64_t number) {
    if (number < expected_ || number >= expected_ + reorder_) return {0, Answer{expected_}};
    const std::uint64_t ahead = number - expected_;
    if (ahead >= kept_.size()) kept_.resize(ahead + 1);
    kept_[ahead] = true;
    if (ahead > 0) return {0, Answer{expected_, !std::exchange(asked_, true), number}};
    asked_ = false;
    const std::uint64_t delivered = deliver();
    return {delivered, Answer{expected_}};
}

}   // namespace oscar
