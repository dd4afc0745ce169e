#include "models/collective/endpoint/plan.hpp"

#include <optional>
#include <set>
#include <utility>

#include "models/collective/schedule/delta_gather.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

using Known = std::vector<std::optional<StepId>>;

/// Per step, whether it brings what a later one is the delta of.
std::vector<bool> parts(const Known& known) {
    std::vector<bool> result(known.size());
    for (const auto part : known)
        if (part) result[part->value] = true;
    return result;
}

/// Per step, the step whose message it hands on if nobody re-encodes it in between: itself, unless its sender has sent
/// the chunk before, or got it by a copy, whole, and nothing has been added since.
std::vector<StepId> origins(const Schedule& schedule, const Known& known) {
    std::vector<StepId> result(schedule.steps.size());
    const StepsByChunk by_chunk(schedule);
    std::vector<std::optional<StepId>> at_hand(schedule.participants());
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) {
            const Step& step = schedule.steps[id.value];
            auto& source = at_hand[step.from.value];
            if (known[id.value]) {   // encoded for its receiver alone
                result[id.value] = id;
                at_hand[step.to.value].reset();
                continue;
            }
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
    std::vector<std::uint32_t> count(schedule.participants());
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

Plan::Plan(Schedule s, ElementType n, std::uint32_t b, Operation o, bool delta_gather)
    : schedule(std::move(s)),
      operation(o),
      contributions(oscar::contributions(schedule)),
      known(delta_gather && n == ElementType::integer ? known_parts(schedule, contributions)
                                                      : Known(schedule.steps.size())),
      exchanged(parts(known)),
      origin(origins(schedule, known)),
      sent_again(repetitions(schedule, origin)),
      addition(additions(schedule)),
      number(n),
      bits(b) {
    std::set<std::uint32_t> partial;
    final_hops.resize(schedule.chunks);
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        if (addends(StepId{i}) < schedule.ranks) partial.insert(addends(StepId{i}));
        if (final_sum(StepId{i})) ++final_hops[schedule.steps[i].chunk.value];
    }
    partial_sums.assign(partial.begin(), partial.end());
}

std::uint32_t Plan::addends(StepId step) const {
    const std::uint32_t all = contributions[step.value].carried;
    return known[step.value] ? all - contributions[known[step.value]->value].carried : all;
}

std::uint32_t Plan::width(StepId step) const {
    return number == ElementType::integer ? widened_bits(bits, addends(step)) : bits;
}
std::uint32_t Plan::final_width() const {
    return number == ElementType::integer && sums_up(operation) ? widened_bits(bits, schedule.ranks) : bits;
}

bool Plan::final_sum(StepId step) const {
    return sums_up(operation) ? addends(step) == schedule.ranks : ends_alike(operation);
}
bool Plan::completes(StepId step) const {
    return sums_up(operation) ? contributions[step.value].held == schedule.ranks : true;
}
bool Plan::adds_first(StepId step) const {
    return known[step.value] || (schedule.steps[step.value].op == Op::reduce && addition[step.value] == 0);
}

}   // namespace oscar
