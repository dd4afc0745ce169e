// Cost of a run on the host.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/report/report.hpp"

namespace oscar {

/// Wall and processor time of this process since construction.
class HostClock {
public:
    /// `threads`: threads that shared the work of the ranks.
    HostReport stop(std::uint64_t events, std::uint64_t flit_hops, std::uint32_t threads = 1) const;

private:
    static double cpu_seconds();

    std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
    double cpu_ = cpu_seconds();
};

}   // namespace oscar
