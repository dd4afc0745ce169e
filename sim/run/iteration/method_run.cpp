#include "sim/run/iteration/method_run.hpp"

#include <algorithm>

#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/iteration/boundary_broadcast.hpp"
#include "sim/run/iteration/chunk_choice.hpp"
#include "sim/run/iteration/cost_of.hpp"
#include "sim/run/iteration/held_values.hpp"
#include "sim/run/iteration/timed_collective.hpp"

namespace oscar {

MethodRun::MethodRun(const Parameters& parameters, const Method& method, const Routes& routes,
                     const std::vector<Segment>& tensors, ParallelFor parallel)
    : setting_(parameters, method, routes, tensors, std::move(parallel)),
      reference_ranks_(setting_, tensors),
      simulated_ranks_(setting_, tensors) {}

void MethodRun::warm_up(const IterationCodes& codes) {
    Participants* const alone = &reference_ranks_;
    begin({&alone, 1}, codes);
    exchange({}).run_reference();
    commit({&alone, 1}, codes);
    simulated_ranks_ = reference_ranks_;   // no machine has a part in it
}

void MethodRun::abort(const IterationCodes& codes, std::size_t steps) {
    begin(both(), codes);
    Schedule part = setting_.plan.schedule;
    part.steps.resize(std::min(steps, part.steps.size()));
    for (Participants* set : both()) {
        run_reference(part, set->rank_states, nullptr, ReceiverWork::decode_bytes, setting_.parallel);
        set->roll_back();
    }
}

void MethodRun::iterate(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                        const PriorExchange& scales, const ShareDone& progress) {
    const Agreement agreement = begin(both(), codes);
    Exchange exchange = this->exchange(simulated_ranks_.rank_states);
    StepEntropy entropy;   // of integers: bit patterns of fp32 have none worth telling
    exchange.run_reference(quantised() ? &entropy : nullptr);

    // In simulated time: the exchange of the scale, which has run, the boundaries, the collective.
    const PriorExchange boundaries = agreement.broadcast ? broadcast_boundaries(machine) : PriorExchange{};
    const TimedCollective simulated =
        run_timed(machine, setting_, exchange, simulated_ranks_, agreement, codes, start, progress);

    commit(both(), codes);   // before the verdict, which compares what has been learnt too
    const HeldValues held(setting_.plan, setting_.parameters.ranks, simulated_ranks_.rank_states, codes);

    IterationResult result = result_of(simulated, quantised() ? scales : PriorExchange{}, boundaries);
    result.position = codes.position;
    result.side_bytes = agreement.bytes;
    result.fidelity = held.fidelity();
    result.sums_match_reference =   // a report with false is an error of the program
        held.are_correct(setting_.parallel) && exchange.matches_reference(simulated.outcome);
    result.chunk_prediction_error =
        prediction_error(setting_.plan, reference_ranks_.planners.front(), exchange.reference().records);
    if (quantised()) {
        result.saturated_values = codes.saturated;
        result.entropy_bits = entropy.bits();
    }
    results_.push_back(std::move(result));
}

std::vector<float> MethodRun::reduced(const IterationCodes& codes) const {
    return HeldValues(setting_.plan, setting_.parameters.ranks, simulated_ranks_.rank_states, codes).reduced();
}

Agreement MethodRun::begin(ParticipantSets sets, const IterationCodes& codes) {
    Agreement agreement = agree(setting_, sets, history_, codes);
    for (Participants* set : sets) set->begin(setting_, codes);
    return agreement;
}

IterationResult MethodRun::result_of(const TimedCollective& simulated, const PriorExchange& exchange,
                                     const PriorExchange& boundaries) const {
    IterationResult result =
        oscar::result_of(simulated.outcome, setting_.plan, setting_.parameters.ranks,
                         {.closed_form = simulated.closed_form,
                          .scale_exchange = exchange,
                          .boundary_broadcast = boundaries,
                          .kernels = simulated.kernels,
                          .elements = setting_.elements,
                          .learning = simulated.learning,
                          .timeline = results_.empty() ? shown_window(setting_.parameters) : std::nullopt,
                          .routes = results_.empty() ? &setting_.routes : nullptr,
                          .slices = slices_of(setting_.parameters.collective),
                          .island = island_of_tiers(setting_.parameters)});
    if (!results_.empty()) result.waveform.clear();   // that of the first is shown
    result.table_memory_bytes = simulated.table_memory.count;
    result.mask_memory_bytes = simulated.engine_reads.mask_memory_needed.count;
    result.reads_masks = simulated.engine_reads.mask_bits > 0;
    add_cost(result, setting_.nodes, simulated.outcome,
             {.choice = setting_.method.codec,
              .codec = *setting_.codec,
              .reads = simulated.engine_reads,
              .width = setting_.plan.final_width(),
              .classes = setting_.by_class ? setting_.classes : 1,
              .elements = setting_.elements,
              .after_another = simulated.learns},
             setting_.parameters.scale);
    return result;
}

Exchange MethodRun::exchange(std::span<RankState> simulated) {
    return {setting_.plan,
            *setting_.codec,
            {reference_ranks_.rank_states, simulated},
            damage_of(setting_.parameters.network.faults),
            setting_.parallel};
}

PriorExchange MethodRun::broadcast_boundaries(Machine& machine) const {
    const Parameters& p = setting_.parameters;
    return run_boundary_broadcast(machine, std::span(simulated_ranks_.layouts).first(p.ranks), setting_.chunk_count(),
                                  issue_of(p.collective));
}

void MethodRun::commit(ParticipantSets sets, const IterationCodes& codes) {
    oscar::commit(sets, setting_.parallel);
    history_ = {codes.codes.front(), codes.peaks};
}

}   // namespace oscar
