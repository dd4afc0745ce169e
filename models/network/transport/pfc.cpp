#include "models/network/transport/pfc.hpp"

#include <string>

namespace oscar {
namespace {

/// Whole bytes that have left before `time`, not at it: ceil(time * rate) - 1.
Bytes begun_before(Time time, Bandwidth rate) {
    const std::uint64_t product = static_cast<std::uint64_t>(time.ps) * rate.mbps;   // 1/8,000,000 byte; 0.2 s at most
    return {(product + 7'999'999) / 8'000'000 - 1};
}

std::string bytes(Bytes size) { return std::to_string(size.count) + "B"; }

}   // namespace

Time pause_delay(const LinkParams& link, const PfcParams& pfc, Bytes flit) {
    return serialization(flit, link.bandwidth) + 2 * link.propagation + pfc.response;
}

Bytes headroom(const LinkParams& link, const PfcParams& pfc, Bytes flit, Bytes largest) {
    return begun_before(pause_delay(link, pfc, flit), link.bandwidth) + largest;
}

PfcParams resolved(PfcParams pfc, const LinkParams& link, Bytes flit, Bytes largest) {
    const Bytes room = headroom(link, pfc, flit, largest);
    if (pfc.xoff == 0_B) {
        if (link.buffer <= room)
            throw std::invalid_argument("the buffer of " + bytes(link.buffer) +
                                        " is no larger than the headroom that a pause needs; write buffer: " +
                                        bytes(room + room) + " or more, or xoff: to accept loss");
        pfc.xoff = link.buffer - room;
    }
    if (pfc.xon == 0_B) pfc.xon = {pfc.xoff.count / 2};
    if (pfc.xon > pfc.xoff)
        throw std::invalid_argument("xon of " + bytes(pfc.xon) + " is above xoff of " + bytes(pfc.xoff) +
                                    "; write xon: " + bytes({pfc.xoff.count / 2}));
    return pfc;
}

PauseChange PauseGate::arrived(Bytes size) {
    filled_ += size;
    if (paused_ || filled_ <= xoff_) return PauseChange::none;
    paused_ = true;
    return PauseChange::pause;
}

PauseChange PauseGate::left(Bytes size) {
    filled_ -= size;
    if (!paused_ || filled_ > xon_) return PauseChange::none;
    paused_ = false;
    return PauseChange::resume;
}

}   // namespace oscar
