// Checks of `waveform`: what records signals.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a network whose modules have no signals, or a window that ends before it begins.
void check_waveform(const Experiment& experiment);

}   // namespace oscar
