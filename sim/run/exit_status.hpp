// The exit status of the program after an error.
#pragma once

#include <string>

namespace oscar {

inline constexpr int other_failure = 1, wrong_input = 2, cannot_finish = 3;

struct Failure {
    int status;
    std::string what;
};

/// The failure that the exception being handled stands for; call it in a catch block. InputErrors are wrong_input,
/// Deadlocks, of routers too, cannot_finish.
Failure failure_in_flight();

}   // namespace oscar
