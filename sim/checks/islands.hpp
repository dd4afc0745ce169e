// Checks of islands (nodes of GPUs) against the ranks, the groups and the channels of a run.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: ranks on islands that are not alike, of which the collective would be made in smaller ones that nobody
/// has named.
void check_filled_islands(const Experiment& experiment);

/// ConfigError: islands that collective.island names, and that do not divide the groups in which a bucket is shared.
void check_islands_of_groups(const Experiment& experiment);

/// ConfigError: groups of an hsdp step, a reduce-scatter or an all-gather that neither divide an island nor are whole
/// islands.
void check_groups_on_islands(const Experiment& experiment);

/// ConfigError: more channels between islands than an island has NICs.
void check_channels_of_islands(const Experiment& experiment);

}   // namespace oscar
