#include "models/nic/running_job.hpp"

#include <optional>

namespace oscar {
namespace {

/// False on a ring, whose steps need then not be looked at chunk by chunk.
bool has_repeated_additions(const Plan& plan) {
    for (std::size_t i = 0; i < plan.addition.size(); ++i)
        if (plan.addition[i] > 0) return true;
    return false;
}

}   // namespace

std::vector<bool> receivers_of_one(const Schedule& schedule) {
    std::vector<bool> result(schedule.participants(), true);
    std::vector<std::optional<Rank>> sender(schedule.participants());
    for (const Step& step : schedule.steps) {
        auto& first = sender[step.to.value];
        if (!first) first = step.from;
        else if (*first != step.from) result[step.to.value] = false;
    }
    return result;
}

std::vector<bool> repeated_additions(const Plan& plan) {
    const Schedule& schedule = plan.schedule;
    std::vector<bool> result(schedule.steps.size()), repeated(plan.ranks + schedule.aggregators);
    if (!has_repeated_additions(plan)) return result;
    const StepsByChunk by_chunk(schedule);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps)
            if (plan.addition[id.value] > 0) repeated[plan.receiver(id).value] = true;
        for (const StepId id : steps)
            result[id.value] = schedule.steps[id.value].op == Op::reduce && repeated[plan.receiver(id).value];
        for (const StepId id : steps) repeated[plan.receiver(id).value] = false;
    }
    return result;
}

void RunningJob::note_result(Rank rank, StepId step, const TimedEvent& there) {
    RankUse& use = outcome.ranks[rank.value];
    const Time at = there.at - origin;
    Time& stored = outcome.steps.change(step.value).stored;
    stored = std::max(stored, at);
    if (taken[step.value]) outcome.steps.settle(step.value);   // a later step may already have followed
    if (at <= use.finish) return;
    use.finish = at;
    use.path = there.path;
    use.last = step;
}

}   // namespace oscar
