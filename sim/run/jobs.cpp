#include "sim/run/jobs.hpp"

#include <memory>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/core/rank_ranges.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "models/machine/joint_job.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/iteration/cost_of.hpp"

namespace oscar {
namespace {

/// A job as the machine runs it, once: participants know what they have encoded.
struct PlacedJob {
    PlacedJob(const Parameters& p, const Method& method, const JobParams& params)
        : job(params),
          ranks(ranks_in(params.ranks)),
          codec(make_codec_of(p, method, 1)),
          plan(make_schedule(*params.collective, static_cast<std::uint32_t>(ranks.size())), element_type_of(method),
               word_bits(element_type_of(method), fixed_point(p.quantiser).bits), operation_of(*params.collective)),
          layout(make_layout(EqualParams{}, static_cast<std::uint32_t>(values_of(*params.size)),
                             {plan.schedule.chunks / slices_of(*params.collective), slices_of(*params.collective)},
                             {})) {}
    PlacedCollective placed() {
        participants = std::make_unique<SyntheticMessageSource>(plan, *codec, layout);
        return {plan, *participants, issue_of(*job.collective), ranks, job.start};
    }

    const JobParams& job;
    std::vector<Rank> ranks;
    std::unique_ptr<Codec> codec;
    Plan plan;
    ChunkLayout layout;
    std::unique_ptr<SyntheticMessageSource> participants;
};

}   // namespace

JobsResult run_jobs(const Parameters& p, const Method& method, Machine& machine, const ShareDone& progress) {
    std::vector<PlacedJob> jobs;
    for (const JobParams& job : p.jobs) jobs.emplace_back(p, method, job);
    std::size_t messages = 0;
    for (const PlacedJob& job : jobs) messages += 2 * job.plan.schedule.steps.size();   // together and alone
    const std::function<void()> one_more = share_of(messages, progress);
    const auto run = [&](const JointJob& joint) {
        Job job = joint.job();
        job.received = std::ref(one_more);
        job.spans_noted = p.timeline;
        return machine.run(job);
    };
    std::vector<PlacedCollective> placed;
    placed.reserve(jobs.size());
    for (PlacedJob& job : jobs) placed.push_back(job.placed());
    const JointJob joint(std::move(placed), p.ranks);
    const Outcome outcome = run(joint);
    const CriticalPath launch =
        slowest_kernels(gpus_of(nodes_of(p)), jobs.front().plan, {});   // no kernels: gradients are fp32

    JobsResult result{result_of(outcome, joint.job().plan, p.ranks,
                                {.kernels = launch, .timeline = shown_window(p), .island = island_of_tiers(p)}),
                      {}};
    const PlacedJob& first = jobs.front();
    add_cost(result.together, nodes_of(p), outcome,
             {.choice = method.codec, .codec = *first.codec, .reads = {}, .width = first.plan.final_width()}, p.scale);
    const std::vector<PlacedOutcome> shares = joint.shares_of(outcome);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const JointJob single({jobs[j].placed()}, p.ranks);
        const Time alone = single.shares_of(run(single)).front().duration();
        JobReport& report = result.jobs.emplace_back();
        report.name = p.jobs[j].name;
        report.ranks = jobs[j].ranks.size();
        report.start_ps = (shares[j].start - outcome.first_start).ps;
        report.time_ps = shares[j].duration().ps + launch.total_ps();
        report.alone_ps = alone.ps + launch.total_ps();
        report.slowdown = static_cast<double>(report.time_ps) / static_cast<double>(report.alone_ps);
        report.wire_bytes = shares[j].wire_bytes;
    }
    return result;
}

}   // namespace oscar
