// The steps that decided the end of a collective.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/job/job.hpp"

namespace oscar {

/// A step of the critical path: from the moment `begin`, relative to the job's, until the next begins or all is done.
struct CriticalStep {
    StepId step;
    Time begin, end;
    /// What took that time; its total is end - begin. A figure below 0: a unit was busy with an earlier step until
    /// then, and what took its time began before.
    CriticalPath path;
};

/// The chain of steps that decided the finish, from the first on: each was issued when the one before was ready. Law:
/// they follow each other without a gap up to outcome.finish. In lock-step the time beyond that of a message of mean
/// size counts as waiting in the step after. Empty without steps.
std::vector<CriticalStep> critical_steps(const Outcome& outcome, const Schedule& schedule);

/// "rank3", or "aggregator0" for the first participant after the ranks.
std::string name_of_participant(Rank participant, const Schedule& schedule);

/// True if what took the time of a step began with its issue, not with an earlier step at the same unit.
bool has_own_causes(const CriticalPath& path);

/// The name of the cause that took most of a step's time; "queue" if that began with an earlier step.
std::string_view cause_of(const CriticalPath& path);

}   // namespace oscar
