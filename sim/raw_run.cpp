#include "sim/raw_run.hpp"

#include "models/codec/codecs.hpp"
#include "models/collective/raw_participants.hpp"
#include "models/engine/gradient_form.hpp"
#include "models/engine/link_sharing.hpp"
#include "models/engine/step_cost.hpp"
#include "sim/method_setup.hpp"
#include "sim/start_skew.hpp"

namespace oscar {
namespace {

std::optional<Time> closed_form_of(const Machine& machine, const Plan& plan, const Codec& codec,
                                   RawParticipants& participants, Issue issue) {
    std::vector<StepCost> costs;
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        costs.push_back(step_cost(machine, plan, codec, StepId{i}, *participants.send(StepId{i}),
                                  participants.forwards(StepId{i})));
    return closed_form(plan.schedule, costs, issue);
}

/// Each rank's peak to all others.
CriticalPath exchange_of_a_scale(std::uint32_t ranks, Issue issue, System& system) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_ring_all_gather(ranks), Number::float32, 32);
    const ChunkLayout layout = make_layout(EqualParams{}, ranks, {ranks, 1}, {});
    RawParticipants participants(plan, *codec, layout);
    return system.run({plan, participants, issue, {}}).path;
}

}   // namespace

std::uint64_t values_of(Bytes size) { return size.count / 4; }

IterationResult run_raw(const Parameters& p, const Method& method, const Routes& routes, System& system) {
    const auto elements = static_cast<std::uint32_t>(values_of(p.size.value()));
    const auto codec = make_codec_of(p, method, 1);
    const Plan plan = make_plan_of(p, method, routes.topology());
    const ChunkLayout layout = make_layout(
        EqualParams{}, elements, {plan.schedule.chunks / slices_of(p.collective), slices_of(p.collective)}, {});
    const SideReads side = make_side_reads(p.engine, plan, *codec, 1, elements);
    const Issue issue = issue_of(p.collective);
    RawParticipants participants(plan, *codec, layout);

    IterationResult result = measure(system.run({plan, participants, issue, starts_of(p, 0), side}), plan);
    const Machine machine{routes, p.network, p.gpu, p.nic, p.engine, side};
    if (plan.schedule.aggregators > 0 || shares_links(plan.schedule, routes, issue))
        result.closed_form_ps = std::nullopt;
    else if (const auto form = closed_form_of(machine, plan, *codec, participants, issue))
        result.closed_form_ps = form->ps;
    if (plan.number == Number::integer && fixed_point(p.quantiser).agreement == Agreement::exact)
        result.scale_exchange_ps = add_time(result, exchange_of_a_scale(p.ranks, issue, system));
    result.gpu_kernel_ps = add_time(result, gpu_kernels(p.gpu, plan, elements));
    result.counted_bytes = 4.0 * elements * counted_share(plan.operation, p.ranks);
    result.bus_factor = bus_factor(plan.operation, p.ranks);
    return result;
}

}   // namespace oscar
