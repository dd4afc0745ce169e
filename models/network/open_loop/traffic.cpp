#include "models/network/open_loop/traffic.hpp"

#include <algorithm>
#include <cmath>

#include "models/network/open_loop/packet_sources.hpp"

namespace oscar {
namespace {

/// Latencies of packets whose tails arrive, and flits.
struct Tally {
    Cycles from = 0, to = 0;   ///< packets created in [from, to) count
    std::vector<std::uint64_t> latencies;
    std::uint64_t flits = 0;

    void add(const RouterNetwork& network) {
        for (const RouterFlit& flit : network.arrived()) {
            ++flits;
            if (flit.tail && flit.created >= from && flit.created < to)
                latencies.push_back(network.now() - 1 - flit.created);
        }
    }
    double mean() const {
        double sum = 0;
        for (const std::uint64_t latency : latencies) sum += static_cast<double>(latency);
        return latencies.empty() ? 0 : sum / static_cast<double>(latencies.size());
    }
};

class LoadRun {
public:
    LoadRun(const RouterGrid& grid, const VcRouterParams& router, const TrafficParams& traffic, double load,
            std::uint64_t seed, const std::function<void(double)>& done)
        : traffic_(traffic),
          done_(done),
          nodes_(grid.routers()),
          destinations_(traffic.pattern, grid),
          network_(grid, router, traffic.packet_flits),
          sources_(destinations_, nodes_, load / traffic.packet_flits, seed) {
        point_.offered = load;
    }

    LoadPoint run() {
        warm_up();
        measure();
        point_.cycles = network_.now();
        point_.flit_hops = network_.flit_hops();
        return point_;
    }

private:
    void step(Tally& tally) {
        sources_.offer(network_);
        network_.step();
        tally.add(network_);
        network_.check_progress(traffic_.watchdog);
        if (done_ && network_.now() % cycles_between_reports == 0) done_(share_done());
    }

    /// Of the warm-up at its longest and the measured cycles: to drain takes few more, except beyond saturation.
    double share_done() const {
        const Cycles most = Cycles{traffic_.most_warm_ups} * traffic_.warm_up + traffic_.measure;
        return std::min(1.0, static_cast<double>(network_.now()) / static_cast<double>(most));
    }

    /// Until the mean latency of what arrives has changed little from one look to the next.
    void warm_up() {
        double before = 0;
        for (std::uint32_t look = 0; look < traffic_.most_warm_ups && !point_.steady; ++look) {
            Tally tally{0, ~Cycles{0}, {}, 0};
            for (std::uint32_t i = 0; i < traffic_.warm_up; ++i) step(tally);
            const double mean = tally.mean();
            point_.steady = look > 0 && mean > 0 && std::abs(mean - before) <= traffic_.steady * mean;
            before = mean;
        }
    }

    void measure() {
        const Cycles begin = network_.now(), end = begin + traffic_.measure;
        Tally tally{begin, end, {}, 0};
        const std::uint64_t before = sources_.created(begin);
        while (network_.now() < end) step(tally);
        const double node_cycles = static_cast<double>(nodes_) * traffic_.measure;
        const std::uint64_t all_created = sources_.created(end), created = all_created - before;
        point_.created = static_cast<double>(created * traffic_.packet_flits) / node_cycles;
        point_.accepted = static_cast<double>(tally.flits) / node_cycles;
        point_.backlog_flits = all_created * traffic_.packet_flits - network_.ejected();
        while (tally.latencies.size() < created && network_.now() < end + traffic_.drain) step(tally);
        point_.packets = tally.latencies.size();
        if (point_.packets == created && created > 0) summarise(tally);
    }

    void summarise(Tally& tally) {
        std::sort(tally.latencies.begin(), tally.latencies.end());
        const auto rank = [&](std::size_t percent) {
            return tally.latencies[(tally.latencies.size() * percent + 99) / 100 - 1];
        };
        point_.mean_latency = tally.mean();
        point_.p50_latency = rank(50);
        point_.p99_latency = rank(99);
        point_.max_latency = tally.latencies.back();
    }

    static constexpr Cycles cycles_between_reports = 256;

    const TrafficParams& traffic_;
    const std::function<void(double)>& done_;
    std::uint32_t nodes_;
    Destinations destinations_;
    RouterNetwork network_;
    PacketSources sources_;
    LoadPoint point_;
};

}   // namespace

LoadPoint measure_load(const RouterGrid& grid, const VcRouterParams& router, const TrafficParams& traffic, double load,
                       std::uint64_t seed, const std::function<void(double)>& done) {
    return LoadRun(grid, router, traffic, load, seed, done).run();
}

}   // namespace oscar
