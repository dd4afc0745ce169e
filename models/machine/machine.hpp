// The machine: NICs, links and switches of a topology, which run jobs, several at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/machine/background.hpp"
#include "models/machine/held_packets.hpp"
#include "models/machine/jobs_in_flight.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/machine/node/node_modules.hpp"
#include "models/machine/timeline.hpp"
#include "models/network/transport/make_network.hpp"

namespace oscar {

/// Cost counters of the simulation itself.
struct SimulationCost {
    std::uint64_t events = 0;      ///< of NICs and of the network at its fidelity, activations of processes included
    std::uint64_t flit_hops = 0;   ///< flits times links crossed
};

/// Runs jobs, any number of times. Jobs of one run share engines, DMA, adders, ports and links. A process may have
/// several machines, of different names, which run one at a time; all are built before the first of them runs, for
/// SystemC's kernel takes no modules after that (sc_report E529).
class Machine : public sc_core::sc_module, private FabricClient {
public:
    /// `nodes`: one for each rank of the topology.
    Machine(const sc_core::sc_module_name& name, const Topology& topology, const Nodes& nodes,
            const NetworkParams& network, TimingFidelity fidelity = TimingFidelity::packet,
            const MachineParts& parts = {});
    /// All nodes are alike.
    Machine(const sc_core::sc_module_name& name, const Topology& topology, const NodeParams& node,
            const NetworkParams& network, TimingFidelity fidelity = TimingFidelity::packet)
        : Machine(name, topology, Nodes(topology.ranks, node), network, fidelity) {}
    ~Machine() override;

    /// Called when all that a job sends is held: its outcome has the times of its steps and its end.
    using Done = JobsInFlight::Done;
    /// A job of the next run, which outlives it. Returns its number.
    std::size_t add(const Job& job, Done done = {});
    /// A job begins `when` after the run does, and not before the moment of the call. Either before the run, or from
    /// Done of another job.
    void start(std::size_t job, Time when = {});
    /// Runs all jobs that were added to their end. Returns what was observed of each, from its own begin on; the use of
    /// links, DMA and engines is that of all jobs together. A message for tables that its receiver does not hold is
    /// sent again. Throws Deadlock if a job cannot finish, std::logic_error if none has started it, and CorruptStream
    /// if what arrived at some rank is damaged or of another iteration; the machine cannot be used again after that.
    /// Throws std::invalid_argument if switches that add take part in one of several jobs. Precondition: every flow of
    /// a job has a path, and its receiver one back if ranks may hold other tables.
    std::vector<Outcome> run_all();
    /// Runs one job alone.
    Outcome run(const Job& job) {
        start(add(job));
        return std::move(run_all().front());
    }

    /// The cost of all jobs so far.
    SimulationCost cost() const;

    /// Steps of the jobs run last for which anything is still held, and the most for which anything was at once.
    struct ActiveStepCount {
        std::size_t left = 0, peak = 0;
    };
    ActiveStepCount active_steps() const { return active_steps_; }

private:
    void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) override;
    void departed_back_to_back(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time begin,
                               Time each) override;
    void will_arrive(std::uint64_t tag, std::uint32_t first, std::uint32_t count, Time at) override;
    void arrived(std::uint64_t tag, std::uint32_t sequence) override;
    void called(std::uint32_t call, std::uint32_t of_background) override;

    void prepare();
    std::string name_of(Rank participant) const;
    void begin_background();
    void end_background();
    void moved(Time at);
    void declare_flows();
    std::string describe_message(std::uint64_t tag) const;
    void collect(JobInFlight& flight);

    Topology topology_;
    Routes routes_;
    Nodes nodes_;   ///< switches that add have an engine like rank 0's
    NetworkParams network_;
    MachineParts parts_;
    NodeModules node_modules_;   ///< per rank
    Timeline timeline_;
    FlowTable flows_;
    std::optional<Background> background_;
    HeldPackets held_;
    JobsInFlight jobs_;
    std::uint64_t flit_hops_ = 0;
    ActiveStepCount active_steps_;
};

}   // namespace oscar
