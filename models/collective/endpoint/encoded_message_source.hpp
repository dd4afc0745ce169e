// MessageSource with values: a RankState per participant.
#pragma once

#include <span>

#include "models/collective/endpoint/message_source.hpp"
#include "models/collective/endpoint/rank_state.hpp"

namespace oscar::inline collective {

/// Drives the states of ranks that have begun an iteration. The arguments must outlive it.
class EncodedMessageSource final : public MessageSource {
public:
    EncodedMessageSource(const Plan& plan, std::span<RankState> rank_states, const Codec& codec)
        : plan_(plan), rank_states_(rank_states), codec_(codec) {}

    bool uses_engine() const override { return codec_.uses_engine(); }
    bool adds_coded() const override { return codec_.adds_coded(); }
    bool may_refuse() const override { return codec_.table_source() != TableSource::none; }
    std::uint64_t values(StepId step) const override;
    std::shared_ptr<const Encoded> send(StepId step) override { return sender(step).send(step); }
    bool forwards(StepId step) const override { return sender(step).forwards(step); }
    bool holds_tables_of(StepId step, const Block& block) const override;
    std::shared_ptr<const Encoded> resend(StepId step) override { return sender(step).resend(step); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override;
    Sent receive(StepId step, std::shared_ptr<const Encoded> came) override;

private:
    RankState& sender(StepId step) const { return rank_states_[plan_.schedule.steps[step.value].from.value]; }
    RankState& receiver(StepId step) const { return rank_states_[plan_.schedule.steps[step.value].to.value]; }

    const Plan& plan_;
    std::span<RankState> rank_states_;
    const Codec& codec_;
};

}   // namespace oscar::inline collective
