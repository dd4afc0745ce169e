// Units that serve requests in the order in which they come. A request is answered with the time of its completion, so
// a unit needs no events: completion = max(ready, free) + service, the same recurrence as a clocked model's. Each
// answer carries its chain of causes: that of the later of the two.
//
// Equal requests are served many at once: a(n) = max over j <= n of (ready(j) + (n - j + 1) * service). Where ready(j)
// is linear in j but for one rounding, either the first or the last decides.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/span.hpp"
#include "models/timing/channel_rate.hpp"
#include "models/timing/event_run.hpp"

namespace oscar {

/// Equal requests that were ready at once and that a unit served one after the other, at equal distances or not.
class ServiceBatch {
public:
    /// `start`: the first place in the unit's cycles (see PipelinedUnit) that they take; `work`: places of each.
    ServiceBatch(const Clock& clock, const TimedEvent& from, Cycles width, Cycles start, Cycles work, Cycles latency,
                 std::uint32_t count)
        : clock_(clock), from_(from), width_(width), start_(start), work_(work), latency_(latency), count_(count) {}
    /// Requests of which the first are done at these cycles, and the others `stride` cycles after each other, `latency`
    /// cycles after a unit of width 1 has taken them.
    ServiceBatch(const Clock& clock, const TimedEvent& from, Cycles latency, std::uint32_t count,
                 std::vector<Cycles> done, Cycles stride)
        : ServiceBatch(clock, from, 1, 0, stride, latency, count) {
        done_ = std::move(done);
    }

    std::uint32_t count() const { return count_; }   ///< requests
    /// The time at which request number i, from 0 on, is done.
    Time at(std::uint32_t i) const { return clock_.edge(out_of_input(i) + latency_); }
    /// The same with its causes: engine until the input has taken the request, then latency.
    TimedEvent done(std::uint32_t i) const {
        return from_.until(clock_.edge(out_of_input(i)), &CriticalPath::engine_ps)
            .until(at(i), &CriticalPath::latency_ps);
    }

private:
    Cycles out_of_input(std::uint32_t i) const {
        if (i < done_.size()) return done_[i] - latency_;
        if (!done_.empty()) return done_.back() + (i - (done_.size() - 1)) * work_ - latency_;
        return (start_ + (i + 1) * work_ + width_ - 1) / width_;
    }

    const Clock& clock_;
    TimedEvent from_;
    Cycles width_, start_, work_, latency_;
    std::uint32_t count_;
    std::vector<Cycles> done_ = {};
};

/// A pipelined unit on a clock. Each cycle has `width` places; a request takes `work` of them, the first that are free
/// from its first clock edge on, and is done `latency` cycles after the cycle of its last place. A unit of width 1 is
/// occupied for `work` cycles; adders are as wide as there are of them, and a value takes one place.
/// Requests share a cycle only within a piece of work: see begin_piece().
class PipelinedUnit {
public:
    /// `noted`: busy() is going to be asked for.
    explicit PipelinedUnit(Frequency clock, bool noted = true, Cycles width = 1)
        : clock_(clock), noted_(noted), width_(width) {}

    /// Makes the next request begin in a cycle of its own. Law: requests of together w places, ready at once, that
    /// follow on this take ceil(w / width) cycles, however they are divided.
    void begin_piece() { next_ = cycles_of(next_) * width_; }

    /// Serves a request whose operands are there at `ready`; starts at the first free clock edge at or after it.
    TimedEvent serve(const TimedEvent& ready, Cycles work, Cycles latency) {
        return serve(ready, 1, work, latency).done(0);
    }
    /// Law: as serve(ready, work, latency) for each of `count` >= 1, one after the other.
    ServiceBatch serve(const TimedEvent& ready, std::uint32_t count, Cycles work, Cycles latency) {
        const TimedEvent from = later(ready, free_);
        const Cycles start = std::max(next_, clock_.next_edge(ready.at) * width_);
        occupy(from, start, start + count * work);
        return {clock_, from, width_, start, work, latency, count};
    }
    /// Law: as begin_piece() and serve(ready[i], work, latency) for each i; tells when the last is done. Precondition:
    /// work > 0.
    TimedEvent serve_run(const EventRun& ready, Cycles work, Cycles latency) {
        const Cycles cycles = cycles_of(work);
        const TimedEvent first = later(ready.first, free_);
        const Cycles first_start = clock_.next_edge(first.at);
        const auto start = [&](std::uint32_t i) {
            return std::max(first_start + i * cycles, clock_.next_edge(ready.at(i)));
        };
        std::uint32_t i = ready.count - 1;   // the last that finds the unit free: with it the chain of causes begins
        if (ready.each + Time{2} <= clock_.edge(cycles)) i = 0;   // each comes while the one before is served
        while (i > 0 && ready.at(i) < clock_.edge(start(i - 1) + cycles)) --i;
        for (std::uint32_t j = 0; noted_ && j + 1 < ready.count; ++j) note(start(j), start(j) + cycles);
        const Cycles last = start(ready.count - 1);
        occupy(i > 0 ? ready[i] : first, last * width_, last * width_ + work);
        return free_.until(clock_.edge(last + cycles + latency), &CriticalPath::latency_ps);
    }
    /// When the unit was occupied since the last clear.
    const std::vector<Span>& busy() const { return busy_; }
    /// Forgets what it has served.
    void clear() {
        free_ = {};
        next_ = 0;
        busy_.clear();
    }
    /// The same. `noted`: whether busy() is going to be asked for from now on.
    void clear(bool noted) {
        noted_ = noted;
        clear();
    }

private:
    Cycles cycles_of(Cycles places) const { return (places + width_ - 1) / width_; }
    /// Takes the places from `begin` to before `end`, for a request that waited for nothing more at `from`.
    void occupy(const TimedEvent& from, Cycles begin, Cycles end) {
        next_ = end;
        free_ = from.until(clock_.edge(cycles_of(end)), &CriticalPath::engine_ps);
        if (noted_) note(begin / width_, cycles_of(end));
    }
    void note(Cycles start, Cycles end) { append(busy_, {clock_.edge(start), clock_.edge(end)}); }

