#include "models/network/event/fabric.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace oscar {
namespace {

constexpr int kind_shift = 56;

}   // namespace

Fabric::Fabric(const FabricParams& params, FabricClient& client)
    : params_(params), client_(client), account_(params.links.size()), arrivals_(params.links.size()) {}

FlowId Fabric::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    if (path.empty()) throw std::invalid_argument("a flow needs at least one link");
    for (const Hop& hop : path)
        if (hop.edge.value >= params_.links.size() || hop.channel >= params_.channels)
            throw std::invalid_argument("link " + std::to_string(hop.edge.value) + " has no channel " +
                                        std::to_string(hop.channel));
    const FlowId flow = flows_.next();
    flows_.push_back({{path.begin(), path.end()}, queue, false});
    return flow;
}

void Fabric::call_at(Time time, std::uint32_t stage, std::uint64_t order, std::uint32_t a, std::uint32_t b) {
    events_.push({time, ((static_cast<std::uint64_t>(Kind::call) + stage) << kind_shift) + order, a, b});
}

void Fabric::post(Kind kind, Time time, std::uint64_t content, std::uint32_t a, std::uint32_t b) {
    events_.push({time, (static_cast<std::uint64_t>(kind) << kind_shift) + content, a, b});
}

void Fabric::step() {
    const Event event = events_.pop();
    now_ = event.time;
    ++events_run_;
    const auto kind = static_cast<Kind>(event.order >> kind_shift);
    if (kind == Kind::arrival) arrived(event);
    else if (kind < Kind::credit) client_.called(event.a, event.b);
    else run(kind, event);
}

std::uint32_t Fabric::open(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible) {
    if (free_transfers_.empty()) {
        free_transfers_.push_back(static_cast<std::uint32_t>(transfers_.size()));
        transfers_.emplace_back();
    }
    const std::uint32_t transfer = free_transfers_.back();
    free_transfers_.pop_back();
    transfers_[transfer].message = message;
    transfers_[transfer].flow = flow;
    transfers_[transfer].background = flows_[flow].background;
    transfers_[transfer].eligible.assign(eligible);
    return transfer;
}

void Fabric::arrive_at(Time taken, EdgeId edge, std::uint32_t transfer, std::uint32_t sequence) {
    constexpr std::uint32_t wrap = 0xffffff;   // among the packets of one link and instant
    post(Kind::arrival, taken, (std::uint64_t{edge.value} << 24) + (arrivals_[edge]++ & wrap), transfer, sequence);
}

void Fabric::arrived(const Event& event) {
    const FabricMessage message = transfers_[event.a].message;
    if (event.b + 1 == message.packets) free_transfers_.push_back(event.a);
    tell_arrived(message.tag, event.b);
}

void Fabric::count_crossing(std::uint32_t transfer, std::uint32_t sequence, EdgeId edge, std::size_t hop,
                            Span crossing) {
    const FabricMessage& message = transfers_[transfer].message;
    const Bytes wire = message.wire_of(sequence);
    LinkAccount::Traffic& traffic = account_.of(edge, transfers_[transfer].background);
    traffic.busy.append(crossing);
    traffic.add(1, wire.count, flits_of(wire, params_.flit));
    if (observer_) observer_->crossed(message.tag, sequence, hop, crossing.begin, crossing.end);
}

std::optional<DeadlockReport> Fabric::deadlock_report() const {
    if (free_transfers_.size() == transfers_.size()) return std::nullopt;
    const auto first_lacking = [this]() -> std::optional<Hop> {
        for (const EdgeId edge : params_.links.indices())
            for (std::uint32_t channel = 0; channel < params_.channels; ++channel)
                if (const Hop hop{edge, static_cast<std::uint8_t>(channel)}; blocked_on(hop)) return hop;
        return std::nullopt;
    };
    DeadlockReport result;
    for (auto hop = first_lacking(); hop && !result.closes_at; hop = waits_for(*hop)) {
        const auto wait = blocked_on(*hop);
        if (!wait) break;
        const auto& chain = result.chain;
        const auto seen = std::ranges::find(chain, *hop, &CreditWait::hop);
        if (seen != chain.end()) result.closes_at = static_cast<std::size_t>(seen - chain.begin());
        else result.chain.push_back(*wait);
    }
    return result;
}

}   // namespace oscar
