#include "models/nic/packet_staging.hpp"

#include <algorithm>

namespace oscar {

void PacketStaging::begin(const RunningJob& job) {
    job_ = &job;
    started_ = false;
    waiting_.clear();
}

void PacketStaging::start() {
    started_ = true;
    const auto waiting = waiting_;
    for (const auto& [edge, since] : waiting) ask_again_(edge);
}

bool PacketStaging::admits(StepId step, Bytes size, EdgeId edge) {
    waited_ = {};
    if (!passes(step)) return true;
    const Time now = scheduler_.now();
    const auto since = waiting_.try_emplace(edge, now).first;
    if (!memory_->fits(size, now)) {
        if (const auto next = memory_->next_release()) {
            scheduler_.at(*next, Stage::start, edge.value, [this, edge] { ask_again_(edge); });
            return false;
        }
        if (!started_) return false;
    }
    waited_ = now - since->second;
    waiting_.erase(since);
    return true;
}

void PacketStaging::let_go(Inbound& inbound, Bytes size, Time at) {
    const Bytes leaving = std::min(size, Bytes{inbound.assembly.received()} - inbound.released);
    inbound.released += leaving;
    memory_->release(leaving, at);
}

}   // namespace oscar
