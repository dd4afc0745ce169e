// Value change dump: signals over time for waveform viewers. Source: IEEE 1364-2005, section 18.
#pragma once

#include <span>
#include <string>

#include "models/timing/signal.hpp"

namespace oscar {

/// The text of a VCD file, with times in picoseconds. Parts of names, between dots, are scopes below `top`; each signal
/// is as wide as its largest value.
std::string to_vcd(std::span<const Signal> signals, const std::string& top);

}   // namespace oscar
