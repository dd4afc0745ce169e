#include "sim/report/host_clock.hpp"

#include <sys/resource.h>

namespace oscar {
namespace {

rusage usage_so_far() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

}   // namespace

HostReport HostClock::stop(std::uint64_t events, std::uint64_t flit_hops, std::uint32_t threads) const {
    HostReport host;
    host.threads = threads;
    host.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
    host.cpu_s = cpu_seconds() - cpu_;
    host.peak_rss_bytes = static_cast<std::uint64_t>(usage_so_far().ru_maxrss) * 1024;
    host.events = events;
    host.flit_hops = flit_hops;
    host.events_per_wall_s = static_cast<double>(events) / host.wall_s;
    host.flit_hops_per_cpu_s = static_cast<double>(flit_hops) / host.cpu_s;
    return host;
}

double HostClock::cpu_seconds() {
    const rusage usage = usage_so_far();
    const auto seconds = [](timeval t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}   // namespace oscar
