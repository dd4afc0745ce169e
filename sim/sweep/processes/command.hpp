// Other programs, run to their end: those of a batch system.
#pragma once

#include <string>
#include <vector>

namespace oscar {

struct CommandEnd {
    int status = 0;       ///< its exit status; 128 + the number of the signal that killed it
    std::string output;   ///< what it printed, errors included
};

/// Runs the program words[0], found along PATH, with the other words as its arguments. std::system_error: there is no
/// such program, or it cannot be started.
CommandEnd run_command(const std::vector<std::string>& words);

}   // namespace oscar
