// Checks of what only methods have that send words of whole bytes: fp32, bf16 and fp8.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: flags beside the data of messages, and a method that sends other than words.
void check_protocol_of_direct(const Experiment& experiment);

/// ConfigError: gradients that are words of bf16 or fp8, and a method that makes codes of them.
void check_words(const Experiment& experiment);

}   // namespace oscar
