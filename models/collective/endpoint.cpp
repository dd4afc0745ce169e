#include "models/collective/endpoint.hpp"

#include <bit>
#include <optional>
#include <utility>

#include "models/compress/quantiser.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t final_flow = 0xFFFFFFFF;   // no link has this flow

/// Per step, the step whose message it hands on if nobody re-encodes it on the way: itself, unless its sender holds the
/// chunk as a copy brought it.
std::vector<StepId> origins(const Schedule& schedule) {
    std::vector<StepId> result;
    std::vector<std::optional<StepId>> brought(std::size_t{schedule.ranks} * schedule.chunks);
    const auto at = [&](Rank rank, ChunkId chunk) -> auto& {
        return brought[std::size_t{rank.value} * schedule.chunks + chunk.value];
    };
    for (const Step& step : schedule.steps) {
        result.push_back(at(step.from, step.chunk).value_or(StepId{static_cast<std::uint32_t>(result.size())}));
        at(step.to, step.chunk) = step.op == Op::copy ? std::optional(result.back()) : std::nullopt;
    }
    return result;
}

Symbol sum(Number number, Symbol a, Symbol b) {
    if (number == Number::integer) return a + b;
    return std::bit_cast<Symbol>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
}

}   // namespace

Plan::Plan(Schedule s, Number n, std::uint32_t b)
    : schedule(std::move(s)),
      contributions(oscar::contributions(schedule)),
      origin(origins(schedule)),
      number(n),
      bits(b) {}

std::uint32_t Plan::width(StepId step) const {
    return number == Number::float32 ? 32 : widened_bits(bits, contributions[step.value].carried);
}
std::uint32_t Plan::final_width() const { return number == Number::float32 ? 32 : widened_bits(bits, schedule.ranks); }

Endpoint::Endpoint(Rank rank, const Plan& plan, const Codec& codec, std::uint32_t classes)
    : rank_(rank), plan_(&plan), codec_(&codec), tables_(codec, classes) {}

void Endpoint::begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch,
                     std::vector<std::uint8_t> classes) {
    values_ = std::move(values);
    classes_ = std::move(classes);
    layout_ = std::move(layout);
    epoch_ = epoch;
    received_counts_.clear();
    received_.assign(layout_.chunks(), nullptr);
}

void Endpoint::set_profile(const Table& table) { tables_.set(final_key(), table); }

TableKey Endpoint::final_key() { return {final_flow, Timestep{0}}; }

/// T1: what travels on a link in a timestep has its own table, known to both ends of the link. T2, or a profile: one
/// table for all final sums, or for everything.
TableKey Endpoint::key(StepId id) const {
    const Step& step = plan_->schedule.steps[id.value];
    if (common_table(id)) return final_key();
    return {step.from.value * plan_->schedule.ranks + step.to.value, step.timestep};
}

/// Bytes can be handed on as they came where every receiver holds the table they were made with.
bool Endpoint::common_table(StepId id) const {
    return codec_->table_source() != TableSource::stepwise || plan_->final_sum(id);
}

/// What the header of a step's message says: a message that was handed on keeps that of its first sender.
Context Endpoint::context(StepId id) const {
    const Step& step = plan_->schedule.steps[common_table(id) ? plan_->origin[id.value].value : id.value];
    return {plan_->width(id), epoch_, step.timestep, step.chunk};
}

Endpoint::StepTables Endpoint::step_tables(StepId id) const {
    if (classes_.empty()) {
        const Table* one = table(id);
        return one ? StepTables{{one}, {}} : StepTables{};
    }
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    return {tables_.by_class(key(id)), layout_.gather(chunk, std::span<const std::uint8_t>(classes_))};
}

void Endpoint::learn(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes) {
    if (!common_table(step)) tables_.learn(key(step), symbols, classes, plan_->width(step));
}

bool Endpoint::forwards(StepId id) const {
    return common_table(id) && received_[plan_->schedule.steps[id.value].chunk.value] != nullptr;
}

std::shared_ptr<const Encoded> Endpoint::send(StepId id) {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    if (forwards(id)) return received_[chunk.value];
    const auto symbols = layout_.gather(chunk, std::span<const Symbol>(values_));
    const StepTables tables = step_tables(id);
    auto message = std::make_shared<const Encoded>(codec_->encode(symbols, context(id), tables.view()));
    learn(id, symbols, tables.classes);
    return message;
}

void Endpoint::receive(StepId id, std::vector<std::byte> bytes) {
    std::vector<Symbol> symbols(layout_.size(plan_->schedule.steps[id.value].chunk));
    const StepTables tables = step_tables(id);
    auto blocks = codec_->decode(bytes, context(id), tables.view(), symbols);
    accept(id, symbols, tables.classes, std::make_shared<const Encoded>(Encoded{std::move(bytes), std::move(blocks)}));
}

void Endpoint::receive_values(StepId id, std::shared_ptr<const Encoded> message) {
    const std::vector<Symbol>& symbols = message->values.value();
    const StepTables tables = step_tables(id);
    accept(id, symbols, tables.classes, std::move(message));
}

void Endpoint::accept(StepId id, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                      std::shared_ptr<const Encoded> message) {
    const Step& step = plan_->schedule.steps[id.value];
    if (codec_->table_source() == TableSource::pooled) codec_->learn(symbols, plan_->final_width(), received_counts_);
    learn(id, symbols, classes);
    layout_.for_each(step.chunk, [&](std::uint32_t element, std::uint32_t position) {
        Symbol& value = values_[element];
        value = step.op == Op::copy ? symbols[position] : sum(plan_->number, value, symbols[position]);
    });
    received_[step.chunk.value] = step.op == Op::copy ? std::move(message) : nullptr;
}

void Endpoint::commit() {
    if (codec_->table_source() == TableSource::stepwise)
        tables_.learn(final_key(), values_, classes_, plan_->final_width());
    tables_.commit();
}
void Endpoint::rollback() { tables_.rollback(); }

}   // namespace oscar
