// MessageSource that replays the messages of the reference run, which has made them before the machine runs.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "models/collective/endpoint/live_message_source.hpp"
#include "models/core/parallel.hpp"

namespace oscar {

/// Sends the messages of the reference run and notes what each rank sends and receives. finish() has the ranks do that
/// work, all in parallel, because a rank depends on the messages of the others and not on their states.
/// Precondition: the reference refused no message, and the network delivers none that is damaged.
class ReplayedMessageSource final : public LiveMessageSource {
public:
    /// The arguments must outlive it; `reference` is of the same plan and iteration.
    ReplayedMessageSource(const Plan& plan, std::span<RankState> rank_states, const Codec& codec,
                          const Reference& reference);

    std::shared_ptr<const Encoded> send(StepId step) override;
    bool forwards(StepId step) const override { return reference_.forwarded[step.value]; }
    std::shared_ptr<const Encoded> resend(StepId step) override;
    MessageRecord receive(StepId step, std::shared_ptr<const Encoded> received) override;

    /// Each rank proves that it would have sent these bytes, out of an equal source or by encoding, and decodes what
    /// came, in the order of the calls of send and receive. A message that came to several ranks is decoded once where
    /// they hold the same tables (SharedDecoding). Throws std::logic_error if it would have sent others;
    /// CorruptStream as RankState::receive.
    void finish(const ParallelFor& parallel);

private:
    /// A message that a rank received, or one that it sent, if `received` is null.
    struct Task {
        StepId step;
        std::shared_ptr<const Encoded> received;
    };
    using Decodings = std::map<const Encoded*, SharedDecoding>;
    Decodings shared_decodings() const;
    void perform(RankState& rank_state, const Task& task, Decodings& decodings) const;
    void prove(RankState& rank_state, StepId step) const;

    const Reference& reference_;
    std::vector<std::vector<Task>> tasks_;   ///< per participant
};

}   // namespace oscar
