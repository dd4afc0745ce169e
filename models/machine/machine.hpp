// The machine: NICs, links and switches of a topology, which run jobs one after the other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/background.hpp"
#include "models/machine/handover.hpp"
#include "models/machine/held_packets.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/machine/node/node_modules.hpp"
#include "models/machine/packet_dispatch.hpp"
#include "models/machine/step_scheduler.hpp"
#include "models/machine/switch/aggregator.hpp"
#include "models/machine/timeline.hpp"
#include "models/network/transport/make_network.hpp"

namespace oscar {

/// Cost counters of the simulation itself.
struct SimulationCost {
    std::uint64_t events = 0;      ///< of NICs and of the network at its fidelity, activations of processes included
    std::uint64_t flit_hops = 0;   ///< flits times links crossed
};

/// Runs any number of jobs in turn. A process may have several machines, of different names, which run one at a time;
/// all are built before the first of them runs, for SystemC's kernel takes no modules after that (sc_report E529).
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

    /// Runs a job to its end and returns what was observed. A message for tables that its receiver does not hold is
    /// sent again. Throws Deadlock if it cannot finish, and CorruptStream if what arrived at some rank is damaged or of
    /// another iteration; the machine cannot be used again after that.
    /// Precondition: every flow of the job has a path, and its receiver one back if ranks may hold other tables.
    Outcome run(const Job& job);

    /// The cost of all jobs so far.
    SimulationCost cost() const;

    /// Steps of the job run last for which anything is still held, and the most for which anything was at once.
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

    void make_aggregators(const Schedule& schedule);
    std::string name_of(Rank participant) const;
    Time next_origin() const;
    void begin_background();
    void moved(Time at);
    Time last_moment() const;
    void declare_flows(const Job& job);
    void step_ready(StepId step);
    std::string describe_message(std::uint64_t tag) const;
    void collect(Outcome& outcome);
    void find_end(Outcome& outcome) const;

    Topology topology_;
    Routes routes_;
    Nodes nodes_;   ///< switches that add have an engine like rank 0's
    NetworkParams network_;
    MachineParts parts_;
    std::optional<AggregationTree> tree_;   ///< once a job has had switches take part
    NodeModules node_modules_;              ///< per rank
    Timeline timeline_;
    FlowTable flows_;
    std::optional<Background> background_;
    std::vector<std::unique_ptr<Nic>> nics_;   ///< per participant
    PacketDispatch dispatch_;
    HeldPackets held_;
    std::uint64_t flit_hops_ = 0;

    Handover handover_;
    StepScheduler steps_;
    const Job* job_ = nullptr;
    Outcome* outcome_ = nullptr;
    Time origin_;
    ActiveStepCount active_steps_;
};

}   // namespace oscar
