#include "models/collective/endpoint/plan.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "models/collective/schedule/repeats.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

/// Per step, whether it brings the base of a later delta.
std::vector<bool> bases(std::size_t steps, const DeltaBases& delta_base) {
    std::vector<bool> result(steps);
    for (const auto base : delta_base)
        if (base) result[base->value] = true;
    return result;
}

/// The messages, one of each tier, that a rank has a chunk's values in.
using CurrentMessages = std::array<std::optional<StepId>, tier_count>;

/// origins() where there is scratch: the first step with the same sum by the same tier, or the only one that is in it.
std::vector<StepId> origins_in_scratch(const Schedule& schedule, const std::vector<Tier>& tiers) {
    std::vector<StepId> result(schedule.steps.size());
    std::map<std::tuple<Rank, ChunkId, JoinId, Tier>, StepId> first;
    const auto tier_of = [&](StepId id) { return tiers.empty() ? Tier::between : tiers[id.value]; };
    for (StepId id; id.value < result.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        const auto members = schedule.joins[step.after];
        const bool relayed = members.size() == 1 && schedule.scratch->without_own[step.after.value] &&
                             tier_of(members.front()) == tier_of(id);
        const StepId origin = relayed ? result[members.front().value] : id;
        result[id.value] = first.try_emplace({step.from, step.chunk, step.after, tier_of(id)}, origin).first->second;
    }
    return result;
}

/// Per step, the step whose message it hands on if nobody re-encodes it in between: itself, unless its sender has sent
/// the chunk before by the same tier, or got it by a copy, whole, and nothing has been added since.
std::vector<StepId> origins(const Schedule& schedule, const StepsByChunk& by_chunk, const DeltaBases& delta_base,
                            const std::vector<Tier>& tiers) {
    if (schedule.scratch) return origins_in_scratch(schedule, tiers);
    std::vector<StepId> result(schedule.steps.size());
    std::vector<CurrentMessages> current_messages(schedule.participants());
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) {
            const Step& step = schedule.steps[id.value];
            const auto tier = static_cast<std::size_t>(tiers.empty() ? Tier::between : tiers[id.value]);
            auto& source = current_messages[step.from.value][tier];
            current_messages[step.to.value] = {};
            if (delta_base[id.value]) {   // encoded for its receiver alone
                result[id.value] = id;
                continue;
            }
            if (!source) source = id;
            result[id.value] = *source;
            if (step.op == Op::copy) current_messages[step.to.value][tier] = source;
        }
        for (const StepId id : steps)
            for (const Rank rank : {schedule.steps[id.value].from, schedule.steps[id.value].to})
                current_messages[rank.value] = {};
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

/// Per step, the join that it alone makes up, or 0; empty without scratch.
std::vector<JoinId> relays(const Schedule& schedule) {
    if (!schedule.scratch) return {};
    std::vector<JoinId> result(schedule.steps.size());
    for (JoinId join; join.value < schedule.joins.size(); ++join.value)
        if (const auto members = schedule.joins[join]; members.size() == 1 && schedule.scratch->without_own[join.value])
            result[members.front().value] = join;
    return result;
}

NarrowVector additions(const Schedule& schedule, const StepsByChunk& by_chunk) {
    NarrowVector result(schedule.steps.size());
    std::vector<std::uint32_t> count(schedule.participants());
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps)
            if (const Step& step = schedule.steps[id.value]; step.op == Op::reduce)
                result.set(id.value, count[step.to.value]++);
        for (const StepId id : steps) count[schedule.steps[id.value].to.value] = 0;
    }
    return result;
}

}   // namespace

Plan::Plan(Schedule s, ElementType n, std::uint32_t b, Operation o, bool delta_gather, std::uint32_t island)
    : Plan(StepsByChunk(s), s, n, b, o, delta_gather, island) {}

