#include "models/machine/step_scheduler.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace oscar {

void StepScheduler::begin(const Job& job, Time origin, Outcome& outcome, std::uint32_t base) {
    const Schedule& schedule = job.plan.schedule;
    const bool single = waits_are_single(schedule);
    state_ = {&job,
              &outcome,
              origin,
              base,
              single,
              single ? JoinLists{} : joins_of_steps(schedule),
              single ? followers_of_steps(schedule) : followers(schedule),
              job.issue == Issue::lock_step ? steps_by_timestep(schedule) : StepLists{},
              steps_by_sender(schedule),
              schedule.participants()};
    outcome.first_start = job.start.empty() ? Time{} : *std::ranges::min_element(job.start);
    count_waits();
    processors_.begin(job.computations,
                      base + schedule.participants() + static_cast<std::uint32_t>(schedule.steps.size()));
    for (std::uint32_t i = 0; i < job.release.size(); ++i) hold_back(StepId{i}, job.release[i]);
    for (std::uint32_t r = 0; r < schedule.participants(); ++r) start_participant(r);
}

void StepScheduler::count_waits() {
    const Schedule& schedule = state_.schedule();
    state_.unfinished = schedule.steps.size();
    for (JoinId join; !state_.single && join.value < schedule.joins.size(); ++join.value)
        state_.open_in_join.push_back(static_cast<std::uint32_t>(schedule.joins[join].size()));
    const auto& before_step = state_.job->computations.before_step;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {   // for its sender to start, and for its join
        const std::uint32_t computations =
            i < before_step.size() ? static_cast<std::uint32_t>(before_step[i].size()) : 0;
        state_.waits_for.push_back((schedule.steps[i].after == JoinId{} ? 1 : 2) + computations);
    }
    for (std::size_t t = 0; t < state_.steps_of_timestep.size(); ++t)
        state_.open_steps.push_back(static_cast<std::uint32_t>(state_.steps_of_timestep[t].size()));
}

void StepScheduler::start_participant(std::uint32_t participant) {
    const std::vector<Time>& start = state_.job->start;
    const bool immediate = start.empty() || participant >= state_.schedule().ranks;
    const TimedEvent first = state_.first();
    const TimedEvent now = immediate ? first : first.until(state_.origin + start[participant], &CriticalPath::wait_ps);
    time_.at(now.at, Stage::start, state_.base + participant, [this, participant, now] {
        for (const StepId step : state_.sends[participant]) let_go(step, now);
        if (--state_.unstarted == 0) state_.sends = {};
        processors_.start(Rank{participant}, now);
        calls_.start(Rank{participant}, now);
        tell_if_over();
    });
}

void StepScheduler::tell_if_over() const {
    if (calls_.over && state_.unfinished == 0 && state_.unstarted == 0 && processors_.unfinished() == 0) calls_.over();
}

/// After the starts of participants at the same instant.
void StepScheduler::hold_back(StepId id, Time release) {
    state_.waits_for.set(id.value, state_.waits_for[id.value] + 1);
    const TimedEvent first = state_.first();
    const TimedEvent now = first.until(std::max(first.at, state_.origin + release), &CriticalPath::wait_ps);
    time_.at(now.at, Stage::start, state_.base + state_.schedule().participants() + id.value,
             [this, id, now] { let_go(id, now); });
}

/// One of those things that the step waits for has come.
void StepScheduler::let_go(StepId id, const TimedEvent& now) {
    state_.waits_for.set(id.value, state_.waits_for[id.value] - 1);
    issue_if_free(id, now);
}

void StepScheduler::issue_if_free(StepId id, const TimedEvent& now) {
    const bool timestep_open = !state_.in_lock_step() || state_.step(id).timestep.value <= state_.timestep;
    if (state_.waits_for[id.value] > 0 || !timestep_open) return;
    state_.outcome->steps.change(id.value).issued = now.at - state_.origin;
    calls_.issue(id, now);
}

void StepScheduler::ready(StepId id) {
    --state_.unfinished;
    const StepTimes& times = state_.outcome->steps[id.value];
    const TimedEvent now{state_.origin + times.ready, times.path};
    let_followers_go(id, now);
    processors_.received(id, now);
    state_.outcome->steps.settle(id.value);
    if (const std::uint32_t timestep = state_.step(id).timestep.value;
        state_.in_lock_step() && --state_.open_steps[timestep] == 0 && timestep == state_.timestep)
        open_timestep(timestep + 1, {now.at, with_imbalance(now.path, id)});
    tell_if_over();
}

void StepScheduler::let_followers_go(StepId id, const TimedEvent& now) {
    if (state_.single)
        for (const StepId follower : state_.followers[id.value]) let_go(follower, now);
    else
        for (const JoinId join : state_.joins[id.value]) {
            const std::uint32_t open = state_.open_in_join[join.value] - 1;
            state_.open_in_join.set(join.value, open);
            if (open > 0) continue;
            for (const StepId follower : state_.followers[join.value]) let_go(follower, now);
        }
}

void StepScheduler::end() {
    state_.joins = {};
    state_.followers = state_.steps_of_timestep = {};
    state_.open_in_join = state_.waits_for = {};
}

/// Lock-step: the next timestep with steps begins; those of its steps that wait for nothing are issued.
void StepScheduler::open_timestep(std::uint32_t timestep, const TimedEvent& now) {
    const StepLists& steps_of_timestep = state_.steps_of_timestep;
    while (timestep < steps_of_timestep.size() && steps_of_timestep[timestep].empty()) ++timestep;
    if (timestep == steps_of_timestep.size()) return;
    state_.timestep = timestep;
    state_.timestep_path = now.path;
    for (const StepId step : steps_of_timestep[timestep]) issue_if_free(step, now);
}

/// The mean over the senders of a timestep, over what the sender of `id` sends in it.
MeanOverOwn StepScheduler::mean_over_own(StepId id) const {
    const Step& step = state_.step(id);
    double own_bytes = 0, own_values = 0, bytes = 0, values = 0;
    std::set<Rank> senders;
    for (const StepId other : state_.steps_of_timestep[step.timestep.value]) {
        const double b = static_cast<double>(state_.outcome->wire_bytes[other.value]);
        const double v = static_cast<double>(state_.outcome->records[other.value].values);
        const Rank from = state_.step(other).from;
        senders.insert(from);
        bytes += b;
        values += v;
        if (from == step.from) own_bytes += b, own_values += v;
    }
    const auto of = [&](double all, double own) {
        return own > 0 ? all / static_cast<double>(senders.size()) / own : 1;
    };
    return {of(bytes, own_bytes), of(values, own_values)};
}

CriticalPath StepScheduler::with_imbalance(const CriticalPath& path, StepId id) const {
    if (!state_.in_lock_step() || state_.step(id).timestep.value != state_.timestep) return path;
    return attribute_imbalance(state_.timestep_path, path, mean_over_own(id));
}

}   // namespace oscar
