// Units that serve requests in the order in which they come. A request is answered with the time of its completion, so
// a unit needs no events: completion = max(ready, free) + service, the same recurrence as a clocked model's.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// A span of simulated time [begin, end).
struct Span {
    Time begin, end;
    friend bool operator==(Span, Span) = default;
};

/// Appends a span to spans in order of begin, joining it to the last where they touch.
inline void append(std::vector<Span>& spans, Span span) {
    if (!spans.empty() && spans.back().end >= span.begin) spans.back().end = std::max(spans.back().end, span.end);
    else spans.push_back(span);
}

/// A pipelined unit on a clock: a request occupies its input for `occupancy` cycles and is done `latency` cycles later.
class PipelinedUnit {
public:
    PipelinedUnit(Frequency clock, Cycles latency) : clock_(clock), latency_(latency) {}

    /// Serves a request whose operands are there at `ready`; starts at the first free clock edge at or after it.
    Time serve(Time ready, Cycles occupancy) {
        const Cycles start = std::max(clock_.next_edge(ready), free_);
        free_ = start + occupancy;
        append(busy_, {clock_.edge(start), clock_.edge(free_)});
        return clock_.edge(free_ + latency_);
    }
    /// When the unit was occupied since the last clear.
    const std::vector<Span>& busy() const { return busy_; }
    void clear() { busy_.clear(); }

private:
    Clock clock_;
    Cycles latency_;
    Cycles free_ = 0;
    std::vector<Span> busy_;
};

/// A channel of a given rate and latency, such as one direction of a DMA engine.
class Channel {
public:
    Channel(Bandwidth rate, Time latency) : rate_(rate), latency_(latency) {}

    /// Moves `size` bytes asked for at `ready`; returns when the last of them is there.
    Time serve(Time ready, Bytes size) {
        free_ = std::max(ready, free_) + serialization(size, rate_);
        return free_ + latency_;
    }

private:
    Bandwidth rate_;
    Time latency_;
    Time free_;
};

}   // namespace oscar
