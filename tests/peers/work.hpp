// The work that all simulators do: a ring AllReduce of values that nobody holds, through one switch.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace peers {

/// Ranks, bytes of the gradient of each, payload of a packet, header of it, rate and propagation of each link.
struct Work {
    std::uint32_t ranks = 64;
    std::uint64_t bytes = 64ULL << 20;
    std::uint32_t packet = 4096, header = 82;
    double gbps = 100;
    std::uint64_t propagation_ns = 500;

    std::uint32_t steps() const { return 2 * (ranks - 1); }
    std::uint64_t chunk() const { return bytes / ranks; }
};

/// NAME RANKS MEBIBYTES
inline Work work_of(int argc, char** argv) {
    Work work;
    if (argc > 1) work.ranks = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
    if (argc > 2) work.bytes = std::strtoull(argv[2], nullptr, 10) << 20;
    return work;
}

/// One line: simulated microseconds, processor seconds, peak MiB.
inline void report(double simulated_us) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](timeval t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    std::printf("%.3f %.3f %.1f\n", simulated_us, seconds(usage.ru_utime) + seconds(usage.ru_stime),
                static_cast<double>(usage.ru_maxrss) / 1024);
}

}   // namespace peers
