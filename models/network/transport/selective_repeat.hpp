// Selective repeat: the receiver keeps what comes ahead; the sender repeats only what is missing.
#pragma once

#include <deque>

#include "models/network/params/reliability_params.hpp"
#include "models/network/transport/protocol.hpp"

namespace oscar {

/// Packets that are missing before one that was kept are taken for lost and repeated once, and a second time after a
/// timeout. The clock of the timeout is that of go-back-N. A window never exceeds what the receiver keeps.
class SelectiveSender : public SendingEnd {
public:
    explicit SelectiveSender(const SelectiveParams& params);
    void offer(std::uint64_t packets) override { offered_ += packets; }
    std::optional<std::uint64_t> next() const override;
    void sent(Time now) override;
    void answered(const Answer& answer, Time now) override;
    std::optional<Time> deadline() const override { return deadline_; }
    void expired(Time now) override;
    std::uint64_t acknowledged() const override { return base_; }

private:
    std::uint64_t fresh() const { return base_ + kept_.size(); }   ///< the first that was never sent
    void acknowledge(std::uint64_t expected);

    SelectiveParams params_;
    std::uint64_t base_ = 0, offered_ = 0;
    std::deque<bool> kept_;                            ///< per packet sent, from base_ on
    std::uint64_t repeat_from_ = 0, lost_below_ = 0;   ///< between them, what was not kept is sent again
    std::optional<Time> deadline_;
};

/// Keeps up to `reorder` packets ahead of the one that it misses; asks once for that one.
class SelectiveReceiver : public ReceivingEnd {
public:
    explicit SelectiveReceiver(const SelectiveParams& params) : reorder_(params.reorder) {}
    Verdict received(std::uint64_t number) override;

private:
    std::uint64_t deliver();

    std::uint64_t reorder_, expected_ = 0;
    std::deque<bool> kept_;   ///< from expected_ on; the first is false
    bool asked_ = false;
};

}   // namespace oscar
