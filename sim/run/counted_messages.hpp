// A collective's progress: the share of its messages that have come.
#pragma once

#include <functional>

#include "models/collective/endpoint/message_source.hpp"

namespace oscar {

/// Called with the share of a collective, 0..1, whose messages have been received.
using ShareDone = std::function<void(double share)>;

/// Participants that tell of each message they receive. The arguments must outlive it.
class CountedMessages final : public MessageSource {
public:
    /// `steps`: of the collective's schedule.
    CountedMessages(MessageSource& participants, std::size_t steps, const ShareDone& progress)
        : participants_(participants), steps_(steps), progress_(progress) {}

    bool uses_engine() const override { return participants_.uses_engine(); }
    bool adds_coded() const override { return participants_.adds_coded(); }
    bool may_refuse() const override { return participants_.may_refuse(); }
    std::uint64_t values(StepId step) const override { return participants_.values(step); }
    std::shared_ptr<const Encoded> send(StepId step) override { return participants_.send(step); }
    bool forwards(StepId step) const override { return participants_.forwards(step); }
    bool holds_tables_of(StepId step, const Block& block) const override {
        return participants_.holds_tables_of(step, block);
    }
    std::shared_ptr<const Encoded> resend(StepId step) override { return participants_.resend(step); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override {
        return participants_.blocks_in(step, begin);
    }
    Sent receive(StepId step, std::shared_ptr<const Encoded> came) override {
        progress_(static_cast<double>(++received_) / static_cast<double>(steps_));
        return participants_.receive(step, std::move(came));
    }

private:
    MessageSource& participants_;
    std::size_t steps_, received_ = 0;
    const ShareDone& progress_;
};

}   // namespace oscar
