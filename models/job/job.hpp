// Job and Outcome: a collective for the simulated machine to run, and what the machine observed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/collective/endpoint/message_source.hpp"
#include "models/collective/endpoint/rank_state.hpp"
#include "models/collective/schedule/computation.hpp"
#include "models/collective/schedule/params.hpp"
#include "models/core/shared_entries.hpp"
#include "models/engine/engine_memory_traffic.hpp"
#include "models/job/background_use.hpp"
#include "models/network/link/fault_use.hpp"
#include "models/network/link/link_use.hpp"
#include "models/network/link/transport_use.hpp"
#include "models/network/topology/index.hpp"
#include "models/timing/servers.hpp"
#include "models/timing/signal.hpp"

namespace oscar {

/// The simulation cannot finish. what() names each blocked flow and the credit it lacks.
struct Deadlock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One collective. What it refers to must outlive the run.
struct Job {
    const Plan& plan;
    MessageSource& source;
    Issue issue = Issue::lock_step;
    std::vector<Time> start = {};            ///< per rank, after the job's begin; empty: all at once
    EngineMemoryTraffic engine_reads = {};   ///< what engines read beside the values
    std::uint64_t seed = 0;           ///< of the packets that links damage and switches mark, with the network's own
    std::vector<Time> release = {};   ///< per step, after the job's begin: not issued before; empty: none is held back
    bool spans_noted = false;         ///< RankUse has the spans of DMA, adders and ports
    std::function<void()> received =
        {};   ///< an observer, told of each message when its receiver has taken it; may be empty
    Computations computations = {};   ///< of ranks, which steps wait for
};

/// The times at which a step passed each stage, relative to the job's begin.
struct StepTimes {
    Time issued;              ///< the sender began with it
    Time sent;                ///< its last bit was on the wire
    Time arrived;             ///< its last packet had passed the receiving NIC, and the receiver had started
    Time ready;               ///< steps that depend on it could start
    CriticalPath path = {};   ///< what led to ready, from the first rank's start
    Time stored = {};   ///< the last of its values was in GPU memory, if it completes what its receiver is to hold
};

/// When units other than engines and DMA were occupied.
struct NotedSpans {
    std::vector<Span> adders = {};           ///< of a NIC, or of a switch that adds
    std::vector<Span> port_reads = {};       ///< by kernels, of a GPU's port inside its island
    std::vector<Span> port_additions = {};   ///< likewise
};

/// Use of a NIC's staging memory.
struct StagingUse {
    Bytes peak;       ///< the most that it held at once
    Bytes overflow;   ///< taken beyond its capacity
    Time waited;      ///< packets in the buffer of the link, one after the other, until there was room
};

/// The activity of a rank's NIC, relative to the job's begin. Encoder, decoder and DMA are those of all ranks that
/// share it.
struct RankUse {
    std::vector<Span> encoder, decoder;
    Spans wire;
    ChannelUse dma_read, dma_write;              ///< their spans only where the job notes them
    std::optional<UplinkUse> pcie_uplink = {};   ///< of its PCI Express switch, where GPUs share one
    std::optional<StagingUse> staging = {};      ///< where that memory is limited
    NotedSpans noted;                            ///< likewise
    std::uint32_t sharing = 1;                   ///< ranks that have this NIC
    Time finish;                                 ///< the last result was in GPU memory
    CriticalPath path = {};                      ///< what led to finish, from the first rank's start
    StepId last{};                               ///< the step that brought that result
    std::uint64_t dma_bytes = 0;                 ///< read from and written to GPU memory
    std::uint64_t added_values = 0;   ///< added to local values or partial sums, by the engine or the reduce unit
};

struct Outcome {
    Time first_start, finish;   ///< of the first rank; when the last rank held all that was sent
    SharedEntries<StepTimes> steps;
    SharedEntries<MessageRecord> records;      ///< per step, of the message that was accepted
    SharedEntries<std::uint64_t> wire_bytes;   ///< per step, with packet headers, refusals and what was refused
    Resent resent;                             ///< one for each refusal that has crossed the network
    std::vector<RankUse> ranks;                ///< per participant
    IndexedVector<EdgeId, LinkUse> links;      ///< of the topology
    std::optional<TransportUse> transport;     ///< where the network may lose, pause, mark or repair
    std::optional<FaultUse> faults;            ///< where faults are injected
    std::optional<BackgroundUse> background;   ///< where the network has any; none of it is in `links`
    std::vector<Signal> waveform;              ///< from the first rank's start, where one is recorded
    CriticalPath path;                         ///< what led to finish; its total is the duration
    /// The time from the start of the first rank to the finish of the last.
    Time duration() const { return finish - first_start; }
};

}   // namespace oscar
