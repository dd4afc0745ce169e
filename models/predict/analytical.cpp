#include "models/predict/analytical.hpp"

#include <algorithm>

#include "models/core/long_time.hpp"
#include "models/predict/messages.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t ps_per_ns = 1000, ps_per_s = 1'000'000'000'000;

/// floor(latency + size / rate) in whole nanoseconds, exact: the fractions of both are added before they are dropped.
LongTime whole_ns(Time latency, Bytes size, Bytes rate) {
    const UInt128 scaled = static_cast<UInt128>(latency.ps) * rate.count + static_cast<UInt128>(size.count) * ps_per_s;
    return ps_per_ns * LongTime::of_ps(scaled / (static_cast<UInt128>(rate.count) * ps_per_ns));
}

LongTime transit_of(const AnalyticalParams& params, std::uint32_t hops, Bytes message) {
    if (params.forwarding == Forwarding::cut_through)
        return whole_ns(std::int64_t{hops} * params.latency, message, params.bandwidth);
    return hops * whole_ns(params.latency, message, params.bandwidth);
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
    /// Messages only wait for messages of earlier timesteps.
    void send(const Message& message) {
        Time start = params_.endpoint_delay;
        UInt128 added = 0;
        for (const StepId id : message.steps) {
            for (const StepId before : schedule_.after(id)) start = std::max(start, done_[before.value]);
            if (schedule_.steps[id.value].op == Op::reduce) added += chunk_.count;
        }
        const std::uint32_t distance = hops(params_.topology, schedule_.ranks, message.from, message.to);
        const LongTime end =
            start + transit_of(params_, distance, to_bytes(UInt128{chunk_.count} * message.steps.size())) +
            params_.memory_passes * whole_ns({}, to_bytes(added), params_.memory) + params_.endpoint_delay;
        for (const StepId id : message.steps) done_[id.value] = end.narrowed();
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
    return transit_of(params, hops, message).narrowed();
}

Time analytical_time(const AnalyticalParams& params, const Schedule& schedule, Bytes size) {
    const Bytes chunk{size.count / params.splits / schedule.chunks};
    return (params.splits * LongTime(Split(params, schedule, chunk).run())).narrowed();
}

}   // namespace oscar
