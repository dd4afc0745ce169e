// What kernels of GPUs can add, and the words and flags that they send: checks of the keys that have them do so.
#pragma once

#include <string>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError at `node`, the key that has kernels add what comes: a method whose values kernels do not have, or whose
/// sums must stay in the NIC. `instead`: what may be left out or written in its place.
void check_sums_of_kernels(const Parameters& parameters, const ConfigNode& node, const std::string& instead);

/// ConfigError: flags beside the data of messages, and a method that sends other than words of whole bytes.
void check_protocol_of_direct(const Experiment& experiment);

/// ConfigError: gradients that are words of bf16 or fp8, and a method that makes codes of them.
void check_words(const Experiment& experiment);

}   // namespace oscar
