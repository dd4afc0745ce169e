#include "models/hw/nic.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "models/engine/engine_cycles.hpp"
#include "models/net/idle.hpp"

namespace oscar {

Nic::Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Timeline& timeline, Flows& flows,
         Ready on_ready, Time way_out)
    : rank_(rank),
      node_(node),
      network_(network),
      timeline_(timeline),
      flows_(flows),
      on_ready_(std::move(on_ready)),
      way_out_(way_out),
      read_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      write_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      encoder_(node.engine.clock),
      decoder_(node.engine.clock),
      adder_(node.nic.clock, false) {}

void Nic::begin(RunningJob& job) {
    job_ = &job;
    value_bytes_ = value_bytes(node_.gpu.gradients, job.job.plan);
    started_ = false;
    start_ = {};
    early_.clear();
    refused_.clear();
    operands_asked_.assign(job.timesteps, false);
    tables_asked_.assign(job.timesteps, false);
    tables_there_.clear();
    decoded_.clear();
    last_departure_.clear();
    encoded_.clear();
    operands_.clear();
    window_.begin(network_.router.aggregator.slots);
    for (PipelinedUnit* unit : {&encoder_, &decoder_, &adder_}) unit->clear();
    for (Channel* channel : {&read_, &write_}) channel->clear();
}

void Nic::issue(StepId id, const Moment& now) {
    job_->outcome.steps[id.value].issued = since_begin(now);
    const bool forwarded = participants().forwards(id);
    const Step& step = step_of(id);
    fetch_tables(step.timestep.value, now);
    Outbound& out = job_->outbound[id];
    out.message = participants().send(id);
    out.shape = job_->shapes.of(out.message);
    if (!flows_.spray()) out.flow = &flows_.of(rank_, step.to);
    out.at_once = !flows_.spray() && !participants().may_refuse() && job_->one_sender[step.to.value];
    schedule_blocks(id, out, forwarded, now);
    packetise(id, PacketKind::message, now);
    // Behind what the other slices of the timestep, issued at the same instant, read to send.
    if (!operands_asked_[step.timestep.value]) begin_later(step.timestep, id, now);
}

void Nic::begin_later(Timestep timestep, StepId id, const Moment& now) {
    if (free_begins_.empty()) {
        free_begins_.push_back(static_cast<std::uint32_t>(begins_.size()));
        begins_.emplace_back();
    }
    const std::uint32_t number = free_begins_.back();
    free_begins_.pop_back();
    begins_[number] = {timestep, now};
    timeline_.at(now.at, Stage::timestep, id.value, [this, number] {
        free_begins_.push_back(number);
        const Begin begin = begins_[number];
        begin_timestep(begin.timestep, begin.now);
    });
}

/// When each block's bytes are there. What is forwarded is there already, or in the encoder.
void Nic::schedule_blocks(StepId id, const Outbound& out, bool forwarded, const Moment& now) {
    const ChunkId chunk = step_of(id).chunk;
    blocks_ready_.clear();
    if (const auto known = encoded_.find(chunk); forwarded && known != encoded_.end()) {
        blocks_ready_ = known->second;
        return blocks_ready_.hold_until(now);
    }
    if (forwarded) return blocks_ready_.push_back({now, static_cast<std::uint32_t>(out.message->blocks.size())});
    encode_blocks(id, out, now, blocks_ready_);
    if (plan().sent_again[id.value]) encoded_[chunk] = blocks_ready_;
}

/// Local values with their classes come by DMA; the classes of a sum are there, for it was decoded with them. Then the
/// encoder.
void Nic::encode_blocks(StepId id, const Outbound& out, const Moment& now, MomentRuns& ready) {
    if (plan().addends(id) > 1 && !participants().uses_engine())
        return ready.push_back({now, static_cast<std::uint32_t>(out.message->blocks.size())});
    for (const BlockRun& run : out.shape->runs) encode_run(run, id, now, ready);
}

