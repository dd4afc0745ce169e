#include "models/collective/endpoint/rank_state.hpp"

#include <xxhash.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/core/hash.hpp"

namespace oscar {

RankState::RankState(const Plan& plan, const Codec& codec, std::uint32_t classes, const Codec* inside)
    : plan_(&plan), codecs_(plan, codec, inside), values_(plan), tables_(plan, codec, classes), totals_(plan, codec) {}

void RankState::begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch, ElementClasses classes) {
    values_.begin(std::move(values), std::move(layout));
    tables_.begin();
    totals_.begin(values_);
    iteration_ = {std::move(classes), epoch, KnownMessages(plan_->contents(), !plan_->tiers.empty())};
}

/// What the header of a step's message says: a message that was handed on keeps that of its first sender.
Context RankState::context(StepId id) const {
    const Step& step = step_of(tables_.per_link(id) ? id : plan_->origin[id.value]);
    return {plan_->width(id), iteration_.epoch, step.timestep, step.chunk};
}

RankState::StepTables RankState::step_tables(StepId id) const {
    if (!codecs_.use_tables(id)) return {};
    if (classes().empty()) {
        const Table* one = tables_.of(id);
        return one ? StepTables{{one}, {}} : StepTables{};
    }
    return {tables_.by_class(id), values_.layout().gather(step_of(id).chunk, classes())};
}

bool RankState::forwards(StepId id) const {
    return !plan_->delta_base[id.value] && !tables_.per_link(id) &&
           iteration_.messages.of(plan_->carried_content(id), plan_->tier(id)) != nullptr;
}

std::shared_ptr<const Encoded> RankState::send(StepId id) {
    if (forwards(id)) return iteration_.messages.of(plan_->carried_content(id), plan_->tier(id));
    return make(id, values_.outgoing_symbols(id), {}).message;
}

MadeMessage RankState::make(StepId id, std::span<const Symbol> symbols, const MadeMessage& candidate) {
    if (forwards(id)) return {.message = iteration_.messages.of(plan_->carried_content(id), plan_->tier(id))};
    values_.remember(id, symbols);
    const StepTables tables = step_tables(id);
    if (codecs_.use_tables(id)) totals_.add_costs(id, values_, symbols, tables.view());
    MadeMessage made{candidate.message, source_of(id, symbols, tables.view()), nullptr};
    if (candidate.message == nullptr || candidate.source != made.source)
        made.message = encode(id, symbols, tables.view());
    return finish(id, symbols, tables, std::move(made), candidate.counts);
}

MadeMessage RankState::make_unseen(StepId id, std::span<const Symbol> symbols) {
    if (forwards(id) || (codecs_.use_tables(id) && tables_.looks_at_blocks(id))) return make(id, symbols, {});
    values_.remember(id, symbols);
    const StepTables tables = step_tables(id);
    if (codecs_.use_tables(id)) totals_.add_costs(id, values_, symbols, tables.view());
    Encoded empty;
    totals_.append_trailer(id, values_, empty);
    return finish(id, symbols, tables, {.message = std::make_shared<const Encoded>(std::move(empty))}, nullptr);
}

/// What the sender learns from a message that it has made.
MadeMessage RankState::finish(StepId id, std::span<const Symbol> symbols, const StepTables& tables, MadeMessage made,
                              const SharedCounts& counts) {
    if (codecs_.use_tables(id)) {
        tables_.compare(id, made.message->blocks);
        made.counts = tables_.learn(id, symbols, tables.classes, counts);
    }
    if (plan_->message_reused[id.value])
        iteration_.messages.note(plan_->carried_content(id), plan_->tier(id), made.message);
    return made;
}

std::shared_ptr<const Encoded> RankState::resend(StepId id) {
    const StepTables none{{}, step_tables(id).classes};
    auto message = encode(id, values_.outgoing_symbols(id), none.view());
    tables_.compare(id, message->blocks);
    return message;
}

/// The trailer, too, is a part of the message.
std::uint64_t RankState::source_of(StepId id, std::span<const Symbol> symbols, const Tables& tables) const {
    Encoded trailer;
    totals_.append_trailer(id, values_, trailer);
    std::uint64_t state = XXH3_64bits(symbols.data(), symbols.size_bytes());
    state = XXH3_64bits_withSeed(tables.classes().data(), tables.classes().size(), state);
    state = XXH3_64bits_withSeed(trailer.bytes.data(), trailer.bytes.size(), state);
    for (std::size_t c = 0; !tables.none() && c < tables.count(); ++c)
        state = fnv1a(tables.of_class(c)->image(), state);
    return state;
}

/// The message, with the trailer that tells what its blocks have cost so far if that is counted.
std::shared_ptr<const Encoded> RankState::encode(StepId id, std::span<const Symbol> symbols,
                                                 const Tables& tables) const {
    Encoded message = codecs_.of(id).encode(symbols, context(id), tables);
    totals_.append_trailer(id, values_, message);
    return std::make_shared<const Encoded>(std::move(message));
}

