// MessageSource whose ranks make each message while the machine runs.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "models/collective/endpoint/message_source.hpp"
#include "models/collective/endpoint/rank_state.hpp"

namespace oscar {

/// A RankState per participant, which encodes when its step is issued and decodes when the message has come. The ranks
/// have begun an iteration; the arguments must outlive it.
class LiveMessageSource : public MessageSource {
public:
    LiveMessageSource(const Plan& plan, std::span<RankState> rank_states, const Codec& codec)
        : plan_(plan), rank_states_(rank_states), codec_(codec) {}

    bool uses_engine() const override { return codec_.uses_engine(); }
    bool adds_coded() const override { return codec_.adds_coded(); }
    bool may_refuse() const override { return codec_.table_source() != TableSource::none; }
    std::uint64_t values(StepId step) const override {
        return receiver(step).values().layout().size(step_of(step).chunk);
    }
    std::shared_ptr<const Encoded> send(StepId step) override { return sender(step).send(step); }
    bool forwards(StepId step) const override { return sender(step).forwards(step); }
    bool holds_tables_of(StepId step, const Block& block) const override {
        return receiver(step).holds_tables_of(step, block);
    }
    std::shared_ptr<const Encoded> resend(StepId step) override { return sender(step).resend(step); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override {
        return receiver(step).blocks_in(step, begin);
    }
    std::shared_ptr<const MessageContents> contents(StepId step,
                                                    const std::shared_ptr<const Encoded>& message) const override {
        return std::make_shared<const MessageContents>(contents_of(sender(step), step, message));
    }
    MessageRecord receive(StepId step, std::shared_ptr<const Encoded> received) override {
        const MessageRecord sent = record(values(step), *received);
        receiver(step).receive(step, std::move(received));
        return sent;
    }

protected:
    RankState& state_of(Rank rank) const { return rank_states_[rank.value]; }
    const Step& step_of(StepId step) const { return plan_.schedule.steps[step.value]; }

private:
    RankState& sender(StepId step) const { return state_of(step_of(step).from); }
    RankState& receiver(StepId step) const { return state_of(step_of(step).to); }

    const Plan& plan_;
    std::span<RankState> rank_states_;
    const Codec& codec_;
};

}   // namespace oscar
