// The processors of ranks, which compute between messages.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/collective/schedule/computation.hpp"
#include "models/nic/scheduler.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// Each does one computation after the other, in the order in which they could begin.
class Processors {
public:
    /// `done`: a computation that this step waits for is done.
    using Done = std::function<void(StepId step, const TimedEvent& now)>;
    /// `all_done`: the last computation of a job is done.
    Processors(Scheduler& time, Done done, std::function<void()> all_done)
        : time_(time), done_(std::move(done)), all_done_(std::move(all_done)) {}

    /// A job with these computations begins, whose actions at one instant have the orders from `first_order` on.
    /// `computations` outlive it.
    void begin(const Computations& computations, std::uint32_t first_order);
    /// A rank may compute.
    void start(Rank rank, const TimedEvent& now);
    /// A step has come to its receiver.
    void received(StepId step, const TimedEvent& now);
    /// The end of the last computation so far.
    const TimedEvent& last() const { return state_.last; }
    /// The number of computations that are not done.
    std::size_t unfinished() const { return state_.unfinished; }

private:
    /// Who waits for a step, or for a computation.
    struct Waiting {
        std::vector<std::uint32_t> computations = {};
        std::vector<StepId> steps = {};
    };
    struct State {
        const Computations* computations = nullptr;
        std::uint32_t first_order = 0;
        std::size_t unfinished = 0;
        std::vector<std::uint32_t> open = {};   ///< per computation: what it still waits for
        std::map<std::uint32_t, std::vector<std::uint32_t>> of_rank = {};   ///< its computations
        std::map<StepId, Waiting> of_step = {};
        std::vector<Waiting> of_computation = {};
        std::map<std::pair<std::uint32_t, std::uint32_t>, TimedEvent> busy = {};   ///< [rank, processor]: until then
        TimedEvent last = {};
    };
    void come(std::uint32_t computation, const TimedEvent& now);
    void finish(std::uint32_t computation, const TimedEvent& now);

    Scheduler& time_;
    Done done_;
    std::function<void()> all_done_;
    State state_;
};

}   // namespace oscar
