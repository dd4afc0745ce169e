// A collective as a timeline: what each rank, engine and link did when, and which steps decided its end.
#pragma once

#include <string>
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

/// What takes time around the steps, one after the other.
struct PhaseBefore {
    std::string name;
    Time time;
};

/// Most messages that a timeline shows; of more, those on the critical path.
inline constexpr std::size_t most_messages_shown = 100'000;
/// Most busy spans of engines that it shows; of more, none.
inline constexpr std::size_t most_spans_shown = 300'000;

/// The text of a trace in the JSON format of Chromium, which Perfetto (https://ui.perfetto.dev) opens. Processes:
/// "critical path", whose slices add up to the phases and the duration; "links", a track for each link used, of its
/// busy time; and each rank ("rank0"): encoder, decoder, sends (issue until the last bit is on the wire) and arrivals
/// (from then until what depends on the message may start), an arrow from each send to its arrival. Times are
/// microseconds with six decimals, from the start of the first phase.
std::string timeline_text(const Outcome& outcome, const Schedule& schedule, const std::vector<PhaseBefore>& before);

}   // namespace oscar
