// Go-back-N: the receiver takes packets in order only; the sender returns to the first that was not taken.
#pragma once

#include "models/network/params/reliability_params.hpp"
#include "models/network/transport/protocol.hpp"

namespace oscar {

/// The clock of the timeout starts with the oldest packet in flight, and anew with each answer that tells anything new.
class GoBackNSender : public SendingEnd {
public:
    explicit GoBackNSender(const GoBackNParams& params) : params_(params) {}
    void offer(std::uint64_t packets) override { offered_ += packets; }
    std::optional<std::uint64_t> next() const override;
    void sent(Time now) override;
    void answered(const Answer& answer, Time now) override;
    std::optional<Time> deadline() const override { return deadline_; }
    void expired(Time now) override;
    std::uint64_t acknowledged() const override { return base_; }

private:
    GoBackNParams params_;
    std::uint64_t base_ = 0, next_ = 0, offered_ = 0;
    std::optional<Time> deadline_;
};

/// Asks once for each packet that it misses, when the first after it comes; acknowledges every other.
class GoBackNReceiver : public ReceivingEnd {
public:
    Verdict received(std::uint64_t number) override;

private:
    std::uint64_t expected_ = 0;
    bool asked_ = false;   ///< for the one expected
};

}   // namespace oscar
