#include "models/network/event/message_fabric.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {

void MessageFabric::declare(std::span<const FlowId> flows, Bytes largest) {
    declared_.assign(flows_.size(), false);
    lone_.clear();
    lone_.resize(flows_.size());
    largest_ = largest;
    IndexedVector<EdgeId, std::uint32_t> users(params_.links.size());
    for (const FlowId flow : flows) {
        if (declared_[flow]) continue;
        declared_[flow] = true;
        for (const Hop& hop : flows_[flow].path) ++users[hop.edge];
    }
    for (const FlowId flow : flows) {
        const auto& path = flows_[flow].path;
        const bool alone = std::ranges::all_of(path, [&](const Hop& hop) { return users[hop.edge] == 1; });
        if (alone && has_room(flow, largest))
            lone_[flow] = std::make_unique<UncontendedFlow>(params_.links, params_.flit, path);
    }
}

/// A packet without room anywhere on its path waits for ever, which only a packet can.
bool MessageFabric::has_room(FlowId flow, Bytes largest) const {
    return std::ranges::all_of(flows_[flow].path,
                               [&](const Hop& hop) { return link(hop.edge).link.buffer >= largest; });
}

void MessageFabric::send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible,
                         std::span<const std::uint32_t> reported) {
    if (flow.value >= declared_.size() || !declared_[flow] || std::max(message.wire, message.last_wire) > largest_)
        throw std::logic_error("flow " + std::to_string(flow.value) + " sends what was not declared");
    if (lone_[flow]) send_alone(*lone_[flow], flow, message, eligible, reported);
    else PacketFabric::send(flow, message, eligible, reported);
}

void MessageFabric::send_alone(UncontendedFlow& lone, FlowId flow, const FabricMessage& message,
                               std::span<const TimeRun> eligible, std::span<const std::uint32_t> reported) {
    struct Listener {
        MessageFabric& fabric;
        const std::vector<Hop>& path;
        bool background;
        const FabricMessage& message;
        std::uint32_t transfer;
        std::span<const std::uint32_t> reported;
        void crossed(std::uint32_t first, std::uint32_t count, std::size_t hop, Time begin, Time each) {
            fabric.account_.of(path[hop].edge, background).busy.append({begin, begin + count * each});
            for (std::uint32_t i = 0; fabric.observer_ && i < count; ++i)
                fabric.observer_->crossed(message.tag, first + i, hop, begin + i * each, begin + (i + 1) * each);
            if (hop == 0) fabric.client_.departed_back_to_back(message.tag, first, count, begin, each);
        }
        void taken(std::uint32_t first, std::uint32_t count, Time at, Time each) {
            fabric.client_.will_arrive(message.tag, first, count, at);
            for (; !reported.empty() && reported.front() < first + count; reported = reported.subspan(1))
                fabric.arrive_at(at + (reported.front() - first) * each, path.back().edge, transfer, reported.front());
        }
    };
    const Flow& own = flows_[flow];
    lone.send(message, eligible, Listener{*this, own.path, own.background, message, open(flow, message, {}), reported});
    settle(lone.settled_at());
    count(own, message);
    for (std::size_t hop = 0; hop < own.path.size(); ++hop) note_turn(flow, hop, lone.left(hop));
}

void MessageFabric::count(const Flow& flow, const FabricMessage& message) {
    const std::uint64_t full = message.packets - 1;
    for (const Hop& hop : flow.path) {
        account_.of(hop.edge, flow.background)
            .add(message.packets, full * message.wire.count + message.last_wire.count,
                 full * flits_of(message.wire, params_.flit) + flits_of(message.last_wire, params_.flit));
    }
}

}   // namespace oscar
