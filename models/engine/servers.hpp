// Units that serve requests in the order in which they come. A request is answered with the time of its completion, so
// a unit needs no events: completion = max(ready, free) + service, the same recurrence as a clocked model's. Each
// answer carries the chain of causes behind it, that of whichever was later.
//
// Equal requests are served many at once: a(n) = max over j <= n of (ready(j) + (n - j + 1) * service), where ready(j)
// is linear in j but for one rounding, so that it is either the first or the last that decides.
#pragma once

#include <vector>

#include "models/core/span.hpp"
#include "models/engine/moment_run.hpp"

namespace oscar {

/// Equal requests that were ready at once and that a unit served one behind the other.
class Served {
public:
    Served(const Clock& clock, const Moment& from, Cycles start, Cycles occupancy, Cycles latency, std::uint32_t count)
        : clock_(clock), from_(from), start_(start), occupancy_(occupancy), latency_(latency), count_(count) {}

    std::uint32_t count() const { return count_; }
    /// When number i, from 0 on, is done.
    Time at(std::uint32_t i) const { return clock_.edge(out_of_input(i) + latency_); }
    Moment done(std::uint32_t i) const {
        return from_.until(clock_.edge(out_of_input(i)), &CriticalPath::engine_ps)
            .until(at(i), &CriticalPath::latency_ps);
    }

private:
    Cycles out_of_input(std::uint32_t i) const { return start_ + (i + 1) * occupancy_; }

    const Clock& clock_;
    Moment from_;
    Cycles start_, occupancy_, latency_;
    std::uint32_t count_;
};

/// A pipelined unit on a clock: a request occupies its input for `occupancy` cycles and is done `latency` cycles later.
class PipelinedUnit {
public:
    /// `noted`: busy() is going to be asked for.
    explicit PipelinedUnit(Frequency clock, bool noted = true) : clock_(clock), noted_(noted) {}

    /// Serves a request whose operands are there at `ready`; starts at the first free clock edge at or after it.
    Moment serve(const Moment& ready, Cycles occupancy, Cycles latency) {
        return serve(ready, 1, occupancy, latency).done(0);
    }
    /// Law: as serve(ready, occupancy, latency) for each of `count` >= 1, one behind the other.
    Served serve(const Moment& ready, std::uint32_t count, Cycles occupancy, Cycles latency) {
        const Moment from = later(ready, free_);
        const Cycles start = clock_.next_edge(from.at), end = start + count * occupancy;
        free_ = from.until(clock_.edge(end), &CriticalPath::engine_ps);
        note(start, end);
        return {clock_, from, start, occupancy, latency, count};
    }
    /// Law: as serve(ready[i], occupancy, latency) for each i; tells when the last is done. Precondition: occupancy >
    /// 0.
    Moment serve_run(const MomentRun& ready, Cycles occupancy, Cycles latency) {
        const Moment first = later(ready.first, free_);
        const Cycles first_start = clock_.next_edge(first.at);
        const auto start = [&](std::uint32_t i) {
            return std::max(first_start + i * occupancy, clock_.next_edge(ready.at(i)));
        };
        std::uint32_t i = ready.count - 1;   // the last that finds the unit free: with it the chain of causes begins
        if (ready.each + Time{2} <= clock_.edge(occupancy)) i = 0;   // each comes while the one before is served
        while (i > 0 && ready.at(i) < clock_.edge(start(i - 1) + occupancy)) --i;
        const Cycles end = start(ready.count - 1) + occupancy;
        free_ = (i > 0 ? ready[i] : first).until(clock_.edge(end), &CriticalPath::engine_ps);
        for (std::uint32_t j = 0; noted_ && j < ready.count; ++j) note(start(j), start(j) + occupancy);
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
    void note(Cycles start, Cycles end) {
        if (noted_) append(busy_, {clock_.edge(start), clock_.edge(end)});
    }

    Clock clock_;
    bool noted_;
    Moment free_;
    std::vector<Span> busy_;
};

/// A channel of a given rate and latency, such as one direction of a DMA engine.
class Channel {
public:
    Channel(Bandwidth rate, Time latency) : rate_(rate), latency_(latency) {}

    /// Moves `size` bytes asked for at `ready`; returns when the last of them is there.
    Moment serve(const Moment& ready, Bytes size) { return serve(ready, 1, size).first; }
    /// Law: as serve(ready, size) `count` times; tells when each is there.
    MomentRun serve(const Moment& ready, std::uint32_t count, Bytes size) {
        const Time each = serialization(size, rate_);
        const Moment first = later(ready, free_).after(each, &CriticalPath::dma_ps);
        free_ = first.after((count - 1) * each, &CriticalPath::dma_ps);
        return {first.after(latency_, &CriticalPath::latency_ps), count, each, &CriticalPath::dma_ps};
    }
    /// Law: as serve(ready[i], size) for each i, `count` times each; tells when the last is there.
    Moment serve_run(const MomentRun& ready, std::uint32_t count, Bytes size) {
        const Time each = count * serialization(size, rate_);
        const Moment first = later(ready.first, free_);
        const std::uint32_t last = ready.count - 1;
        // If the channel keeps up, it is idle before the last unless the backlog of the first is still there.
        const bool idle = last > 0 && ready.each >= each && ready.at(last) >= first.at + last * each;
        const Time end = std::max(first.at + last * each, ready.at(last)) + each;
        free_ = (idle ? ready[last] : first).until(end, &CriticalPath::dma_ps);
        return free_.after(latency_, &CriticalPath::latency_ps);
    }
    /// Law: as serve(served.done(i), size) for each i; tells when the last is there.
    Moment serve(const Served& served, Bytes size) {
        const Time each = serialization(size, rate_), first = std::max(served.at(0), free_.at);
        const auto end = [&](std::uint32_t i) { return std::max(first + i * each, served.at(i)) + each; };
        std::uint32_t i = served.count() - 1;   // the last that finds the channel free
        while (i > 0 && served.at(i) < end(i - 1)) --i;
        const Moment from = i > 0 ? served.done(i) : later(served.done(0), free_);
        free_ = from.until(end(served.count() - 1), &CriticalPath::dma_ps);
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
