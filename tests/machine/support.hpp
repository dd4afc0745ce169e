// Machines whose times can be read off, and random ones with random jobs. Numbers are drawn with the generator alone,
// for the standard distributions differ between hosts.
#pragma once

#include <optional>
#include <random>

#include "models/core/quantity.hpp"

#include "tests/system/support.hpp"

namespace oscar::test {

/// Two ranks and two cables: a byte takes 1 ns on the wire and 100 ns to the other side, a value 1 ns from or to GPU
/// memory behind a latency of 70.3 ns, a packet 10 ns through a NIC. Fixed-point blocks are 64 values in 16 cycles of 1
/// ns.
inline MachineSpec readable() {
    MachineSpec spec;
    spec.ranks = 2;
    spec.topology = CableRingParams{};
    spec.network.link = {8_Gbps, 100_ns, 64_KiB};
    spec.network.packet = 64_B;
    spec.network.header = 0_B;
    spec.node.gpu = {32_Gbps, 70'300_ps};
    spec.node.nic = {.latency = 10_ns, .adders = 64, .clock = 1_GHz};
    spec.node.engine.lanes = 4;
    spec.node.engine.finish_slots = 0;
    spec.node.engine.encode_latency = 12;
    spec.node.engine.decode_latency = 18;
    return spec;
}

inline std::unique_ptr<Codec> fixed_point_codec(const MachineSpec& spec) {
    return make_codec(FixedPointParams{}, spec.node.engine.framing());
}

template <class Container>
Time total(const Container& spans) {
    Time sum;
    for (const Span span : spans) sum += span.end - span.begin;
    return sum;
}

class Draws {
public:
    explicit Draws(std::uint64_t seed) : random_(seed) {}
    std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + random_() % (most - least + 1); }
    std::uint32_t number(std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(between(least, most));
    }
    Time up_to(Time most) { return {static_cast<std::int64_t>(between(0, static_cast<std::uint64_t>(most.ps)))}; }
    bool coin() { return between(0, 1) == 1; }

private:
    std::mt19937_64 random_;
};

/// A machine of 2 to 9 ranks, none of whose parameters is round.
inline MachineSpec random_machine(Draws& draw) {
    MachineSpec spec;
    spec.ranks = draw.number(2, 9);
    if (draw.coin()) spec.topology = CableRingParams{};
    spec.network.packet = {draw.coin() ? draw.between(64, 256) : draw.between(64, 3000)};
    spec.network.header = {draw.between(0, 100)};
    spec.network.flit = {draw.between(1, 300)};
    const Bytes least = spec.network.packet + spec.network.header;
    spec.network.link = {{draw.between(5'000, 400'000)}, draw.up_to(2_us), {least.count * draw.between(1, 6)}};
    spec.network.switches.latency = draw.up_to(500_ns);
    spec.node.gpu.dma_bandwidth = {draw.between(20'000, 600'000)};
    spec.node.gpu.dma_latency = draw.up_to(1_us);
    spec.node.gpu.gradients = draw.coin() ? GradientForm::codes : GradientForm::fp32;
    spec.node.nic = {draw.up_to(200_ns), draw.number(1, 64), {draw.between(200'000, 3'000'000)}};
    spec.node.engine = {.lanes = draw.number(1, 64),
                        .clock = {draw.between(200'000, 3'000'000)},
                        .lane_values = draw.number(16, 1024),
                        .min_lane_values = draw.number(1, 64),
                        .encode_interval = draw.number(1, 4),
                        .decode_interval = draw.number(1, 4),
                        .encode_latency = draw.number(0, 40),
                        .decode_latency = draw.number(0, 40),
                        .search = draw.coin() ? RowSearch::flash : RowSearch::binary,
                        .streams = draw.number(1, 5)};
    if (draw.coin()) {   // packets and requests of PCI Express
        spec.node.gpu.dma_payload = {draw.between(16, 512)};
        spec.node.gpu.dma_header = {draw.between(0, 32)};
        if (draw.coin()) spec.node.gpu.dma_reads = draw.number(1, 64);
    }
    if (draw.coin())   // a switch that nobody shares
        spec.node.gpu.pcie_switch = PcieSwitchParams{1, {draw.between(20'000, 600'000)}, {}, draw.up_to(200_ns)};
    return spec;
}

/// As random_machine made it, but nodes that differ in all that they may.
inline MachineSpec with_random_nodes(MachineSpec spec, Draws& draw) {
    for (std::uint32_t rank = 0; rank < spec.ranks; ++rank) {
        NodeParams node = spec.node;
        node.gpu = random_machine(draw).node.gpu;
        node.nic = random_machine(draw).node.nic;
        node.engine.clock = {draw.between(200'000, 3'000'000)};
        node.engine.encode_interval = draw.number(1, 4);
        node.engine.decode_interval = draw.number(1, 4);
        node.engine.encode_latency = draw.number(0, 40);
        node.engine.decode_latency = draw.number(0, 40);
        node.engine.search = draw.coin() ? RowSearch::flash : RowSearch::binary;
        spec.nodes.push_back(node);
    }
    return spec;
}

inline CodecChoice random_codec(Draws& draw) {
    const std::uint64_t chosen = draw.between(0, codecs.size - 1);
    CodecChoice choice;
    std::uint64_t i = 0;
    for_each_kind(codecs, [&]<class P>(const Kind<P>&) {
        if (i++ == chosen) choice = P{};
    });
    return choice;
}

/// A machine and what it is asked to do. Integers, whatever the codec, so that sums are exact.
struct RandomJob {
    explicit RandomJob(std::uint64_t seed) : seed_(seed), draw_(seed) {}

    std::uint64_t seed_;
    Draws draw_;
    MachineSpec spec = random_machine(draw_);
    CodecChoice choice = random_codec(draw_);
    std::unique_ptr<Codec> codec = make_codec_of(choice, spec);
    std::uint32_t slices = draw_.number(1, 4), bits = draw_.number(4, 12);
    Issue issue = draw_.coin() ? Issue::lock_step : Issue::dependency;
    std::uint32_t elements = draw_.number(1, 12'000);
    Plan plan{make_schedule(RingParams{issue, slices}, spec.ranks), ElementType::integer, bits};
    std::vector<std::vector<Symbol>> values = codes(spec.ranks, elements, bits, seed_);
    ChunkLayout layout = draw_.coin()
                             ? make_layout(EqualParams{}, elements, {spec.ranks, slices}, {})
                             : make_layout(RoundRobinParams{draw_.number(1, 900)}, elements, {spec.ranks, slices}, {});
    std::vector<Time> start = starts();

    static std::unique_ptr<Codec> make_codec_of(const CodecChoice& choice, const MachineSpec& spec) {
        return make_codec(choice, spec.node.engine.framing());
    }
    Machine::Result run_on(Machine& machine) const { return machine.run(plan, *codec, values, issue, start, &layout); }
    const Step& step(std::size_t i) const { return plan.schedule.steps[i]; }

    friend std::ostream& operator<<(std::ostream& out, const RandomJob& job) {
        return out << "seed " << job.seed_ << ": " << job.spec.ranks << " ranks, " << job.spec.topology.name() << ", "
                   << job.choice.name() << ", " << job.slices << " slices, " << to_text(job.issue) << ", "
                   << job.elements << " elements, " << to_text(job.spec.network.link.bandwidth) << ", packets of "
                   << job.spec.network.packet.count << " + " << job.spec.network.header.count << " B";
    }

private:
    std::vector<Time> starts() {   // half of the jobs begin at all ranks at once
        std::vector<Time> result;
        if (draw_.coin())
            for (std::uint32_t r = 0; r < spec.ranks; ++r) result.push_back(draw_.up_to(10_us));
        return result;
    }
};

/// The packets of a message, with headers.
inline std::vector<Bytes> wires_of(std::uint64_t message_bytes, const NetworkParams& network) {
    std::vector<Bytes> wires;
    for (std::uint64_t left = message_bytes; left > 0 || wires.empty();) {
        const std::uint64_t payload = std::min(left, network.packet.count);
        wires.push_back(Bytes{payload} + network.header);
        left -= payload;
    }
    return wires;
}

inline Time serialization_of(std::uint64_t message_bytes, const NetworkParams& network) {
    Time sum;
    for (const Bytes wire : wires_of(message_bytes, network)) sum += serialization(wire, network.link.bandwidth);
    return sum;
}

/// From issue to arrival on an idle network, with nothing to wait for in the sender: NIC out, all packets, cables, in a
/// switch the first flit of the first packet, NIC in. No step is faster.
inline Time fastest(std::uint64_t message_bytes, std::size_t links, const MachineSpec& spec) {
    const NetworkParams& network = spec.network;
    const Bytes first = wires_of(message_bytes, network).front();
    const auto hops = static_cast<std::int64_t>(links);
    const Time flit = serialization(std::min(first, network.flit), network.link.bandwidth);
    return 2 * spec.node.nic.latency + serialization_of(message_bytes, network) + hops * network.link.propagation +
           (hops - 1) * (network.switches.latency + flit);
}

}   // namespace oscar::test
