// A training step without a trace, whose buckets a list gives: sizes and ready times alone (payload: synthetic).
#pragma once

#include "models/machine/machine.hpp"
#include "sim/report/report.hpp"
#include "sim/run/iteration/progress.hpp"
#include "sim/run/training_step.hpp"

namespace oscar {

/// The computation around the buckets of the list, which are ready when it says. Precondition: check_given_buckets.
StepCompute compute_of_given(const Parameters& parameters);

/// What a method's step takes, and the result of each bucket's collective.
struct GivenStepRun {
    MethodReport report;
    std::vector<IterationResult> buckets;
};

/// The step around the collectives of the list. Gathers its parameters, where they are sharded, as any method does.
std::optional<StepSetting> setting_of_given(const Parameters& parameters, Machine& machine);
/// Runs the collective of each bucket after the other, as each would be alone. `progress`: how far the method is.
GivenStepRun run_given_step(const Parameters& parameters, const Method& method, const std::optional<StepSetting>& step,
                            const Routes& routes, Machine& machine, const ShareDone& progress);

}   // namespace oscar
