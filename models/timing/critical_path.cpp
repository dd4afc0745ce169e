#include "models/timing/critical_path.hpp"

#include <cmath>

namespace oscar {
namespace {

bool follows(const CriticalPath& begin, const CriticalPath& end) {
    bool result = true;
    for_each_field<CriticalPath>([&](const auto& field) { result &= end.*field.member >= begin.*field.member; });
    return result;
}

}   // namespace

CriticalPath attribute_imbalance(const CriticalPath& begin, CriticalPath end, const MeanOverOwn& message) {
    if (!follows(begin, end)) return end;
    const auto level = [&](Cause cause, double mean_over_own) {
        if (mean_over_own >= 1) return;
        const auto excess = std::llround(static_cast<double>(end.*cause - begin.*cause) * (1 - mean_over_own));
        end.*cause -= excess;
        end.wait_ps += excess;
    };
    level(&CriticalPath::wire_ps, message.bytes);
    level(&CriticalPath::engine_ps, message.values);
    level(&CriticalPath::dma_ps, message.values);
    return end;
}

}   // namespace oscar
