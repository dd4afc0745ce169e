#include "models/collective/endpoint/encoded_message_source.hpp"

#include <utility>

namespace oscar {

std::uint64_t EncodedMessageSource::values(StepId step) const {
    return receiver(step).values().layout().size(step_of(step).chunk);
}

bool EncodedMessageSource::holds_tables_of(StepId step, const Block& block) const {
    return receiver(step).holds_tables_of(step, block);
}

std::vector<Block> EncodedMessageSource::blocks_in(StepId step, std::span<const std::byte> begin) const {
    return receiver(step).blocks_in(step, begin);
}

Sent EncodedMessageSource::receive(StepId step, std::shared_ptr<const Encoded> came) {
    const Sent sent = record(values(step), *came);
    receiver(step).receive(step, std::move(came));
    return sent;
}

}   // namespace oscar
