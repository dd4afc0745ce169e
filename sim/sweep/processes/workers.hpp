// Tasks in child processes, several at a time: SystemC simulates once per process, and a crash ends one task only.
//
// A child is a fork of this program that goes on with the task, not a new program that reads its input again: so errors
// keep the places that are known here. Children that outlive this process are killed by the system.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/sweep/processes/interrupt.hpp"

namespace oscar {

/// The end of a task in a child.
struct TaskEnd {
    int status = 0;       ///< its exit status; 128 + the number of the signal that killed it
    std::string result;   ///< what it gave; complete if the status is 0
    std::string error;    ///< if the status is not 0: what it gave, or the last line it printed; the signal before it
    double wall_s = 0;
};

/// Task number `task` in a child process: puts its result, or what is wrong, into `result` and gives the exit status.
/// What it prints does not appear. Exceptions end the child as they would end the program (exit_status.hpp).
using RunTask = std::function<int(std::size_t task, std::string& result)>;

/// Runs the tasks 0 .. count - 1 in order of start, at most `workers` at a time, and tells `ended` of each in the order
/// of their ends. Upon a signal, or an exception from `ended`, kills those that still run and tells no more. Gives
/// whether all ended. std::system_error: no process or pipe can be made.
bool run_tasks(std::size_t count, std::size_t workers, const RunTask& run,
               const std::function<void(std::size_t task, const TaskEnd&)>& ended, const Interrupt& interrupt);

}   // namespace oscar
