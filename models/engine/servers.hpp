// Units that serve requests in the order in which they come. A request is answered with the time of its completion, so
// a unit needs no events: completion = max(ready, free) + service, the same recurrence as a clocked model's. Each
// answer carries the chain of causes behind it, that of whichever was later.
#pragma once

#include <vector>

#include "models/core/span.hpp"
#include "models/engine/critical_path.hpp"

namespace oscar {

/// A pipelined unit on a clock: a request occupies its input for `occupancy` cycles and is done `latency` cycles later.
class PipelinedUnit {
public:
    explicit PipelinedUnit(Frequency clock) : clock_(clock) {}

    /// Serves a request whose operands are there at `ready`; starts at the first free clock edge at or after it.
    Moment serve(const Moment& ready, Cycles occupancy, Cycles latency) {
        const Moment& from = later(ready, free_);
        const Cycles start = clock_.next_edge(from.at), end = start + occupancy;
        free_ = from.until(clock_.edge(end), &CriticalPath::engine_ps);
        append(busy_, {clock_.edge(start), clock_.edge(end)});
        return free_.until(clock_.edge(end + latency), &CriticalPath::latency_ps);
    }
    /// When the unit was occupied since the last clear.
    const std::vector<Span>& busy() const { return busy_; }
    /// Forgets what it has served.
    void clear() {
        free_ = {};
        busy_.clear();
    }

private:
    Clock clock_;
    Moment free_;
    std::vector<Span> busy_;
};

/// A channel of a given rate and latency, such as one direction of a DMA engine.
class Channel {
public:
    Channel(Bandwidth rate, Time latency) : rate_(rate), latency_(latency) {}

    /// Moves `size` bytes asked for at `ready`; returns when the last of them is there.
    Moment serve(const Moment& ready, Bytes size) {
        free_ = later(ready, free_).after(serialization(size, rate_), &CriticalPath::dma_ps);
        return free_.after(latency_, &CriticalPath::latency_ps);
    }
    /// Forgets what it has served.
    void clear() { free_ = {}; }

private:
    Bandwidth rate_;
    Time latency_;
    Moment free_;
};

}   // namespace oscar
