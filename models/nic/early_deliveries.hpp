// Packets that have come before their receiver can take them in.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "models/nic/running_job.hpp"
#include "models/nic/wire/delivery.hpp"

namespace oscar {

/// A receiver takes nothing in before its own gradient is there. Where GPUs have ports of their own, sums of NICs and
/// of ports are added to each other when they are whole (ValuePlaces::before). What comes before waits here, in
/// unlimited memory.
class EarlyDeliveries {
public:
    EarlyDeliveries() = default;
    explicit EarlyDeliveries(const RunningJob& job) : job_(&job) {}

    /// The receiver's gradient is there.
    void start() { started_ = true; }
    /// True if it can be taken in now.
    bool admits(const Delivery& delivery) const {
        return started_ && (delivery.kind == PacketKind::refusal || job_->can_take_in(delivery.step));
    }
    void keep(const Delivery& delivery) { kept_.push_back(delivery); }
    /// Those that can be taken in now, in the order in which they came; they are kept no longer.
    std::vector<Delivery> admitted() {
        const auto rest = std::stable_partition(kept_.begin(), kept_.end(),
                                                [this](const Delivery& delivery) { return !admits(delivery); });
        std::vector<Delivery> now(rest, kept_.end());
        kept_.erase(rest, kept_.end());
        return now;
    }

private:
    const RunningJob* job_ = nullptr;
    bool started_ = false;
    std::vector<Delivery> kept_;
};

}   // namespace oscar
