#include "models/machine/packet_dispatch.hpp"

#include <algorithm>

#include "models/network/event/idle.hpp"

namespace oscar {

void PacketDispatch::begin(RunningJob& job) {
    job_ = &job;
    faults_.reset();
    if (network_.faults && network_.faults->any()) faults_.emplace(*network_.faults, job.job.seed);
}

Rank PacketDispatch::from(const PacketName& packet) const {
    const Step& step = job_->step(packet.step);
    return packet.kind == PacketKind::refusal ? step.to : step.from;
}

Rank PacketDispatch::to(const PacketName& packet) const {
    const Step& step = job_->step(packet.step);
    return packet.kind == PacketKind::refusal ? step.from : step.to;
}

Nic& PacketDispatch::sender_of(const PacketName& packet) const { return *nics_[from(packet).value]; }
Nic& PacketDispatch::receiver_of(const PacketName& packet) const { return *nics_[to(packet).value]; }

void PacketDispatch::departed(const PacketName& packet, Time begin, Time end) {
    sender_of(packet).transmit().departed(packet, begin, end);
}

void PacketDispatch::departed_back_to_back(const PacketName& packet, std::uint32_t count, Time begin, Time each) {
    sender_of(packet).transmit().departed_back_to_back(packet, count, begin, each);
}

void PacketDispatch::will_arrive(const PacketName& packet, std::uint32_t count, Time at) {
    StepInFlight& message = job_->in_flight.at(packet.step);
    if (!message.uninterrupted) return;
    const EventRuns& sent = message[packet.kind].back_to_back;
    const Time travel = at - sent[packet.sequence].at;
    sent.for_each_run(packet.sequence, count, 1, [&](const EventRun& run) {
        message.arrivals.push_back(
            {arrival_of(packet, run.first, run.first.at + travel), run.count, run.each, run.cause});
    });
}

/// When a packet that left at `departure` has passed its receiver's NIC, `at`. In the time that it took beyond an idle
/// network's, links were busy with others.
TimedEvent PacketDispatch::arrival_of(const PacketName& packet, const TimedEvent& departure, Time at) const {
    const Time in = at - receiver_of(packet).latency(), idle = departure.at + idle_path(packet);
    return departure.until(std::min(idle, in), &CriticalPath::latency_ps)
        .until(in, &CriticalPath::wire_ps)
        .until(at, &CriticalPath::latency_ps);
}

/// From a packet's last bit leaving its rank to that bit's arrival, if no link is busy.
Time PacketDispatch::idle_path(const PacketName& packet) const {
    const StepInFlight& message = job_->in_flight.at(packet.step);
    return idle_latency(flow_of(message, packet).path, flows_.topology(), network_,
                        message[packet.kind].packets.wire_of(packet.sequence));
}

const FlowTable::Flow& PacketDispatch::flow_of(const StepInFlight& message, const PacketName& packet) const {
    if (packet.kind != PacketKind::refusal && message.flow != nullptr) return *message.flow;
    return flows_.of(from(packet), to(packet), job_->channel(packet.step), packet.sequence);
}

Bytes PacketDispatch::wire_of(const PacketName& packet) const {
    return job_->in_flight.at(packet.step)[packet.kind].packets.wire_of(packet.sequence);
}

bool PacketDispatch::passes(const PacketName& packet) {
    if (!faults_) return true;
    const Delivery delivery = job_->in_flight.delivery(packet, packet.sequence);
    return faults_->passes(packet, delivery.bytes, delivery.size);
}

bool PacketDispatch::admits(const PacketName& packet, EdgeId edge) {
    const Bytes size{job_->in_flight.delivery(packet, packet.sequence).size};
    return receiver_of(packet).staging().admits(packet.step, size, edge);
}

void PacketDispatch::arrived(const PacketName& packet, Time came) {
    StepInFlight& message = job_->in_flight.at(packet.step);
    PacketTrain& train = message[packet.kind];
    const std::uint32_t first = flows_.spray() ? packet.sequence : train.handed_over;
    train.handed_over = packet.sequence + 1;
    Delivery delivery = job_->in_flight.delivery(packet, first);
    delivery.from = from(packet);
    delivery.arrival = delivery.arrivals != nullptr ? message.arrivals[packet.sequence]
                                                    : arrival_of(packet, train.departure(packet.sequence), came);
    if (came < scheduler_.now()) delivery.arrival = delivery.arrival.until(scheduler_.now(), &CriticalPath::wait_ps);
    if (!faults_) return receiver_of(packet).receive().arrived(delivery);
    for (const Delivery& brought : faults_->bring(delivery, train.packets.packets))
        receiver_of(packet).receive().arrived(brought);
}

std::optional<FaultUse> PacketDispatch::fault_use() const {
    if (!faults_) return std::nullopt;
    FaultUse use = faults_->use();
    use.discarded = job_->discarded;
    use.sorted = job_->sorted;
    return use;
}

}   // namespace oscar
