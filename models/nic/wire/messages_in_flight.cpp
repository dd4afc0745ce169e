#include "models/nic/wire/messages_in_flight.hpp"

namespace oscar {

Delivery MessagesInFlight::delivery(const PacketName& last, std::uint32_t first) const {
    const MessageUnderWay& message = under_way_.at(last.step);
    const Passage& passage = message[last.kind];
    Delivery delivery;
    delivery.step = last.step;
    delivery.kind = last.kind;
    delivery.sequence = last.sequence;
    delivery.packets = last.sequence + 1 - first;
    delivery.last = last.sequence + 1 == passage.packets.packets;
    if (!passage.message.bytes) return delivery;
    const Encoded& whole = *passage.message.bytes;
    const std::uint64_t begin = first * packet_.count;
    const std::uint64_t end = delivery.last ? whole.size() : (last.sequence + 1) * packet_.count;
    delivery.size = end - begin;
    if (!whole.values) delivery.bytes = std::span(whole.bytes).subspan(begin, end - begin);
    delivery.whole = &passage.message;
    if (!message.arrivals.empty()) delivery.arrivals = &message.arrivals;
    return delivery;
}

}   // namespace oscar
