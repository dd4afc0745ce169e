// Step scheduler: when each step of a job is issued.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/collective/schedule/step_lists.hpp"
#include "models/core/narrow_vector.hpp"
#include "models/job/job.hpp"
#include "models/machine/processors.hpp"
#include "models/nic/scheduler.hpp"

namespace oscar {

/// Issues a step once its sender has started, the steps that it depends on are ready, its sender has computed what it
/// waits for, its release has come, and, in lock-step, its timestep is open. A timestep opens when all steps of the one
/// before are ready.
class StepScheduler {
public:
    struct Calls {
        std::function<void(StepId step, const TimedEvent& now)> issue;   ///< the sender begins with a step
        std::function<void(Rank rank, const TimedEvent& now)> start;     ///< a participant's steps may be issued
        std::function<void()> over = {};   ///< all steps are ready, and all computations done
    };
    StepScheduler(Scheduler& time, Calls calls)
        : time_(time),
          calls_(std::move(calls)),
          processors_(
              time, [this](StepId step, const TimedEvent& now) { let_go(step, now); }, [this] { tell_if_over(); }) {}

    /// A job begins at `origin`. Counts what each step waits for and asks for the starts. Sets outcome.first_start;
    /// what it is given must outlive the job.
    /// `base`: orders of its actions at one instant are from this on.
    void begin(const Job& job, Time origin, Outcome& outcome, std::uint32_t base = 0);
    /// Steps that depend on this one may start; outcome.steps says since when. Its times are settled.
    void ready(StepId step);

    /// The job is over, and with_imbalance() is not asked again: gives up what it held for each step.
    void end();

    /// The end of the last computation so far.
    const TimedEvent& computed() const { return processors_.last(); }

    /// The number of steps of the job.
    std::size_t steps() const { return state_.waits_for.size(); }
    /// The number of its steps that are not ready yet.
    std::size_t unfinished() const { return state_.unfinished; }
    /// Lock-step: everyone waits for the largest message of the running timestep, whose share of the wait is imbalance.
    CriticalPath with_imbalance(const CriticalPath& path, StepId step) const;

private:
    /// The state of one job.
    struct State {
        const Job* job = nullptr;
        Outcome* outcome = nullptr;
        Time origin;
        std::uint32_t base;
        bool single;                                  ///< whether no step waits for several at once
        JoinLists joins;                              ///< per step, those that it is in; none, where single
        StepLists followers;                          ///< per join, or per step where single, what waits for it
        StepLists steps_of_timestep;                  ///< lock-step: per timestep, its steps
        StepLists sends;                              ///< per participant, the steps it sends, until all have started
        std::uint32_t unstarted = 0;                  ///< participants
        NarrowVector open_in_join = {};               ///< per join, steps not ready yet; none, where single
        NarrowVector waits_for = {};                  ///< per step: its join, computations, sender's start, release
        std::vector<std::uint32_t> open_steps = {};   ///< lock-step: per timestep, steps not ready yet
        std::uint32_t timestep = 0;                   ///< lock-step: the one that runs
        CriticalPath timestep_path = {};              ///< lock-step: what led to its opening
        std::size_t unfinished = 0;
        const Schedule& schedule() const { return job->plan.schedule; }
        const Step& step(StepId id) const { return schedule().steps[id.value]; }
        TimedEvent first() const { return {origin + outcome->first_start}; }
        bool in_lock_step() const { return job->issue == Issue::lock_step; }
    };

    void count_waits();
    void start_participant(std::uint32_t participant);
    void hold_back(StepId step, Time release);
    void let_followers_go(StepId step, const TimedEvent& now);
    void let_go(StepId step, const TimedEvent& now);
    void issue_if_free(StepId step, const TimedEvent& now);
    void open_timestep(std::uint32_t timestep, const TimedEvent& now);
    MeanOverOwn mean_over_own(StepId step) const;
    void tell_if_over() const;

    Scheduler& time_;
    Calls calls_;
    Processors processors_;
    State state_;
};

}   // namespace oscar
