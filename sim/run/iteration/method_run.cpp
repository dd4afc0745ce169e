#include "sim/run/iteration/method_run.hpp"

#include <algorithm>

#include "sim/parameters/method_setup.hpp"
#include "sim/run/iteration/boundary_broadcast.hpp"
#include "sim/run/iteration/chunk_choice.hpp"
#include "sim/run/iteration/timed_collective.hpp"
#include "sim/run/iteration/verdict.hpp"

namespace oscar {

MethodRun::MethodRun(const Parameters& parameters, const Method& method, const Routes& routes,
                     const std::vector<Segment>& tensors, ParallelFor parallel)
    : setting_(parameters, method, routes, tensors, std::move(parallel)),
      reference_(setting_, tensors),
      timed_(setting_, tensors) {}

void MethodRun::warm_up(const IterationCodes& codes) {
    Participants* const alone = &reference_;
    agree(setting_, {&alone, 1}, history_, codes);
    run_reference(setting_.plan.schedule, reference_.rank_states, nullptr, Receivers::learn, setting_.parallel);
    commit({&alone, 1}, codes);
    timed_ = reference_;   // no machine has a part in it
}

void MethodRun::abort(const IterationCodes& codes, std::size_t steps) {
    agree(setting_, both(), history_, codes);
    Schedule part = setting_.plan.schedule;
    part.steps.resize(std::min(steps, part.steps.size()));
    for (Participants* set : both()) {
        run_reference(part, set->rank_states, nullptr, Receivers::decode, setting_.parallel);
        set->roll_back();
    }
}

void MethodRun::iterate(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                        const PriorExchange& exchange, const ShareDone& progress) {
    const Agreement agreement = agree(setting_, both(), history_, codes);

    StepEntropy entropy;   // of integers: bit patterns of fp32 have none worth telling
    const Reference messages = run_reference(setting_.plan.schedule, reference_.rank_states,
                                             quantised() ? &entropy : nullptr, Receivers::trust, setting_.parallel);

    const PriorExchange boundaries = agreement.broadcast ? broadcast_boundaries(machine) : PriorExchange{};
    const TimedCollective timed = run_timed(machine, setting_, timed_, messages, agreement, codes, start, progress);

    commit(both(), codes);
    const Verdict verdict = judge(setting_, reference_, timed_, messages, timed.outcome, codes);

    IterationResult result = result_of(timed.outcome, setting_.plan, setting_.parameters.ranks,
                                       {timed.closed_form, quantised() ? exchange : PriorExchange{}, boundaries,
                                        timed.kernels, setting_.elements, timed.learning});
    if (!results_.empty()) result.waveform.clear();   // that of the first is shown
    result.position = codes.position;
    result.side_bytes = agreement.bytes;
    result.table_memory_bytes = timed.table_memory.count;
    result.mask_memory_bytes = timed.engine_reads.mask_memory_needed.count;
    result.reads_masks = timed.engine_reads.mask_bits > 0;
    result.fidelity = verdict.fidelity;
    result.sums_match_reference = verdict.sums_match_reference;
    result.chunk_prediction_error = prediction_error(setting_.plan, reference_.planners.front(), messages.sent);
    if (quantised()) {
        result.saturated_values = codes.saturated;
        result.entropy_bits = entropy.bits();
    }
    results_.push_back(std::move(result));
}

PriorExchange MethodRun::broadcast_boundaries(Machine& machine) const {
    const Parameters& p = setting_.parameters;
    return run_boundary_broadcast(machine, std::span(timed_.layouts).first(p.ranks), setting_.chunk_count(),
                                  issue_of(p.collective));
}

void MethodRun::commit(ParticipantSets sets, const IterationCodes& codes) {
    oscar::commit(sets, setting_.parallel);
    history_ = {codes.codes.front(), codes.peaks};
}

}   // namespace oscar