std::shared_ptr<const Decoded> RankState::decode(StepId id, std::span<const std::byte> bytes, const Tables& tables,
                                                 SharedDecoding* shared) const {
    const std::uint64_t trailer = totals_.trailer_bytes(id, values_);
    if (bytes.size() < trailer) throw CorruptStream("message: shorter than the trailer of its blocks");
    const auto coded = bytes.first(bytes.size() - trailer);
    const DecoderState state{context(id), tables, values_.size_of(id), coded.size()};
    const auto own = [&] {
        Decoded decoded{std::vector<Symbol>(state.symbols), {}};
        decoded.blocks = codecs_.of(id).decode(coded, state.context, tables, decoded.symbols);
        return decoded;
    };
    return shared != nullptr ? shared->get(state, own) : std::make_shared<const Decoded>(own());
}

MessageContents contents_of(const RankState& sender, StepId id, const std::shared_ptr<const Encoded>& message) {
    RankState::StepTables tables = sender.step_tables(id);
    MessageContents contents{message, sender.context(id), sender.codecs_.of(id).fixed_table_layout(),
                             {},      tables.classes,     {}};
    for (const Table* table : tables.by_class) contents.tables.push_back(*table);
    contents.symbols =
        message->values ? *message->values : sender.decode(id, message->bytes, tables.view(), nullptr)->symbols;
    return contents;
}

std::vector<Block> RankState::blocks_in(StepId id, std::span<const std::byte> begin) const {
    return codecs_.of(id).blocks_in(begin, values_.size_of(id), context(id), step_tables(id).view());
}

void RankState::receive(StepId id, std::shared_ptr<const Encoded> received, const SharedResults& shared) {
    if (received->values) {
        const std::vector<Symbol>& symbols = *received->values;
        return take(id, std::move(received), symbols, shared.counts);
    }
    const StepTables tables = step_tables(id);
    const std::shared_ptr<const Decoded> decoded = decode(id, received->bytes, tables.view(), shared.decoding);
    if (received->blocks.empty() && !decoded->blocks.empty()) {
        const std::uint64_t trailer = totals_.trailer_bytes(id, values_);
        received = std::make_shared<const Encoded>(Encoded{received->bytes, decoded->blocks, {}, trailer});
    } else if (decoded->blocks != received->blocks) {   // a law of every codec
        throw std::logic_error("message of step " + std::to_string(id.value) +
                               ": decoded in other blocks than encoded");
    }
    accept(id, decoded->symbols, tables.classes, std::move(received), shared.counts);
}

void RankState::take(StepId id, std::shared_ptr<const Encoded> received, std::span<const Symbol> symbols,
                     const SharedCounts& counts) {
    for (const Block& block : received->blocks) {
        if (!codecs_.use_tables(id) || block.mode == BlockMode::coded_inline)
            break;   // it brings the table of the blocks after it
        if (!holds_tables_of(id, block)) throw TableMismatch("message: made with a table that this end lacks");
    }
    const StepTables tables = step_tables(id);
    accept(id, symbols, tables.classes, std::move(received), counts);
}

void RankState::accept(StepId id, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                       std::shared_ptr<const Encoded> message, const SharedCounts& counts) {
    if (plan_->repeated[id.value]) return;
    if (codecs_.use_tables(id)) {
        tables_.compare(id, message->blocks);
        tables_.count_received(symbols);
        tables_.learn(id, symbols, classes, counts);
    }
    totals_.take_in(id, values_, *message);
    values_.take_in(id, symbols);
    if (!plan_->schedule.scratch) iteration_.messages.forget(step_of(id).chunk.value);
    const auto content = plan_->schedule.scratch || !plan_->adds(id) ? plan_->taken_content(id) : std::nullopt;
    if (content) iteration_.messages.note(*content, plan_->tier(id), std::move(message));
}

bool equal_values(const RankState& a, const RankState& b) {
    return a.values_.equal(b.values_) &&
           (a.iteration_.classes == b.iteration_.classes || std::ranges::equal(a.classes(), b.classes()));
}

void RankState::share(const RankState& other) {
    values_.share(other.values_);
    iteration_.classes = other.iteration_.classes;
}

bool equal_planner_inputs(const RankState& a, const RankState& b) {
    return RankTables::equal_of_final_sums(a.tables_, b.tables_) && a.totals_.totals() == b.totals_.totals() &&
           equal_values(a, b);
}

void commit_each(std::span<RankState* const> rank_states, const ParallelFor& parallel) {
    if (rank_states.empty()) return;
    const RankState& first = *rank_states.front();
    const FinalCounts counts = first.count_final_sums();
    std::vector<std::uint8_t> alike(rank_states.size());   // before any of them changes
    parallel(alike.size(), [&](std::size_t r) { alike[r] = equal_values(*rank_states[r], first); });
    parallel(alike.size(), [&](std::size_t r) {
        if (alike[r] == 0) return rank_states[r]->commit();
        if (rank_states[r] != &first) rank_states[r]->share(first);   // others read what it would write
        rank_states[r]->tables().commit(counts);
    });
}

void agree_on_tables(std::span<RankState> rank_states) {
    const auto doubts = [](const RankState& rank_state) { return rank_state.tables().doubts(); };
    if (std::ranges::none_of(rank_states, doubts)) return;
    for (RankState& rank_state : rank_states) rank_state.tables().reset_at_commit();
}

}   // namespace oscar
