// Check of what is exchanged before or beside a collective: ranks reach each other for that, too.
#pragma once

#include "sim/checks/subjects.hpp"

namespace oscar {

/// ConfigError: no path for the boundaries of chunks: leader, the peaks of an exact scale, or the parameters that fsdp
/// gathers. Precondition: check_network_flows.
void check_surrounding_exchanges(const CabledExperiment& cabled);

}   // namespace oscar
