// The place of the longest wait: the step of the critical path that took longest, and the link that it waited for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/collective/endpoint/plan.hpp"
#include "models/core/fields.hpp"
#include "models/job/job.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {

/// The longest step of a critical path.
struct LongestStep {
    std::string sentence, from, to;
    std::uint32_t slice = 0, timestep = 0;
    std::int64_t begin_ps = 0, time_ps = 0;
    std::string cause, link;
    double link_busy = 0;
    std::uint32_t link_connections = 0;
    static constexpr auto fields() {
        using L = LongestStep;
        return Entries{
            field("sentence", &L::sentence, "the figures below in words"),
            field("from", &L::from, "rank or aggregator that sent"),
            field("to", &L::to, "rank or aggregator that received"),
            field("slice", &L::slice, "of the collective that the message is part of"),
            field("timestep", &L::timestep, "of the schedule"),
            field("begin_ps", &L::begin_ps, "when the step was issued, from the first rank's start"),
            field("time_ps", &L::time_ps, "until the step after it was issued, or all was done"),
            field("cause", &L::cause,
                  "link, engine, dma, latency or wait; queue where a unit was busy with an earlier step"),
            field("link", &L::link,
                  "that was busiest meanwhile, of those on the message's route; empty where packets "
                  "are sprayed or a switch sends"),
            field("link_busy", &L::link_busy, "share of time_ps in which it was busy"),
            field("link_connections", &L::link_connections,
                  "connections of the schedule whose messages cross that link; 0: not counted"),
        };
    }
    friend bool operator==(const LongestStep&, const LongestStep&) = default;
};

/// Most steps of a schedule in which it is searched for, so that searching costs little beside the simulation.
inline constexpr std::size_t most_steps_searched = 2'000'000;

/// None without steps, with more than most_steps_searched, or where ranks are folded: all are then alike. `slices`: of
/// the collective; they divide the chunks.
std::optional<LongestStep> longest_step(const Outcome& outcome, const Plan& plan, std::uint32_t slices,
                                        const Routes& routes);

}   // namespace oscar
