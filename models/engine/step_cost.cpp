#include "models/engine/step_cost.hpp"

#include <algorithm>
#include <vector>

#include "models/engine/engine_cycles.hpp"
#include "models/engine/servers.hpp"
#include "models/net/packet.hpp"

namespace oscar {
namespace {

std::uint64_t values_of(const Encoded& message) {
    std::uint64_t values = 0;
    for (const Block& block : message.blocks) values += block.values;
    return values;
}

/// Per packet, when it may leave the sender after the issue, as the NIC would compute it alone.
std::vector<Time> eligible(const Machine& m, const Encoded& message, bool local, bool encodes) {
    Channel read(m.gpu.dma_bandwidth, m.gpu.dma_latency);
    PipelinedUnit encoder(m.engine.clock);
    std::vector<Time> result(packets_of(message.bytes.size(), m.network.packet), m.nic.latency);
    for (const Block& block : message.blocks) {
        Moment ready;
        if (local) ready = read.serve(ready, Bytes{block.values * element_bytes});
        if (encodes) ready = encoder.serve(ready, encode_cycles(m.engine, block), m.engine.encode_latency);
        for (std::uint64_t p = block.offset / m.network.packet.count;
             p * m.network.packet.count < block.offset + block.bytes; ++p)
            result[p] = ready.at + m.nic.latency;
    }
    return result;
}

Bytes wire_of(const Machine& m, const Encoded& message, std::size_t packet) {
    const std::uint64_t offset = packet * m.network.packet.count;
    return Bytes{std::min(m.network.packet.count, message.bytes.size() - offset)} + m.network.header;
}

struct Receiving {
    Time decoded, written;   ///< last block
};

/// The receiver's decoder or adder and write DMA, fed with packets at `arrivals`.
Receiving receive(const Machine& m, const Plan& plan, const Codec& codec, StepId id, const Encoded& message,
                  const std::vector<Time>& arrivals, Time operand) {
    const bool adds = plan.schedule.steps[id.value].op == Op::reduce;
    PipelinedUnit decoder(m.engine.clock), adder(m.nic.clock);
    Channel write(m.gpu.dma_bandwidth, m.gpu.dma_latency);
    Receiving result{arrivals.back(), {}};
    for (const Block& block : message.blocks) {
        const std::uint64_t last_byte = std::max<std::uint64_t>(block.offset + block.bytes, 1) - 1;
        Moment done{arrivals[last_byte / m.network.packet.count]};
        if (adds) done = later(done, {operand});
        if (codec.uses_engine())
            done = decoder.serve(done, decode_cycles(m.engine, block), decode_latency(m.engine, block));
        else if (adds) done = adder.serve(done, (block.values + m.nic.adders - 1) / m.nic.adders, adder_latency);
        result.decoded = std::max(result.decoded, done.at);
        if (plan.completes(id)) result.written = write.serve(done, Bytes{block.values * element_bytes}).at;
    }
    return result;
}

}   // namespace

StepCost step_cost(const Machine& m, const Plan& plan, const Codec& codec, StepId id, const Encoded& message,
                   bool forwarded) {
    const Step& step = plan.schedule.steps[id.value];
    const bool local = !forwarded && plan.contributions[id.value].carried == 1;
    const std::vector<Time> leave = eligible(m, message, local, !forwarded && codec.uses_engine());
    std::vector<Time> arrivals;
    Time end = leave.front();
    // A short last packet queues in the switch behind the one before it, so that it too is late by a full first flit.
    const Time path = idle_transit(m.topology, m.network, step.from, step.to, wire_of(m, message, 0));
    for (std::size_t p = 0; p < leave.size(); ++p) {
        end = std::max(end, leave[p]) + serialization(wire_of(m, message, p), m.network.link.bandwidth);
        arrivals.push_back(end + path + m.nic.latency);
    }
    // The receiver fetches its operand behind the values it sends itself, as many on an average.
    const std::uint64_t fetched = values_of(message) * element_bytes * (local ? 2 : 1);
    const Time operand = m.gpu.dma_latency + serialization(Bytes{fetched}, m.gpu.dma_bandwidth);
    const Receiving receiving = receive(m, plan, codec, id, message, arrivals, operand);
    const Time ready = step.op == Op::copy ? arrivals.back() : receiving.decoded;
    return {leave.front(), end - leave.front(), path, ready - (end + path),
            std::max(Time{}, receiving.written - ready)};
}

}   // namespace oscar
