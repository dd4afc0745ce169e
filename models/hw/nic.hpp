// The NIC of one rank: DMA, compression engine, packetiser, reduce unit.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/engine/gradient_form.hpp"
#include "models/engine/params.hpp"
#include "models/hw/output_port.hpp"
#include "models/hw/running_job.hpp"
#include "models/net/topology.hpp"

namespace oscar {

/// What a node is made of.
struct NodeParams {
    GpuParams gpu;
    NicParams nic;
    EngineParams engine;
};

/// Sending a step: local values by DMA (or partial sums from NIC memory) -> encoder, block by block -> packets -> queue
/// of the peer. Receiving: packets -> blocks -> decoder, which adds the local values that DMA fetched when this rank
/// began the same timestep -> NIC memory; complete sums go to GPU memory by DMA.
/// A codec that does not use the engine passes it by; the reduce unit then adds.
/// A message whose first coded block names tables that this rank does not hold is refused when that block has come; the
/// sender encodes it again, with a table inline (docs/model.md 4a).
class Nic : public sc_core::sc_module, public PacketSink {
public:
    /// Called when what depends on a step may start: copies when their bytes are there, sums when they are added.
    using Ready = std::function<void(StepId)>;
    Nic(const sc_core::sc_module_name& name, Rank rank, const NodeParams& node, const NetworkParams& network,
        const Topology& topology, Ready on_ready);

    void add_output(std::uint32_t edge, Link& link);

    /// Prepares for a job, which outlives its run. Senders tell receivers by it what is on its way.
    void begin(RunningJob& job);
    /// The rank's gradient is there: what has come from faster ranks is processed. Its first steps are issued before.
    /// `now` tells what led to it, here and below.
    void start(const Moment& now);
    void issue(StepId step, const Moment& now);
    void receive(const Packet& packet, Time tail, Link& link) override;

    const std::vector<std::unique_ptr<OutputPort>>& outputs() const { return outputs_; }
    std::uint64_t events() const { return agenda_.calls(); }
    const PipelinedUnit& encoder() const { return encoder_; }
    const PipelinedUnit& decoder() const { return decoder_; }

private:
    struct Early {
        Packet packet;
        Moment arrival;
    };
    void begin_timestep(Timestep timestep, const Moment& now);
    void fetch_tables(std::uint32_t timestep, const Moment& now);
    Moment tables_there(Timestep timestep) const;
    std::vector<Moment> schedule_blocks(StepId step, const Encoded& message, bool forwarded, const Moment& now);
    void packetise(StepId step, const Encoded& message, const std::vector<Moment>& block_ready, const Moment& now,
                   PacketKind kind);
    void push(const Packet& packet, const Moment& ready);
    OutputPort& output_to(Rank rank);
    std::vector<Moment>& departures_of(const Packet& packet) const {
        return job_->outbound.at(packet.step).departures[static_cast<std::size_t>(packet.kind)];
    }
    void record_departure(std::size_t output, const Packet& packet, Time begin, Time end);
    Moment arrival_of(const Packet& packet) const;
    void take(const Packet& packet, Link& link);
    void process(const Packet& packet, const Moment& now);
    bool must_refuse(StepId step, Inbound& inbound, const Block& block) const;
    void refuse(StepId step, Inbound& inbound, const Moment& now);
    void resend(StepId step, const Moment& now);
    void process_block(StepId step, Inbound& inbound, const Block& block, const Moment& now);
    void write_back(StepId step, const Block& block, const Moment& done);
    void complete(StepId step, Inbound& inbound, const Moment& now);
    const Step& step_of(StepId step) const { return job_->step(step); }
    Participants& participants() const { return job_->job.participants; }
    const SideReads& side() const { return job_->job.side; }
    Time since_begin(const Moment& moment) const { return moment.at - job_->origin; }

    Rank rank_;
    NodeParams node_;
    NetworkParams network_;
    const Topology& topology_;
    Ready on_ready_;

    Channel read_, write_;
    PipelinedUnit encoder_, decoder_, adder_;
    Agenda agenda_;
    std::vector<std::byte> blank_;   ///< the payload of packets whose bytes were not made
    std::vector<std::unique_ptr<OutputPort>> outputs_;
    std::vector<std::size_t> output_of_edge_;
    std::vector<Moment> last_departure_;   ///< per output

    RunningJob* job_ = nullptr;
    ValueBytes value_bytes_;
    bool started_ = false;
    std::vector<Early> early_;                              ///< that came before this rank's start
    std::vector<std::shared_ptr<const Encoded>> refused_;   ///< packets on their way are views on them
    std::vector<bool> operands_asked_, tables_asked_;       ///< per timestep, for DMA to read them
    std::unordered_map<Timestep, Moment> tables_there_;     ///< of timesteps that read any
    std::unordered_map<ChunkId, Moment> decoded_;           ///< last of what came of a chunk that may be sent again
};

}   // namespace oscar
