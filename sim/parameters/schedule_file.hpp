// The file of collective: {kind: schedule}, whose steps or messages become a list.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Fills in operation and steps of a schedule that names a file, which is looked for beside the file that names it,
/// beside the experiment, and in the working folder. ConfigError: there is a list, too; no such file, or none that
/// read_msccl() and schedule_of() take; it is for another number of ranks.
void read_schedule_file(Experiment& experiment);

/// Of a schedule that names a file of GOAL (.goal), the flows that it stands for, in its place: they wait for each
/// other, whatever `issue` says. Sizes are those of the file. ConfigError: as read_schedule_file, of read_goal().
void read_goal_file(Experiment& experiment);
/// The same of a collective of so many ranks at `node` of the file `beside`, for commands without an experiment.
void read_goal_file(Collective& collective, std::uint32_t ranks, const ConfigNode& node,
                    const std::filesystem::path& beside);

}   // namespace oscar
