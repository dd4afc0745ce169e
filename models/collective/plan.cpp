#include "models/collective/plan.hpp"

#include <optional>
#include <set>
#include <utility>

#include "models/compress/quantiser.hpp"

namespace oscar {
namespace {

/// Per step, the step whose message it hands on if nobody re-encodes it on the way: itself, unless its sender has sent
/// the chunk before, or got it by a copy, and nothing has been added since.
std::vector<StepId> origins(const Schedule& schedule) {
    std::vector<StepId> result(schedule.steps.size());
    const StepsByChunk by_chunk(schedule);
    std::vector<std::optional<StepId>> at_hand(schedule.ranks);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) {
            const Step& step = schedule.steps[id.value];
            auto& source = at_hand[step.from.value];
            if (!source) source = id;
            result[id.value] = *source;
            at_hand[step.to.value] = step.op == Op::copy ? source : std::nullopt;
        }
        for (const StepId id : steps)
            for (const Rank rank : {schedule.steps[id.value].from, schedule.steps[id.value].to})
                at_hand[rank.value].reset();
    }
    return result;
}

std::vector<bool> repetitions(const Schedule& schedule, const std::vector<StepId>& origin) {
    std::vector<bool> result(origin.size());
    for (std::uint32_t i = 0; i < origin.size(); ++i)
        if (const StepId first = origin[i];
            first != StepId{i} && schedule.steps[first.value].from == schedule.steps[i].from)
            result[first.value] = result[i] = true;
    return result;
}

std::vector<std::uint32_t> additions(const Schedule& schedule) {
    std::vector<std::uint32_t> result(schedule.steps.size());
    const StepsByChunk by_chunk(schedule);
    std::vector<std::uint32_t> count(schedule.ranks);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps)
            if (const Step& step = schedule.steps[id.value]; step.op == Op::reduce)
                result[id.value] = count[step.to.value]++;
        for (const StepId id : steps) count[schedule.steps[id.value].to.value] = 0;
    }
    return result;
}

}   // namespace

Plan::Plan(Schedule s, Number n, std::uint32_t b, Operation o)
    : schedule(std::move(s)),
      operation(o),
      contributions(oscar::contributions(schedule)),
      origin(origins(schedule)),
      sent_again(repetitions(schedule, origin)),
      addition(additions(schedule)),
      number(n),
      bits(b) {
    std::set<std::uint32_t> carried;
    for (const Contributions& c : contributions)
        if (c.carried < schedule.ranks) carried.insert(c.carried);
    partial_sums.assign(carried.begin(), carried.end());
    final_hops.resize(schedule.chunks);
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i)
        if (final_sum(StepId{i})) ++final_hops[schedule.steps[i].chunk.value];
}

std::uint32_t Plan::width(StepId step) const {
    return number == Number::integer ? widened_bits(bits, contributions[step.value].carried) : bits;
}
std::uint32_t Plan::final_width() const {
    return number == Number::integer && sums_up(operation) ? widened_bits(bits, schedule.ranks) : bits;
}

bool Plan::final_sum(StepId step) const {
    return sums_up(operation) ? contributions[step.value].carried == schedule.ranks : ends_alike(operation);
}
bool Plan::completes(StepId step) const {
    return sums_up(operation) ? contributions[step.value].held == schedule.ranks : true;
}
bool Plan::adds_first(StepId step) const {
    return schedule.steps[step.value].op == Op::reduce && addition[step.value] == 0;
}

}   // namespace oscar
