#include "sim/run/iteration/timed_collective.hpp"

#include "models/engine/table_learning.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/iteration/closed_form_of.hpp"

namespace oscar {
namespace {

/// Without an iteration before there are no classes.
EngineMemoryTraffic engine_reads_of(const MethodSetting& setting, const Participants& simulated) {
    const bool has_classes = !simulated.rank_states.front().classes().empty();
    const ValueClasses classes{has_classes ? setting.classes : 1,
                               values_per_class(classes_of(setting.parameters, setting.method))};
    return engine_reads(engine_of_a_rank(setting.parameters), setting.plan, *setting.codec, classes, setting.elements);
}

/// The tables that are kept, and the ones that the lanes of encoder and decoder hold; a message of a split that is no
/// context has the symbols of one class.
Bytes table_memory(const MethodSetting& setting, const Participants& simulated, const EngineMemoryTraffic& reads) {
    const Parameters& p = setting.parameters;
    const bool by_context = std::holds_alternative<ContextSplitParams>(split_of(p, setting.method).params) &&
                            !simulated.rank_states.front().classes().empty();
    const Bytes of_an_array = lane_tables(setting.method.codec, p.engine.framing(), by_context ? setting.classes : 1);
    return reads.table_memory_needed + of_an_array + of_an_array;
}

GpuKernels kernels_of(const MethodSetting& setting, const Participants& simulated, const Agreement& agreement,
                      const IterationCodes& codes) {
    const Parameters& p = setting.parameters;
    const bool quantised = setting.quantised();
    const KernelWork work{
        setting.elements, quantised && fixed_point(p.quantiser).residual, quantised && codes.exchanged,
        agreement.follows ? planning_of(p, setting.method, *setting.codec, setting.elements) : Planning{}};
    return {gpus_of(setting.nodes), setting.plan, work,
            slice_sizes(simulated.layouts.front(), slices_of(p.collective))};
}

}   // namespace

TimedCollective run_timed(Machine& machine, const MethodSetting& setting, Exchange& exchange,
                          const Participants& simulated, const Agreement& agreement, const IterationCodes& codes,
                          const std::vector<Time>& start, const ShareDone& progress) {
    TimedCollective result;
    result.engine_reads = engine_reads_of(setting, simulated);
    result.table_memory = table_memory(setting, simulated, result.engine_reads);
    const GpuKernels kernels = kernels_of(setting, simulated, agreement, codes);
    const std::vector<Time> releases = kernels.releases();
    result.outcome = exchange.run([&](MessageSource& source) {
        return machine.run({.plan = setting.plan,
                            .source = source,
                            .issue = issue_of(setting.parameters.collective),
                            .start = start,
                            .engine_reads = result.engine_reads,
                            .seed = codes.seed,
                            .release = releases,
                            .spans_noted = setting.parameters.timeline,
                            .received = share_of(setting.plan.schedule.steps.size(), progress)});
    });
    result.closed_form = closed_form_of(setting.parameters, setting.routes, setting.nodes, setting.plan, *setting.codec,
                                        result.engine_reads, releases, [&](StepId id) { return exchange.message(id); });
    result.kernels = kernels.around(result.outcome);
    if (agreement.follows) result.learning = table_learning(engines_of(setting.nodes), result.engine_reads);
    result.learns = agreement.follows;
    return result;
}

}   // namespace oscar
