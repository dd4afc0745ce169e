// One method over the iterations of an experiment.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/exchange/exchange.hpp"
#include "models/machine/machine.hpp"
#include "sim/report/metrics.hpp"
#include "sim/run/iteration/agreement.hpp"
#include "sim/run/iteration/iterated_method.hpp"
#include "sim/run/iteration/progress.hpp"
#include "sim/run/iteration/timed_collective.hpp"

namespace oscar {

/// Holds two sets of participants, for the untimed reference and for the simulated machine; both live through the same
/// iterations, and after each they must agree in values, tables and every byte sent.
class MethodRun final : public IteratedMethod {
public:
    /// `tensors` tile the bucket. References must outlive the run. `parallel` runs the ranks.
    /// Precondition: !find_method_problem (sim/checks).
    MethodRun(const Parameters& parameters, const Method& method, const Routes& routes,
              const std::vector<Segment>& tensors, ParallelFor parallel = serial_for);

    /// An iteration without network: tables and boundaries learn from it.
    void warm_up(const IterationCodes& codes) override;
    /// An iteration on the simulated machine; adds to the result. `scales`: time and traffic of the scale exchange;
    /// charged to quantised methods only. `progress`: how far the simulation is.
    void iterate(
        Machine& machine, const IterationCodes& codes, const std::vector<Time>& start, const PriorExchange& scales,
        const ShareDone& progress = [](double) {}) override;
    /// An iteration that is aborted after its first `steps` steps, without network: what was learnt in it is forgotten,
    /// so that repeating it sends the same bytes as without the abort.
    void abort(const IterationCodes& codes, std::size_t steps);

    std::vector<float> reduced(const IterationCodes& codes) const override;
    bool quantised() const override { return setting_.quantised(); }   ///< false for fp32 and bf16
    const std::string& name() const override { return setting_.method.name; }
    const std::vector<IterationResult>& results() const override { return results_; }

private:
    std::array<Participants*, 2> both() { return {&reference_ranks_, &simulated_ranks_}; }
    Agreement begin(ParticipantSets sets, const IterationCodes& codes);
    Exchange exchange(std::span<RankState> simulated);
    PriorExchange broadcast_boundaries(Machine& machine) const;
    IterationResult result_of(const TimedCollective& simulated, const PriorExchange& exchange,
                              const PriorExchange& boundaries) const;
    void commit(ParticipantSets sets, const IterationCodes& codes);

    MethodSetting setting_;
    Participants reference_ranks_, simulated_ranks_;
    History history_;
    std::vector<IterationResult> results_;
};

}   // namespace oscar
