// Injected faults of packets in flight: damage, loss, duplication and reordering. Nothing else injects any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/network/link/fault_use.hpp"
#include "models/network/params/fault_params.hpp"
#include "models/nic/wire/delivery.hpp"
#include "models/nic/wire/packet_name.hpp"

namespace oscar {

/// Faults between the last link of a packet and its receiver. Which packets they hit is a function of the seed, the
/// packet's name and how often it was hit before, and so neither of time nor of the fidelity.
class PacketFaults {
public:
    /// `job_seed`: Job::seed.
    PacketFaults(const FaultParams& params, std::uint64_t job_seed);

    /// True if a packet with this payload gets past its receiver's port: it is not dropped, and the CRC-32 of the
    /// received payload is that of the sent one. `size`: of the payload; `payload` is empty if there are no bytes.
    bool passes(const PacketName& packet, std::span<const std::byte> payload, std::uint64_t size);
    /// The packets that the receiver gets after a packet has passed, in order: none, this one, or several. `packets`:
    /// of its message.
    std::vector<Delivery> bring(const Delivery& delivery, std::uint32_t packets);

    const FaultUse& use() const { return use_; }

private:
    enum Fault : std::uint64_t { flip, drop, duplicate, reorder, place };
    using Packet = std::pair<std::uint64_t, std::uint32_t>;   ///< tag of its message, sequence
    static Packet key_of(const PacketName& packet) {
        return {PacketName{packet.step, packet.kind}.tag(0), packet.sequence};
    }
    /// The number of times that a packet was dropped or damaged, and whether it has arrived whole since.
    struct Failures {
        std::uint32_t count = 0;
        bool repaired = false;
    };
    /// A partly received message: the number of packets that came, and the packets held back from its receiver.
    struct Held {
        std::uint32_t arrivals = 0;
        std::vector<Delivery> deliveries;
    };
    std::uint64_t stream(Fault fault, PacketKind kind) const;
    bool hits(double probability, Fault fault, const PacketName& packet, std::uint32_t attempt) const;
    bool damages(const PacketName& packet, std::uint32_t attempt, std::span<const std::byte> payload);
    std::vector<std::byte> with_flipped_bit(const PacketName& packet, std::uint32_t attempt,
                                            std::span<const std::byte> payload) const;

    FaultParams params_;
    std::uint64_t seed_;
    FaultUse use_;
    std::map<Packet, Failures> failures_;
    std::map<Packet, std::vector<std::byte>> altered_;   ///< payloads that nothing noticed
    std::map<std::uint64_t, Held> held_;                 ///< by the message's tag
};

}   // namespace oscar
