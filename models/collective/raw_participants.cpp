#include "models/collective/raw_participants.hpp"

#include <stdexcept>

namespace oscar {

RawParticipants::RawParticipants(const Plan& plan, const Codec& codec, const ChunkLayout& layout)
    : plan_(plan), codec_(codec), layout_(layout) {
    if (!codec.constant_rate()) throw std::invalid_argument("raw: the codec's messages depend on their values");
}

std::uint64_t RawParticipants::values(StepId step) const {
    return layout_.size(plan_.schedule.steps[step.value].chunk);
}

std::shared_ptr<const Encoded> RawParticipants::send(StepId step) {
    const std::uint64_t count = values(step);
    auto& message = messages_[{count, plan_.width(step)}];
    if (!message) {
        const std::vector<Symbol> zeros(count);   // as good as any
        Encoded made{{}, codec_.sized_blocks(zeros, {.width = plan_.width(step)}, {}), std::vector<Symbol>{}};
        message = std::make_shared<const Encoded>(std::move(made));
    }
    return message;
}

Sent RawParticipants::receive(StepId step, std::shared_ptr<const Encoded> message) {
    return record(values(step), *message);
}

Sent RawParticipants::receive_altered(StepId, std::vector<std::byte>) {
    throw std::logic_error("raw: bytes came, of which none are made");
}

}   // namespace oscar
