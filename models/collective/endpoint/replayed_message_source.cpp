#include "models/collective/endpoint/replayed_message_source.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {
namespace {

/// Messages of size-only codecs have values and no bytes.
bool carry_the_same(const Encoded& a, const Encoded& b) { return a.bytes == b.bytes && a.values == b.values; }

}   // namespace

ReplayedMessageSource::ReplayedMessageSource(const Plan& plan, std::span<RankState> rank_states, const Codec& codec,
                                             const Reference& reference)
    : LiveMessageSource(plan, rank_states, codec), reference_(reference), tasks_(rank_states.size()) {}

std::shared_ptr<const Encoded> ReplayedMessageSource::send(StepId step) {
    tasks_[step_of(step).from.value].push_back({step, nullptr});
    return reference_.messages[step.value];
}

std::shared_ptr<const Encoded> ReplayedMessageSource::resend(StepId step) {
    throw std::logic_error("message of step " + std::to_string(step.value) +
                           ": refused by the simulated rank, not by that of the reference");
}

MessageRecord ReplayedMessageSource::receive(StepId step, std::shared_ptr<const Encoded> received) {
    const MessageRecord sent = record(values(step), *received);
    tasks_[step_of(step).to.value].push_back({step, std::move(received)});
    return sent;
}

/// Of the messages that came to several ranks.
ReplayedMessageSource::Decodings ReplayedMessageSource::shared_decodings() const {
    Decodings decodings;
    std::set<const Encoded*> seen;
    for (const auto& of_rank : tasks_)
        for (const Task& task : of_rank)
            if (task.received && !seen.insert(task.received.get()).second) decodings[task.received.get()];
    return decodings;
}

void ReplayedMessageSource::finish(const ParallelFor& parallel) {
    Decodings decodings = shared_decodings();
    parallel(tasks_.size(), [&](std::size_t rank) {
        for (const Task& task : std::exchange(tasks_[rank], {}))
            perform(state_of(Rank{static_cast<std::uint32_t>(rank)}), task, decodings);
    });
}

void ReplayedMessageSource::perform(RankState& rank_state, const Task& task, Decodings& decodings) const {
    if (!task.received) return prove(rank_state, task.step);
    const auto shared = decodings.find(task.received.get());
    rank_state.receive(task.step, task.received,
                       {shared != decodings.end() ? &shared->second : nullptr, reference_.counts[task.step.value]});
}

void ReplayedMessageSource::prove(RankState& rank_state, StepId step) const {
    const MadeMessage recorded{reference_.messages[step.value], reference_.sources[step.value],
                               reference_.counts[step.value]};
    const auto message = rank_state.forwards(step)
                             ? rank_state.send(step)
                             : rank_state.make(step, rank_state.values().outgoing_symbols(step), recorded).message;
    if (message != recorded.message && !carry_the_same(*message, *recorded.message))
        throw std::logic_error("message of step " + std::to_string(step.value) +
                               ": the simulated rank would have sent other bytes than that of the reference");
}

}   // namespace oscar
