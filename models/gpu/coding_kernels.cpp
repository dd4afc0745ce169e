#include "models/gpu/coding_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace oscar {
namespace {

double time_ps(const CodingRate& rate) { return 1000.0 * rate.values / rate.values_per_ns; }

}   // namespace

Time coding_time(std::span<const CodingRate> rates, std::uint64_t values) {
    if (values == 0) return {};
    const auto count = static_cast<double>(values);
    const auto next = std::ranges::find_if(rates, [&](const CodingRate& rate) { return rate.values >= values; });
    if (next == rates.begin()) return {std::llround(time_ps(*next))};
    const CodingRate& before = *(next - 1);
    if (next == rates.end()) return {std::llround(1000.0 * count / before.values_per_ns)};
    const double part = (count - before.values) / (next->values - before.values);
    return {std::llround(time_ps(before) + part * (time_ps(*next) - time_ps(before)))};
}

std::string find_problem(std::span<const CodingRate> rates) {
    if (rates.empty()) return "has no speeds";
    for (std::size_t i = 1; i < rates.size(); ++i) {
        const std::string numbers = std::to_string(i) + " and " + std::to_string(i + 1);
        if (rates[i].values <= rates[i - 1].values) return "entries " + numbers + " do not ascend in values";
        if (time_ps(rates[i]) < time_ps(rates[i - 1]))
            return "more values take less time from entry " + std::to_string(i) + " to " + std::to_string(i + 1);
    }
    return {};
}

TimedEvent CodingKernels::serve(const TimedEvent& ready, Time time, std::vector<Span>& busy) {
    const TimedEvent start = later(ready, free_);
    free_ = start.after(time, &CriticalPath::engine_ps);
    append(busy, {start.at, free_.at});
    return free_;
}

}   // namespace oscar
