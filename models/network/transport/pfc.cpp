#include "models/network/transport/pfc.hpp"

namespace oscar {
namespace {

/// Whole bytes that have left before `time`, not at it: ceil(time * rate) - 1.
Bytes begun_before(Time time, Bandwidth rate) {
    const std::uint64_t product = static_cast<std::uint64_t>(time.ps) * rate.mbps;   // 1/8,000,000 byte; 0.2 s at most
    return {(product + 7'999'999) / 8'000'000 - 1};
}

}   // namespace

Time pause_delay(const LinkParams& link, const PfcParams& pfc, Bytes flit) {
    return serialization(flit, link.bandwidth) + 2 * link.propagation + pfc.response;
}

Bytes headroom(const LinkParams& link, const PfcParams& pfc, Bytes flit, Bytes largest) {
    return begun_before(pause_delay(link, pfc, flit), link.bandwidth) + largest;
}

std::optional<std::variant<BufferBelowHeadroom, XonAboveXoff>> find_problem(const PfcParams& pfc,
                                                                            const LinkParams& link, Bytes flit,
                                                                            Bytes largest) {
    const Bytes room = headroom(link, pfc, flit, largest);
    if (pfc.xoff == 0_B && link.buffer <= room) return BufferBelowHeadroom{link.buffer, room};
    const PfcParams filled_in = resolved(pfc, link, flit, largest);
    if (filled_in.xon > filled_in.xoff) return XonAboveXoff{filled_in.xon, filled_in.xoff};
    return std::nullopt;
}

PfcParams resolved(PfcParams pfc, const LinkParams& link, Bytes flit, Bytes largest) {
    if (pfc.xoff == 0_B) pfc.xoff = link.buffer - headroom(link, pfc, flit, largest);
    if (pfc.xon == 0_B) pfc.xon = {pfc.xoff.count / 2};
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
