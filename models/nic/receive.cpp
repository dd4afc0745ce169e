#include "models/nic/receive.hpp"

#include <string>
#include <utility>

namespace oscar {
namespace {

/// True if what depends on a step starts when the step's values are there, and not when its bytes are: they are added,
/// or an engine does not tell yet when they will be in GPU memory.
bool waits_for_values(const RunningJob& job, const BlockUnits& units, StepId step) {
    if (job.places.staged() && job.places.tier(step) == Tier::between) return true;
    return job.job.plan.adds(step) || (job.places.goes_to_memory(step) && units.answers_later(step));
}

}   // namespace

void Receive::begin(RunningJob& job) {
    state_ = {.job = &job, .early = EarlyDeliveries(job)};
    staging_.begin(job);
}

void Receive::start(const TimedEvent& now) {
    state_.early.start();
    state_.start = now;
    process_early(now);
    staging_.start();
}

void Receive::arrived(const Delivery& delivery) {
    staging_.take(delivery);
    if (state_.early.admits(delivery)) process(delivery, delivery.arrival);
    else state_.early.keep(delivery);
}

void Receive::process_early(const TimedEvent& now) {
    for (const Delivery& early : state_.early.admitted()) process(early, later(early.arrival, now));
}

/// Packets are taken in the order of their numbers, each once.
void Receive::process(const Delivery& delivery, const TimedEvent& now) {
    if (delivery.kind == PacketKind::refusal) return resend(delivery.step, now);
    if (job().taken[delivery.step.value]) {
        ++job().discarded;
        return staging_.drop(delivery);
    }
    Inbound& inbound = job().inbound[delivery.step];
    if (inbound.refused && delivery.kind == PacketKind::message) return staging_.drop(delivery);
    if (delivery.first() != inbound.assembly.packets()) return keep_ahead(delivery, inbound);
    process_next(delivery, now);
    while (!job().taken[delivery.step.value] && !inbound.ahead.empty() &&
           inbound.ahead.begin()->first == inbound.assembly.packets()) {
        const Delivery next = inbound.ahead.extract(inbound.ahead.begin()).mapped();
        process_next(next, now);   // it had overtaken this one
    }
}

/// A message of this rank was refused. Its values may be sums that are not decoded yet.
void Receive::resend(StepId id, const TimedEvent& now) {
    const auto decoded = state_.decoded.find(job().job.plan.sent_chunk(id));
    const bool first = transmit_.resend(id, decoded == state_.decoded.end() ? now : later(now, decoded->second));
    if (!first) ++job().discarded;
}

/// Of packets that are not next: one that has come before is a duplicate.
void Receive::keep_ahead(const Delivery& delivery, Inbound& inbound) {
    const bool ahead = delivery.first() > inbound.assembly.packets();
    if (ahead && inbound.ahead.try_emplace(delivery.first(), delivery).second) {
        ++job().sorted;
        return;
    }
    ++job().discarded;
    staging_.drop(delivery);
}

void Receive::process_next(const Delivery& delivery, const TimedEvent& now) {
    Inbound& inbound = job().inbound[delivery.step];
    if (inbound.refused && delivery.kind == PacketKind::message) return staging_.drop(delivery);
    units_.packet_arrived(delivery.step, now);
    inbound.assembly.add(delivery);
    if (!inbound.assembly.altered()) return decode_complete_blocks(delivery, inbound, now);
    try {
        decode_complete_blocks(delivery, inbound, now);
    } catch (const CorruptStream& error) {
        const Step& step = step_of(delivery.step);
        throw CorruptStream("rank " + std::to_string(step.to.value) + ": the message of step " +
                            std::to_string(delivery.step.value) + " came damaged: " + error.what());
    }
}

/// Damage that nothing has noticed before is noticed here, or by whoever compares the sums.
void Receive::decode_complete_blocks(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    if (delivery.arrivals != nullptr) {   // nothing else comes to this rank before the last of them
        if (!delivery.last) return;
        hand_all_to_units(delivery, inbound);
    } else if (!hand_complete_to_units(delivery, inbound, now)) {
        return;
    }
    if (delivery.last) complete(delivery.step, inbound, now);
}

/// The first block that is not raw names the tables of the whole message.
bool Receive::must_refuse(StepId id, Inbound& inbound, const Block& block) const {
    inbound.compared = block.mode != BlockMode::raw;
    return !job().job.source.holds_tables_of(id, block);
}

/// Forgets what has come of the message and asks for it with a table.
void Receive::refuse(StepId id, Inbound& inbound, const TimedEvent& now) {
    const TimedEvent operand = inbound.operand;
    const std::uint32_t undecoded = inbound.undecoded;
    staging_.release_all(id, inbound, now.at);
    inbound.clear();
    inbound.operand = operand;
    inbound.undecoded = undecoded;
    inbound.refused = true;
    inbound.compared = true;   // what comes now brings its table; else receive() says what is wrong
    transmit_.send_refusal(id, now);
}

/// Takes in the blocks that are complete with the packets that have come, the last of them now; false: the message is
/// refused.
bool Receive::hand_complete_to_units(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    if (inbound.assembly.altered()) return hand_altered_to_units(delivery, inbound, now);
    const auto& batches = delivery.whole->shape->batches;
    while (inbound.next_batch < batches.size()) {
        const BlockBatches& batch = batches[inbound.next_batch];
        if (batch.packet + inbound.batch_packets * batch.stride >= inbound.assembly.packets()) break;
        if (!hand_to_units_at(delivery.step, inbound, batch, now)) return false;
        if (++inbound.batch_packets < batch.packets) continue;
        ++inbound.next_batch;
        inbound.batch_packets = 0;
    }
    return true;
}

/// The same by the headers in the bytes that came: nobody has parsed these before.
bool Receive::hand_altered_to_units(const Delivery& delivery, Inbound& inbound, const TimedEvent& now) {
    const Encoded found{{}, job().job.source.blocks_in(delivery.step, inbound.assembly.bytes())};
    const MessageShape shape = shape_of(found, packet_);
    for (const BlockBatches& batch : shape.batches)
        for (std::uint32_t i = 0; i < batch.packets; ++i) {
            const bool comes_now = batch.packet + i * batch.stride >= delivery.first();
            if (comes_now && !hand_to_units_at(delivery.step, inbound, batch, now)) return false;
        }
    return true;
}

/// The blocks of a batch that one packet completes; false: the message is refused.
bool Receive::hand_to_units_at(StepId id, Inbound& inbound, const BlockBatches& batch, const TimedEvent& now) {
    if (!inbound.compared && must_refuse(id, inbound, *batch.block)) {
        refuse(id, inbound, now);
        return false;
    }
    hand_to_units(id, inbound, batch, {now});
    return true;
}

/// All packets have come, and nothing else has since the first of them.
void Receive::hand_all_to_units(const Delivery& delivery, Inbound& inbound) {
    for (const BlockBatches& batch : delivery.whole->shape->batches)
        delivery.arrivals->for_each_run(batch.packet, batch.packets, batch.stride, [&](const EventRun& passed) {
            hand_to_units(delivery.step, inbound, batch, passed);
        });
}

/// With packets that have passed this NIC, blocks are taken in once this rank has begun and operands and tables are
/// there.
void Receive::hand_to_units(StepId id, Inbound& inbound, const BlockBatches& batch, const EventRun& passed) {
    const TimedEvent gate = later(state_.start, units_.operands_there(id, inbound));
    const std::uint32_t held_up = passed.before(gate.at);
    const auto give = [&](const EventRun& ready) {
        units_.decode_blocks(id, inbound, batch, ready);
        const Bytes taken{std::uint64_t{ready.count} * batch.blocks * batch.block->bytes};
        if (inbound.freed) staging_.release(id, inbound, taken, *inbound.freed);
    };
    if (held_up > 0) give({gate, held_up});
    if (held_up < passed.count) give(passed.part(held_up, passed.count - held_up));
}

void Receive::complete(StepId id, Inbound& inbound, const TimedEvent& now) {
    job().outcome.records.set(id.value, job().job.source.receive(id, inbound.assembly.take()));
    if (job().job.received) job().job.received();
    job().outcome.steps.change(id.value).arrived = now.at - job().origin;
    job().taken[id.value] = true;
    inbound.whole = true;
    inbound.arrived = now;
    if (inbound.undecoded == 0) end(id, inbound);
}

void Receive::decoded(StepId id, const TimedEvent& done) {
    if (!waits_for_values(job(), units_, id)) {   // it has ended
        if (TimedEvent& last = state_.decoded[job().job.plan.taken_chunk(id)]; job().job.source.may_refuse())
            last = later(last, done);
        return;
    }
    Inbound& inbound = job().inbound.at(id);
    inbound.done = later(inbound.done, done);
    if (--inbound.undecoded == 0 && inbound.whole) end(id, inbound);
}

/// All of a step is taken in: what depends on it may start, copies when their bytes are there.
void Receive::end(StepId id, Inbound& inbound) {
    const TimedEvent ready =
        waits_for_values(job(), units_, id) ? later(inbound.arrived, inbound.done) : inbound.arrived;
    staging_.release_all(id, inbound, ready.at);
    StepTimes& times = job().outcome.steps.change(id.value);
    times.ready = ready.at - job().origin;
    times.path = ready.path;
    if (job().job.source.may_refuse())
        state_.decoded[job().job.plan.taken_chunk(id)] = inbound.done;   // later than what came of it before
    job().end(id);                                                       // memory stays with what is in flight
    if (!job().places.two_tiers())
        return scheduler_.at(ready.at, Stage::ready, job().order(id), [this, id] { on_ready_(id); });
    scheduler_.at(ready.at, Stage::ready, job().order(id), [this, id, ready] {
        job().complete[id.value] = true;
        on_ready_(id);
        process_early(ready);
    });
}

}   // namespace oscar
