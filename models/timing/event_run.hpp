// Runs of evenly spaced events, stored as one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/time_run.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// `count` moments, each `each` after the one before; what lies between them has one cause.
struct EventRun {
    TimedEvent first;
    std::uint32_t count = 1;
    Time each = {};
    Cause cause = &CriticalPath::wire_ps;

    /// The moments of the events, without causes.
    TimeRun times() const { return {first.at, count, each}; }
    /// The moment of event number i, from 0 on.
    Time at(std::uint32_t i) const { return times().at(i); }
    TimedEvent operator[](std::uint32_t i) const { return first.until(at(i), cause); }
    /// The last event. Precondition: count > 0.
    TimedEvent back() const { return (*this)[count - 1]; }
    /// `size` of them from number `begin` on, of which every `stride`-th is taken.
    EventRun part(std::uint32_t begin, std::uint32_t size, std::uint32_t stride = 1) const {
        return {(*this)[begin], size, stride * each, cause};
    }
    /// The number of events before `time`.
    std::uint32_t before(Time time) const { return times().before(time); }
    /// Takes an event as its next one and returns true, if it is as much later than the last as those are apart, by the
    /// same cause; after one event alone, if a single cause took the time.
    bool take(const TimedEvent& next) {
        if (count == 1) {
            const auto alone = next.at > first.at ? only_cause(first, next) : std::nullopt;
            if (!alone) return false;
            each = next.at - first.at;
            cause = *alone;
        } else if (each == Time{} || next.at != at(count) || next.path != (*this)[count].path) {
            return false;
        }
        ++count;
        return true;
    }

private:
    static std::optional<Cause> only_cause(const TimedEvent& from, const TimedEvent& to) {
        std::optional<Cause> found;
        for_each_field<CriticalPath>([&](const auto& field) {
            if (from.until(to.at, field.member).path == to.path) found = field.member;
        });
        return found;
    }
};

/// Runs one after the other, whose events are numbered throughout.
class EventRuns {
public:
    /// Appends a run, whose first event gets the number size(). One event becomes a part of the run before if it
    /// continues that.
    void push_back(const EventRun& run) {
        if (run.count != 1 || runs_.empty() || !runs_.back().run.take(run.first)) runs_.push_back({size_, run});
        size_ += run.count;
    }
    std::uint32_t size() const { return size_; }   ///< number of events of all runs
    bool empty() const { return size_ == 0; }      ///< true if there is no event
    /// Forgets them and keeps the memory of a few.
    void clear() {
        constexpr std::size_t few = 8;
        if (runs_.capacity() > few) runs_ = {};
        runs_.clear();
        size_ = 0;
    }
    /// Replaces each event by later(now, event). Numbers stay.
    void hold_until(const TimedEvent& now) {
        for (const Numbered& numbered : std::exchange(runs_, {})) {
            const EventRun& run = numbered.run;
            const std::uint32_t held = run.before(now.at + Time{1});
            if (held > 0) runs_.push_back({numbered.begin, {now, held}});
            if (held < run.count) runs_.push_back({numbered.begin + held, run.part(held, run.count - held)});
        }
    }
    TimedEvent operator[](std::uint32_t i) const {
        const Numbered& numbered = *found(i);
        return numbered.run[i - numbered.begin];
    }
    /// The last run.
    const EventRun& last_run() const { return runs_.back().run; }
    /// True if the events are a single run and all at one moment; false if there are none.
    bool one_moment() const { return runs_.size() == 1 && (size_ == 1 || last_run().each == Time{}); }

    /// Calls f(run) with runs that are together the moments first, first + stride, ...: `count` of them, in order.
    template <class F>
    void for_each_run(std::uint32_t first, std::uint32_t count, std::uint32_t stride, F&& f) const {
        for (auto at = found(first); count > 0; ++at) {
            const std::uint32_t inside = at->begin + at->run.count - first;   // from `first` to the end of this run
            if (first >= at->begin + at->run.count) continue;
            const std::uint32_t taken = std::min(count, (inside + stride - 1) / stride);
            f(at->run.part(first - at->begin, taken, stride));
            first += taken * stride;
            count -= taken;
        }
    }

private:
    struct Numbered {
        std::uint32_t begin;
        EventRun run;
    };
    std::vector<Numbered>::const_iterator found(std::uint32_t i) const {
        return std::ranges::upper_bound(runs_, i, {}, &Numbered::begin) - 1;
    }

    std::vector<Numbered> runs_;
    std::uint32_t size_ = 0;
};

}   // namespace oscar
