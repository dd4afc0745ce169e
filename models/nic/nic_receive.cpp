// The way into a NIC: what has come is put together, refused or decoded, added and written back.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/engine/engine_cycles.hpp"
#include "models/nic/nic.hpp"

namespace oscar {

void Nic::arrived(const PacketName& packet) {
    const Outbound& out = job_->outbound.at(packet.step);
    const TimedEvent arrival = out.arrivals.empty()
                                   ? arrival_of(packet, departures_of(packet)[packet.sequence], scheduler_.now())
                                   : out.arrivals[packet.sequence];
    if (started_) process(packet, arrival);
    else early_packets_.push_back({packet, arrival});
}

void Nic::process(const PacketName& packet, const TimedEvent& now) {
    if (packet.kind == PacketKind::refusal) return resend(packet.step, now);
    Inbound& inbound = job_->inbound[packet.step];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    if (flows_.spray() && packet.sequence > inbound.assembly.packets()) {
        inbound.ahead.insert(packet.sequence);
        return;
    }
    const std::uint32_t packets = departures_of(packet).packets.packets;
    process_next(packet, now);
    for (PacketName next = packet; ++next.sequence < packets && inbound.ahead.erase(next.sequence) > 0;)
        process_next(next, now);   // it had overtaken this one
}

void Nic::process_next(const PacketName& packet, const TimedEvent& now) {
    Inbound& inbound = job_->inbound[packet.step];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    begin_timestep(step_of(packet.step).timestep, now);   // if this rank has not begun the timestep
    const bool last = packet.sequence + 1 == departures_of(packet).packets.packets;
    const bool foretold = !job_->outbound.at(packet.step).arrivals.empty();
    if (foretold && !last) return;
    assemble(packet, inbound);
    if (foretold) take_in_all(packet.step, inbound);
    else if (!take_in_complete(packet.step, inbound, now)) return;
    if (last) complete(packet.step, inbound, now);
}

/// Adds the packets up to this one to those that have come.
void Nic::assemble(const PacketName& last, Inbound& inbound) const {
    if (last.sequence < inbound.assembly.packets())
        throw std::logic_error("packets of step " + std::to_string(last.step.value) + " overtook each other");
    const Encoded& message = *job_->outbound.at(last.step).message;
    if (message.values) {
        const std::uint64_t end = std::min((last.sequence + 1) * network_.packet.count, message.size());
        return inbound.assembly.add_unseen(last.sequence + 1 - inbound.assembly.packets(),
                                           end - inbound.assembly.received());
    }
    const Step& step = step_of(last.step);
    for (std::uint32_t i = inbound.assembly.packets(); i <= last.sequence; ++i) {
        const std::uint64_t offset = inbound.assembly.received();
        const std::uint64_t size = std::min(network_.packet.count, message.size() - offset);
        inbound.assembly.add(message,
                             {step.from, step.to, last.step, i, offset, std::span(message.bytes).subspan(offset, size),
                              network_.header, offset + size == message.size(), last.kind});
    }
}

/// The first block that is not raw names the tables of the whole message.
bool Nic::must_refuse(StepId id, Inbound& inbound, const Block& block) const {
    inbound.compared = block.mode != BlockMode::raw;
    return !participants().holds_tables_of(id, block);
}

/// Forgets what has come of the message and asks for it with a table.
void Nic::refuse(StepId id, Inbound& inbound, const TimedEvent& now) {
    const TimedEvent operand = inbound.operand;
    inbound.clear();
    inbound.operand = operand;
    inbound.refused = true;
    inbound.compared = true;   // what comes now brings its table; else receive() says what is wrong
    Departures& departures = departures_of({id, PacketKind::refusal});
    departures.packets = {PacketName{id, PacketKind::refusal}.tag(), 1, network_.header, network_.header};
    departures.eligible.push_back({now.after(way_out_, &CriticalPath::latency_ps)});
    send(id, PacketKind::refusal, std::array{0u});
}

/// Encodes a message once more. Its values are read again, or taken from NIC memory, where they are when what brought
/// them is decoded. What is left of the refused message stays in the queue before it.
void Nic::resend(StepId id, const TimedEvent& now) {
    Outbound& out = job_->outbound.at(id);
    refused_.push_back(std::exchange(out.message, participants().resend(id)));
    out.shape = job_->shapes.of(out.message);
    ++job_->outcome.resent.messages;
    job_->outcome.resent.bytes += out.message->size();
    const auto decoded = decoded_.find(step_of(id).chunk);
    const TimedEvent earliest = decoded == decoded_.end() ? now : later(now, decoded->second);
    schedule_blocks(id, out, false, earliest);
    packetise(id, PacketKind::resent, earliest);
}

/// Takes in the blocks that are complete with the packets that have come, the last of them now; false: the message is
/// refused.
bool Nic::take_in_complete(StepId id, Inbound& inbound, const TimedEvent& now) {
    const auto& batches = job_->outbound.at(id).shape->batches;
    while (inbound.next_batch < batches.size()) {
        const BlockBatches& batch = batches[inbound.next_batch];
        if (batch.packet + inbound.batch_packets * batch.stride >= inbound.assembly.packets()) break;
        if (!inbound.compared && must_refuse(id, inbound, *batch.block)) {
            refuse(id, inbound, now);
            return false;
        }
        take_in(id, inbound, batch, {now});
        if (++inbound.batch_packets < batch.packets) continue;
        ++inbound.next_batch;
        inbound.batch_packets = 0;
    }
    return true;
}

/// All packets have come, and nothing else has since the first of them.
void Nic::take_in_all(StepId id, Inbound& inbound) {
    const Outbound& out = job_->outbound.at(id);
    for (const BlockBatches& batch : out.shape->batches)
        out.arrivals.for_each_run(batch.packet, batch.packets, batch.stride,
                                  [&](const EventRun& passed) { take_in(id, inbound, batch, passed); });
}

/// With packets that have passed this NIC, blocks are taken in once this rank has begun and operands and tables are
/// there.
void Nic::take_in(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& passed) {
    TimedEvent gate = later(start_, inbound.operand);
    if (participants().uses_engine()) gate = later(gate, tables_there(step_of(id).timestep));
    const std::uint32_t held_up = passed.before(gate.at);
    if (held_up > 0) serve(id, inbound, batch, {gate, held_up});
    if (held_up < passed.count) serve(id, inbound, batch, passed.part(held_up, passed.count - held_up));
}

/// The decoder or the adders, then DMA to GPU memory, take as many blocks at each of the moments. What is complete with
/// one packet is a piece of work of the adders.
void Nic::serve(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) {
    const Block& block = *batch.block;
    const bool engine = participants().uses_engine(), writes = plan().completes(id);
    const Bytes written{block.values * value_bytes_.written};
    if (!engine && !plan().adds(id)) {
        inbound.done = later(inbound.done, ready.back());
        if (writes) note_written(id, write_.serve_run(ready, batch.blocks, written));
        return;
    }
    PipelinedUnit& unit = engine ? decoder_ : adder_;
    const Cycles work = engine ? decode_cycles(node_.engine, block) : block.values;
    const Cycles latency = engine ? decode_latency(node_.engine, block) : adder_latency;
    if (!writes && work > 0 && !batch.continues) {
        inbound.done = later(inbound.done, unit.serve_run(ready, batch.blocks * work, latency));
        return;
    }
    for (std::uint32_t i = 0; i < ready.count; ++i) {
        if (!batch.continues) unit.begin_piece();
        const ServiceBatch served = unit.serve(ready[i], batch.blocks, work, latency);
        inbound.done = later(inbound.done, served.done(batch.blocks - 1));
        if (writes) note_written(id, write_.serve(served, written));
    }
}

void Nic::note_written(StepId id, const TimedEvent& written) {
    RankUse& use = job_->outcome.ranks[rank_.value];
    if (since_begin(written) <= use.finish) return;
    use.finish = since_begin(written);
    use.path = written.path;
    use.last = id;
}

void Nic::complete(StepId id, Inbound& inbound, const TimedEvent& now) {
    Outcome& outcome = job_->outcome;
    outcome.sent[id.value] = inbound.assembly.as_sent()
                                 ? participants().receive(id, job_->outbound.at(id).message)
                                 : participants().receive_altered(id, std::move(inbound.assembly.bytes()));
    StepTimes& times = outcome.steps[id.value];
    times.arrived = since_begin(now);
    const TimedEvent ready = plan().adds(id) ? later(now, inbound.done) : now;
    times.ready = since_begin(ready);
    times.path = ready.path;
    if (participants().may_refuse()) decoded_[step_of(id).chunk] = inbound.done;   // later than what came of it before
    job_->outbound.erase(id);   // memory stays with what is on its way
    job_->inbound.erase(id);
    scheduler_.at(ready.at, Stage::ready, id.value, [this, id] { on_ready_(id); });
}

}   // namespace oscar
