// The network of an experiment, with errors where they were written.
#pragma once

#include <optional>
#include <string>

#include "models/network/topology/routes.hpp"
#include "sim/experiment/parameters.hpp"

namespace oscar {

/// A topology with its overrides, as the node `network` tells. ConfigError: sizes that do not fit the ranks, an
/// override that names no link.
Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network);

/// What times have become in cycles of input-queued routers; one line. Precondition: there are such.
std::string note_on_routers(const NetworkParams& network);

/// The link whose credits limit its rate most, and the buffer that it needs, one line; nothing if none does. All flows
/// of the collective, or the jobs, and of background traffic count, as if all sent at once.
std::optional<std::string> note_on_credits(const Parameters& parameters, const Routes& routes);

/// The topology of an experiment. ConfigError, besides: a routing that the topology has no use for, a circle of waits
/// (models/network/topology/deadlock.hpp), a flow control, loss, repair or router that cannot work on some link, a flow of the
/// collective without a way, or without one back for answers, more memory than there is (sim/experiment/memory.hpp). `elements`:
/// values of a rank, where there are any.
Topology topology_of(const Experiment& experiment, std::uint64_t elements = 0);

}   // namespace oscar
