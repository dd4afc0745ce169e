// A network of input-queued routers at fidelity flit: NIC ports, links and routers, each a SystemC module.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/machine/base/departure.hpp"
#include "models/machine/base/make_node.hpp"
#include "models/machine/base/process_network.hpp"
#include "models/machine/router/make_router.hpp"
#include "models/machine/router/router_link.hpp"
#include "models/machine/router/router_nic_port.hpp"
#include "models/network/grid/grid_fabric.hpp"

namespace oscar {

struct RouterMachineParams {
    MakeRouter make_router = {};   ///< empty: make_router()
    MakeNode make_node = {};       ///< empty: ports without the rest of a node
    Waveform* waveform = nullptr;
};

/// Has the ports of nodes made, `rank<number>.nic`, and builds the modules `switch<number>` and `link_<from>-<to>` in
/// the hierarchy of the module under construction, binds them, and puts packets in and out. Its client is called in the
/// process of the Timeline that owns it.
class RouterMachine : public GridFabric, public ProcessNetwork, private RouterLinkObserver, private RouterPacketOwner {
public:
    RouterMachine(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                  const RouterMachineParams& machine, FabricClient& client);
    ~RouterMachine() override;

    /// Empties buffers and resets round-robin state.
    void restart(std::uint64_t job_seed) override;
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> reported) override;

    void on_event(std::function<void()> posted) override { posted_ = std::move(posted); }
    std::uint64_t activations() const override;

private:
    void run(Kind kind, const Event& event) override;
    void tell_departed(EdgeId edge, std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) override;

    void crossed(EdgeId edge, const RouterFlit& flit, Time begin, Time end) override;
    Time eligible(RouterPacket packet) const override { return GridFabric::eligible(packet); }
    RouterPacketStart begun(RouterPacket packet, Cycles created) override { return begin_packet(packet, created); }
    void taken(const RouterFlit& flit, Time at) override;

    void make_nodes(const RouterMachineParams& machine);
    void make_links(Waveform* waveform);
    RouterLink& make_link(EdgeId edge, const std::string& from, const std::string& to, Waveform* waveform);
    void tell(Kind kind, Time at, std::uint64_t order, std::uint32_t number);
    void watch();
    Time deadlock_time() const { return last_move_ + std::int64_t{patience() + 1} * clock_.cycle; }
    /// Cycles; whatever can move does so within one credit loop.
    std::uint32_t patience() const { return 2 * router_.credit_loop(); }

    const RouterLayout layout_;
    std::vector<std::unique_ptr<BareNode>> bare_nodes_;
    IndexedVector<NodeId, RouterNicPort*> nics_;
    IndexedVector<RouterId, std::unique_ptr<LinkedRouter>> routers_;
    std::vector<std::unique_ptr<RouterLink>> links_;
    Slots<Departure> departures_;
    Slots<RouterFlit> tails_;       ///< that have reached their nodes
    Time notified_at_{-1};          ///< the last moment at which the client is notified of a packet
    std::uint64_t in_flight_ = 0;   ///< flits
    Time last_move_;                ///< when the flit that moved last arrives
    bool watching_ = false;         ///< whether an event watches for a deadlock
    std::function<void()> posted_;
};

}   // namespace oscar
