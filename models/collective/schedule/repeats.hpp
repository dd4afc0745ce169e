// Copies that bring a rank what it has already.
#pragma once

#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Per step, whether it is a copy of just the values that its receiver has then: they are those that the receiver's own
/// came from, or that came from them, and nothing has been added since. So it changes nothing, and may come before or
/// after others read them. None, where there is scratch: a rank keeps what each step brought. Precondition: the
/// schedule runs in its order.
inline std::vector<bool> repeated_copies(const Schedule& schedule, const StepsByChunk& by_chunk) {
    std::vector<bool> result(schedule.steps.size());
    if (schedule.scratch) return result;
    std::vector<std::uint32_t> version;   // of a participant's values: its own number, or one of each addition
    for (std::uint32_t p = 0; p < schedule.participants(); ++p) version.push_back(p);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) {
            const Step& step = schedule.steps[id.value];
            std::uint32_t& held = version[step.to.value];
            result[id.value] = step.op == Op::copy && held == version[step.from.value];
            held = step.op == Op::copy ? version[step.from.value] : schedule.participants() + id.value;
        }
        for (const StepId id : steps) version[schedule.steps[id.value].to.value] = schedule.steps[id.value].to.value;
    }
    return result;
}

}   // namespace oscar
