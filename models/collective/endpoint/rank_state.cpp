#include "models/collective/endpoint/rank_state.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <utility>

#include "models/collective/endpoint/partial_sums.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t final_flow = 0xFFFFFFFF;   // no link has this flow

/// Groups of numbers of ranks whose sums share a table: 1, 2, 3-4, 5-8, ...
std::uint32_t doubling(std::uint32_t ranks) { return static_cast<std::uint32_t>(std::bit_width(ranks - 1)); }

bool shares_by_power_of_two(const Codec& codec) { return codec.stepwise().table_sharing == TableSharing::power_of_two; }

/// Whether partial sums have tables that are made of final ones (T3).
bool rescales(const Codec& codec) {
    return codec.table_source() == TableSource::stepwise && codec.stepwise().table_source == StepSource::rescaled;
}

/// T3: of sums of `ranks` ranks; number 0 is that of final sums.
TableKey partial_key(const Codec& codec, std::uint32_t ranks) {
    return {final_flow, Timestep{1 + (shares_by_power_of_two(codec) ? doubling(ranks) : ranks)}};
}

/// Whether messages may need a table that came before them.
bool has_common_tables(TableSource source) {
    return source == TableSource::stepwise || source == TableSource::profiled || source == TableSource::pooled;
}

}   // namespace

RankState::RankState(Rank rank, const Plan& plan, const Codec& codec, std::uint32_t classes)
    : rank_(rank), plan_(&plan), codec_(&codec), tables_(codec, classes) {}

void RankState::begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch,
                      std::vector<std::uint8_t> classes) {
    values_ = std::move(values);
    classes_ = std::move(classes);
    layout_ = std::move(layout);
    epoch_ = epoch;
    received_counts_.clear();
    cached_message_.assign(layout_.chunks(), nullptr);
    added_.assign(layout_.chunks(), 0);
    out_of_order_.clear();
    shared_partial_.clear();
    doubts_ = false;
    spent_.assign(layout_.chunks(), false);
    if (totals_) totals_->begin(static_cast<std::uint32_t>(values_.size()));
}

void RankState::set_profile(const Table& table) { tables_.set(final_key(), table); }

TableKey RankState::final_key() { return {final_flow, Timestep{0}}; }

/// Whether the step's table is known to the two ends of its link only (T1).
bool RankState::per_link(StepId id) const {
    return codec_->table_source() == TableSource::stepwise && codec_->stepwise().table_source == StepSource::per_link &&
           !plan_->final_sum(id);
}

/// Timesteps that share a table, by the ranks whose sum they carry; otherwise the timestep itself.
Timestep RankState::group(StepId id) const {
    return shares_by_power_of_two(*codec_) ? Timestep{doubling(plan_->addends(id))}
                                           : plan_->schedule.steps[id.value].timestep;
}

/// T1: what travels on a link in a timestep, or a group of them, as sums of as many ranks. T3: what is made of final
/// sums for sums of as many ranks. T2, or a profile: one table for all final sums, or for everything.
TableKey RankState::key(StepId id) const {
    const Step& step = plan_->schedule.steps[id.value];
    if (per_link(id)) {
        const std::uint32_t summed = shares_by_power_of_two(*codec_) ? 0 : plan_->addends(id);
        return {step.from.value * plan_->schedule.participants() + step.to.value, group(id), summed};
    }
    if (rescales(*codec_) && !plan_->final_sum(id)) return partial_key(*codec_, plan_->addends(id));
    return final_key();
}

/// What the header of a step's message says: a message that was handed on keeps that of its first sender.
Context RankState::context(StepId id) const {
    const Step& step = plan_->schedule.steps[per_link(id) ? id.value : plan_->origin[id.value].value];
    return {plan_->width(id), epoch_, step.timestep, step.chunk};
}

RankState::StepTables RankState::step_tables(StepId id) const {
    if (classes_.empty()) {
        const Table* one = table(id);
        return one ? StepTables{{one}, {}} : StepTables{};
    }
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    return {tables_.by_class(key(id)), layout_.gather(chunk, std::span<const std::uint8_t>(classes_))};
}

void RankState::learn(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes) {
    if (per_link(step)) tables_.learn(key(step), symbols, classes, plan_->width(step));
}

bool RankState::forwards(StepId id) const {
    return !plan_->known[id.value] && !per_link(id) &&
           cached_message_[plan_->schedule.steps[id.value].chunk.value] != nullptr;
}

std::vector<Symbol> RankState::carried(StepId id) const {
    auto symbols = layout_.gather(plan_->schedule.steps[id.value].chunk, std::span<const Symbol>(values_));
    if (const auto known = plan_->known[id.value])
        std::ranges::transform(symbols, shared_partial_.at(known->value), symbols.begin(), std::minus{});
    return symbols;
}

