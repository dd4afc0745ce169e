#include "models/collective/endpoint_participants.hpp"

#include <utility>

namespace oscar {

std::uint64_t EndpointParticipants::values(StepId step) const {
    return receiver(step).layout().size(plan_.schedule.steps[step.value].chunk);
}

bool EndpointParticipants::holds_tables_of(StepId step, const Block& block) const {
    return receiver(step).holds_tables_of(step, block);
}

Sent EndpointParticipants::receive(StepId step, std::shared_ptr<const Encoded> message) {
    const Sent sent = record(values(step), *message);
    receiver(step).receive(step, std::move(message));
    return sent;
}

Sent EndpointParticipants::receive_altered(StepId step, std::vector<std::byte> bytes) {
    const Sent sent = record(values(step), bytes);
    receiver(step).receive(step, std::move(bytes));
    return sent;
}

}   // namespace oscar
