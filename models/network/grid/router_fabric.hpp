// A network of input-queued virtual-channel routers, a cycle at a time, in one event core.
#pragma once

#include "models/network/grid/grid_fabric.hpp"
#include "models/network/grid/router_network.hpp"

namespace oscar {

/// GridFabric over RouterNetwork. Cycles are skipped while nothing is in flight.
class RouterFabric : public GridFabric {
public:
    RouterFabric(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                 FabricClient& client);

    /// Empties buffers and resets round-robin state.
    void restart(std::uint64_t job_seed) override;
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
              std::span<const std::uint32_t> reported) override;

private:
    void run(Kind kind, const Event& event) override;
    void tell_departed(EdgeId, std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) override {
        client_.departed(tag, sequence, begin, end);
    }

    void wake(Time at);
    Time edge_from(Time time) const;
    void begin_next(NodeId node);
    void cross(const RouterNetwork::FlitDeparture& departure);

    std::optional<RouterNetwork> network_;   ///< of the job
    IndexedVector<NodeId, RouterSource> sources_;
    Time wakes_at_ = never;
};

}   // namespace oscar
