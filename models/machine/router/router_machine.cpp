#include "models/machine/router/router_machine.hpp"

#include <string>
#include <utility>

#include "models/machine/base/kernel_time.hpp"
#include "models/machine/router/router_module.hpp"
#include "models/network/grid/waits.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

std::unique_ptr<LinkedRouter> make_router(const std::string& name, const RouterGridParams& params, RouterId router) {
    return std::make_unique<RouterModule>(name.c_str(), params, router);
}

RouterMachine::RouterMachine(const FabricParams& params, const RouterGrid& grid, const VcRouterParams& router,
                             const RouterMachineParams& machine, FabricClient& client)
    : GridFabric(params, grid, router, client), layout_(grid, router) {
    make_nodes(machine);
    make_links(machine.waveform);
}

RouterMachine::~RouterMachine() = default;

void RouterMachine::make_nodes(const RouterMachineParams& machine) {
    RouterPacketOwner& owner = *this;
    const MakeRouter& make = machine.make_router ? machine.make_router : MakeRouter(make_router);
    const RouterGridParams params{layout_, clock_, params_.flit, machine.waveform};
    const std::uint32_t ranks = grid_.routers();
    for (const RouterId router : grid_.router_ids()) {
        const NodeId node = node_at(router);
        const MakePort make_port = [&]() -> std::unique_ptr<sc_core::sc_module> {
            auto port = std::make_unique<RouterNicPort>("nic", params, owner);
            nics_.push_back(port.get());
            return port;
        };
        if (machine.make_node) machine.make_node(rank_of(node), make_port);
        else bare_nodes_.push_back(std::make_unique<BareNode>(node_name(node, ranks).c_str(), make_port));
        routers_.push_back(make(node_name(grid_.switch_node(router), ranks), params, router));
    }
}

RouterLink& RouterMachine::make_link(EdgeId edge, const std::string& from, const std::string& to, Waveform* waveform) {
    RouterLinkObserver& observer = *this;
    const std::string name = "link_" + from + "-" + to;
    const Time propagation = std::int64_t{router_.link_delay - 1} * clock_.cycle;   // without the cycle of the flit
    return *links_.emplace_back(std::make_unique<RouterLink>(sc_core::sc_gen_unique_name(name.c_str(), true), edge,
                                                             propagation, observer, waveform));
}

void RouterMachine::make_links(Waveform* waveform) {
    const auto bind = [](RouterLink& link, auto& out, auto& credit_in, auto& in, auto& credit_out) {
        out.bind(link.in);
        link.credit.bind(credit_in);
        link.out.bind(in);
        credit_out.bind(link.returns);
    };
    const std::uint32_t ranks = grid_.routers();
    const auto router_name = [&](RouterId router) { return node_name(grid_.switch_node(router), ranks); };
    for (const RouterId r : grid_.router_ids()) {
        const NodeId node = node_at(r);
        LinkedRouter& router = *routers_[r];
        RouterNicPort& nic = *nics_[node];
        bind(make_link(cabling_.into(r), node_name(node, ranks), router_name(r), waveform), nic.out, nic.credit_in,
             router.in[0], router.credit_out[0]);
        for (std::uint32_t p = 0; p < router_ports; ++p) {
            const auto port = static_cast<Port>(p);
            if (!cabling_.leads_out(r, port)) continue;
            const auto neighbour = grid_.neighbour(r, port);
            RouterLink& link = make_link(cabling_.out_of(r, port), router_name(r),
                                         neighbour ? router_name(*neighbour) : node_name(node, ranks), waveform);
            const std::uint32_t back = index_of(opposite(port));
            if (!neighbour) bind(link, router.out[p], router.credit_in[p], nic.in, nic.credit_out);
            else
                bind(link, router.out[p], router.credit_in[p], routers_[*neighbour]->in[back],
                     routers_[*neighbour]->credit_out[back]);
        }
    }
}

std::uint64_t RouterMachine::activations() const {
    std::uint64_t sum = 0;
    for (const RouterNicPort* nic : nics_) sum += nic->activations();
    for (const auto& router : routers_) sum += router->activations();
    return sum;
}

void RouterMachine::restart(std::uint64_t job_seed) {
    GridFabric::restart(job_seed);
    for (RouterNicPort* nic : nics_) nic->restart();
    for (const auto& router : routers_) router->restart();
    notified_at_ = Time{-1};
    in_flight_ = 0;
    last_move_ = {};
}

/// What is sent because of a packet of this very cycle goes in the next.
void RouterMachine::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                         std::span<const std::uint32_t>) {
    const Time now = kernel_now();
    if (!clock_.origin) clock_.origin = now;
    RouterSource::Message waiting = message_of(open(flow, message, eligible));
    waiting.from = notified_at_ == now ? now + Time{1} : now;
    nics_[source_of(flow)]->send(flows_[flow].queue, waiting);
}

/// The client is told by events, so that all its calls come from one process: at an instant first of what has departed,
/// then of what is taken.
void RouterMachine::tell(Kind kind, Time at, std::uint64_t order, std::uint32_t number) {
    post(kind, at, order, number);
    posted_();
}

void RouterMachine::tell_departed(EdgeId edge, std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) {
    notified_at_ = kernel_now();
    tell(Kind::flit, notified_at_, edge.value, departures_.add({tag, sequence, begin, end}));
}

void RouterMachine::taken(const RouterFlit& flit, Time at) {
    --in_flight_;
    if (!flit.tail) return;
    notified_at_ = at;
    tell(Kind::decision, at, flit.to, tails_.add(flit));
}

void RouterMachine::crossed(EdgeId edge, const RouterFlit& flit, Time begin, Time) {
    const bool enters = link(edge).from.value < grid_.routers();
    const std::int64_t cycles = std::int64_t{router_.link_delay} + enters;   // and an interface register after a node
    last_move_ = std::max(last_move_, begin + cycles * clock_.cycle);
    cross(edge, flit, begin);
    if (!enters) return;
    ++in_flight_;
    watch();
}

/// Has an event look for a deadlock, at the time when it is one unless something moves before.
void RouterMachine::watch() {
    if (!std::exchange(watching_, true)) tell(Kind::timer, deadlock_time(), 0, 0);
}

void RouterMachine::run(Kind kind, const Event& event) {
    if (kind == Kind::flit) {
        const Departure departure = departures_.take(event.a);
        return client_.departed(departure.tag, departure.sequence, departure.begin, departure.end);
    }
    if (kind == Kind::decision) return take(tails_.take(event.a), event.time);
    watching_ = false;
    if (in_flight_ == 0) return;
    if (event.time < deadlock_time()) return watch();
    IndexedVector<RouterId, const RouterStages*> routers;
    for (const auto& router : routers_) routers.push_back(router->stages());
    throw RouterWaits(layout_, std::move(routers)).deadlock(clock_.first_from(event.time), in_flight_, patience());
}

}   // namespace oscar
