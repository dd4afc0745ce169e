// The way into a NIC: what has come is put together, refused or decoded, added and written back.
#include <string>
#include <utility>

#include "models/engine/engine_cycles.hpp"
#include "models/nic/nic.hpp"

namespace oscar {

void Nic::arrived(const Delivery& delivery) {
    if (started_) process(delivery, delivery.arrival);
    else early_.push_back(delivery);
}

/// Packets are taken in the order of their numbers, each once.
void Nic::process(const Delivery& delivery, const TimedEvent& now) {
    if (delivery.kind == PacketKind::refusal) return resend(delivery.step, now);
    if (job_->taken[delivery.step.value]) {
        ++job_->discarded;
        return;
    }
    Inbound& inbound = job_->inbound[delivery.step];
    if (inbound.refused && delivery.kind == PacketKind::message) return;
    if (delivery.first() != inbound.assembly.packets()) return keep_ahead(delivery, inbound);
    process_next(delivery, now);
    while (!job_->taken[delivery.step.value] && !inbound.ahead.empty() &&
           inbound.ahead.begin()->first == inbound.assembly.packets()) {
        const Delivery next = inbound.ahead.extract(inbound.ahead.begin()).mapped();
        process_next(next, now);   // it had overtaken this one
    }
}

/// Of packets that are not next: one that has come before is a duplicate.
void Nic::keep_ahead(const Delivery& delivery, Inbound& inbound) {
    const bool ahead = delivery.first() > inbound.assembly.packets();
    if (ahead && inbound.ahead.try_emplace(delivery.first(), delivery).second) ++job_->sorted;
    else ++job_->discarded;
}

void Nic::process_next(const Delivery& delivery, const TimedEvent& now) {
    Inbound& inbound = job_->inbound[delivery.step];
    if (inbound.refused && delivery.kind == PacketKind::message) return;
    begin_timestep(step_of(delivery.step).timestep, now);   // if this rank has not begun the timestep
    inbound.assembly.add(delivery);
    if (!inbound.assembly.altered()) return take(delivery, inbound, now);
    try {
        take(delivery, inbound, now);
    } catch (const CorruptStream& error) {
        const Step& step = step_of(delivery.step);
        throw CorruptStream("rank " + std::to_string(step.to.value) + ": the message of step " +
                            std::to_string(delivery.step.value) + " came damaged: " + error.what());
    }
}

/// Damage that nothing has noticed before is noticed here, or by whoever compares the sums.
void Nic::take(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    if (delivery.arrivals != nullptr) {   // nothing else comes to this rank before the last of them
        if (!delivery.last) return;
        take_in_all(delivery, inbound);
    } else if (!take_in_complete(delivery, inbound, now)) {
        return;
    }
    if (delivery.last) complete(delivery.step, inbound, now);
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
    send_refusal(id, now);
}

/// Takes in the blocks that are complete with the packets that have come, the last of them now; false: the message is
/// refused.
bool Nic::take_in_complete(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    if (inbound.assembly.altered()) return take_in_altered(delivery, inbound, now);
    const auto& batches = delivery.whole->shape->batches;
    while (inbound.next_batch < batches.size()) {
        const BlockBatches& batch = batches[inbound.next_batch];
        if (batch.packet + inbound.batch_packets * batch.stride >= inbound.assembly.packets()) break;
        if (!take_in_at(delivery.step, inbound, batch, now)) return false;
        if (++inbound.batch_packets < batch.packets) continue;
        ++inbound.next_batch;
        inbound.batch_packets = 0;
    }
    return true;
}

/// The same by the headers in the bytes that came: nobody has parsed these before.
bool Nic::take_in_altered(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    const Encoded found{{}, participants().blocks_in(delivery.step, inbound.assembly.bytes())};
    const MessageShape shape = shape_of(found, network_.packet);
    for (const BlockBatches& batch : shape.batches)
        for (std::uint32_t i = 0; i < batch.packets; ++i) {
            const bool comes_now = batch.packet + i * batch.stride >= delivery.first();
            if (comes_now && !take_in_at(delivery.step, inbound, batch, now)) return false;
        }
    return true;
}

/// The blocks of a batch that one packet completes; false: the message is refused.
bool Nic::take_in_at(StepId id, Inbound& inbound, const BlockBatches& batch, const TimedEvent& now) {
    if (!inbound.compared && must_refuse(id, inbound, *batch.block)) {
        refuse(id, inbound, now);
        return false;
    }
    take_in(id, inbound, batch, {now});
    return true;
}

/// All packets have come, and nothing else has since the first of them.
void Nic::take_in_all(const Delivery& delivery, Inbound& inbound) {
    for (const BlockBatches& batch : delivery.whole->shape->batches)
        delivery.arrivals->for_each_run(batch.packet, batch.packets, batch.stride,
                                        [&](const EventRun& passed) { take_in(delivery.step, inbound, batch, passed); });
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
    job_->outcome.sent[id.value] = participants().receive(id, inbound.assembly.take());
    StepTimes& times = job_->outcome.steps[id.value];
    times.arrived = since_begin(now);
    const TimedEvent ready = plan().adds(id) ? later(now, inbound.done) : now;
    times.ready = since_begin(ready);
    times.path = ready.path;
    if (participants().may_refuse()) decoded_[step_of(id).chunk] = inbound.done;   // later than what came of it before
    job_->end(id);   // memory stays with what is on its way
    scheduler_.at(ready.at, Stage::ready, id.value, [this, id] { on_ready_(id); });
}

}   // namespace oscar
