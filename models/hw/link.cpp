#include "models/hw/link.hpp"

#include <algorithm>

namespace oscar {

Link::Link(const sc_core::sc_module_name& name, std::string label, const LinkParams& params, Bytes flit,
           PacketSink& sink)
    : sc_module(name), label_(std::move(label)), params_(params), flit_(flit), sink_(sink), credits_(params.buffer) {
    clear_use();
    SC_METHOD(deliver);
    sensitive << arrival_;
    dont_initialize();
}

void Link::clear_use() {
    use_ = {};
    use_.name = label_;
}

Bytes Link::credits() {
    for (; !returning_.empty() && returning_.top().at <= now(); returning_.pop()) credits_ += returning_.top().size;
    return credits_;
}

std::optional<Time> Link::next_credit() const {
    if (returning_.empty()) return std::nullopt;
    return returning_.top().at;
}

Time Link::send(const Packet& packet, Time tail_ready) {
    const Bytes wire = packet.wire();
    const Time begin = now();
    const Time last = serialization(last_flit(wire, flit_), params_.bandwidth);
    free_at_ = std::max(begin + serialization(wire, params_.bandwidth), tail_ready + last);
    credits_ -= wire;
    const Time head = begin + serialization(first_flit(wire, flit_), params_.bandwidth) + params_.propagation;
    flying_.push_back({packet, head, free_at_ + params_.propagation});
    if (flying_.size() == 1) arrival_.notify(to_sc(head - begin));
    append(use_.busy, {begin, free_at_});
    ++use_.packets;
    use_.wire_bytes += wire.count;
    use_.flits += flits_of(wire, flit_);
    return free_at_;
}

void Link::deliver() {
    while (!flying_.empty() && flying_.front().head <= now()) {
        const Arrival arrival = flying_.front();
        flying_.pop_front();
        sink_.receive(arrival.packet, arrival.tail, *this);
    }
    if (!flying_.empty()) arrival_.notify(to_sc(flying_.front().head - now()));
}

void Link::release(Bytes size, Time at) {
    const Time back = at + params_.propagation;
    returning_.push({back, size});
    settled_at_ = std::max(settled_at_, back);
    if (on_credit_) on_credit_(back);
}

}   // namespace oscar
