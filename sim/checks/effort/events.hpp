// Estimate of the work of a run, before it begins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The work of a run, all methods and iterations together. It is an estimate, right within a factor of about four: it
/// is to tell a run of seconds from one of minutes, and that from one of hours.
struct RunEffort {
    double steps = 0;         ///< of the schedules, and messages of other hosts
    double packets = 0;       ///< links that packets cross, repetitions and other hosts' packets included
    double values = 0;        ///< coded or added
    double runs = 0;          ///< methods times iterations
    double seconds() const;   ///< of a core
};

/// The share of packets that come whole over `links` links, and past the port of their receiver.
double delivered_share(const NetworkParams& network, double links);

/// The work of a run. `buckets`: values of a rank in each; none without a trace. Precondition: every flow has a path.
RunEffort effort_of(const Parameters& parameters, const Routes& routes, std::span<const std::uint64_t> buckets);

/// The note on a run that takes longer than about a minute of a core: its work, and what makes it shorter. Nothing for
/// a shorter run.
std::optional<std::string> note_on_effort(const RunEffort& effort);

}   // namespace oscar
