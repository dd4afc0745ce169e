// The NIC of one rank: DMA, compression engine, packetiser, reduce unit.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/engine/gradient_form.hpp"
#include "models/engine/node.hpp"
#include "models/hw/chunk_window.hpp"
#include "models/hw/flows.hpp"
#include "models/hw/packet_name.hpp"
#include "models/hw/running_job.hpp"
#include "models/hw/timeline.hpp"
#include "models/net/params.hpp"

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
    Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Timeline& timeline, Flows& flows,
        Ready on_ready)
        : Nic(rank, node, network, timeline, flows, std::move(on_ready), node.nic.latency) {}
    virtual ~Nic() = default;
    Nic(const Nic&) = delete;
    Nic& operator=(const Nic&) = delete;

    /// Prepares for a job, which outlives its run. Senders tell receivers by it what is on its way.
    virtual void begin(RunningJob& job);
    /// The rank's gradient is there: what has come from faster ranks is processed. Its first steps are issued before.
    /// `now` tells what led to it, here and below.
    void start(const Moment& now);
    void issue(StepId step, const Moment& now);
    /// A packet that this NIC has sent is on its cable from `begin` to `end`.
    void departed(const PacketName& packet, Time begin, Time end);
    /// `count` packets from this one on are, one behind the other, `each` long.
    void departed_in_turn(const PacketName& packet, std::uint32_t count, Time begin, Time each);
    /// Those packets, which another NIC has sent in turn, will have passed this NIC, the first at `at`.
    void will_arrive(const PacketName& packet, std::uint32_t count, Time at);
    /// Now all packets up to this one have passed this NIC.
    void arrived(const PacketName& packet);
    /// The aggregator above has told that a slot is free.
    void slot_free(const Moment& now);

    /// When bits of this job left, on any of its links; as told, not in order.
    const SpanLog& wire() const { return wire_; }
    const PipelinedUnit& encoder() const { return encoder_; }
    const PipelinedUnit& decoder() const { return decoder_; }

protected:
    /// `way_out`: from when a packet is made until it may leave.
    Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Timeline& timeline, Flows& flows,
        Ready on_ready, Time way_out);

    /// When each block of a message that is made here is there.
    virtual void encode_blocks(StepId step, const Outbound& out, const Moment& now, MomentRuns& ready);
    /// Units take as many blocks that have come at each of the moments.
    virtual void serve(StepId step, Inbound& inbound, const BlockBatches& batch, const MomentRun& ready);
    /// The last bit of a step's message has left.
    virtual void has_left(StepId, const Moment&) {}
    virtual void begin_timestep(Timestep timestep, const Moment& now);
    virtual void fetch_tables(std::uint32_t timestep, const Moment& now);

    const Plan& plan() const { return job_->job.plan; }
    const Step& step_of(StepId step) const { return job_->step(step); }
    Participants& participants() const { return job_->job.participants; }
    const EngineParams& engine() const { return node_.engine; }
    const NetworkParams& network() const { return network_; }
    Timeline& timeline() const { return timeline_; }

private:
    struct Early {
        PacketName packet;
        Moment arrival;
    };
    struct Begin {
        Timestep timestep;
        Moment now;
    };
    void begin_later(Timestep timestep, StepId step, const Moment& now);
    Moment tables_there(Timestep timestep) const;
    void schedule_blocks(StepId step, const Outbound& out, bool forwarded, const Moment& now);
    void encode_run(const BlockRun& run, StepId step, const Moment& now, MomentRuns& ready);
    void packetise(StepId step, PacketKind kind, const Moment& now);
    void make_eligible(const Encoded& message, const Moment& now, Departures& departures) const;
    void send(StepId step, PacketKind kind, std::span<const std::uint32_t> wanted);
    void send_in_turn(StepId step, PacketKind kind, const Moment& now);
    bool needs_slot(StepId step) const;
    void send_what_has_a_slot(const Moment& now);
    Departures& departures_of(const PacketName& packet) const {
        return job_->outbound.at(packet.step).departures[static_cast<std::size_t>(packet.kind)];
    }
    Moment& last_departure(const PacketName& packet);
    void count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end);
    Moment arrival_of(const PacketName& packet, const Moment& departure, Time at);
    Time idle_way(const PacketName& packet);
    void process(const PacketName& packet, const Moment& now);
    void process_next(const PacketName& packet, const Moment& now);
    void assemble(const PacketName& packet, Inbound& inbound) const;
    bool must_refuse(StepId step, Inbound& inbound, const Block& block) const;
    void refuse(StepId step, Inbound& inbound, const Moment& now);
    void resend(StepId step, const Moment& now);
    bool take_in_complete(StepId step, Inbound& inbound, const Moment& now);
    void take_in_all(StepId step, Inbound& inbound);
    void take_in(StepId step, Inbound& inbound, const BlockBatches& batch, const MomentRun& passed);
    void note_written(StepId step, const Moment& written);
    void complete(StepId step, Inbound& inbound, const Moment& now);
    const SideReads& side() const { return job_->job.side; }
    Time since_begin(const Moment& moment) const { return moment.at - job_->origin; }

    Rank rank_;
    NodeParams node_;
    NetworkParams network_;
    Timeline& timeline_;
    Flows& flows_;
    Ready on_ready_;
    Time way_out_;

    Channel read_, write_;
    PipelinedUnit encoder_, decoder_, adder_;
    SpanLog wire_;
    std::unordered_map<std::uint32_t, Moment> last_departure_;   ///< per edge
    MomentRuns blocks_ready_;                                    ///< per block of the message that is being sent
    std::vector<Time> eligible_;                                 ///< of the packets that are being sent

    RunningJob* job_ = nullptr;
    ValueBytes value_bytes_;
    bool started_ = false;
    Moment start_;
    std::vector<Early> early_;                              ///< that came before this rank's start
    std::vector<std::shared_ptr<const Encoded>> refused_;   ///< packets on their way are views on them
    std::vector<bool> operands_asked_, tables_asked_;       ///< per timestep, for DMA to read them
    std::unordered_map<Timestep, Moment> tables_there_;     ///< of timesteps that read any
    std::unordered_map<ChunkId, Moment> decoded_;           ///< last of what came of a chunk that may be sent again
    std::map<ChunkId, MomentRuns> encoded_;                 ///< per block of what this rank sends more than once
    ChunkWindow window_;                                    ///< of the aggregator above, if there is one
    std::map<ChunkId, Moment> operands_;                    ///< local values that several things are added to
    std::vector<Begin> begins_;                             ///< of timesteps, at this instant
    std::vector<std::uint32_t> free_begins_;
};

}   // namespace oscar
