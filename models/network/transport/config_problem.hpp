// An unsupported or contradictory network configuration.
#pragma once

#include <string>

namespace oscar {

/// What cannot be simulated, or cannot work.
struct ConfigProblem {
    std::string key;    ///< of NetworkParams, like loss or link.buffer
    std::string text;   ///< what is wrong and how to write it right
};

}   // namespace oscar
