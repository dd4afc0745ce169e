// A collective as a timeline: what each rank, engine and link did when, and which steps decided its end.
#pragma once

#include <string>
#include <vector>

#include "models/job/job.hpp"

namespace oscar {

/// What takes time around the steps, one after the other.
struct PhaseBefore {
    std::string name;
    Time time;
};

/// Most messages that a timeline shows; of more, those on the critical path.
inline constexpr std::size_t most_messages_shown = 100'000;
/// Most busy spans of engines and DMA that it shows; of more, none.
inline constexpr std::size_t most_spans_shown = 300'000;

/// The text of a trace in the JSON format of Chromium, which Perfetto (https://ui.perfetto.dev) opens. Processes:
/// "critical path", whose slices add up to the phases and the duration; "links", a track for each link used, of its
/// busy time; and each rank ("rank0"): encoder, decoder, DMA read and write, sends (issue until the last bit is on the
/// wire) and arrivals (from then until what depends on the message may start), an arrow from each send to its arrival.
/// Times are microseconds with six decimals, from the start of the first phase.
std::string timeline_text(const Outcome& outcome, const Schedule& schedule, const std::vector<PhaseBefore>& before);

}   // namespace oscar
