// Priority flow control of one priority (virtual channel) of one link. Time is passed in.
// Source: IEEE 802.1Qbb-2011; annex O for the headroom.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "models/core/units.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/params/network_problem.hpp"

namespace oscar {

/// The time from the first bit of the packet that exceeds Xoff leaving the sender to the sender's stop: that packet's
/// first flit, its propagation, the pause frame's propagation, and the response.
Time pause_delay(const LinkParams& link, const PfcParams& pfc, Bytes flit);

/// The most that can be in the buffer above Xoff: less than what the link carries in pause_delay, and one packet of the
/// largest size that has begun before the stop. Law: with this much room above Xoff nothing is lost; with one byte less
/// something may be.
Bytes headroom(const LinkParams& link, const PfcParams& pfc, Bytes flit, Bytes largest);

/// Thresholds that leave no room below Xoff, or an xon above it; nothing if they work.
std::optional<std::variant<BufferBelowHeadroom, XonAboveXoff>> find_problem(const PfcParams& pfc,
                                                                            const LinkParams& link, Bytes flit,
                                                                            Bytes largest);

/// The thresholds with the defaults filled in. Precondition: !find_problem(pfc, ...).
PfcParams resolved(PfcParams pfc, const LinkParams& link, Bytes flit, Bytes largest);

enum class PauseChange : std::uint8_t { none, pause, resume };

/// The receiving end: how much is in the buffer and what it tells the sender.
class PauseGate {
public:
    PauseGate(Bytes xoff, Bytes xon) : xoff_(xoff), xon_(xon) {}

    /// A packet has entered the buffer; pause: the level has risen above Xoff.
    PauseChange arrived(Bytes size);
    /// A packet has left the buffer; resume: the level has fallen to Xon or below.
    PauseChange left(Bytes size);
    /// The bytes in the buffer.
    Bytes filled() const { return filled_; }
    /// True from the decision to pause until the decision to resume; the sender learns of either later.
    bool paused() const { return paused_; }

private:
    Bytes xoff_, xon_, filled_;
    bool paused_ = false;
};

}   // namespace oscar
