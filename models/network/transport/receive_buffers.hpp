// Receive buffers of links whose senders do not wait for credits: they pause their senders, or drop packets.
#pragma once

#include <optional>
#include <vector>

#include "models/network/event/packet_fabric.hpp"
#include "models/network/transport/pfc.hpp"

namespace oscar {

enum class BufferEntry : std::uint8_t { dropped, taken, taken_with_pause };

/// One buffer for each channel of each link. A packet takes its room when its first flit comes. A buffer that exceeds
/// Xoff sends its sender a pause frame, and another one that ends the pause when it has fallen to Xon.
class ReceiveBuffers {
public:
    /// Without `pfc` nothing is paused. `largest`: of all packets. Precondition: !find_problem(*pfc, ...) for every
    /// link.
    ReceiveBuffers(PacketFabric& fabric, const FabricParams& params, const std::optional<PfcParams>& pfc,
                   Bytes largest);

    /// True while the sender of the hop's link has stopped for a pause frame.
    bool is_paused(const Hop& hop) const { return buffers_[index_of(hop)].paused; }
    /// The room that is left in the buffer at the end of the hop.
    Bytes free(const Hop& hop) const;
    /// A packet of `wire` bytes has come over `hop` now.
    BufferEntry enter(const Hop& hop, Bytes wire);
    /// Posts that it leaves at `at`.
    void release(const Hop& hop, Bytes wire, Time at);
    /// An event of Fabric::Kind::leaving or pausing that these buffers have posted.
    void run(Fabric::Kind kind, const Event& event);

private:
    /// The buffer at the end of a channel of a link, and whether its sender has stopped.
    struct Buffer {
        PauseGate gate;
        bool paused = false;
    };
    std::uint32_t index_of(const Hop& hop) const { return hop.edge.value * channels_ + hop.channel; }
    EdgeId edge_of(std::uint32_t index) const { return {index / channels_}; }
    void tell(std::uint32_t index, bool pause);
    void obey(std::uint32_t index, bool pause);

    PacketFabric& fabric_;
    std::uint32_t channels_;
    Time response_;
    std::vector<Buffer> buffers_;   ///< per channel of a link
};

}   // namespace oscar
