#include "models/collective/endpoint/recorded_message_source.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace oscar::inline collective {

RecordedMessageSource::RecordedMessageSource(const Plan& plan, std::span<RankState> rank_states, const Codec& codec,
                                             const Reference& reference)
    : EncodedMessageSource(plan, rank_states, codec), reference_(reference), tasks_(rank_states.size()) {}

std::shared_ptr<const Encoded> RecordedMessageSource::send(StepId step) {
    tasks_[step_of(step).from.value].push_back({step, nullptr});
    return reference_.messages[step.value];
}

std::shared_ptr<const Encoded> RecordedMessageSource::resend(StepId step) {
    throw std::logic_error("message of step " + std::to_string(step.value) +
                           ": refused by the simulated rank, not by that of the reference");
}

Sent RecordedMessageSource::receive(StepId step, std::shared_ptr<const Encoded> came) {
    const Sent sent = record(values(step), *came);
    tasks_[step_of(step).to.value].push_back({step, std::move(came)});
    return sent;
}

void RecordedMessageSource::finish(const ParallelFor& parallel) {
    parallel(tasks_.size(), [&](std::size_t rank) {
        for (const Task& task : std::exchange(tasks_[rank], {}))
            perform(state_of(Rank{static_cast<std::uint32_t>(rank)}), task);
    });
}

void RecordedMessageSource::perform(RankState& rank_state, const Task& task) const {
    if (task.came) rank_state.receive(task.step, task.came);
    else prove(rank_state, task.step);
}

void RecordedMessageSource::prove(RankState& rank_state, StepId step) const {
    const MadeMessage recorded{reference_.messages[step.value], reference_.sources[step.value]};
    const auto message = rank_state.forwards(step) ? rank_state.send(step)
                                                   : rank_state.make(step, rank_state.carried(step), recorded).message;
    if (message != recorded.message && message->bytes != recorded.message->bytes)
        throw std::logic_error("message of step " + std::to_string(step.value) +
                               ": the simulated rank would have sent other bytes than that of the reference");
}

}   // namespace oscar::inline collective
