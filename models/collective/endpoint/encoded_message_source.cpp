#include "models/collective/endpoint/encoded_message_source.hpp"

#include <utility>

namespace oscar {

std::uint64_t EncodedMessageSource::values(StepId step) const {
    return receiver(step).layout().size(plan_.schedule.steps[step.value].chunk);
}

bool EncodedMessageSource::holds_tables_of(StepId step, const Block& block) const {
    return receiver(step).holds_tables_of(step, block);
}

Sent EncodedMessageSource::receive(StepId step, std::shared_ptr<const Encoded> message) {
    const Sent sent = record(values(step), *message);
    receiver(step).receive(step, std::move(message));
    return sent;
}

Sent EncodedMessageSource::receive_altered(StepId step, std::vector<std::byte> bytes) {
    const Sent sent = record(values(step), bytes);
    receiver(step).receive(step, std::move(bytes));
    return sent;
}

}   // namespace oscar
