// The NIC of one rank: its units, its transmit path and its receive path.
#pragma once

#include <memory>
#include <utility>

#include "models/nic/node_units.hpp"
#include "models/nic/receive.hpp"
#include "models/nic/tiered_units.hpp"
#include "models/nic/transmit.hpp"

namespace oscar {

/// A port of the network with the units behind it: a node's, or an adding switch's.
class Nic {
public:
    using Ready = Receive::Ready;
    /// The NIC of a node with these parts. The arguments must outlive it.
    Nic(Rank rank, const NodeParams& node, const NodeParts& parts, const NetworkParams& network, Scheduler& scheduler,
        FlowTable& flows, Ready on_ready)
        : Nic(rank, {node.nic.latency, node.nic.latency}, network, scheduler, flows, std::move(on_ready),
              units_of(rank, node, parts, scheduler), parts.staging) {}
    /// Latency of a packet in the receive and in the transmit pipeline.
    struct Latency {
        Time in, out;
    };
    /// A NIC with other units. `staging` must outlive it; null: unlimited.
    Nic(Rank rank, const Latency& latency, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
        Ready on_ready, std::unique_ptr<BlockUnits> units, StagingMemory* staging = nullptr)
        : latency_(latency.in),
          network_(network),
          units_(std::move(units)),
          transmit_(rank, latency.out, network_, scheduler, flows, *units_),
          staging_(staging, scheduler),
          receive_(network.packet, scheduler, *units_, transmit_, staging_, std::move(on_ready)) {
        units_->on_decoded([this](StepId step, const TimedEvent& done) { receive_.decoded(step, done); });
    }
    Nic(const Nic&) = delete;
    Nic& operator=(const Nic&) = delete;

    /// Prepares for a job, which outlives its run.
    void begin(RunningJob& job) {
        units_->begin(job);
        transmit_.begin(job);
        receive_.begin(job);
    }
    /// The rank's gradient is ready. Its first steps are issued before. `now` carries the causes of its time, as below.
    void start(const TimedEvent& now) { receive_.start(now); }
    /// Makes the message of a step and sends it. The steps that it depends on must be ready.
    void issue(StepId step, const TimedEvent& now) { transmit_.issue(step, now); }
    /// Takes the network's reports of packets of this NIC.
    Transmit& transmit() { return transmit_; }
    /// Takes the network's reports of packets for this NIC.
    Receive& receive() { return receive_; }
    /// Room for packets that have come.
    PacketStaging& staging() { return staging_; }

    /// Latency of a packet in the receive pipeline.
    Time latency() const { return latency_; }
    /// The spans in which bits of this job left, on any of its links; in the order of the reports, not of time.
    const SpanLog& wire() const { return transmit_.wire(); }
    const BlockUnits& units() const { return *units_; }

private:
    static std::unique_ptr<BlockUnits> units_of(Rank rank, const NodeParams& node, const NodeParts& parts,
                                                Scheduler& scheduler) {
        if (node.gpu.island_port) return std::make_unique<TieredUnits>(rank, node, parts, scheduler);
        return make_units_between(rank, node, parts, scheduler);
    }

    Time latency_;
    NetworkParams network_;
    std::unique_ptr<BlockUnits> units_;
    Transmit transmit_;
    PacketStaging staging_;
    Receive receive_;
};

}   // namespace oscar
