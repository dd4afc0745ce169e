#include "models/machine/processors.hpp"

#include <algorithm>

namespace oscar {

void Processors::begin(const Computations& computations, std::uint32_t first_order) {
    state_ = {&computations, first_order, computations.all.size()};
    state_.of_computation.resize(computations.all.size());
    for (std::uint32_t c = 0; c < computations.all.size(); ++c) {
        const Computation& computation = computations.all[c];
        state_.open.push_back(static_cast<std::uint32_t>(1 + computation.after.size() + computation.computed.size()));
        state_.of_rank[computation.rank.value].push_back(c);
        for (const StepId step : computation.after) state_.of_step[step].computations.push_back(c);
        for (const std::uint32_t before : computation.computed) state_.of_computation[before].computations.push_back(c);
    }
    for (std::uint32_t i = 0; i < computations.before_step.size(); ++i)
        for (const std::uint32_t before : computations.before_step[i])
            state_.of_computation[before].steps.push_back(StepId{i});
}

void Processors::start(Rank rank, const TimedEvent& now) {
    if (const auto own = state_.of_rank.find(rank.value); own != state_.of_rank.end())
        for (const std::uint32_t computation : own->second) come(computation, now);
}

void Processors::received(StepId step, const TimedEvent& now) {
    if (const auto waiting = state_.of_step.find(step); waiting != state_.of_step.end())
        for (const std::uint32_t computation : waiting->second.computations) come(computation, now);
}

/// One of the things that a computation waits for is there.
void Processors::come(std::uint32_t number, const TimedEvent& now) {
    if (--state_.open[number] > 0) return;
    const Computation& computation = state_.computations->all[number];
    if (computation.time == Time{}) return finish(number, now);
    TimedEvent& busy = state_.busy[{computation.rank.value, computation.processor}];
    const TimedEvent begin = now.at >= busy.at ? now : busy;
    busy = begin.until(begin.at + computation.time, &CriticalPath::wait_ps);
    time_.at(busy.at, Stage::start, state_.first_order + number, [this, number, end = busy] { finish(number, end); });
}

void Processors::finish(std::uint32_t number, const TimedEvent& now) {
    if (now.at > state_.last.at) state_.last = now;
    const bool last = --state_.unfinished == 0;
    for (const StepId step : state_.of_computation[number].steps) done_(step, now);
    for (const std::uint32_t later : state_.of_computation[number].computations) come(later, now);
    if (last) all_done_();
}

}   // namespace oscar
