#include "models/network/transport/end_to_end_transport.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "models/core/quantity.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t signal_queues = 0x8000'0000;             // after the client's queues
constexpr std::uint64_t signal_order = std::uint64_t{1} << 63;   // after all tags

/// A flow that waits for news this long will get none.
Time patience_of(const NetworkParams& network) {
    const auto timeout = timeout_of(network.reliability);
    return timeout ? std::min(network.stall, std::int64_t{most_timeouts} * *timeout) : network.stall;
}

}   // namespace

std::vector<Hop> reversed(const IndexedVector<EdgeId, FabricLink>& links, std::span<const Hop> path) {
    std::vector<Hop> back;
    for (auto hop = path.rbegin(); hop != path.rend(); ++hop) {
        const FabricLink& link = links[hop->edge];
        const auto found = std::ranges::find_if(
            links, [&](const FabricLink& other) { return other.from == link.to && other.to == link.from; });
        if (found == links.end())
            throw std::invalid_argument("no cable leads back from node " + std::to_string(link.to.value) + " to node " +
                                        std::to_string(link.from.value) + ", for answers of a receiver");
        back.push_back({EdgeId{static_cast<std::uint32_t>(found - links.begin())}, hop->channel});
    }
    return back;
}

EndToEndTransport::EndToEndTransport(PacketFabric& fabric, const NetworkParams& network, TransportAccount& account,
                                     FabricClient& client, ReversePath reverse_path, PacketFilter passes)
    : fabric_(fabric),
      network_(network),
      account_(account),
      client_(client),
      reverse_path_(std::move(reverse_path)),
      passes_(std::move(passes)),
      patience_(patience_of(network)),
      answers_(std::holds_alternative<DcqcnParams>(network.congestion.params) || is_end_to_end(network.reliability)) {}

FlowId EndToEndTransport::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    const auto number = static_cast<std::uint32_t>(flows_.size());
    FlowRoute route{fabric_.add_link_flow(path, queue), {}, path.front().edge, path.back().edge};
    if (answers_) route.signals = fabric_.add_link_flow(reverse_path_(path), signal_queues + number);
    route.queue = answers_ ? queues_.add_own(number) : queues_.shared(path.front(), queue);
    flows_.push_back(begin(route));
    return FlowId{number};
}

void EndToEndTransport::count_separately(FlowId id) {
    FlowRoute& route = flows_[id.value].route;
    route.background = true;
    fabric_.count_link_flow_separately(route.data);
    if (answers_) fabric_.count_link_flow_separately(route.signals);
}

/// Both ends as they are before the first packet.
TransportFlow EndToEndTransport::begin(const FlowRoute& route) const {
    TransportFlow flow{route, make_protocol(network_.reliability)};
    if (const auto* dcqcn = std::get_if<DcqcnParams>(&network_.congestion.params)) {
        flow.rate.emplace(*dcqcn, fabric_.link(route.first).link.bandwidth);
        flow.notifier.emplace(dcqcn->cnp_interval);
    }
    return flow;
}

void EndToEndTransport::restart() {
    for (TransportFlow& flow : flows_) flow = begin(flow.route);
}

void EndToEndTransport::send(FlowId id, const FabricMessage& message, std::span<const TimeRun> eligible) {
    TransportFlow& flow = flows_[id.value];
    flow.messages.add(message, eligible);
    flow.last_tag = message.tag;
    flow.ends.sender->offer(message.packets);
    flow.offered = fabric_.now();
    queues_.offer(flow.route.queue, id.value, message.packets);
    pump(flow.route.queue);
}

/// Sends what may be sent now, or sets the clock for it.
void EndToEndTransport::pump(std::uint32_t queue) {
    const auto number = queues_.next(queue);
    if (!number) return;
    const TransportFlow& flow = flows_[*number];
    const auto next = flow.ends.sender->next();
    if (!next) return;
    const Time at = std::max(flow.messages.at(*next).eligible, flow.paced);
    if (at > fabric_.now()) return set_clock(*number, pace, at);
    send_next(*number);
}

