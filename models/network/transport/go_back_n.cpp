#include "models/network/transport/go_back_n.hpp"

#include <algorithm>

namespace oscar {

std::optional<std::uint64_t> GoBackNSender::next() const {
    if (next_ == offered_ || next_ >= base_ + params_.window) return std::nullopt;
    return next_;
}

void GoBackNSender::sent(Time now) {
    ++next_;
    if (!deadline_) deadline_ = now + params_.timeout;
}

void GoBackNSender::answered(const Answer& answer, Time now) {
    const bool news = answer.expected > base_;
    base_ = std::max(base_, answer.expected);
    next_ = std::max(next_, base_);   // it may have gone back while this answer was in flight
    const bool back = answer.missing && answer.expected == base_;
    if (back) next_ = base_;
    if (base_ == next_) deadline_.reset();
    else if (news) deadline_ = now + params_.timeout;
}

void GoBackNSender::expired(Time) {
    next_ = base_;
    deadline_.reset();
}

ReceivingEnd::Verdict GoBackNReceiver::received(std::uint64_t number) {
    if (number == expected_) {
        asked_ = false;
        return {1, Answer{++expected_}};
    }
    if (number < expected_) return {0, Answer{expected_}};   // its acknowledgement may have been lost
    if (asked_) return {};
    asked_ = true;
    return {0, Answer{expected_, true}};
}

}   // namespace oscar
