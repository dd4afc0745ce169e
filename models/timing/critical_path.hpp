// Critical path: time attributed to causes along the chain of events that decided the end of an AllReduce.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// A span of time by its causes, in picoseconds. Each of its instants has one cause.
struct CriticalPath {
    std::int64_t wire_ps = 0, engine_ps = 0, dma_ps = 0, latency_ps = 0, wait_ps = 0;
    static constexpr auto fields() {
        using C = CriticalPath;
        return Entries{
            field("wire_ps", &C::wire_ps, "bits on a link"),
            field("engine_ps", &C::engine_ps, "a value into the encoder, out of the decoder or through the adders"),
            field("dma_ps", &C::dma_ps,
                  "bytes to or from GPU memory, by DMA or by kernels (peaks, planning, conversion of gradients)"),
            field("latency_ps", &C::latency_ps,
                  "propagation, switch, NIC, pipelines, DMA until the first byte, launch of kernels"),
            field("wait_ps", &C::wait_ps,
                  "a delayed start, credits, a slice's kernel; in lock-step the time of the slowest step beyond that "
                  "of a step of "
                  "mean size"),
        };
    }
    /// The length of the span in picoseconds: the sum over all causes.
    std::int64_t total_ps() const { return wire_ps + engine_ps + dma_ps + latency_ps + wait_ps; }
    CriticalPath& operator+=(const CriticalPath& other) {
        for_each_field<CriticalPath>([&](const auto& field) { this->*field.member += other.*field.member; });
        return *this;
    }
    friend bool operator==(const CriticalPath&, const CriticalPath&) = default;
};

/// One of the figures of a path.
using Cause = std::int64_t CriticalPath::*;

/// A time, and what led to it. Law: path.total_ps() is the time that has passed since the chain's first moment.
struct TimedEvent {
    Time at;
    CriticalPath path = {};

    /// The moment `end`, until which it was `cause` that took time; this one, if `end` is not later.
    TimedEvent until(Time end, Cause cause) const {
        TimedEvent result = *this;
        if (end <= at) return result;
        result.at = end;
        result.path.*cause += (end - at).ps;
        return result;
    }
    /// The moment `span` later, all of which `cause` took.
    TimedEvent after(Time span, Cause cause) const { return until(at + span, cause); }
};

/// The later of two events, which decides when both must be there; the first, if both are at once.
inline const TimedEvent& later(const TimedEvent& a, const TimedEvent& b) { return b.at > a.at ? b : a; }

/// A message against the mean of those that are sent in the same timestep: mean size / its own.
struct MeanOverOwn {
    double bytes = 1, values = 1;
};

/// Moves to wait_ps the time that `end`'s message took beyond a message of mean size, since `begin`. Wire time is in
/// proportion to bytes, engine and DMA time to values. Returns `end` as it is if it does not follow from `begin` or the
/// message is smaller than the mean. Law: total_ps() is unchanged.
CriticalPath attribute_imbalance(const CriticalPath& begin, CriticalPath end, const MeanOverOwn& message);

}   // namespace oscar
