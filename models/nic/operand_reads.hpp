// Reads of a NIC from GPU memory, other than the values that it sends: operands of sums, classes and tables.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "models/gpu/gradient_form.hpp"
#include "models/nic/dma.hpp"
#include "models/nic/node_params.hpp"
#include "models/nic/running_job.hpp"
#include "models/nic/scheduler.hpp"

namespace oscar {

/// When a rank begins a timestep, it reads the local values that the timestep's sums need (once, however many messages
/// are added to them) and the classes of all incoming values, while the network carries the other operand; then it
/// reads the tables of the next timestep.
class OperandReads {
public:
    OperandReads(Rank rank, const NodeParams& node, Dma& dma, Scheduler& scheduler)
        : rank_(rank), form_(node.gpu.gradients), to_nic_(node.nic.to_nic()), dma_(dma), scheduler_(scheduler) {}

    /// A job begins: no timestep has begun, and nothing has been read.
    void begin(RunningJob& job);
    /// This rank issues a step. The timestep's reads come after the reads of the values that its other slices, issued
    /// at the same instant, send.
    void issued(StepId step, const TimedEvent& now);
    /// A packet of a step has come: its timestep begins, if it has not, and its operand is read.
    void packet_arrived(StepId step, const TimedEvent& now);
    /// The time at which a timestep's tables are available; the beginning of time where none are read.
    TimedEvent tables_there(Timestep timestep) const;

private:
    struct Begin {
        Timestep timestep;
        TimedEvent now;
    };
    struct State {
        RunningJob* job = nullptr;
        ValueBytes value_bytes = {};
        std::vector<bool> operands_asked = {}, tables_asked = {};     ///< per timestep
        std::unordered_map<Timestep, TimedEvent> tables_there = {};   ///< of timesteps that read any
        std::map<ChunkId, TimedEvent> operands = {};                  ///< that several things are added to
        std::vector<Begin> begins = {};                               ///< of timesteps, at this instant
        std::vector<std::uint32_t> free_begins = {};
        std::set<StepId> postponed = {};   ///< steps whose operand was no whole sum when their timestep began
    };
    void begin_timestep(Timestep timestep, const TimedEvent& now);
    void begin_later(Timestep timestep, StepId step, const TimedEvent& now);
    void fetch_tables(std::uint32_t timestep, const TimedEvent& now);
    void fetch_operand(StepId step, const TimedEvent& now);
    TimedEvent handed_over(StepId step, const TimedEvent& now) const;
    std::uint64_t operand_bytes(StepId step) const;
    TimedEvent read(const TimedEvent& now, Bytes size);

    Rank rank_;
    GradientForm form_;
    Time to_nic_;   ///< from the end of a kernel until the NIC knows of it
    Dma& dma_;
    Scheduler& scheduler_;
    State state_;
};

}   // namespace oscar
