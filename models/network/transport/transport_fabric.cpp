#include "models/network/transport/transport_fabric.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "models/core/quantity.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t signal_queues = 0x8000'0000;             // behind those of the client
constexpr std::uint64_t signal_order = std::uint64_t{1} << 63;   // behind all tags

}   // namespace

std::vector<Hop> reversed(const std::vector<FabricLink>& links, std::span<const Hop> path) {
    std::vector<Hop> back;
    for (auto hop = path.rbegin(); hop != path.rend(); ++hop) {
        const FabricLink& link = links[hop->edge];
        const auto found = std::ranges::find_if(
            links, [&](const FabricLink& other) { return other.from == link.to && other.to == link.from; });
        if (found == links.end())
            throw std::invalid_argument("no cable leads back from node " + std::to_string(link.to) + " to node " +
                                        std::to_string(link.from) + ", for answers of a receiver");
        back.push_back({static_cast<std::uint32_t>(found - links.begin()), hop->channel});
    }
    return back;
}

TransportFabric::TransportFabric(const FabricParams& params, const NetworkParams& network, FabricClient& client,
                                 WayBack reverse_path, PacketFilter passes)
    : EthernetFabric(params, network, static_cast<FabricClient&>(*this)),
      user_(client),
      way_back_(std::move(reverse_path)),
      passes_(std::move(passes)),
      answers_(std::holds_alternative<DcqcnParams>(network.congestion.params) || is_end_to_end(network.reliability)) {}

FlowId TransportFabric::add_flow(std::span<const Hop> path, std::uint32_t queue) {
    const auto number = static_cast<std::uint32_t>(ends_.size());
    TransportFlow flow{EthernetFabric::add_flow(path, queue), {}, {}};
    if (answers_) flow.signals = EthernetFabric::add_flow(way_back_(path), signal_queues + number);
    flow.queue = queue_of(number, path.front(), queue);
    begin(flow);
    ends_.push_back(std::move(flow));
    return FlowId{number};
}

std::uint32_t TransportFabric::queue_of(std::uint32_t flow, const Hop& first, std::uint32_t queue) {
    const auto next = static_cast<std::uint32_t>(queues_.size());
    if (answers_) {
        queues_.emplace_back().due.push_back({flow, 1});
        return next;
    }
    const auto [found, added] = queue_at_.try_emplace({first.edge, first.channel, queue}, next);
    if (added) queues_.emplace_back();
    return found->second;
}

void TransportFabric::count_separately(FlowId id) {
    const TransportFlow& flow = ends_[id.value];
    EthernetFabric::count_separately(flow.data);
    if (answers_) EthernetFabric::count_separately(flow.signals);
}

/// Both ends as they are before the first packet.
void TransportFabric::begin(TransportFlow& flow) const {
    flow = {flow.data, flow.signals, make_protocol(network_.reliability), {}, {}, {}, flow.queue};
    if (const auto* dcqcn = std::get_if<DcqcnParams>(&network_.congestion.params)) {
        flow.rate.emplace(*dcqcn, link(flows_[flow.data.value].path.front().edge).link.bandwidth);
        flow.notifier.emplace(dcqcn->cnp_interval);
    }
}

void TransportFabric::restart(std::uint64_t draw) {
    EthernetFabric::restart(draw);
    for (TransportFlow& flow : ends_) begin(flow);
}

void TransportFabric::send(FlowId id, const FabricMessage& message, std::span<const TimeRun> eligible,
                           std::span<const std::uint32_t>) {
    TransportFlow& flow = ends_[id.value];
    flow.messages.add(message, eligible);
    flow.last_tag = message.tag;
    flow.ends.sender->offer(message.packets);
    flow.offered = now();
    if (!answers_) queues_[flow.queue].due.push_back({id.value, message.packets});
    pump(flow.queue);
}

/// Sends what may be sent now, or sets the clock for it.
void TransportFabric::pump(std::uint32_t queue) {
    if (queues_[queue].handed_over || queues_[queue].due.empty()) return;
    const std::uint32_t number = queues_[queue].due.front().flow;
    const TransportFlow& flow = ends_[number];
    const auto next = flow.ends.sender->next();
    if (!next) return;
    const Time at = std::max(flow.messages.at(*next).eligible, flow.paced);
    if (at > now()) return set_clock(number, pace, at);
    send_next(number);
}

