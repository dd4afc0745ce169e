// The error message of a job that cannot finish.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "models/network/event/fabric.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// Names the blocked flows, the credit that each lacks, and a remedy. `message` names the flow and step of a tag, as
/// "rank0->rank1 (step 7", and leaves the bracket open. Precondition: no event is left.
std::string deadlock_text(const Fabric& fabric, const Topology& topology, std::size_t unfinished, std::size_t steps,
                          const std::function<std::string(std::uint64_t tag)>& message);

}   // namespace oscar
