#include "sim/report/causes/critical_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "sim/report/causes/bottleneck.hpp"

namespace oscar {
namespace {

/// The steps by the moment when they were ready; made when it is first asked.
class ReadySteps {
public:
    explicit ReadySteps(const Outcome& outcome) : outcome_(outcome) {}
    auto at(Time moment) {
        if (steps_.empty())
            for (std::uint32_t i = 0; i < outcome_.steps.size(); ++i)
                steps_.emplace(outcome_.steps[i].ready.ps, StepId{i});
        return steps_.equal_range(moment.ps);
    }

private:
    const Outcome& outcome_;
    std::unordered_multimap<std::int64_t, StepId> steps_;
};

/// The step whose end was the issue of this one: one that it waits for, else one of an earlier timestep.
std::optional<StepId> predecessor(StepId id, const Outcome& outcome, const Schedule& schedule, ReadySteps& ready) {
    const Time issued = outcome.steps[id.value].issued;
    for (const StepId other : schedule.after(id))
        if (outcome.steps[other.value].ready == issued) return other;
    if (issued == outcome.first_start) return std::nullopt;
    std::optional<StepId> found;
    const auto [first, last] = ready.at(issued);
    for (auto at = first; at != last; ++at) {
        const Timestep timestep = schedule.steps[at->second.value].timestep;
        const bool earlier = timestep < schedule.steps[id.value].timestep;
        if (earlier && (!found || schedule.steps[found->value].timestep < timestep)) found = at->second;
    }
    return found;
}

/// The step that brought the last result.
StepId last_step(const Outcome& outcome) {
    const auto finish = [](const RankUse& rank) { return std::pair(rank.finish, rank.last); };
    const auto rank = std::ranges::max_element(outcome.ranks, {}, finish);
    if (rank != outcome.ranks.end() && rank->finish == outcome.finish) return rank->last;
    StepId last;
    for (StepId id; id.value < outcome.steps.size(); ++id.value)
        if (outcome.steps[id.value].ready > outcome.steps[last.value].ready) last = id;
    return last;
}

CriticalPath minus(CriticalPath path, const CriticalPath& other) {
    for_each_field<CriticalPath>([&](const auto& field) { path.*field.member -= other.*field.member; });
    return path;
}

}   // namespace

std::vector<CriticalStep> critical_steps(const Outcome& outcome, const Schedule& schedule) {
    if (outcome.steps.empty()) return {};
    ReadySteps ready(outcome);
    std::vector<CriticalStep> steps;
    Time end = outcome.finish;
    CriticalPath path = outcome.path;
    for (std::optional<StepId> id = last_step(outcome); id;) {
        const auto before = predecessor(*id, outcome, schedule, ready);
        const Time issued = outcome.steps[id->value].issued;
        CriticalPath begin;   // of a step that waited for its rank alone
        begin.wait_ps = (issued - outcome.first_start).ps;
        if (before) begin = outcome.steps[before->value].path;
        steps.push_back({*id, issued, end, minus(path, begin)});
        end = issued;
        path = begin;
        id = before;
    }
    std::ranges::reverse(steps);
    return steps;
}

std::string name_of_participant(Rank participant, const Schedule& schedule) {
    const bool is_rank = participant.value < schedule.ranks;
    return is_rank ? fmt::format("rank{}", participant.value)
                   : fmt::format("aggregator{}", participant.value - schedule.ranks);
}

bool has_own_causes(const CriticalPath& path) {
    return std::ranges::all_of(bottlenecks, [&](const Bottleneck& cause) { return path.*cause.cause >= 0; });
}

std::string_view cause_of(const CriticalPath& path) {
    return has_own_causes(path) ? bottleneck_of(path).name : "queue";
}

}   // namespace oscar