void RankState::remember(StepId id, std::span<const Symbol> symbols) {
    if (plan_->exchanged[id.value]) shared_partial_.emplace(id.value, std::vector(symbols.begin(), symbols.end()));
}

std::shared_ptr<const Encoded> RankState::send(StepId id) {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    if (forwards(id)) return cached_message_[chunk.value];
    const auto symbols = carried(id);
    remember(id, symbols);
    const StepTables tables = step_tables(id);
    spend(id, symbols, tables);
    auto message = with_trailer(id, codec_->encode(symbols, context(id), tables.view()));
    compare_tables(id, message->blocks);
    learn(id, symbols, tables.classes);
    if (plan_->sent_again[id.value]) cached_message_[chunk.value] = message;
    return message;
}

std::shared_ptr<const Encoded> RankState::resend(StepId id) {
    const auto symbols = carried(id);
    const StepTables none{{}, step_tables(id).classes};
    auto message = with_trailer(id, codec_->encode(symbols, context(id), none.view()));
    compare_tables(id, message->blocks);
    return message;
}

void RankState::spend(StepId id, std::span<const Symbol> symbols, const StepTables& tables) {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    if (!totals_ || spent_[chunk.value]) return;
    spent_[chunk.value] = true;
    totals_->spend(layout_.segments(chunk), costs_of(id, symbols, tables),
                   plan_->final_sum(id) ? plan_->final_hops[chunk.value] : 1);
}

std::vector<std::uint32_t> RankState::costs_of(StepId id, std::span<const Symbol> symbols,
                                               const StepTables& tables) const {
    const std::uint32_t width = plan_->width(id);
    std::optional<Table> own;
    if (tables.by_class.empty() && !symbols.empty() && codec_->table_source() != TableSource::none) {
        Counts counts;
        codec_->learn(symbols, width, counts);
        own = codec_->make_table(counts, width);
    }
    std::vector<std::uint32_t> costs(symbols.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Table* table = own ? &*own : nullptr;
        if (!tables.by_class.empty()) table = tables.by_class[tables.by_class.size() > 1 ? tables.classes[i] : 0];
        costs[i] = codec_->cost(symbols[i], width, table);
    }
    return costs;
}

std::uint64_t RankState::trailer_bytes(ChunkId chunk) const {
    return totals_ ? totals_->trailer_bytes(layout_.segments(chunk)) : 0;
}

std::shared_ptr<const Encoded> RankState::with_trailer(StepId id, Encoded message) {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    message.trailer = trailer_bytes(chunk);
    if (totals_) totals_->append_trailer(layout_.segments(chunk), message.bytes);
    return std::make_shared<const Encoded>(std::move(message));
}

bool RankState::holds_tables_of(StepId id, const Block& block) const {
    if (block.mode != BlockMode::coded || !has_common_tables(codec_->table_source())) return true;
    if (classes_.empty()) return table(id) != nullptr && table(id)->check() == block.check;
    const auto by_class = tables_.by_class(key(id));
    return !by_class.empty() && Tables(by_class, {}).check() == block.check;
}

void RankState::compare_tables(StepId id, std::span<const Block> blocks) {
    if (codec_->table_source() != TableSource::stepwise || proves_common_tables(blocks)) return;
    // What all ranks make of final sums begins anew at all of them or at none: a message of final sums passes them all,
    // of a delta only two ranks know, so that it takes an agreement.
    if (per_link(id)) {
        tables_.begin_anew(key(id));
        doubts_ = doubts_ || plan_->known[id.value];
    } else if (plan_->final_sum(id)) {
        begin_tables_anew();
    }
}

void RankState::begin_tables_anew() {
    doubts_ = true;
    tables_.begin_anew(final_flow);
}

RankState::Decoded RankState::decode(StepId id, std::span<const std::byte> bytes, const StepTables& tables) const {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    const std::uint64_t trailer = trailer_bytes(chunk);
    if (bytes.size() < trailer) throw CorruptStream("message: shorter than the trailer of its blocks");
    Decoded decoded{std::vector<Symbol>(layout_.size(chunk)), {}};
    decoded.blocks = codec_->decode(bytes.first(bytes.size() - trailer), context(id), tables.view(), decoded.symbols);
    return decoded;
}

void RankState::receive(StepId id, std::vector<std::byte> bytes) {
    const StepTables tables = step_tables(id);
    Decoded decoded = decode(id, bytes, tables);
    const std::uint64_t trailer = trailer_bytes(plan_->schedule.steps[id.value].chunk);
    Encoded message{std::move(bytes), std::move(decoded.blocks), {}, trailer};
    accept(id, decoded.symbols, tables.classes, std::make_shared<const Encoded>(std::move(message)));
}

