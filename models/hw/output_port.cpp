#include "models/hw/output_port.hpp"

#include <algorithm>

namespace oscar {

OutputPort::OutputPort(const sc_core::sc_module_name& name, Link& link, std::size_t queues, Sent on_sent)
    : sc_module(name), link_(link), queues_(queues), turn_(queues), on_sent_(std::move(on_sent)) {
    SC_METHOD(send_next);
    sensitive << decide_;
    dont_initialize();
    SC_METHOD(on_timer);
    sensitive << timer_;
    dont_initialize();
    link_.on_credit([this](Time at) {
        if (waiting_) wake(at);
    });
}

void OutputPort::push(std::size_t queue, const Queued& queued) {
    queues_[queue].push_back(queued);
    if (queues_[queue].size() > 1) return;
    occupied_.insert(queue);
    wake(std::max(queued.eligible, link_.free_at()));
}

/// Decides one delta cycle later, when all arrivals of the same instant are in the queues.
void OutputPort::on_timer() { decide_.notify(sc_core::SC_ZERO_TIME); }

void OutputPort::wake(Time at) {
    if (at <= now()) decide_.notify(sc_core::SC_ZERO_TIME);
    else timer_.notify(to_sc(at - now()));   // an earlier pending notification stays, and decides anew
}

void OutputPort::send_next() {
    ++decisions_;
    if (link_.free_at() > now()) return wake(link_.free_at());
    if (!waiting_)
        waiting_ = turn_.choose_among(occupied_, [&](std::size_t q) { return queues_[q].front().eligible <= now(); });
    if (waiting_) {
        if (link_.credits() >= queues_[*waiting_].front().packet.wire()) return send_head_of(*waiting_);
        if (const auto credit = link_.next_credit()) wake(*credit);
        return;   // the link wakes this port when credits are released
    }
    std::optional<Time> next;
    for (const std::size_t q : occupied_) {
        const Time eligible = queues_[q].front().eligible;
        next = std::min(next.value_or(eligible), eligible);
    }
    if (next) wake(*next);
}

void OutputPort::send_head_of(std::size_t queue) {
    waiting_.reset();
    turn_.granted(queue);
    const Queued head = queues_[queue].front();
    queues_[queue].pop_front();
    if (queues_[queue].empty()) occupied_.erase(queue);
    const Time end = link_.send(head.packet, head.tail_ready);
    on_sent_(queue, head, now(), end);
    wake(end);
}

std::optional<std::string> OutputPort::blocked() const {
    if (!waiting_) return std::nullopt;
    const Packet& packet = queues_[*waiting_].front().packet;
    const Bytes held = link_.params().buffer - link_.credits();
    return "flow rank" + std::to_string(packet.from.value) + "->rank" + std::to_string(packet.to.value) + " (step " +
           std::to_string(packet.step.value) + ", packet " + std::to_string(packet.sequence) + ") waits on link " +
           link_.label() + " for " + std::to_string(packet.wire().count) +
           " B of credit: " + std::to_string(link_.credits().count) + " B free, " + std::to_string(held.count) +
           " B held by the receiver, of " + std::to_string(link_.params().buffer.count) + " B";
}

}   // namespace oscar
