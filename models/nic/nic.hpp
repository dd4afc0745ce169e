// The NIC of one rank: DMA, compression engine, packetiser, reduce unit.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/network/core/params.hpp"
#include "models/nic/chunk_window.hpp"
#include "models/nic/flow_table.hpp"
#include "models/nic/gradient_form.hpp"
#include "models/nic/node.hpp"
#include "models/nic/packet_name.hpp"
#include "models/nic/running_job.hpp"
#include "models/nic/scheduler.hpp"

namespace oscar {

/// Sending a step: local values by DMA (or partial sums from NIC memory) -> encoder, block by block -> packets -> queue
/// of the peer. Receiving: packets -> blocks -> decoder, which adds the local values that DMA fetched when this rank
/// began the same timestep -> NIC memory; complete sums go to GPU memory by DMA.
/// A codec that does not use the engine passes it by; the reduce unit then adds.
/// A message whose first coded block names tables that this rank does not hold is refused when that block has come; the
/// sender encodes it again, with a table inline (docs/model.md 4a).
class Nic {
public:
    /// Called when what depends on a step may start: copies when their bytes are there, sums when they are added.
    using Ready = std::function<void(StepId)>;
    Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
        Ready on_ready)
        : Nic(rank, node, network, scheduler, flows, std::move(on_ready), node.nic.latency) {}
    virtual ~Nic() = default;
    Nic(const Nic&) = delete;
    Nic& operator=(const Nic&) = delete;

    /// Prepares for a job, which outlives its run. Senders tell receivers by it what is on its way.
    virtual void begin(RunningJob& job);
    /// The rank's gradient is there: what has come from faster ranks is processed. Its first steps are issued before.
    /// `now` tells what led to it, here and below.
    void start(const TimedEvent& now);
    void issue(StepId step, const TimedEvent& now);
    /// A packet that this NIC has sent is on its cable from `begin` to `end`.
    void departed(const PacketName& packet, Time begin, Time end);
    /// `count` packets from this one on are, one behind the other, `each` long.
    void departed_in_turn(const PacketName& packet, std::uint32_t count, Time begin, Time each);
    /// Those packets, which another NIC has sent in turn, will have passed this NIC, the first at `at`.
    void will_arrive(const PacketName& packet, std::uint32_t count, Time at);
    /// Now all packets up to this one have passed this NIC.
    void arrived(const PacketName& packet);
    /// The aggregator above has told that a slot is free.
    void slot_free(const TimedEvent& now);

    /// When bits of this job left, on any of its links; as told, not in order.
    const SpanLog& wire() const { return wire_; }
    const PipelinedUnit& encoder() const { return encoder_; }
    const PipelinedUnit& decoder() const { return decoder_; }

protected:
    /// `way_out`: from when a packet is made until it may leave.
    Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Scheduler& scheduler, FlowTable& flows,
        Ready on_ready, Time way_out);

    /// When each block of a message that is made here is there.
    virtual void encode_blocks(StepId step, const Outbound& out, const TimedEvent& now, EventRuns& ready);
    /// Units take as many blocks that have come at each of the moments.
    virtual void serve(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready);
    /// The last bit of a step's message has left.
    virtual void has_left(StepId, const TimedEvent&) {}
    virtual void begin_timestep(Timestep timestep, const TimedEvent& now);
    virtual void fetch_tables(std::uint32_t timestep, const TimedEvent& now);

    const Plan& plan() const { return job_->job.plan; }
    const Step& step_of(StepId step) const { return job_->step(step); }
    MessageSource& participants() const { return job_->job.participants; }
    const EngineParams& engine() const { return node_.engine; }
    const NetworkParams& network() const { return network_; }
    Scheduler& scheduler() const { return scheduler_; }

private:
    struct Early {
        PacketName packet;
        TimedEvent arrival;
    };
    struct Begin {
        Timestep timestep;
        TimedEvent now;
    };
    void begin_later(Timestep timestep, StepId step, const TimedEvent& now);
    TimedEvent tables_there(Timestep timestep) const;
    void schedule_blocks(StepId step, const Outbound& out, bool forwarded, const TimedEvent& now);
    void encode_run(const BlockRun& run, StepId step, const TimedEvent& now, EventRuns& ready);
    void packetise(StepId step, PacketKind kind, const TimedEvent& now);
    void make_eligible(const Encoded& message, const TimedEvent& now, Departures& departures) const;
    void send(StepId step, PacketKind kind, std::span<const std::uint32_t> wanted);
    void send_in_turn(StepId step, PacketKind kind, const TimedEvent& now);
    bool needs_slot(StepId step) const;
    void send_what_has_a_slot(const TimedEvent& now);
    Departures& departures_of(const PacketName& packet) const {
        return job_->outbound.at(packet.step).departures[static_cast<std::size_t>(packet.kind)];
    }
    TimedEvent& last_departure(const PacketName& packet);
    void count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end);
    TimedEvent arrival_of(const PacketName& packet, const TimedEvent& departure, Time at);
    Time idle_path(const PacketName& packet);
    void process(const PacketName& packet, const TimedEvent& now);
    void process_next(const PacketName& packet, const TimedEvent& now);
    void assemble(const PacketName& packet, Inbound& inbound) const;
    bool must_refuse(StepId step, Inbound& inbound, const Block& block) const;
    void refuse(StepId step, Inbound& inbound, const TimedEvent& now);
    void resend(StepId step, const TimedEvent& now);
    bool take_in_complete(StepId step, Inbound& inbound, const TimedEvent& now);
    void take_in_all(StepId step, Inbound& inbound);
    void take_in(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& passed);
    void note_written(StepId step, const TimedEvent& written);
    void complete(StepId step, Inbound& inbound, const TimedEvent& now);
    const EngineMemoryTraffic& side() const { return job_->job.side; }
    Time since_begin(const TimedEvent& moment) const { return moment.at - job_->origin; }

    Rank rank_;
    NodeParams node_;
    NetworkParams network_;
    Scheduler& scheduler_;
    FlowTable& flows_;
    Ready on_ready_;
    Time way_out_;

    DmaChannel read_, write_;
    PipelinedUnit encoder_, decoder_, adder_;
    SpanLog wire_;
    std::unordered_map<std::uint32_t, TimedEvent> last_departure_;   ///< per edge
    EventRuns blocks_ready_;                                         ///< per block of the message that is being sent
    std::vector<Time> eligible_;                                     ///< of the packets that are being sent

    RunningJob* job_ = nullptr;
    ValueBytes value_bytes_;
    bool started_ = false;
    TimedEvent start_;
    std::vector<Early> early_packets_;                        ///< that came before this rank's start
    std::vector<std::shared_ptr<const Encoded>> refused_;     ///< packets on their way are views on them
    std::vector<bool> operands_asked_, tables_asked_;         ///< per timestep, for DMA to read them
    std::unordered_map<Timestep, TimedEvent> tables_there_;   ///< of timesteps that read any
    std::unordered_map<ChunkId, TimedEvent> decoded_;         ///< last of what came of a chunk that may be sent again
    std::map<ChunkId, EventRuns> encoded_;                    ///< per block of what this rank sends more than once
    ChunkWindow window_;                                      ///< of the aggregator above, if there is one
    std::map<ChunkId, TimedEvent> operands_;                  ///< local values that several things are added to
    std::vector<Begin> begins_;                               ///< of timesteps, at this instant
    std::vector<std::uint32_t> free_begins_;
};

}   // namespace oscar
