// Problems of a network in the words of a configuration.
#pragma once

#include <string>
#include <string_view>

#include "models/network/params/network_params.hpp"
#include "models/network/params/network_problem.hpp"

namespace oscar {

struct ConfigProblem {
    std::string key;    ///< of NetworkParams, like loss or link.buffer
    std::string text;   ///< what is wrong and how to write it right
};

/// Why routers with one virtual channel cannot stand in a torus.
inline constexpr std::string_view no_dateline =
    "a torus with 1 virtual channel can deadlock: packets round a row or column wait for each other; choose 2 or more, "
    "a "
    "class on each side of the dateline";

/// `problem` is one of `network`.
ConfigProblem in_words(const NetworkProblem& problem, const NetworkParams& network);

}   // namespace oscar
