// Simulated flit-hops per CPU second of the timing core alone: a ring AllReduce without payload, whose messages are
// sent when what they wait for has arrived.
#include <benchmark/benchmark.h>

#include "models/network/event/message_fabric.hpp"
#include "models/network/event/packet_fabric.hpp"

namespace {

using namespace oscar;

constexpr Bytes packet = 4_KiB, header = 82_B;

/// A network of ranks 0 to n-1 and switches, and the way from each rank to the next.
struct RingOver {
    FabricParams params;
    std::vector<std::vector<Hop>> paths;

    void add(std::uint32_t from, std::uint32_t to, std::uint32_t ranks) {
        params.links.push_back({from, to, {100_Gbps, 500_ns, 256_KiB}, to < ranks ? 250_ns : 300_ns});
    }
};

RingOver star(std::uint32_t ranks) {
    RingOver ring;
    for (std::uint32_t r = 0; r < ranks; ++r) ring.add(r, ranks, ranks), ring.add(ranks, r, ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) ring.paths.push_back({{2 * r}, {2 * ((r + 1) % ranks) + 1}});
    return ring;
}

/// Leaves of 8 ranks and a spine of 8 switches. Only each leaf's last rank sends over the spine.
RingOver fat_tree(std::uint32_t ranks) {
    RingOver ring;
    constexpr std::uint32_t down = 8, spines = 8;
    const std::uint32_t leaves = ranks / down;
    const auto leaf = [&](std::uint32_t r) { return ranks + r / down; };
    for (std::uint32_t r = 0; r < ranks; ++r) ring.add(r, leaf(r), ranks), ring.add(leaf(r), r, ranks);
    for (std::uint32_t l = 0; l < leaves; ++l)
        for (std::uint32_t s = 0; s < spines; ++s)
            ring.add(ranks + l, ranks + leaves + s, ranks), ring.add(ranks + leaves + s, ranks + l, ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const std::uint32_t to = (r + 1) % ranks, spine = (r / down) % spines;
        std::vector<Hop> path{{2 * r}};
        if (leaf(r) != leaf(to)) {
            path.push_back({2 * ranks + 2 * (r / down * spines + spine)});
            path.push_back({2 * ranks + 2 * (to / down * spines + spine) + 1});
        }
        path.push_back({2 * to + 1});
        ring.paths.push_back(path);
    }
    return ring;
}

/// Each rank sends a chunk in each of 2 (n-1) steps, the next one when that of its left neighbour has arrived.
template <class Network>
class Ring : public FabricClient {
public:
    Ring(const RingOver& over, std::uint64_t bytes) : fabric_(over.params, *this) {
        const auto ranks = static_cast<std::uint32_t>(over.paths.size());
        const std::uint64_t chunk = bytes / ranks;
        for (std::uint32_t r = 0; r < ranks; ++r) flows_.push_back(fabric_.add_flow(over.paths[r], (r + 1) % ranks));
        message_.packets = static_cast<std::uint32_t>(packets_of(chunk, packet));
        message_.wire = packet + header;
        message_.last_wire = Bytes{chunk - (message_.packets - 1) * packet.count} + header;
        reported_ = {message_.packets - 1};
        steps_ = 2 * (ranks - 1);
    }
    /// Returns when the last chunk has arrived.
    Time run() {
        sent_.assign(flows_.size(), 0);
        fabric_.account().clear();
        fabric_.declare(flows_, message_.wire);
        const Time origin = fabric_.settled_at();
        for (std::uint32_t r = 0; r < flows_.size(); ++r) fabric_.call_at(origin, 1, r, r, 0);
        while (fabric_.next_time() != Fabric::never) fabric_.step();
        return finish_ - origin;
    }
    std::uint64_t flit_hops() const {
        std::uint64_t sum = 0;
        for (const EdgeId e : fabric_.links().indices()) sum += fabric_.account().use(e).flits;
        return sum;
    }

    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t tag, std::uint32_t sequence) override {
        if (sequence + 1 != message_.packets) return;
        finish_ = fabric_.now();
        send((static_cast<std::uint32_t>(tag) + 1) % flow_count());
    }
    void called(std::uint32_t rank, std::uint32_t) override { send(rank); }

private:
    std::uint32_t flow_count() const { return static_cast<std::uint32_t>(flows_.size()); }
    void send(std::uint32_t rank) {
        if (sent_[rank]++ == steps_) return;
        message_.tag = rank;
        fabric_.send(flows_[rank], message_, std::array{TimeRun{fabric_.now() + 250_ns, message_.packets}}, reported_);
    }

    Network fabric_;
    std::vector<FlowId> flows_;
    FabricMessage message_;
    std::vector<std::uint32_t> reported_, sent_;
    std::uint32_t steps_ = 0;
    Time finish_;
};

/// range(0): ranks; range(1): MiB at each.
template <class Network, RingOver make(std::uint32_t)>
void ring(benchmark::State& state) {
    Ring<Network> ring(make(static_cast<std::uint32_t>(state.range(0))), static_cast<std::uint64_t>(state.range(1))
                                                                             << 20);
    std::uint64_t flit_hops = 0;
    Time simulated;
    for (auto _ : state) {
        simulated = ring.run();
        flit_hops += ring.flit_hops();
    }
    state.counters["flit_hops/s"] = benchmark::Counter(static_cast<double>(flit_hops), benchmark::Counter::kIsRate);
    state.counters["simulated_us"] = static_cast<double>(simulated.ps) / 1e6;
}

template <class Network>
void name_all(const std::string& fidelity, std::vector<std::int64_t> sizes) {
    for (const std::int64_t ranks : {8, 64, 1024})
        for (const std::int64_t size : sizes) {
            benchmark::RegisterBenchmark(("star/" + fidelity).c_str(), ring<Network, star>)
                ->Args({ranks, size})
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("fat_tree/" + fidelity).c_str(), ring<Network, fat_tree>)
                ->Args({ranks, size})
                ->Unit(benchmark::kMillisecond);
        }
}

}   // namespace

int main(int argc, char** argv) {
    name_all<PacketFabric>("packet", {64});
    name_all<MessageFabric>("message", {64, 1024});
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
