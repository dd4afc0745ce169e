#include "models/collective/schedule/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace oscar {

JoinId Joins::add(std::span<const StepId> members) {
    if (members.empty()) return {};
    members_.insert(members_.end(), members.begin(), members.end());
    ends_.push_back(static_cast<std::uint32_t>(members_.size()));
    return {static_cast<std::uint32_t>(ends_.size() - 1)};
}

std::span<const StepId> Joins::operator[](JoinId join) const {
    const std::uint32_t begin = join.value > 0 ? ends_[join.value - 1] : 0;
    return std::span(members_).subspan(begin, ends_[join.value] - begin);
}

std::uint32_t Schedule::timesteps() const {
    std::uint32_t count = 0;
    for (const Step& step : steps) count = std::max(count, step.timestep.value + 1);
    return count;
}

StepsByChunk::StepsByChunk(const Schedule& schedule) : begins_(schedule.chunks + 1), steps_(schedule.steps.size()) {
    for (const Step& step : schedule.steps) ++begins_[step.chunk.value + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (std::uint32_t i = 0; i < steps_.size(); ++i) steps_[next[schedule.steps[i].chunk.value]++] = StepId{i};
}

}   // namespace oscar
