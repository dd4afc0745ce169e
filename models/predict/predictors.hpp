// The family of predictors, which tell a collective's time without simulating it: to add one, write its file pair and
// one line here.
#pragma once

#include <algorithm>

#include "models/collective/algorithms/collectives.hpp"
#include "models/core/kinds.hpp"
#include "models/predict/analytical.hpp"
#include "models/predict/log_gop.hpp"
#include "models/predict/nccl_tuner.hpp"
#include "models/predict/roofline.hpp"

namespace oscar {

/// Hockney's alpha-beta line.
struct LineParams {
    Time latency;
    Bandwidth bandwidth = 400_Gbps;
    static constexpr auto fields() {
        return Entries{
            field("latency", &LineParams::latency, "alpha: latency of any size", 0_ps, 100_ms),
            field("bandwidth", &LineParams::bandwidth, "1/beta: bytes of the gradient per time", 1_Mbps, 100'000_Gbps),
        };
    }
};

inline constexpr auto predictors = Entries{
    kind<NcclParams>("nccl", "NCCL's tuner: the fastest of its algorithms and protocols"),
    kind<AnalyticalParams>("analytical", "a schedule on a network without congestion, as ASTRA-sim's"),
    kind<LogGopParams>("log_gop", "a schedule under LogGOP: overhead of processors, latency, gap per byte"),
    kind<LineParams>("line", "latency + size / bandwidth"),
    kind<RooflineParams>("roofline",
                         "a compressed ring AllReduce, limited by its busiest resource: wire, DMA or engine"),
};
using Predictor = OneOf<predictors>;

/// The collective to be predicted, and its ranks. NCCL and the roofline choose the collective themselves, and the line
/// has none.
struct Predictable {
    const Schedule& schedule;
    Bytes size;   ///< of each rank's gradient
};

/// All algorithms and protocols of NCCL; of the schedule only the number of ranks counts.
inline std::vector<Predicted> predictions(const NcclParams& params, const Predictable& collective) {
    return predictions(params, collective.schedule.ranks, collective.size);
}
/// One candidate, the schedule itself.
inline std::vector<Predicted> predictions(const AnalyticalParams& params, const Predictable& collective) {
    return {{"schedule", analytical_time(params, collective.schedule, collective.size)}};
}
/// One candidate, the schedule itself.
inline std::vector<Predicted> predictions(const LogGopParams& params, const Predictable& collective) {
    return {{"schedule", log_gop_time(params, collective.schedule, collective.size)}};
}
/// One candidate, which depends on the size alone.
inline std::vector<Predicted> predictions(const LineParams& params, const Predictable& collective) {
    const Predicted::Line line{params.latency, collective.size};
    return {{"line", time_of(line, {}, params.bandwidth), line}};
}
/// One candidate; of the schedule only the number of ranks counts.
inline std::vector<Predicted> predictions(const RooflineParams& params, const Predictable& collective) {
    return predictions(params, collective.schedule.ranks, collective.size);
}
/// All that the predictor considers, at least one; exact for every size. Throws std::invalid_argument if its parameters
/// do not fit the ranks, and OutOfRange if a candidate takes longer than 106 days.
inline std::vector<Predicted> predictions(const Predictor& predictor, const Predictable& collective) {
    return std::visit([&](const auto& params) { return predictions(params, collective); }, predictor.params);
}

/// The fastest; of equal ones the first.
inline const Predicted& fastest(const std::vector<Predicted>& candidates) {
    return *std::ranges::min_element(candidates, {}, &Predicted::time);
}

}   // namespace oscar
