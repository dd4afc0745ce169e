#include "models/collective/endpoint/rank_values.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

namespace oscar {

namespace {

/// Asks the cache for the first values of a segment, which may lie anywhere, before they are used.
void prefetch(std::span<const Symbol> segment) {
    constexpr std::size_t line = 64 / sizeof(Symbol), most = 16 * line;
    for (std::size_t i = 0; i < std::min(segment.size(), most); i += line) __builtin_prefetch(&segment[i]);
}

/// Calls f(values of a segment) for each of them, in order.
template <class T, class F>
void for_each_part(std::span<const Segment> segments, std::span<T> values, F&& f) {
    constexpr std::size_t ahead = 8;   // segments
    const auto part = [&](std::size_t s) {
        return values.subspan(segments[s].begin, segments[s].end - segments[s].begin);
    };
    for (std::size_t s = 0; s < segments.size(); ++s) {
        if (s + ahead < segments.size()) prefetch(part(s + ahead));
        f(part(s));
    }
}

}   // namespace

bool RankValues::equal(const RankValues& other) const {
    return state_.values == other.state_.values || std::ranges::equal(all(), other.all());
}

/// The values of this rank alone: those that it shares are copied before they change.
std::vector<Symbol>& RankValues::own_values() {
    if (state_.values.use_count() > 1) state_.values = std::make_shared<std::vector<Symbol>>(*state_.values);
    std::atomic_thread_fence(std::memory_order_acquire);   // the rank that shared them has read them
    return *state_.values;
}

void RankValues::begin(std::vector<Symbol> values, ChunkLayout layout) {
    const std::uint32_t chunks = layout.chunks();
    state_ = {std::make_shared<std::vector<Symbol>>(std::move(values)), std::move(layout),
              std::vector<std::uint32_t>(chunks)};
    if (plan_->schedule.scratch) state_.own = state_.values;
}

std::vector<Symbol> RankValues::gathered(std::span<const Symbol> values, ChunkId chunk) const {
    std::vector<Symbol> symbols;
    symbols.reserve(state_.layout.size(chunk));
    for_each_part(state_.layout.segments(chunk), values,
                  [&](auto part) { symbols.insert(symbols.end(), part.begin(), part.end()); });
    return symbols;
}

/// Where there is scratch: the sum of what these steps brought, and of its own values if they belong to it.
std::vector<Symbol> RankValues::sum_of(JoinId join, ChunkId chunk) const {
    auto members = plan_->schedule.joins[join];
    const bool own = !plan_->schedule.scratch->without_own[join.value];
    std::vector<Symbol> sum = own ? gathered(*state_.own, chunk) : state_.received.at(members.front());
    for (const StepId id : own ? members : members.subspan(1))
        oscar::add(plan_->element_type, sum, state_.received.at(id));
    return sum;
}

std::vector<Symbol> RankValues::outgoing_symbols(StepId id) const {
    const Step& step = plan_->schedule.steps[id.value];
    std::vector<Symbol> symbols =
        plan_->schedule.scratch ? sum_of(step.after, step.chunk) : gathered(all(), step.chunk);
    if (const auto base = plan_->delta_base[id.value])
        std::ranges::transform(symbols, state_.shared_partial.at(base->value), symbols.begin(), std::minus{});
    return symbols;
}

void RankValues::remember(StepId id, std::span<const Symbol> symbols) {
    if (plan_->is_delta_base[id.value])
        state_.shared_partial.emplace(id.value, std::vector(symbols.begin(), symbols.end()));
}

/// Calls f(own values, what came for them) for each segment of a chunk.
template <class F>
void RankValues::for_each_segment(ChunkId chunk, std::span<const Symbol> symbols, F&& f) {
    for_each_part(state_.layout.segments(chunk), std::span(own_values()), [&](std::span<Symbol> own) {
        f(own, symbols.first(own.size()));
        symbols = symbols.subspan(own.size());
    });
}

void RankValues::take_in(StepId id, std::span<const Symbol> symbols) {
    const Step& step = plan_->schedule.steps[id.value];
    remember(id, symbols);
    if (plan_->schedule.scratch) {
        keep(id, symbols);
    } else if (step.op == Op::reduce) {
        add(id, symbols);
    } else if (const auto base = plan_->delta_base[id.value]) {
        const std::vector<Symbol>& part = state_.shared_partial.at(base->value);
        std::vector<Symbol>& values = own_values();
        state_.layout.for_each(step.chunk, [&](std::uint32_t i, std::uint32_t position) {
            values[i] = symbols[position] + part[position];
        });
    } else {
        copy_now(step.chunk, symbols);
    }
}

/// Where there is scratch: makes the result, too, when all that belongs to it is there.
void RankValues::keep(StepId id, std::span<const Symbol> symbols) {
    const Step& step = plan_->schedule.steps[id.value];
    state_.received[id].assign(symbols.begin(), symbols.end());
    const JoinId result =
        plan_->schedule.scratch->results[std::size_t{step.to.value} * plan_->schedule.chunks + step.chunk.value];
    const auto there = [&](StepId member) { return state_.received.contains(member); };
    if (const auto members = plan_->schedule.joins[result];
        std::ranges::find(members, id) != members.end() && std::ranges::all_of(members, there))
        copy_now(step.chunk, sum_of(result, step.chunk));
}

void RankValues::copy_now(ChunkId chunk, std::span<const Symbol> symbols) {
    for_each_segment(chunk, symbols, [](auto own, auto received) { std::ranges::copy(received, own.begin()); });
}

/// Integers as they come; floats, whose sum depends on the order, in that of the schedule.
void RankValues::add(StepId id, std::span<const Symbol> symbols) {
    const ChunkId chunk = chunk_of(id);
    if (plan_->element_type == ElementType::integer) return add_now(chunk, symbols);
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
    for_each_segment(chunk, symbols, [&](auto own, auto received) { oscar::add(plan_->element_type, own, received); });
}

}   // namespace oscar