void EndToEndTransport::send_next(std::uint32_t number) {
    TransportFlow& flow = flows_[number];
    const std::uint64_t next = *flow.ends.sender->next();
    const FlowMessages::Packet packet = flow.messages.at(next);
    const Frame frame{FrameKind::data, number, packet.wire, next, next < flow.fresh, {}, false, packet.tag};
    if (frame.again) {
        ++account_of(number).retransmitted;
        account_of(number).retransmitted_bytes += frame.wire.count;
        check_progress(number);
    }
    flow.fresh = std::max(flow.fresh, next + 1);
    queues_.hand_over(flow.route.queue);
    flow.ends.sender->sent(fabric_.now());
    set_timeout(number);
    launch(frame);
}

void EndToEndTransport::launch(const Frame& frame) {
    const FlowRoute& route = flows_[frame.flow].route;
    fabric_.send_over_links(frame.kind == FrameKind::data ? route.data : route.signals,
                            {frames_.add(frame), 1, frame.wire, frame.wire}, std::array{TimeRun{fabric_.now()}});
}

void EndToEndTransport::departed(std::uint64_t tag, Time begin, Time end) {
    const Frame frame = frames_[tag];
    if (frame.kind != FrameKind::data) return;
    TransportFlow& flow = flows_[frame.flow];
    const std::uint32_t queue = flow.route.queue;
    queues_.departed(queue);
    if (flow.rate) flow.paced = flow.rate->sent(frame.wire, begin);
    if (!frame.again) {
        const FlowMessages::Packet packet = flow.messages.at(frame.number);
        client_.departed(packet.tag, packet.sequence, begin, end);   // it may add flows
    }
    pump(queue);
}

void EndToEndTransport::arrived(std::uint64_t tag) {
    const Frame frame = frames_.take(static_cast<std::uint32_t>(tag));
    switch (frame.kind) {
        case FrameKind::data:
            return take_data(frame);
        case FrameKind::answer:
            return take_answer(frame);
        case FrameKind::notification:
            return flows_[frame.flow].rate->notified(fabric_.now());
    }
}

void EndToEndTransport::take_data(const Frame& frame) {
    TransportFlow& flow = flows_[frame.flow];
    if (frame.marked && flow.notifier->answers(fabric_.now())) {
        ++account_of(frame.flow).notified;
        signal(frame.flow, FrameKind::notification);
    }
    const ReceivingEnd::Verdict verdict = flow.ends.receiver->received(frame.number);
    if (verdict.answer) {
        ++account_of(frame.flow).answered;
        signal(frame.flow, FrameKind::answer, *verdict.answer);
    }
    deliver(frame.flow, verdict.delivered);
}

void EndToEndTransport::signal(std::uint32_t flow, FrameKind kind, const Answer& answer) {
    account_of(flow).answer_bytes += network_.header.count;
    launch({kind, flow, network_.header, 0, false, answer, false, signal_order | flows_[flow].last_tag});
}

void EndToEndTransport::deliver(std::uint32_t number, std::uint64_t packets) {
    if (packets > 0) last_news_ = flows_[number].news = fabric_.now();
    for (; packets > 0; --packets) {
        const FlowMessages::Packet packet = flows_[number].messages.at(flows_[number].delivered++);
        client_.arrived(packet.tag, packet.sequence);   // it may add flows and send
    }
    flows_[number].forget_done();
}

void EndToEndTransport::take_answer(const Frame& frame) {
    TransportFlow& flow = flows_[frame.flow];
    flow.ends.sender->answered(frame.answer, fabric_.now());
    flow.forget_done();
    set_timeout(frame.flow);
    pump(flow.route.queue);
}

/// Of several calls the earliest comes; whoever is called too early sets the clock anew.
void EndToEndTransport::set_clock(std::uint32_t number, Clock clock, Time at) {
    Time& set = clock == pace ? flows_[number].wakes : flows_[number].expires;
    if (at >= set) return;
    set = at;
    fabric_.post(Fabric::Kind::timer, at, std::uint64_t{number} * 2 + clock, number, clock);
}

