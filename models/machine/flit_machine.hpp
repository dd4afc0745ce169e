// The network at fidelity flit: NIC ports, links and switches, each a SystemC module.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/machine/base/departure.hpp"
#include "models/machine/base/make_node.hpp"
#include "models/machine/base/process_network.hpp"
#include "models/machine/flit/link.hpp"
#include "models/machine/flit/nic_port.hpp"
#include "models/machine/switch/make_switch.hpp"
#include "models/machine/switch/switch.hpp"
#include "models/network/event/fabric.hpp"

namespace oscar {

struct FlitMachineParams {
    std::uint32_t ranks = 0;       ///< the first nodes of the links; the nodes after them are switches
    std::uint32_t quantum = 64;    ///< flits that a port sends ahead of their time in one activation
    MakeSwitch make_switch = {};   ///< empty: make_switch()
    MakeNode make_node = {};       ///< empty: ports without the rest of a node
    Waveform* waveform = nullptr;
};

/// Has the ports of nodes made, `rank<number>.nic`, and builds the modules `switch<number>` and `link.<from>-<to>` in
/// the hierarchy of the module under construction, binds them, and puts packets in and out. Its client is called in the
/// process of the Timeline that owns it. With a quantum of one, each flit is handed on when it begins to leave; more
/// save activations and change no time.
class FlitMachine : public Fabric, public ProcessNetwork, private LinkObserver, private PacketOwner {
public:
    FlitMachine(const FabricParams& params, const FlitMachineParams& machine, FabricClient& client);
    ~FlitMachine() override;

    /// Resets round-robin state.
    void restart(std::uint64_t job_seed) override;
    void declare(std::span<const FlowId>, Bytes) override {}
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> reported) override;

    void return_credit(const Hop& hop, Bytes size, Time at) override;

    void on_event(std::function<void()> posted) override { posted_ = std::move(posted); }
    std::uint64_t activations() const override;

private:
    struct Ends {   ///< of a link
        LinkedModule* from = nullptr;
        LinkedModule* to = nullptr;
        std::uint32_t output = 0, input = 0;   ///< of those
    };

    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    std::optional<Hop> waits_for(const Hop& hop) const override;
    void crossed(const Flit& tail, Span span) override;
    void returned(Time at) override { settle(at); }
    void departed(const PacketHeader& packet, Time begin, Time end) override;
    void taken(const Flit& tail, Time at) override;

    void make_nodes(const FlitMachineParams& machine);
    NicPort& make_port(Rank rank, const LinkedModuleParams& links, const FlitMachineParams& machine);
    void make_links(Waveform* waveform);

    std::vector<std::unique_ptr<BareNode>> bare_nodes_;
    std::vector<NicPort*> ports_;   ///< per rank
    std::vector<std::unique_ptr<LinkedModule>> switches_;
    std::vector<std::unique_ptr<Link>> links_;
    IndexedVector<EdgeId, Ends> ends_;
    IndexedVector<EdgeId, PortModule*> sources_;   ///< where packets may begin; null if nowhere
    Slots<Departure> departures_;
    std::function<void()> posted_;
};

}   // namespace oscar
