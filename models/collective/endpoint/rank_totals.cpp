#include "models/collective/endpoint/rank_totals.hpp"

namespace oscar {

void RankTotals::begin(const RankValues& values) {
    counted_.assign(values.layout().chunks(), false);
    if (totals_) totals_->begin(static_cast<std::uint32_t>(values.all().size()));
}

void RankTotals::add_costs(StepId id, const RankValues& values, std::span<const Symbol> symbols, const Tables& tables) {
    const ChunkId chunk = step_of(id).chunk;
    if (!totals_ || counted_[chunk.value]) return;
    counted_[chunk.value] = true;
    totals_->add_costs(values.segments(id), costs_of(id, symbols, tables),
                       plan_->final_sum(id) ? plan_->final_hops[chunk.value] : 1);
}

/// Per symbol, in 1/256 bit; without a table that both ends hold, under one of the message itself.
std::vector<std::uint32_t> RankTotals::costs_of(StepId id, std::span<const Symbol> symbols,
                                                const Tables& tables) const {
    const std::uint32_t width = plan_->width(id);
    std::optional<Table> own;
    if (tables.none() && !symbols.empty() && codec_->table_source() != TableSource::none) {
        Counts counts;
        codec_->learn(symbols, width, counts);
        own = codec_->make_table(counts, width);
    }
    std::vector<std::uint32_t> costs(symbols.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Table* table = own ? &*own : nullptr;
        if (!tables.none()) table = tables.of_class(tables.count() > 1 ? tables.classes()[i] : 0);
        costs[i] = codec_->cost(symbols[i], width, table);
    }
    return costs;
}

std::uint64_t RankTotals::trailer_bytes(StepId id, const RankValues& values) const {
    return totals_ ? totals_->trailer_bytes(values.segments(id)) : 0;
}

void RankTotals::append_trailer(StepId id, const RankValues& values, Encoded& message) const {
    message.trailer = trailer_bytes(id, values);
    if (totals_) totals_->append_trailer(values.segments(id), message.bytes);
}

void RankTotals::take_in(StepId id, const RankValues& values, const Encoded& message) {
    if (!totals_) return;
    const Step& step = step_of(id);
    const auto trailer = std::span(message.bytes).last(message.trailer);
    if (step.op == Op::reduce) totals_->add(values.segments(id), trailer);
    else totals_->replace(values.segments(id), trailer);
    counted_[step.chunk.value] = step.op == Op::copy;
}

}   // namespace oscar
