#include "models/collective/endpoint/rank_values.hpp"

#include <algorithm>
#include <functional>

namespace oscar::inline collective {

void RankValues::begin(std::vector<Symbol> values, ChunkLayout layout) {
    const std::uint32_t chunks = layout.chunks();
    state_ = {std::move(values), std::move(layout), std::vector<std::uint32_t>(chunks)};
}

std::vector<Symbol> RankValues::carried(StepId id) const {
    auto symbols = state_.layout.gather(chunk_of(id), all());
    if (const auto known = plan_->known[id.value])
        std::ranges::transform(symbols, state_.shared_partial.at(known->value), symbols.begin(), std::minus{});
    return symbols;
}

void RankValues::remember(StepId id, std::span<const Symbol> symbols) {
    if (plan_->exchanged[id.value])
        state_.shared_partial.emplace(id.value, std::vector(symbols.begin(), symbols.end()));
}

/// Calls f(own values, what came for them) for each segment of a chunk.
template <class F>
void RankValues::for_each_segment(ChunkId chunk, std::span<const Symbol> symbols, F&& f) {
    for (const Segment segment : state_.layout.segments(chunk)) {
        const auto own = std::span(state_.values).subspan(segment.begin, segment.end - segment.begin);
        f(own, symbols.first(own.size()));
        symbols = symbols.subspan(own.size());
    }
}

void RankValues::take_in(StepId id, std::span<const Symbol> symbols) {
    const Step& step = plan_->schedule.steps[id.value];
    remember(id, symbols);
    if (step.op == Op::reduce) {
        add(id, symbols);
    } else if (const auto known = plan_->known[id.value]) {
        const std::vector<Symbol>& part = state_.shared_partial.at(known->value);
        state_.layout.for_each(step.chunk, [&](std::uint32_t i, std::uint32_t position) {
            state_.values[i] = symbols[position] + part[position];
        });
    } else {
        for_each_segment(step.chunk, symbols, [](auto own, auto came) { std::ranges::copy(came, own.begin()); });
    }
}

/// Integers as they come; floats, whose sum depends on the order, in that of the schedule.
void RankValues::add(StepId id, std::span<const Symbol> symbols) {
    const ChunkId chunk = chunk_of(id);
    if (plan_->number == ElementType::integer) return add_now(chunk, symbols);
    auto& waiting = state_.out_of_order;
    std::uint32_t& added = state_.added[chunk.value];
    const std::uint32_t place = plan_->addition[id.value];
    if (place != added) {
        waiting.emplace(std::pair{chunk, place}, std::vector(symbols.begin(), symbols.end()));
        return;
    }
    add_now(chunk, symbols);
    ++added;
    for (auto next = waiting.find({chunk, added}); next != waiting.end(); next = waiting.find({chunk, ++added})) {
        add_now(chunk, next->second);
        waiting.erase(next);
    }
}

void RankValues::add_now(ChunkId chunk, std::span<const Symbol> symbols) {
    for_each_segment(chunk, symbols, [&](auto own, auto came) { oscar::add(plan_->number, own, came); });
}

}   // namespace oscar::inline collective
