// Congestion points: the queues in switches whose length decides which packets are marked (ECN).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/units.hpp"
#include "models/network/params/congestion_params.hpp"

namespace oscar {

/// The bytes that wait in a switch for each link. Without DCQCN nothing is marked.
class CongestionPoints {
public:
    CongestionPoints(const CongestionControl& congestion, std::size_t links, std::uint64_t seed);

    /// Begins a job, in which `seed` chooses the marks. What waits still waits.
    void restart(std::uint64_t seed);
    /// A packet of `wire` bytes joins the queue before `link`. Returns whether it is marked, by what waited before it.
    bool joins(std::uint32_t link, Bytes wire);
    /// A packet of `wire` bytes leaves the queue before `link`.
    void leaves(std::uint32_t link, Bytes wire) { queued_[link] -= wire; }
    /// The bytes that wait for `link`.
    Bytes queued(std::uint32_t link) const { return queued_[link]; }

private:
    std::optional<DcqcnParams> dcqcn_;
    std::uint64_t seed_;
    std::vector<std::uint64_t> joined_;   ///< per link, packets since the job began
    std::vector<Bytes> queued_;           ///< per link
};

}   // namespace oscar
