// A collective as a timeline: what each rank, unit and link did when, and which steps decided its end.
#pragma once

#include <string>
#include <vector>

#include "models/job/job.hpp"

#include "sim/report/timeline/timeline_window.hpp"
#include "sim/report/timeline/trace_events.hpp"

namespace oscar {

/// What takes time around the steps, one after the other.
struct PhaseBefore {
    std::string name;
    Time time;
};

/// Most messages that a timeline shows; of more, those on the critical path.
inline constexpr std::size_t most_messages_shown = 100'000;
/// Most busy spans of links that it shows, and most of all units of ranks; of more, none.
inline constexpr std::size_t most_spans_shown = 200'000;

/// Processes of a timeline, in the order in which they are shown; those of ranks follow each other.
inline constexpr int critical_process = 1, critical_track = 1;   ///< the chain of steps that decided the end
inline constexpr int links_process = 2, signals_process = 3, first_rank_process = 10;

/// Processes: "critical path", whose slices add up to the phases and the duration; "links", a track for each link used,
/// of its busy time; and each rank ("rank0") or aggregator: encoder, decoder, adders, DMA read and write, reads and
/// additions of a GPU's port, sends (issue until the last bit is on the wire) and arrivals (from then until what
/// depends on the message may start), an arrow from each send to its arrival, and the number of each as a counter. The
/// signals of a waveform are counters in the process "signals". Times are from the start of the first phase.
TraceEvents timeline_of(const Outcome& outcome, const Schedule& schedule, const std::vector<PhaseBefore>& before,
                        const TimelineWindow& window = {});

}   // namespace oscar
