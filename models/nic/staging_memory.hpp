// Staging memory of a NIC: received bytes between the link's buffer and the units that take them in.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "models/core/units.hpp"
#include "models/job/job.hpp"

namespace oscar {

/// A received packet is held from when it leaves the buffer at the end of its link until the units of the node have
/// taken in the blocks that it completes: decoded or added them, or written them to GPU memory. A packet for which
/// there is no room stays in that buffer, whose credits return as much later.
///
/// No deadlock: a packet only waits for bytes that are known to leave at some time, and it is asked again then. What
/// else is held, blocks whose packets have not all come and messages that wait for others, may wait for this very
/// packet. Where nothing else is held, the packet is therefore taken beyond the capacity, as by a NIC that puts aside
/// in host memory what nothing can be done with yet; overflow counts it. Each wait ends, for the times at which bytes
/// leave are finite in number and in the future of what has happened.
class StagingMemory {
public:
    explicit StagingMemory(Bytes capacity) : capacity_(capacity) {}

    /// A job begins: it is empty.
    void begin() { *this = StagingMemory(capacity_); }
    /// True if there is room for a packet.
    bool fits(Bytes size, Time now) {
        settle(now);
        return held_ + size <= capacity_;
    }
    /// When the next bytes leave, after the last time that was asked for; nothing if none are known to.
    std::optional<Time> next_release() const {
        return leaving_.empty() ? std::nullopt : std::optional(leaving_.top().at);
    }
    /// Takes in a packet that has waited for room since it came.
    void take(Bytes size, Time now, Time waited) {
        settle(now);
        held_ += size;
        use_.peak = std::max(use_.peak, held_);
        use_.waited += waited;
        if (held_ > capacity_) use_.overflow += std::min(size, held_ - capacity_);
    }
    /// `size` bytes that are held leave at `at`.
    void release(Bytes size, Time at) {
        if (size > Bytes{}) leaving_.push({at, size});
    }
    /// Of this job.
    const StagingUse& use() const { return use_; }

private:
    struct Leaving {
        Time at;
        Bytes size;
        friend bool operator>(const Leaving& a, const Leaving& b) { return a.at > b.at; }
    };
    void settle(Time now) {
        for (; !leaving_.empty() && leaving_.top().at <= now; leaving_.pop()) held_ -= leaving_.top().size;
    }

    Bytes capacity_, held_;
    std::priority_queue<Leaving, std::vector<Leaving>, std::greater<>> leaving_;
    StagingUse use_;
};

}   // namespace oscar