Plan::Plan(const StepsByChunk& by_chunk, Schedule& s, ElementType n, std::uint32_t b, Operation o, bool delta_gather,
           std::uint32_t island)
    : schedule(std::move(s)),
      ranks(schedule.ranks),
      operation(o),
      contributions(oscar::contributions(schedule, by_chunk)),
      delta_base(delta_gather && n == ElementType::integer && !schedule.scratch ? delta_bases(schedule, contributions)
                                                                                : DeltaBases{}),
      is_delta_base(bases(schedule.steps.size(), delta_base)),
      tiers(tiers_of(schedule, island)),
      origin(origins(schedule, by_chunk, delta_base, tiers)),
      relayed(relays(schedule)),
      repeated(repeated_copies(schedule, by_chunk)),
      message_reused(repetitions(schedule, origin)),
      addition(additions(schedule, by_chunk)),
      element_type(n),
      bits(b) {
    std::set<std::uint32_t> partial;
    final_hops.resize(schedule.chunks);
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        if (addends(StepId{i}) < ranks) partial.insert(addends(StepId{i}));
        if (final_sum(StepId{i})) ++final_hops[schedule.steps[i].chunk.value];
    }
    partial_sums.assign(partial.begin(), partial.end());
}

void Plan::fold(std::uint32_t simulated) {
    turns.clear();
    for (Step& step : schedule.steps) {
        turns.push_back({step.from.value / simulated, step.to.value / simulated});
        step.from.value %= simulated;
        step.to.value %= simulated;
    }
    schedule.ranks = simulated;
}

void Plan::place(std::span<const Rank> of_machine, std::uint32_t machine_ranks) {
    numbers.assign(machine_ranks, 0);
    for (std::uint32_t r = 0; r < of_machine.size(); ++r) numbers[of_machine[r].value] = r;
    for (Step& step : schedule.steps) {
        step.from = of_machine[step.from.value];
        step.to = of_machine[step.to.value];
    }
    schedule.ranks = machine_ranks;
}

std::size_t Plan::contents() const {
    return schedule.chunks + (schedule.scratch ? schedule.joins.size() : std::size_t{0});
}

std::size_t Plan::carried_content(StepId step) const {
    const Step& sent = schedule.steps[step.value];
    return schedule.scratch && sent.after != JoinId{} ? schedule.chunks + sent.after.value : sent.chunk.value;
}

std::optional<std::size_t> Plan::taken_content(StepId step) const {
    if (!schedule.scratch) return schedule.steps[step.value].chunk.value;
    const JoinId alone = relayed[step.value];
    return alone == JoinId{} ? std::nullopt : std::optional(std::size_t{schedule.chunks} + alone.value);
}

std::uint32_t Plan::addends(StepId step) const {
    const std::uint32_t all = contributions[step.value].carried;
    return delta_base[step.value] ? all - contributions[delta_base[step.value]->value].carried : all;
}

std::uint32_t Plan::width(StepId step) const {
    return element_type == ElementType::integer ? widened_bits(bits, addends(step)) : bits;
}
std::uint32_t Plan::final_width() const {
    return element_type == ElementType::integer && sums_up(operation) ? widened_bits(bits, ranks) : bits;
}

bool Plan::ends_alike() const { return oscar::ends_alike(operation) && schedule.group == 0; }

bool Plan::final_sum(StepId step) const { return ends_alike() && (!sums_up(operation) || addends(step) == ranks); }
bool Plan::completes(StepId step) const {
    if (operation == Operation::gather || operation == Operation::scatter)   // others only pass values on
        return postcondition(operation, ranks, receiver(step), schedule.steps[step.value].chunk).content ==
               Postcondition::Content::copy;
    return sums_up(operation) ? contributions[step.value].held == ranks : true;
}
bool Plan::adds_first(StepId step) const {
    return delta_base[step.value] || (schedule.steps[step.value].op == Op::reduce && addition[step.value] == 0);
}

}   // namespace oscar
