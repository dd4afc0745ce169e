// Packets of a rank that pass the staging memory of its NIC.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "models/nic/running_job.hpp"
#include "models/nic/scheduler.hpp"
#include "models/nic/staging_memory.hpp"

namespace oscar {

/// Lets packets into the memory and knows which bytes leave when. Messages inside islands do not pass it, and with
/// unlimited memory nothing does. StagingMemory has the reason why no packet waits for ever; a rank that has not
/// started does so at a time that is set.
class PacketStaging {
public:
    /// Has the packet that waits at the end of a link ask again.
    using AskAgain = std::function<void(EdgeId)>;

    /// `memory` must outlive it; null: unlimited.
    PacketStaging(StagingMemory* memory, Scheduler& scheduler) : memory_(memory), scheduler_(scheduler) {}

    void on_room(AskAgain ask_again) { ask_again_ = std::move(ask_again); }
    /// A job begins.
    void begin(const RunningJob& job);
    /// The rank has started: packets that have waited for that ask again.
    void start();
    /// True if there is room for `size` bytes of a packet at the end of `edge`; else it asks again at a time that is
    /// set.
    bool admits(StepId step, Bytes size, EdgeId edge);
    /// Takes in an admitted packet.
    void take(const Delivery& delivery) {
        if (passes(delivery)) memory_->take(Bytes{delivery.size}, scheduler_.now(), waited_);
    }
    /// Nothing is done with a packet that was taken in.
    void drop(const Delivery& delivery) {
        if (passes(delivery)) memory_->release(Bytes{delivery.size}, scheduler_.now());
    }
    /// Of what has come of a message and is held still, `size` bytes at most leave at `at`.
    void release(StepId step, Inbound& inbound, Bytes size, Time at) {
        if (passes(step)) let_go(inbound, size, at);
    }
    /// The same of all of it.
    void release_all(StepId step, Inbound& inbound, Time at) {
        if (passes(step)) let_go(inbound, Bytes{inbound.assembly.received()}, std::max(at, scheduler_.now()));
    }

private:
    bool passes(StepId step) const { return memory_ != nullptr && job_->places.tier(step) == Tier::between; }
    bool passes(const Delivery& delivery) const {
        return passes(delivery.step) && delivery.kind != PacketKind::refusal;
    }
    void let_go(Inbound& inbound, Bytes size, Time at);

    StagingMemory* memory_;
    Scheduler& scheduler_;
    AskAgain ask_again_;
    const RunningJob* job_ = nullptr;
    bool started_ = false;
    Time waited_;                      ///< the packet that was admitted last, at the head of its link's buffer
    std::map<EdgeId, Time> waiting_;   ///< links whose next packet finds no room, since when
};

}   // namespace oscar
