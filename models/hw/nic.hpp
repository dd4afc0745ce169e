// The NIC of one rank: DMA, compression engine, packetiser, reduce unit.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/engine/gradient_form.hpp"
#include "models/engine/params.hpp"
#include "models/hw/job.hpp"
#include "models/hw/output_port.hpp"
#include "models/net/topology.hpp"

namespace oscar {

/// The message of each step of a job: the sender's bytes, on which packets are views, and its blocks.
using Messages = std::vector<std::shared_ptr<const Encoded>>;

/// Per step of a job: when each packet could leave, then when its last bit had left the sender.
using Departures = std::vector<std::array<std::vector<Moment>, packet_kinds>>;

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

    /// Prepares for a job that begins at `origin`. `messages` and `departures` are filled in by senders for receivers.
    void begin(const Job& job, Time origin, Messages& messages, Departures& departures, Outcome& outcome);
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
    struct Inbound {
        std::vector<std::byte> bytes;
        std::uint64_t received = 0;   ///< bytes, in order
        std::uint32_t packets = 0;
        std::size_t next_block = 0;
        Moment operand;          ///< local values (reduce) and classes are there
        Moment done;             ///< last block decoded or added so far
        bool compared = false;   ///< the tables of its first coded block are those that this rank holds
        bool refused = false;    ///< what comes of the first message is dropped
    };
    struct Fetched {
        bool operands = false, tables = false;   ///< asked for
        Moment tables_there;
    };
    struct Early {
        Packet packet;
        Moment arrival;
    };
    void begin_timestep(Timestep timestep, const Moment& now);
    void fetch_tables(std::uint32_t timestep, const Moment& now);
    std::vector<Moment> schedule_blocks(StepId step, const Encoded& message, bool forwarded, const Moment& now);
    void packetise(StepId step, const Encoded& message, const std::vector<Moment>& block_ready, const Moment& now,
                   PacketKind kind);
    void push(const Packet& packet, const Moment& ready);
    OutputPort& output_to(Rank rank);
    std::vector<Moment>& departures_of(const Packet& packet) const {
        return (*departures_)[packet.step.value][static_cast<std::size_t>(packet.kind)];
    }
    void record_departure(std::size_t output, const Packet& packet, Time begin, Time end);
    Moment arrival_of(const Packet& packet) const;
    void take(const Packet& packet, Link& link);
    void process(const Packet& packet, const Moment& now);
    bool must_refuse(StepId step, Inbound& inbound, const Block& block) const;
    void refuse(StepId step, Inbound& inbound, const Moment& now);
    void resend(StepId step, const Moment& now);
    Moment decoded_at(ChunkId chunk) const;
    void process_block(StepId step, Inbound& inbound, const Block& block, const Moment& now);
    void write_back(StepId step, const Block& block, const Moment& done);
    void complete(StepId step, Inbound& inbound, const Moment& now);
    const Step& step_of(StepId step) const { return job_->plan.schedule.steps[step.value]; }

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

    const Job* job_ = nullptr;
    ValueBytes value_bytes_;
    Outcome* outcome_ = nullptr;
    Time origin_;
    bool started_ = false;
    std::vector<Early> early_;   ///< that came before this rank's start
    Messages* messages_ = nullptr;
    Messages refused_;   ///< by their receivers; packets on their way are views on them
    Departures* departures_ = nullptr;
    std::map<ChunkId, std::vector<Moment>> encoded_;   ///< per block of what this rank sends more than once
    std::map<ChunkId, Moment> operands_;               ///< local values that something is added to
    std::vector<Inbound> inbound_;                     ///< per step
    std::vector<std::vector<StepId>> comes_in_;        ///< per timestep, the steps to this rank
    std::vector<Fetched> fetched_;                     ///< per timestep
};

}   // namespace oscar