/// Blocks that are read or encoded.
void Nic::encode_run(const BlockRun& run, StepId id, const Moment& now, MomentRuns& ready) {
    MomentRun there{now, run.count};
    if (plan().addends(id) == 1)
        there = read_.serve(now, run.count,
                            Bytes{run.block->values * value_bytes_.read} + side().mask_of(run.block->values));
    if (!participants().uses_engine()) return ready.push_back(there);
    const Moment tables = tables_there(step_of(id).timestep);
    const Cycles cycles = encode_cycles(node_.engine, *run.block);
    for (std::uint32_t i = 0; i < run.count; ++i)
        ready.push_back({encoder_.serve(later(there[i], tables), cycles, node_.engine.encode_latency)});
}

void Nic::packetise(StepId id, PacketKind kind, const Moment& now) {
    const Outbound& out = job_->outbound.at(id);
    const std::uint64_t size = out.message->size();
    const std::uint32_t packets = out.shape->packets;
    Departures& departures = departures_of({id, kind});
    departures.packets = {PacketName{id, kind}.tag(), packets, network_.packet + network_.header,
                          Bytes{size - (packets - 1) * network_.packet.count} + network_.header};
    make_eligible(*out.message, now, departures);
    send_in_turn(id, kind, now);
}

/// A packet may leave one way out of the NIC after all its blocks are there.
void Nic::make_eligible(const Encoded& message, const Moment& now, Departures& departures) const {
    const auto leaving = [&](const Moment& there) { return there.after(way_out_, &CriticalPath::latency_ps); };
    const std::uint32_t packets = departures.packets.packets;
    if (blocks_ready_.empty()) return departures.eligible.push_back({leaving(now), packets});
    if (blocks_ready_.one_moment()) return departures.eligible.push_back({leaving(blocks_ready_[0]), packets});
    std::uint32_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t end = std::min((i + 1) * network_.packet.count, message.size());
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < end) ++block;
        departures.eligible.push_back({leaving(blocks_ready_[block])});
    }
}

/// Hands over a message, that of a step when an aggregator that is to add it has a slot for it.
void Nic::send_in_turn(StepId id, PacketKind kind, const Moment& now) {
    const Outbound& out = job_->outbound.at(id);
    if (kind != PacketKind::message || !needs_slot(id)) return send(id, kind, out.wanted());
    window_.offer(step_of(id).chunk, id);
    send_what_has_a_slot(now);
}

bool Nic::needs_slot(StepId id) const {
    return step_of(id).op == Op::reduce && step_of(id).to.value >= job_->schedule().ranks;
}

void Nic::send_what_has_a_slot(const Moment& now) {
    while (const auto id = window_.take()) {
        departures_of({*id, PacketKind::message}).eligible.hold_until(now);
        send(*id, PacketKind::message, job_->outbound.at(*id).wanted());
    }
}

void Nic::slot_free(const Moment& now) {
    window_.free();
    send_what_has_a_slot(now);
}

/// Hands the packets to the network, which is told when each may leave.
void Nic::send(StepId id, PacketKind kind, std::span<const std::uint32_t> wanted) {
    const Outbound& out = job_->outbound.at(id);
    const Departures& departures = departures_of({id, kind});
    const FabricMessage& message = departures.packets;
    eligible_.clear();
    departures.eligible.for_each_run(0, message.packets, 1, [&](const MomentRun& run) {
        for (std::uint32_t i = 0; i < run.count; ++i) eligible_.push_back(run.at(i));
    });
    const Rank to = kind == PacketKind::refusal ? step_of(id).from : step_of(id).to;
    if (!flows_.spray()) {
        const FlowId flow = kind == PacketKind::refusal ? flows_.of(rank_, to).id : out.flow->id;
        return timeline_.fabric().send(flow, message, eligible_, wanted);
    }
    for (std::uint32_t i = 0; i < message.packets; ++i) {
        const Bytes wire = message.wire_of(i);
        timeline_.fabric().send(flows_.of(rank_, to, i).id, {PacketName{id, kind, i}.tag(), 1, wire, wire},
                                std::span(eligible_).subspan(i, 1), std::array{0u});
    }
}

