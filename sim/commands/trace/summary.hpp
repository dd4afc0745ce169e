// One line about a trace that was written.
#pragma once

#include <string>

#include "sim/trace/trace.hpp"

namespace oscar {

/// "2 iterations of 8 ranks, 32326 values in 10 layers (hash 0123456789abcdef)"
std::string summary(const Trace& trace);

}   // namespace oscar