    Clock clock_;
    bool noted_;
    Cycles width_;
    Cycles next_ = 0;   ///< the first free place; place p is in cycle p / width
    TimedEvent free_;   ///< when the cycle of the last place that was taken ends
    std::vector<Span> busy_;
};

/// When a channel was occupied: how long, and, where it is noted, the spans.
struct ChannelUse {
    Time busy;
    std::vector<Span> spans = {};
};

/// How much of a link that several channels share was used.
struct UplinkUse {
    Time busy;      ///< that the bytes of all, in both directions, take at its rate
    Time delayed;   ///< by which the transfers of one took longer than alone
};

/// A channel of a given rate and latency, such as one direction of a DMA engine.
class DmaChannel {
public:
    /// `cause`: what its time counts as.
    DmaChannel(const ChannelRate& rate, Time latency, Cause cause = &CriticalPath::dma_ps)
        : rate_(rate), latency_(latency), cause_(cause) {}

    /// Moves `size` bytes asked for at `ready`; returns when the last of them is there.
    TimedEvent serve(const TimedEvent& ready, Bytes size) { return serve(ready, 1, size).first; }
    /// Law: as serve(ready, size) `count` times; tells when each is there.
    EventRun serve(const TimedEvent& ready, std::uint32_t count, Bytes size) {
        const Time each = rate_.time_of(size);
        const TimedEvent first = later(ready, free_).after(each, cause_);
        free_ = first.after((count - 1) * each, cause_);
        occupied(free_.at - count * each, count * each);
        return {first.after(latency_, &CriticalPath::latency_ps), count, each, cause_};
    }
    /// Law: as serve(ready[i], size) for each i, `count` times each; tells when the last is there.
    TimedEvent serve_run(const EventRun& ready, std::uint32_t count, Bytes size) {
        const Time each = count * rate_.time_of(size);
        const TimedEvent first = later(ready.first, free_);
        const std::uint32_t last = ready.count - 1;
        if (noted_) note_each(ready.count, each, [&](std::uint32_t i) { return ready.at(i); });
        use_.busy += ready.count * each;
        // If the channel keeps up, it is idle before the last unless the backlog of the first is still there.
        const bool idle = last > 0 && ready.each >= each && ready.at(last) >= first.at + last * each;
        const Time end = std::max(first.at + last * each, ready.at(last)) + each;
        free_ = (idle ? ready[last] : first).until(end, cause_);
        return free_.after(latency_, &CriticalPath::latency_ps);
    }
    /// Law: as serve(served.done(i), size) for each i; tells when the last is there.
    TimedEvent serve(const ServiceBatch& served, Bytes size) {
        const Time each = rate_.time_of(size);
        Time end = free_.at;
        std::optional<std::uint32_t> idle;   // the last that finds the channel free: with it the chain of causes begins
        if (noted_) note_each(served.count(), each, [&](std::uint32_t i) { return served.at(i); });
        use_.busy += served.count() * each;
        for (std::uint32_t i = 0; i < served.count(); ++i) {
            const Time done = served.at(i);
            if (done >= end) idle = i;
            end = std::max(end, done) + each;
        }
        free_ = (idle ? served.done(*idle) : free_).until(end, cause_);
        return free_.after(latency_, &CriticalPath::latency_ps);
    }
    /// What a transfer of `size` occupies it for.
    Time time_of(Bytes size) const { return rate_.time_of(size); }
    const ChannelUse& use() const { return use_; }   ///< since the last clear
    /// Forgets what it has served. `noted`: the spans in which it is occupied are going to be asked for.
    void clear(bool noted = false) {
        free_ = {};
        use_ = {};
        noted_ = noted;
    }

private:
    void occupied(Time begin, Time span) {
        use_.busy += span;
        if (noted_) append(use_.spans, {begin, begin + span});
    }
    /// Notes requests of `each` that were ready at `ready_at(i)`, before the channel serves them.
    void note_each(std::uint32_t count, Time each, const auto& ready_at) {
        Time end = free_.at;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Time begin = std::max(end, ready_at(i));
            end = begin + each;
            append(use_.spans, {begin, end});
        }
    }

    ChannelRate rate_;
    Time latency_;
    Cause cause_;
    bool noted_ = false;
    TimedEvent free_;
    ChannelUse use_;
};

}   // namespace oscar
