#include "sim/run/lossy/step_timeline.hpp"

#include "sim/report/timeline/timeline.hpp"

namespace oscar {
namespace {

constexpr int exchanges_track = 2;   // beside critical_track

}   // namespace

TraceEvents step_timeline(std::span<const PlacedExchange> exchanges, Time end, const TimelineWindow& window) {
    TraceEvents result;
    result.name_process(critical_process, "critical path");
    result.name_track(critical_process, critical_track, "what decided the end");
    result.name_track(critical_process, exchanges_track, "exchanges");
    const auto kernels = [&](Span span) {
        if (span.begin < span.end && window.shows(span))
            result.slice(critical_process, critical_track, "kernels and launches", span);
    };
    Time at;
    for (const PlacedExchange& exchange : exchanges) {
        kernels({at, exchange.begin});
        at = exchange.begin + exchange.time;
        if (window.shows({exchange.begin, at}))
            result.slice(critical_process, exchanges_track, exchange.what, {exchange.begin, at});
        if (result.size() + exchange.events->size() <= most_step_events)
            result.append(*exchange.events, exchange.begin, window);
    }
    kernels({at, end});
    return result;
}

}   // namespace oscar
