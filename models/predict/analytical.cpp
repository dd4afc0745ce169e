#include "models/predict/analytical.hpp"

#include <algorithm>

#include "models/predict/messages.hpp"

namespace oscar {
namespace {

constexpr std::int64_t ps_per_ns = 1000;
constexpr std::uint64_t ns_per_s = 1'000'000'000;

/// floor(latency + size / rate) in whole nanoseconds, exact: the fractions of both are added before they are dropped.
/// Below 18 GB and 18 PB/s.
Time whole_ns(Time latency, Bytes size, Bytes rate) {
    const std::uint64_t scaled = size.count * ns_per_s;
    const auto rest_of_latency = static_cast<std::uint64_t>(latency.ps % ps_per_ns);
    const std::uint64_t rests = rest_of_latency * rate.count + scaled % rate.count * ps_per_ns;
    const bool carry = rests >= rate.count * ps_per_ns;
    return {(latency.ps / ps_per_ns + static_cast<std::int64_t>(scaled / rate.count) + (carry ? 1 : 0)) * ps_per_ns};
}

/// One split, of `chunk` bytes a chunk.
class Split {
public:
    Split(const AnalyticalParams& params, const Schedule& schedule, Bytes chunk)
        : params_(params), schedule_(schedule), chunk_(chunk), done_(schedule.steps.size()) {}

    Time run() {
        for (const auto& round : messages_of(schedule_))
            for (const Message& message : round) send(message);
        return done_.empty() ? Time{} : *std::ranges::max_element(done_);
    }

private:
    /// Messages only wait for those of earlier timesteps.
    void send(const Message& message) {
        Time start = params_.endpoint_delay;
        std::uint64_t added = 0;
        for (const StepId id : message.steps) {
            for (const StepId before : schedule_.after(id)) start = std::max(start, done_[before.value]);
            if (schedule_.steps[id.value].op == Op::reduce) added += chunk_.count;
        }
        const std::uint32_t distance = hops(params_.topology, schedule_.ranks, message.from, message.to);
        const Time end = start + transit(params_, distance, {chunk_.count * message.steps.size()}) +
                         std::int64_t{params_.memory_passes} * whole_ns({}, {added}, params_.memory) +
                         params_.endpoint_delay;
        for (const StepId id : message.steps) done_[id.value] = end;
    }

    const AnalyticalParams& params_;
    const Schedule& schedule_;
    Bytes chunk_;
    std::vector<Time> done_;   ///< per step
};

}   // namespace

std::uint32_t hops(AnalyticalTopology topology, std::uint32_t ranks, Rank from, Rank to) {
    if (topology == AnalyticalTopology::fully_connected) return 1;
    if (topology == AnalyticalTopology::star) return 2;
    const std::uint32_t forth = (to.value + ranks - from.value) % ranks;
    return std::min(forth, ranks - forth);
}

Time transit(const AnalyticalParams& params, std::uint32_t hops, Bytes message) {
    if (params.forwarding == Forwarding::cut_through)
        return whole_ns(std::int64_t{hops} * params.latency, message, params.bandwidth);
    return std::int64_t{hops} * whole_ns(params.latency, message, params.bandwidth);
}

Time analytical_time(const AnalyticalParams& params, const Schedule& schedule, Bytes size) {
    const Bytes chunk{size.count / params.splits / schedule.chunks};
    return std::int64_t{params.splits} * Split(params, schedule, chunk).run();
}

}   // namespace oscar
