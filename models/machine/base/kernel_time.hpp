// Times of the SystemC kernel as Time.
#pragma once

#include <systemc>

#include "models/core/units.hpp"

namespace oscar {

/// Precondition: time >= 0. The kernel's resolution is its default, one picosecond.
inline sc_core::sc_time to_sc(Time time) { return sc_core::sc_time::from_value(static_cast<std::uint64_t>(time.ps)); }
/// Exact, as to_sc() is.
inline Time from_sc(const sc_core::sc_time& time) { return {static_cast<std::int64_t>(time.value())}; }
/// The time of SystemC's clock.
inline Time kernel_now() { return from_sc(sc_core::sc_time_stamp()); }

}   // namespace oscar
