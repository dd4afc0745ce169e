#include "models/collective/endpoint/recorded_message_source.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {
namespace {

/// Messages of size-only codecs have values and no bytes.
bool carry_the_same(const Encoded& a, const Encoded& b) { return a.bytes == b.bytes && a.values == b.values; }

}   // namespace

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

/// Of the messages that came to several ranks.
RecordedMessageSource::Decodings RecordedMessageSource::shared_decodings() const {
    Decodings decodings;
    std::set<const Encoded*> seen;
    for (const auto& of_rank : tasks_)
        for (const Task& task : of_rank)
            if (task.came && !seen.insert(task.came.get()).second) decodings[task.came.get()];
    return decodings;
}

void RecordedMessageSource::finish(const ParallelFor& parallel) {
    Decodings decodings = shared_decodings();
    parallel(tasks_.size(), [&](std::size_t rank) {
        for (const Task& task : std::exchange(tasks_[rank], {}))
            perform(state_of(Rank{static_cast<std::uint32_t>(rank)}), task, decodings);
    });
}

void RecordedMessageSource::perform(RankState& rank_state, const Task& task, Decodings& decodings) const {
    if (!task.came) return prove(rank_state, task.step);
    const auto shared = decodings.find(task.came.get());
    rank_state.receive(task.step, task.came,
                       {shared != decodings.end() ? &shared->second : nullptr, reference_.counts[task.step.value]});
}

void RecordedMessageSource::prove(RankState& rank_state, StepId step) const {
    const MadeMessage recorded{reference_.messages[step.value], reference_.sources[step.value],
                               reference_.counts[step.value]};
    const auto message = rank_state.forwards(step)
                             ? rank_state.send(step)
                             : rank_state.make(step, rank_state.values().carried(step), recorded).message;
    if (message != recorded.message && !carry_the_same(*message, *recorded.message))
        throw std::logic_error("message of step " + std::to_string(step.value) +
                               ": the simulated rank would have sent other bytes than that of the reference");
}

}   // namespace oscar