void TransportFabric::send_next(std::uint32_t number) {
    TransportFlow& flow = ends_[number];
    const std::uint64_t next = *flow.ends.sender->next();
    const FlowMessages::Packet packet = flow.messages.at(next);
    const Frame frame{FrameKind::data, number, packet.wire, next, next < flow.fresh, {}, false, packet.tag};
    if (frame.again) {
        ++account_of(number).retransmitted;
        account_of(number).retransmitted_bytes += frame.wire.count;
        check_progress(number);
    }
    flow.fresh = std::max(flow.fresh, next + 1);
    SendQueue& queue = queues_[flow.queue];
    queue.handed_over = true;
    if (!answers_ && --queue.due.front().packets == 0) queue.due.pop_front();
    flow.ends.sender->sent(now());
    set_timeout(number);
    launch(frame);
}

void TransportFabric::launch(const Frame& frame) {
    if (free_frames_.empty()) {
        free_frames_.push_back(frames_.size());
        frames_.emplace_back();
    }
    const std::uint64_t tag = free_frames_.back();
    free_frames_.pop_back();
    frames_[tag] = frame;
    const TransportFlow& flow = ends_[frame.flow];
    EthernetFabric::send(frame.kind == FrameKind::data ? flow.data : flow.signals, {tag, 1, frame.wire, frame.wire},
                         std::array{TimeRun{now()}}, {});
}

TransportFabric::Frame TransportFabric::retire(std::uint64_t tag) {
    free_frames_.push_back(tag);
    return frames_[tag];
}

void TransportFabric::departed(std::uint64_t tag, std::uint32_t, Time begin, Time end) {
    const Frame frame = frames_[tag];
    if (frame.kind != FrameKind::data) return;
    TransportFlow& flow = ends_[frame.flow];
    const std::uint32_t queue = flow.queue;
    queues_[queue].handed_over = false;
    if (flow.rate) flow.paced = flow.rate->sent(frame.wire, begin);
    if (!frame.again) {
        const FlowMessages::Packet packet = flow.messages.at(frame.number);
        user_.departed(packet.tag, packet.sequence, begin, end);   // it may add flows
    }
    pump(queue);
}

void TransportFabric::arrived(std::uint64_t tag, std::uint32_t) {
    const Frame frame = retire(tag);
    switch (frame.kind) {
        case FrameKind::data:
            return take_data(frame);
        case FrameKind::answer:
            return take_answer(frame);
        case FrameKind::notification:
            return ends_[frame.flow].rate->notified(now());
    }
}

