// One task in a process of its own, forked without exec, which Boost.Process cannot do; private to workers.cpp.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

#include "sim/sweep/processes/workers.hpp"

namespace oscar {

class Child {
public:
    /// Starts task number `task`. std::system_error: no process or pipe can be made.
    Child(std::size_t task, const RunTask& run, const Interrupt& interrupt);
    /// Kills the process if it still runs.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    std::size_t task() const { return task_; }   ///< its number, as run_tasks counts
    /// The descriptors for poll: the child's result and its standard error; closed ends are negative.
    std::array<pollfd, 2> ends() const;
    /// Takes what has come, without waiting if poll said that there is something at `which` of ends().
    void receive(std::size_t which);
    /// True once the child has closed both ends: it has ended or is about to.
    bool silent() const { return ends_[0] < 0 && ends_[1] < 0; }
    /// Waits for the end of a silent child.
    TaskEnd end();

private:
    std::size_t task_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    pid_t process_ = -1;
    std::array<int, 2> ends_{-1, -1};
    std::array<std::string, 2> received_;   // of the result and of standard error
};

}   // namespace oscar
