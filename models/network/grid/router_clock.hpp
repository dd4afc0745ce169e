// Clock of a grid of routers: the times of its cycles.
#pragma once

#include <algorithm>
#include <optional>

#include "models/core/units.hpp"

namespace oscar {

/// A cycle is what a flit takes on a link. Cycles are numbered from the instant at which a job first sends.
struct RouterClock {
    Time cycle;
    std::optional<Time> origin = {};   ///< none before the job sends

    /// The time at which a cycle begins. Precondition: there is an origin.
    Time begin_of(Cycles number) const { return *origin + static_cast<std::int64_t>(number) * cycle; }
    /// The first cycle that begins at `time` or later; one before the origin counts as the first.
    Cycles first_from(Time time) const {
        return static_cast<Cycles>(std::max<std::int64_t>(0, ((time - *origin).ps + cycle.ps - 1) / cycle.ps));
    }
};

}   // namespace oscar