void TransportFabric::take_data(const Frame& frame) {
    TransportFlow& flow = ends_[frame.flow];
    if (frame.marked && flow.notifier->answers(now())) {
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

void TransportFabric::signal(std::uint32_t flow, FrameKind kind, const Answer& answer) {
    account_of(flow).answer_bytes += network_.header.count;
    launch({kind, flow, network_.header, 0, false, answer, false, signal_order | ends_[flow].last_tag});
}

void TransportFabric::deliver(std::uint32_t number, std::uint64_t packets) {
    if (packets > 0) last_news_ = ends_[number].news = now();
    for (; packets > 0; --packets) {
        const FlowMessages::Packet packet = ends_[number].messages.at(ends_[number].delivered++);
        user_.arrived(packet.tag, packet.sequence);   // it may add flows and send
    }
    forget(ends_[number]);
}

void TransportFabric::take_answer(const Frame& frame) {
    TransportFlow& flow = ends_[frame.flow];
    flow.ends.sender->answered(frame.answer, now());
    forget(flow);
    set_timeout(frame.flow);
    pump(flow.queue);
}

void TransportFabric::forget(TransportFlow& flow) {
    flow.messages.forget_below(std::min(flow.ends.sender->acknowledged(), flow.delivered));
}

/// Of several calls the earliest comes; whoever is called too early sets the clock anew.
void TransportFabric::set_clock(std::uint32_t number, Clock clock, Time at) {
    Time& set = clock == pace ? ends_[number].wakes : ends_[number].expires;
    if (at >= set) return;
    set = at;
    post(Kind::timer, at, std::uint64_t{number} * 2 + clock, number, clock);
}

void TransportFabric::set_timeout(std::uint32_t number) {
    if (const auto deadline = ends_[number].ends.sender->deadline()) set_clock(number, timeout, *deadline);
}

void TransportFabric::run(Kind kind, const Event& event) {
    if (kind == Kind::timer) ring(event.a, static_cast<Clock>(event.b));
    else EthernetFabric::run(kind, event);
}

void TransportFabric::ring(std::uint32_t number, Clock clock) {
    TransportFlow& flow = ends_[number];
    Time& set = clock == pace ? flow.wakes : flow.expires;
    if (set != now()) return;   // an earlier call has been asked for since
    set = never;
    if (clock == pace) return pump(flow.queue);
    const auto deadline = flow.ends.sender->deadline();
    if (deadline && *deadline <= now()) {
        ++account_of(number).timeouts;
        flow.ends.sender->expired(now());
        pump(flow.queue);
    }
    set_timeout(number);
}

void TransportFabric::on_loss(std::uint64_t tag, const Hop&) {
    const Frame frame = retire(tag);
    if (frame.kind == FrameKind::data) ++ends_[frame.flow].losses;
}

/// Answers and the traffic of other hosts are no packets of a message under way.
bool TransportFabric::passes(std::uint64_t tag) {
    const Frame& frame = frames_[tag];
    const TransportFlow& flow = ends_[frame.flow];
    if (!passes_ || frame.kind != FrameKind::data || flows_[flow.data.value].background) return true;
    if (frame.number < flow.delivered) return true;   // sent again although it had come: its message may be done with
    const FlowMessages::Packet packet = flow.messages.at(frame.number);
    return passes_(packet.tag, packet.sequence);
}

/// A flow of the job must come on by itself; other traffic may starve while something does.
void TransportFabric::check_progress(std::uint32_t number) const {
    const TransportFlow& flow = ends_[number];
    const bool others = flows_[flow.data.value].background;
    if (now() - std::max(others ? last_news_ : flow.news, flow.offered) <= network_.stall) return;
    throw Livelock("livelock: " + name_of(number) + " repeats packet " + std::to_string(flow.delivered) +
                   ", and nothing new " + (others ? "" : "of it ") +
                   "was delivered for network.stall: " + to_text(network_.stall) + "; lost so far:" + losses());
}

/// In the client's names.
std::optional<CreditWait> TransportFabric::blocked_on(const Hop& hop) const {
    auto wait = EthernetFabric::blocked_on(hop);
    if (!wait) return wait;
    const Frame& frame = frames_[wait->tag];
    const TransportFlow& flow = ends_[frame.flow];
    wait->answer = frame.kind != FrameKind::data;
    wait->tag = flow.last_tag;
    if (wait->answer || frame.number < flow.delivered) return wait;
    const FlowMessages::Packet packet = flow.messages.at(frame.number);
    wait->tag = packet.tag;
    wait->sequence = packet.sequence;
    return wait;
}

std::string TransportFabric::name_of(std::uint32_t number) const {
    const std::vector<Hop>& path = flows_[ends_[number].data.value].path;
    return "flow rank" + std::to_string(link(path.front().edge).from) + "->rank" +
           std::to_string(link(path.back().edge).to);
}

std::string TransportFabric::losses() const {
    std::string text;
    for (std::uint32_t number = 0; number < ends_.size(); ++number) {
        const TransportFlow& flow = ends_[number];
        if (flow.losses > 0 && flow.delivered < flow.messages.end())
            text += "\n  " + name_of(number) + ": " + std::to_string(flow.losses) + " packets, " +
                    std::to_string(flow.delivered) + " of " + std::to_string(flow.messages.end()) + " delivered";
    }
    return text;
}

}   // namespace oscar