void RankState::receive(StepId id, std::shared_ptr<const Encoded> message) {
    if (message->values) return receive_values(id, std::move(message));
    const StepTables tables = step_tables(id);
    const Decoded decoded = decode(id, message->bytes, tables);
    if (decoded.blocks != message->blocks)   // a law of every codec
        throw std::logic_error("message of step " + std::to_string(id.value) +
                               ": decoded in other blocks than encoded");
    accept(id, decoded.symbols, tables.classes, std::move(message));
}

void RankState::receive_values(StepId id, std::shared_ptr<const Encoded> message) {
    for (const Block& block : message->blocks)
        if (!holds_tables_of(id, block))
            throw TableMismatch("size-only message: made with a table that this end lacks");
    const std::vector<Symbol>& symbols = message->values.value();
    const StepTables tables = step_tables(id);
    accept(id, symbols, tables.classes, std::move(message));
}

/// Calls f(own values, what came for them) for each segment of a chunk.
template <class F>
void RankState::for_each_segment(ChunkId chunk, std::span<const Symbol> symbols, F&& f) {
    for (const Segment segment : layout_.segments(chunk)) {
        const auto own = std::span(values_).subspan(segment.begin, segment.end - segment.begin);
        f(own, symbols.first(own.size()));
        symbols = symbols.subspan(own.size());
    }
}

void RankState::accept(StepId id, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                       std::shared_ptr<const Encoded> message) {
    const Step& step = plan_->schedule.steps[id.value];
    compare_tables(id, message->blocks);
    if (codec_->table_source() == TableSource::pooled) codec_->learn(symbols, plan_->final_width(), received_counts_);
    learn(id, symbols, classes);
    if (totals_) {
        const auto trailer = std::span(message->bytes).last(message->trailer);
        if (step.op == Op::reduce) totals_->add(layout_.segments(step.chunk), trailer);
        else totals_->replace(layout_.segments(step.chunk), trailer);
        spent_[step.chunk.value] = step.op == Op::copy;
    }
    remember(id, symbols);
    if (step.op == Op::reduce) {
        add(id, symbols);
    } else if (const auto known = plan_->known[id.value]) {
        const std::vector<Symbol>& part = shared_partial_.at(known->value);
        layout_.for_each(step.chunk, [&](std::uint32_t i, std::uint32_t position) {
            values_[i] = symbols[position] + part[position];
        });
    } else {
        for_each_segment(step.chunk, symbols, [](auto own, auto came) { std::ranges::copy(came, own.begin()); });
    }
    cached_message_[step.chunk.value] = plan_->adds(id) ? nullptr : std::move(message);
}

/// Integers as they come; floats, whose sum depends on the order, in that of the schedule.
void RankState::add(StepId id, std::span<const Symbol> symbols) {
    const ChunkId chunk = plan_->schedule.steps[id.value].chunk;
    if (plan_->number == ElementType::integer) return add_now(chunk, symbols);
    out_of_order_.emplace(std::pair{chunk, plan_->addition[id.value]}, std::vector(symbols.begin(), symbols.end()));
    for (auto next = out_of_order_.find({chunk, added_[chunk.value]}); next != out_of_order_.end();
         next = out_of_order_.find({chunk, ++added_[chunk.value]})) {
        add_now(chunk, next->second);
        out_of_order_.erase(next);
    }
}

void RankState::add_now(ChunkId chunk, std::span<const Symbol> symbols) {
    for_each_segment(chunk, symbols, [&](auto own, auto came) { oscar::add(plan_->number, own, came); });
}

/// T2, and T3 for each number of ranks whose sums travel; where all ranks end with the same.
void RankState::learn_final_sums() {
    if (codec_->table_source() != TableSource::stepwise || !ends_alike(plan_->operation)) return;
    tables_.learn(final_key(), values_, classes_, plan_->final_width());
    if (!rescales(*codec_)) return;
    for (const std::uint32_t ranks : plan_->partial_sums)
        tables_.learn(partial_key(*codec_, ranks),
                      partial_sums(values_, ranks, plan_->schedule.ranks, codec_->stepwise().scaling), classes_,
                      widened_bits(plan_->bits, ranks));
}

void RankState::commit() {
    learn_final_sums();
    tables_.commit();
    committed_counts_ = std::exchange(received_counts_, {});
}

void RankState::rollback() {
    tables_.rollback();
    received_counts_.clear();
}

void RankState::reset() {
    tables_.reset();
    received_counts_.clear();
    committed_counts_.clear();
}

void agree_on_tables(std::span<RankState> endpoints) {
    if (std::ranges::none_of(endpoints, &RankState::doubts_tables)) return;
    for (RankState& endpoint : endpoints) endpoint.begin_tables_anew();
}

}   // namespace oscar
