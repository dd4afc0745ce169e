#include "models/collective/endpoint/synthetic_message_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace oscar {
namespace {

/// Zeros that are only read: a host with pages of zeros maps one for all, so that they take hardly any memory.
class Zeros {
public:
    explicit Zeros(std::size_t count)
        : zeros_(static_cast<Symbol*>(std::calloc(count, sizeof(Symbol)))), count_(count) {
        if (!zeros_ && count > 0) throw std::bad_alloc();
    }
    std::span<const Symbol> all() const { return {zeros_.get(), count_}; }

private:
    struct Free {
        void operator()(Symbol* zeros) const { std::free(zeros); }
    };
    std::unique_ptr<Symbol, Free> zeros_;
    std::size_t count_;
};

}   // namespace

SyntheticMessageSource::SyntheticMessageSource(const Plan& plan, const Codec& codec, const ChunkLayout& layout)
    : plan_(plan), codec_(codec), layout_(layout) {
    if (!codec.constant_rate())
        throw std::invalid_argument("synthetic payload: the codec's messages depend on their values");
    if (std::ranges::find(plan.message_reused, true) != plan.message_reused.end())
        encoded_.resize(std::size_t{plan.ranks + plan.schedule.aggregators} * plan.contents() * tier_count);
}

std::uint64_t SyntheticMessageSource::values(StepId step) const {
    return layout_.size(plan_.schedule.steps[step.value].chunk);
}

bool SyntheticMessageSource::forwards(StepId id) const {
    return plan_.origin[id.value] != id ||
           (!encoded_.empty() && encoded_[place(plan_.sender(id), plan_.carried_content(id), plan_.tier(id))]);
}

std::shared_ptr<const Encoded> SyntheticMessageSource::send(StepId step) {
    if (plan_.message_reused[step.value])
        encoded_[place(plan_.sender(step), plan_.carried_content(step), plan_.tier(step))] = true;
    const std::uint64_t count = values(step);
    auto& message = messages_[{count, plan_.width(step)}];
    if (!message) {
        const Zeros zeros(count);   // as good as any
        Encoded made{{}, codec_.sized_blocks(zeros.all(), {.width = plan_.width(step)}, {}), std::vector<Symbol>{}};
        message = std::make_shared<const Encoded>(std::move(made));
    }
    return message;
}

std::vector<Block> SyntheticMessageSource::blocks_in(StepId, std::span<const std::byte>) const {
    throw std::logic_error("synthetic payload: bytes came, of which none are made");
}

MessageRecord SyntheticMessageSource::receive(StepId step, std::shared_ptr<const Encoded> received) {
    const Step& taken = plan_.schedule.steps[step.value];
    if (taken.op == Op::reduce && !encoded_.empty() && !plan_.schedule.scratch)
        for (const Tier tier : {Tier::between, Tier::inside})
            encoded_[place(plan_.receiver(step), taken.chunk.value, tier)] = false;
    return record(values(step), *received);
}

}   // namespace oscar
