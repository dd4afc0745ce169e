// The exchanges of a lossy step as one timeline.
#pragma once

#include <span>
#include <string>

#include "sim/report/timeline/timeline_window.hpp"
#include "sim/report/timeline/trace_events.hpp"

namespace oscar {

/// An exchange at its place in the step.
struct PlacedExchange {
    std::string what;
    Time begin, time;            ///< from the begin of the step
    const TraceEvents* events;   ///< its timeline
};

/// Most events of exchanges that are shown one by one; those of later exchanges are left out.
inline constexpr std::size_t most_step_events = 800'000;

/// Their timelines one after the other, a track that names them beside the critical path, and on that, where no
/// exchange is under way, the kernels and launches for which all wait: its slices add up to `end`, that of the step.
/// Exchanges are in order of time. One that the next step alone needs takes none of its time and is not among them.
TraceEvents step_timeline(std::span<const PlacedExchange> exchanges, Time end, const TimelineWindow& window);

}   // namespace oscar