Moment& Nic::last_departure(const PacketName& packet) {
    const Flows::Flow* flow = job_->outbound.at(packet.step).flow;
    if (flow == nullptr || packet.kind == PacketKind::refusal) {
        const Step& step = step_of(packet.step);
        flow = &flows_.of(rank_, packet.kind == PacketKind::refusal ? step.from : step.to, packet.sequence);
    }
    return last_departure_[flow->path.front().edge];
}

void Nic::count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end) {
    Outcome& outcome = job_->outcome;
    const FabricMessage& message = departures_of(packet).packets;
    const bool last = packet.sequence + count == message.packets;
    const Span span{begin - job_->origin, end - job_->origin};
    std::vector<Span>& wire = outcome.ranks[rank_.value].wire;
    if (!wire.empty() && span.begin < wire.back().begin) wire.push_back(span);   // on another link than the last
    else append(wire, span);
    outcome.wire_bytes[packet.step.value] +=
        (last ? count - 1 : count) * message.wire.count + (last ? message.last_wire.count : 0);
    if (packet.kind != PacketKind::refusal && last) outcome.steps[packet.step.value].sent = end - job_->origin;
}

/// A packet leaves when it is ready and the one before has left; if later, it had to wait for credit.
void Nic::departed(const PacketName& packet, Time begin, Time end) {
    count_departed(packet, 1, begin, end);
    Departures& departures = departures_of(packet);
    if (departures.by_packet.empty())
        departures.eligible.for_each_run(0, departures.packets.packets, 1, [&](const MomentRun& run) {
            for (std::uint32_t i = 0; i < run.count; ++i) departures.by_packet.push_back(run[i]);
        });
    Moment &departure = departures.by_packet[packet.sequence], &last = last_departure(packet);
    departure = later(departure, last).until(begin, &CriticalPath::wait_ps).until(end, &CriticalPath::wire_ps);
    last = departure;
    if (packet.kind == PacketKind::message && packet.sequence + 1 == departures.packets.packets)
        has_left(packet.step, last);
}

/// Those that may leave at one moment wait for the one before, each but the first for one of them.
void Nic::departed_in_turn(const PacketName& packet, std::uint32_t count, Time begin, Time each) {
    count_departed(packet, count, begin, begin + count * each);
    Departures& departures = departures_of(packet);
    Moment& last = last_departure(packet);
    const auto depart = [&](const Moment& eligible, std::uint32_t together) {
        const Moment first =
            later(eligible, last).until(begin, &CriticalPath::wait_ps).until(begin + each, &CriticalPath::wire_ps);
        departures.in_turn.push_back({first, together, each});
        last = departures.in_turn.last_run().back();
        begin += together * each;
    };
    departures.eligible.for_each_run(packet.sequence, count, 1, [&](const MomentRun& run) {
        if (run.each == Time{}) depart(run.first, run.count);
        else
            for (std::uint32_t i = 0; i < run.count; ++i) depart(run[i], 1);
    });
    if (packet.kind == PacketKind::message && packet.sequence + count == departures.packets.packets)
        has_left(packet.step, last);
}

void Nic::will_arrive(const PacketName& packet, std::uint32_t count, Time at) {
    Outbound& out = job_->outbound.at(packet.step);
    if (!out.at_once) return;
    const MomentRuns& sent = departures_of(packet).in_turn;
    const Time way = at - sent[packet.sequence].at;
    sent.for_each_run(packet.sequence, count, 1, [&](const MomentRun& run) {
        out.arrivals.push_back({arrival_of(packet, run.first, run.first.at + way), run.count, run.each});
    });
}

