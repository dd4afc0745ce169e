// Packet dispatch: brings the network's reports of packets to the NICs that they concern.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/nic/nic.hpp"
#include "models/nic/wire/packet_faults.hpp"

namespace oscar {

/// Looks up in the table of messages in flight what a name on the network stands for, and hands receivers a Delivery.
/// It adds what led to an arrival: when the packet left, and by what path it came. All faults of packets are here.
class PacketDispatch {
public:
    /// `nics`: per participant, of a machine that may add some.
    PacketDispatch(const NetworkParams& network, FlowTable& flows, const Scheduler& scheduler,
                   const std::vector<std::unique_ptr<Nic>>& nics)
        : network_(network), flows_(flows), scheduler_(scheduler), nics_(nics) {}

    /// From now on all packets belong to this job.
    void begin(RunningJob& job);

    /// The packet's bits are on its first link from `begin` to `end`.
    void departed(const PacketName& packet, Time begin, Time end);
    /// The `count` packets from this one on are on their first link one after the other from `begin` on, each for
    /// `each`.
    void departed_back_to_back(const PacketName& packet, std::uint32_t count, Time begin, Time each);
    /// The packets that a NIC has sent in turn will have passed their receiver's NIC, the first at `at`.
    void will_arrive(const PacketName& packet, std::uint32_t count, Time at);
    /// True if a packet at the end of its path gets past the port of its receiver.
    bool passes(const PacketName& packet);
    /// True if the NIC of its receiver has room for a packet at the end of `edge`.
    bool admits(const PacketName& packet, EdgeId edge);
    /// The last hop of a packet's path.
    Hop last_hop(const PacketName& packet) const {
        return flow_of(job_->in_flight.at(packet.step), packet).path.back();
    }
    /// The size of a packet on the wire.
    Bytes wire_of(const PacketName& packet) const;
    /// Now all packets up to this one have passed their receiver's NIC; this one came at `came`, and has waited there
    /// since.
    void arrived(const PacketName& packet, Time came);

    /// The faults in this job; nothing if none can occur.
    std::optional<FaultUse> fault_use() const;

private:
    Nic& sender_of(const PacketName& packet) const;
    Nic& receiver_of(const PacketName& packet) const;
    Rank from(const PacketName& packet) const;
    Rank to(const PacketName& packet) const;
    Time idle_path(const PacketName& packet) const;
    const FlowTable::Flow& flow_of(const StepInFlight& message, const PacketName& packet) const;
    TimedEvent arrival_of(const PacketName& packet, const TimedEvent& departure, Time at) const;

    const NetworkParams& network_;
    FlowTable& flows_;
    const Scheduler& scheduler_;
    const std::vector<std::unique_ptr<Nic>>& nics_;
    RunningJob* job_ = nullptr;
    std::optional<PacketFaults> faults_;
};

}   // namespace oscar
