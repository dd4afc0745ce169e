// Congestion points: the queues in switches whose length decides which packets are marked (ECN).
#pragma once

#include <cstdint>
#include <optional>

#include "models/core/units.hpp"
#include "models/network/params/congestion_params.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// The bytes that wait in a switch for each link. Without DCQCN nothing is marked.
class CongestionPoints {
public:
    CongestionPoints(const CongestionControl& congestion, std::size_t links, std::uint64_t seed);

    /// Begins a job, in which `seed` chooses the marks. What waits still waits.
    void restart(std::uint64_t seed);
    /// A packet of `wire` bytes joins the queue before `link`. Returns whether it is marked, by what waited before it.
    bool joins(EdgeId link, Bytes wire);
    /// A packet of `wire` bytes leaves the queue before `link`.
    void leaves(EdgeId link, Bytes wire) { queued_[link] -= wire; }
    /// The bytes that wait for `link`.
    Bytes queued(EdgeId link) const { return queued_[link]; }

private:
    std::optional<DcqcnParams> dcqcn_;
    std::uint64_t seed_;
    IndexedVector<EdgeId, std::uint64_t> joined_;   ///< packets since the job began
    IndexedVector<EdgeId, Bytes> queued_;
};

}   // namespace oscar
