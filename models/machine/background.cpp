#include "models/machine/background.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/core/exponential.hpp"
#include "models/core/quantity.hpp"
#include "models/network/event/background_load.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/transport/livelock.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t queue = 0x4000'0000;              // after the queues of receivers, before the queues of answers
constexpr std::uint64_t order = std::uint64_t{1} << 40;   // after all that ranks do at the instant

}   // namespace

Background::Background(const BackgroundParams& params, const NetworkParams& network, const Routes& routes,
                       Fabric& fabric)
    : params_(params),
      packet_(network.packet),
      header_(network.header),
      stall_(network.stall),
      fabric_(fabric),
      flows_(routes, fabric, queue),
      receivers_(params, routes.topology().ranks) {
    const FabricMessage message = packets_of(0);
    for (const Rank rank : receivers_.senders()) {
        const Bandwidth rate = fastest_link_from(rank, routes.topology());
        const Time all = (message.packets - 1) * serialization(message.wire, rate);
        senders_.push_back({rank, all + serialization(message.last_wire, rate)});
    }
}

std::vector<FlowId> Background::flows() {
    std::vector<FlowId> flows;
    if (flows_.spray()) return flows;
    for (const auto& [from, to] : receivers_.pairs()) flows.push_back(flows_.of(from, to, 0).id);
    return flows;
}

void Background::begin(Time start, std::uint64_t job_seed) {
    start_ = job_moved_ = start;
    end_ = Fabric::never;
    gave_up_ = false;
    use_ = {};
    messages_.clear();   // their numbers decide who is first at an instant: they must not depend on jobs before
    const std::uint64_t key = job_seed == 0 ? params_.seed : random_at(params_.seed, job_seed);
    for (std::uint32_t s = 0; s < senders_.size(); ++s) {
        senders_[s].key = random_at(key, senders_[s].rank.value);
        senders_[s].next = 0;
        fabric_.call_at(start, 0, order + s, s, 1);
    }
}

/// The first call is for the start, from which on the first message is waited for.
void Background::called(std::uint32_t s, bool job_pending) {
    if (end_ == Fabric::never && !job_pending && fabric_.now() - job_moved_ > stall_) {
        gave_up_ = true;
        end_ = fabric_.now();
    }
    if (fabric_.now() > end_) return;
    Sender& sender = senders_[s];
    if (sender.next > 0) send(sender);
    const double mean = static_cast<double>(sender.serialization.ps) / params_.load;
    const auto interval = static_cast<double>(exponential_at(random_at(sender.key, 0), sender.next++));
    fabric_.call_at(fabric_.now() + Time{std::llround(mean * interval * 0x1p-32)}, 0, order + s, s, 1);
}

void Background::end_at(Time end) {
    if (!gave_up_) end_ = end;
}

FabricMessage Background::packets_of(std::uint32_t number) const {
    const auto packets = static_cast<std::uint32_t>(oscar::packets_of(params_.message.count, packet_));
    const Bytes last{params_.message.count - (packets - 1) * packet_.count};
    return {first_name + number, packets, packet_ + header_, last + header_};
}

void Background::send(const Sender& sender) {
    const Rank to = receivers_.of(sender.rank, random_at(random_at(sender.key, 1), sender.next));
    ++use_.offered_messages;
    use_.offered_bytes += params_.message.count;
    use_.needed += sender.serialization;
    const std::uint32_t packets = packets_of(0).packets;
    const FabricMessage message = packets_of(messages_.add({sender.rank, to, fabric_.now(), packets}));
    if (!flows_.spray())
        return fabric_.send(flows_.of(sender.rank, to, 0).id, message, std::array{TimeRun{fabric_.now(), packets}},
                            std::array{packets - 1});
    for (std::uint32_t i = 0; i < packets; ++i) {
        const Bytes wire = message.wire_of(i);
        fabric_.send(flows_.of(sender.rank, to, i).id, {message.tag, 1, wire, wire}, std::array{TimeRun{fabric_.now()}},
                     std::array{0u});
    }
}

/// All packets up to this one have come; where they overtake each other, this one.
void Background::arrived(std::uint64_t tag, std::uint32_t sequence) {
    const auto number = static_cast<std::uint32_t>((tag & names) - first_name);
    Message& message = messages_[number];
    message.packets_left = flows_.spray() ? message.packets_left - 1 : packets_of(number).packets - sequence - 1;
    if (message.packets_left > 0) return;
    messages_.take(number);
    if (fabric_.now() > end_) return;
    use_.completions.push_back(fabric_.now() - message.since);
    use_.delivered_bytes += params_.message.count;
}

std::pair<Rank, Rank> Background::ends_of(std::uint64_t tag) const {
    const Message& message = messages_[(tag & names) - first_name];
    return {message.from, message.to};
}

/// The part of the spans, which are in order, that lies in the job's time.
Time Background::within(const Spans& spans) const {
    Time sum;
    for (const Span span : spans) sum += std::max(Time{}, std::min(span.end, end_) - std::max(span.begin, start_));
    return sum;
}

BackgroundUse Background::use() const {
    if (gave_up_)
        throw Livelock("livelock: nothing of the collective moved for network.stall: " + to_text(stall_) +
                       ", beside background traffic; raise network.stall");
    BackgroundUse use = use_;
    use.duration = end_ - start_;
    use.sending = static_cast<std::int64_t>(senders_.size()) * use.duration;
    for (const EdgeId edge : fabric_.links().indices())
        if (const Time busy = within(fabric_.account().background_use(edge).busy); busy > Time{}) use.busy[edge] = busy;
    return use;
}

}   // namespace oscar