/// When a packet that left at `departure` has passed this NIC, `at`. What it took on its way beyond an idle network's
/// time, links were busy with others.
Moment Nic::arrival_of(const PacketName& packet, const Moment& departure, Time at) {
    const Time in = at - node_.nic.latency, idle = departure.at + idle_way(packet);
    return departure.until(std::min(idle, in), &CriticalPath::latency_ps)
        .until(in, &CriticalPath::wire_ps)
        .until(at, &CriticalPath::latency_ps);
}

/// From a packet's last bit leaving its rank to that bit's arrival, if no link is busy.
Time Nic::idle_way(const PacketName& packet) {
    const Outbound& out = job_->outbound.at(packet.step);
    const Bytes wire = departures_of(packet).packets.wire_of(packet.sequence);
    const Step& step = step_of(packet.step);
    const bool forth = packet.kind != PacketKind::refusal;
    const Flows::Flow& flow =
        forth && out.flow != nullptr ? *out.flow : flows_.of(forth ? step.from : step.to, rank_, packet.sequence);
    return idle_latency(flow.path, flows_.topology(), network_, wire);
}

/// The local values that this timestep's sums will need, once for all that is added to them, and the classes of all
/// that comes, are read while the network is busy with their other operand; then the tables of the next timestep.
void Nic::begin_timestep(Timestep timestep, const Moment& now) {
    if (operands_asked_[timestep.value]) return;
    operands_asked_[timestep.value] = true;
    fetch_tables(timestep.value, now);
    for (const StepId id : of_timestep(job_->schedule(), job_->incoming[rank_.value], timestep)) {
        const ChunkId chunk = step_of(id).chunk;
        const std::uint64_t values = participants().values(id);
        const bool remainder = plan().known[id.value].has_value(), adds = plan().adds(id);
        const bool shared = adds && !remainder && job_->added_again[id.value];
        const bool reads = remainder || (adds && !(shared && operands_.contains(chunk)));
        const Bytes size = Bytes{reads ? values * value_bytes_.read : 0} + side().mask_of(values);
        Moment operand;
        if (size > 0_B) operand = read_.serve(now, size);
        if (shared) operand = later(operand, operands_.try_emplace(chunk, operand).first->second);
        if (adds || size > 0_B) job_->inbound[id].operand = operand;
    }
    if (side().prefetch) fetch_tables(timestep.value + 1, now);
}

void Nic::fetch_tables(std::uint32_t timestep, const Moment& now) {
    if (timestep == tables_asked_.size() || tables_asked_[timestep]) return;
    tables_asked_[timestep] = true;
    const Bytes size = side().tables_of(rank_, Timestep{timestep});
    if (size > 0_B) tables_there_[Timestep{timestep}] = read_.serve(now, size);
}

/// The beginning of time where none are read.
Moment Nic::tables_there(Timestep timestep) const {
    const auto found = tables_there_.find(timestep);
    return found == tables_there_.end() ? Moment{} : found->second;
}

void Nic::start(const Moment& now) {
    started_ = true;
    start_ = now;
    for (const Early& early : std::exchange(early_, {})) process(early.packet, later(early.arrival, now));
}

void Nic::arrived(const PacketName& packet) {
    const Outbound& out = job_->outbound.at(packet.step);
    const Moment arrival = out.arrivals.empty()
                               ? arrival_of(packet, departures_of(packet)[packet.sequence], timeline_.now())
                               : out.arrivals[packet.sequence];
    if (started_) process(packet, arrival);
    else early_.push_back({packet, arrival});
}

