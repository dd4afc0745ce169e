#include "sim/run/synthetic_run.hpp"

#include <algorithm>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/iteration/closed_form_of.hpp"
#include "sim/run/iteration/cost_of.hpp"
#include "sim/run/start_jitter.hpp"

namespace oscar {
namespace {

/// Each rank's peak to all others.
PriorExchange exchange_of_a_scale(const Parameters& p, Machine& machine) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const std::uint32_t simulated = simulated_ranks(p);
    Plan plan(simulated < p.ranks ? make_part(AllGatherParams{}, p.ranks, simulated) : make_ring_all_gather(p.ranks),
              ElementType::float32, 32);
    if (simulated < p.ranks) plan.fold(simulated);
    const ChunkLayout layout = make_layout(EqualParams{}, simulated, {simulated, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    return prior_exchange_of(machine.run({.plan = plan, .source = participants, .issue = issue_of(p.collective)}));
}

/// Equal chunks, or the sizes of the transfers of a list.
ChunkLayout layout_for(const Parameters& p, const Plan& plan, std::uint64_t elements) {
    if (const auto* flows = std::get_if<FlowsParams>(&p.collective.params)) return layout_of(*flows, p.ranks);
    const std::uint32_t slices = slices_of(p.collective);
    return make_layout(EqualParams{}, static_cast<std::uint32_t>(elements) / ranks_for_each(p),
                       {plan.schedule.chunks / slices, slices}, {});
}

/// The completion of each transfer, when all its slices have come.
std::vector<FlowReport> completions(const FlowsParams& params, std::uint32_t ranks, const Outcome& outcome) {
    std::vector<FlowReport> result;
    for (const FlowSpec& flow : flows_of(params, ranks)) result.push_back({flow.from, flow.to, 0, flow.start.ps, 0});
    for (std::size_t i = 0; i < outcome.steps.size(); ++i) {
        FlowReport& flow = result[i % result.size()];
        flow.bytes += outcome.records[i].bytes;
        flow.end_ps = std::max(flow.end_ps, (outcome.steps[i].ready - outcome.first_start).ps);
    }
    return result;
}

}   // namespace

IterationResult run_synthetic(const Parameters& p, const Method& method, const Routes& routes, Machine& machine,
                              const ShareDone& progress) {
    const std::uint64_t elements = values_of(p.size.value());
    const auto codec = make_codec_of(p, method, 1);
    const Plan plan = make_plan_of(p, method, routes.topology());
    const ChunkLayout layout = layout_for(p, plan, elements);
    const EngineMemoryTraffic reads = engine_reads(engine_of_a_rank(p), plan, *codec, {}, elements);
    SyntheticMessageSource participants(plan, *codec, layout);

    const auto* flows = std::get_if<FlowsParams>(&p.collective.params);
    const Nodes nodes = nodes_of(p);
    const bool exchanges =
        plan.element_type == ElementType::integer && fixed_point(p.quantiser).agreement == ScaleAgreement::exact;
    const KernelWork work{elements, plan.element_type == ElementType::integer && fixed_point(p.quantiser).residual,
                          exchanges};
    std::vector<std::uint64_t> slices = slice_sizes(layout, slices_of(p.collective));
    for (std::uint64_t& slice : slices) slice *= ranks_for_each(p);
    const GpuKernels kernels(gpus_of(nodes), plan, work, std::move(slices));
    const auto releases = flows != nullptr ? releases_of(*flows, p.ranks) : kernels.releases();
    Computations computations = flows != nullptr ? computations_of(*flows, p.ranks) : Computations{};
    const bool computes = !computations.all.empty();
    const Outcome outcome = machine.run({.plan = plan,
                                         .source = participants,
                                         .issue = issue_of(p.collective),
                                         .start = starts_of(p, 0),
                                         .engine_reads = reads,
                                         .release = releases,
                                         .spans_noted = p.timeline,
                                         .received = share_of(plan.schedule.steps.size(), progress),
                                         .computations = std::move(computations)});
    std::optional<Time> closed_form;
    if (!computes)
        closed_form = closed_form_of(p, routes, nodes, plan, *codec, reads, releases, [&](StepId id) -> StepMessage {
            const bool forwarded = participants.forwards(id);
            return {participants.send(id), forwarded};
        });
    ResultContext context{.closed_form = closed_form,
                          .kernels = kernels.around(outcome),
                          .elements = elements,
                          .timeline = shown_window(p),
                          .routes = &routes,
                          .slices = slices_of(p.collective),
                          .island = island_of_tiers(p)};
    if (exchanges) context.scale_exchange = exchange_of_a_scale(p, machine);
    IterationResult result = result_of(outcome, plan, p.ranks, context);
    if (flows != nullptr) result.flows = completions(*flows, p.ranks, outcome);
    add_cost(
        result, nodes, outcome,
        {.choice = method.codec, .codec = *codec, .reads = reads, .width = plan.final_width(), .elements = elements},
        p.scale);
    multiply(result, ranks_for_each(p));
    return result;
}

}   // namespace oscar
