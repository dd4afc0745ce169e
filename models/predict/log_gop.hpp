// A collective under LogGOP: the processor's overhead at both ends of a message, the network's latency, and a gap per
// byte. Source: Culler et al., PPoPP 1993 (LogP); Alexandrov et al., SPAA 1995 (LogGP); LogGOPS of Hoefler, Schneider
// and Lumsdaine, HPDC 2010, whose O per byte and S are left out here.
#pragma once

#include "models/collective/schedule/schedule.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

struct LogGopParams {
    Time latency = 2500_ns, overhead = 1500_ns, gap_per_byte;
    static constexpr auto fields() {
        return Entries{
            field("latency", &LogGopParams::latency, "L: latency of the network for the first byte", 0_ps, 100_ms),
            field("overhead", &LogGopParams::overhead, "o: overhead of the processor to send or to receive a message",
                  0_ps, 100_ms),
            field("gap_per_byte", &LogGopParams::gap_per_byte, "G: gap for each byte after the first", 0_ps, 1_ms),
        };
    }
};

/// The time at which the last rank has ended `schedule` over `size` bytes, each chunk floor(size / chunks) of them.
/// What a rank sends another in one timestep is one message. A message of s bytes takes o + L + max(s - 1, 0) G + o
/// where nothing delays it. A rank's processor does one thing at a time: in each timestep it sends what it has to, then
/// takes what comes, in the order of arrival. A rank sends the bytes of two messages one after the other. Additions
/// take no time. Exact for every size. Throws OutOfRange if a step ends after 106 days.
Time log_gop_time(const LogGopParams& params, const Schedule& schedule, Bytes size);

}   // namespace oscar