void Nic::process(const PacketName& packet, const Moment& now) {
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

void Nic::process_next(const PacketName& packet, const Moment& now) {
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
void Nic::refuse(StepId id, Inbound& inbound, const Moment& now) {
    const Moment operand = inbound.operand;
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
void Nic::resend(StepId id, const Moment& now) {
    Outbound& out = job_->outbound.at(id);
    refused_.push_back(std::exchange(out.message, participants().resend(id)));
    out.shape = job_->shapes.of(out.message);
    ++job_->outcome.resent.messages;
    job_->outcome.resent.bytes += out.message->size();
    const auto decoded = decoded_.find(step_of(id).chunk);
    const Moment earliest = decoded == decoded_.end() ? now : later(now, decoded->second);
    schedule_blocks(id, out, false, earliest);
    packetise(id, PacketKind::resent, earliest);
}

/// Takes in the blocks that are complete with the packets that have come, the last of them now; false: the message is
/// refused.
bool Nic::take_in_complete(StepId id, Inbound& inbound, const Moment& now) {
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
                                  [&](const MomentRun& passed) { take_in(id, inbound, batch, passed); });
}

/// With packets that have passed this NIC, blocks are taken in once this rank has begun and operands and tables are
/// there.
void Nic::take_in(StepId id, Inbound& inbound, const BlockBatches& batch, const MomentRun& passed) {
    Moment gate = later(start_, inbound.operand);
    if (participants().uses_engine()) gate = later(gate, tables_there(step_of(id).timestep));
    const std::uint32_t held_up = passed.before(gate.at);
    if (held_up > 0) serve(id, inbound, batch, {gate, held_up});
    if (held_up < passed.count) serve(id, inbound, batch, passed.part(held_up, passed.count - held_up));
}

/// The decoder or the adder, then DMA to GPU memory, take as many blocks at each of the moments.
void Nic::serve(StepId id, Inbound& inbound, const BlockBatches& batch, const MomentRun& ready) {
    const Block& block = *batch.block;
    const bool engine = participants().uses_engine(), writes = plan().completes(id);
    const Bytes written{block.values * value_bytes_.written};
    if (!engine && !plan().adds(id)) {
        inbound.done = later(inbound.done, ready.back());
        if (writes) note_written(id, write_.serve_run(ready, batch.blocks, written));
        return;
    }
    PipelinedUnit& unit = engine ? decoder_ : adder_;
    const Cycles occupancy =
        engine ? decode_cycles(node_.engine, block) : (block.values + node_.nic.adders - 1) / node_.nic.adders;
    const Cycles latency = engine ? decode_latency(node_.engine, block) : adder_latency;
    if (!writes && occupancy > 0) {
        inbound.done = later(inbound.done, unit.serve_run(ready, batch.blocks * occupancy, latency));
        return;
    }
    for (std::uint32_t i = 0; i < ready.count; ++i) {
        const Served served = unit.serve(ready[i], batch.blocks, occupancy, latency);
        inbound.done = later(inbound.done, served.done(batch.blocks - 1));
        if (writes) note_written(id, write_.serve(served, written));
    }
}

void Nic::note_written(StepId id, const Moment& written) {
    RankUse& use = job_->outcome.ranks[rank_.value];
    if (since_begin(written) <= use.finish) return;
    use.finish = since_begin(written);
    use.path = written.path;
    use.last = id;
}

void Nic::complete(StepId id, Inbound& inbound, const Moment& now) {
    Outcome& outcome = job_->outcome;
    outcome.sent[id.value] = inbound.assembly.as_sent()
                                 ? participants().receive(id, job_->outbound.at(id).message)
                                 : participants().receive_altered(id, std::move(inbound.assembly.bytes()));
    StepTimes& times = outcome.steps[id.value];
    times.arrived = since_begin(now);
    const Moment ready = plan().adds(id) ? later(now, inbound.done) : now;
    times.ready = since_begin(ready);
    times.path = ready.path;
    if (participants().may_refuse()) decoded_[step_of(id).chunk] = inbound.done;   // later than what came of it before
    job_->outbound.erase(id);   // memory stays with what is on its way
    job_->inbound.erase(id);
    timeline_.at(ready.at, Stage::ready, id.value, [this, id] { on_ready_(id); });
}

}   // namespace oscar