void EndToEndTransport::set_timeout(std::uint32_t number) {
    if (const auto deadline = flows_[number].ends.sender->deadline()) set_clock(number, timeout, *deadline);
}

void EndToEndTransport::ring(const Event& event) {
    const std::uint32_t number = event.a;
    const auto clock = static_cast<Clock>(event.b);
    TransportFlow& flow = flows_[number];
    Time& set = clock == pace ? flow.wakes : flow.expires;
    if (set != fabric_.now()) return;   // an earlier call has been asked for since
    set = Fabric::never;
    if (clock == pace) return pump(flow.route.queue);
    const auto deadline = flow.ends.sender->deadline();
    if (deadline && *deadline <= fabric_.now()) {
        ++account_of(number).timeouts;
        flow.ends.sender->expired(fabric_.now());
        pump(flow.route.queue);
    }
    set_timeout(number);
}

void EndToEndTransport::lost(std::uint64_t tag) {
    const Frame frame = frames_.take(static_cast<std::uint32_t>(tag));
    if (frame.kind == FrameKind::data) ++flows_[frame.flow].losses;
}

/// Answers and the traffic of other hosts are no packets of a message in flight.
bool EndToEndTransport::passes(std::uint64_t tag) {
    const Frame& frame = frames_[tag];
    const TransportFlow& flow = flows_[frame.flow];
    if (!passes_ || frame.kind != FrameKind::data || flow.route.background) return true;
    if (frame.number < flow.delivered) return true;   // sent again although it had come: its message may be done with
    const FlowMessages::Packet packet = flow.messages.at(frame.number);
    return passes_(packet.tag, packet.sequence);
}

/// A flow of the job must come on by itself; other traffic may starve while something does.
void EndToEndTransport::check_progress(std::uint32_t number) const {
    const TransportFlow& flow = flows_[number];
    const bool others = flow.route.background;
    if (fabric_.now() - std::max(others ? last_news_ : flow.news, flow.offered) <= patience_) return;
    const std::string lost = losses(), waited = to_text(timeout_of(network_.reliability).value_or(patience_));
    throw Livelock(
        "livelock: " + name_of(number) + " repeats packet " + std::to_string(flow.delivered) + ", and nothing new " +
        (others ? "" : "of it ") + "was delivered for " +
        (patience_ == network_.stall
             ? "network.stall: " + to_text(patience_)
             : std::to_string(most_timeouts) + " times network.reliability.timeout: " + waited) +
        (lost.empty() ? "; nothing of it was lost: its answers come later than network.reliability.timeout: " + waited +
                            "; raise that"
                      : "; lost so far:" + lost));
}

void EndToEndTransport::describe(CreditWait& wait) const {
    const Frame& frame = frames_[wait.tag];
    const TransportFlow& flow = flows_[frame.flow];
    wait.answer = frame.kind != FrameKind::data;
    wait.tag = flow.last_tag;
    if (wait.answer || frame.number < flow.delivered) return;
    const FlowMessages::Packet packet = flow.messages.at(frame.number);
    wait.tag = packet.tag;
    wait.sequence = packet.sequence;
}

std::string EndToEndTransport::name_of(std::uint32_t number) const {
    const FlowRoute& route = flows_[number].route;
    const Rank from = rank_of(fabric_.link(route.first).from), to = rank_of(fabric_.link(route.last).to);
    return "flow rank" + std::to_string(from.value) + "->rank" + std::to_string(to.value);
}

std::string EndToEndTransport::losses() const {
    std::string text;
    for (std::uint32_t number = 0; number < flows_.size(); ++number) {
        const TransportFlow& flow = flows_[number];
        if (flow.losses > 0 && flow.delivered < flow.messages.end())
            text += "\n  " + name_of(number) + ": " + std::to_string(flow.losses) + " packets, " +
                    std::to_string(flow.delivered) + " of " + std::to_string(flow.messages.end()) + " delivered";
    }
    return text;
}

}   // namespace oscar
