// The file of collective: {kind: schedule}, whose steps become the list.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Fills in operation and steps of a schedule that names a file, which is looked for beside the file that names it,
/// beside the experiment, and in the working folder. ConfigError: there is a list, too; no such file, or none that
/// read_msccl() and schedule_of() take; it is for another number of ranks.
void read_schedule_file(Experiment& experiment);

}   // namespace oscar
