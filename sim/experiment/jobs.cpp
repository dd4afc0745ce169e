#include "sim/experiment/jobs.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/nic/gradient_form.hpp"
#include "models/nic/schedule_on.hpp"
#include "models/machine/joint_job.hpp"
#include "sim/experiment/channels.hpp"
#include "sim/experiment/method_setup.hpp"
#include "sim/experiment/nodes.hpp"
#include "sim/experiment/rank_ranges.hpp"
#include "sim/experiment/raw_run.hpp"

namespace oscar {
namespace {

/// What an experiment with jobs cannot have.
void check_surroundings(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode& root = experiment.source;
    if (p.payload != Payload::raw)
        root.child("jobs").fail("jobs carry no values; leave them out, or set payload: raw and a size");
    if (p.tuner) root.child("tuner").fail("chooses for one job on all ranks; leave out tuner or jobs");
    if (p.start_skew != Time{}) root.child("start_skew").fail("each job has its own start; leave out start_skew");
    if (fixed_point(p.quantiser).agreement == Agreement::exact)
        root.child("quantiser").fail("jobs exchange no scales; write agreement: delayed");
    const auto in_codes = [](const NodeParams& node) { return node.gpu.gradients == GradientForm::codes; };
    if (std::ranges::any_of(nodes_of(p), in_codes))
        root.child("gpu").fail("the width of codes depends on the ranks of a job; write gradients: fp32");
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].late != Time{})
            root.child("nodes").child(std::to_string(i)).child("late").fail("each job has its own start; leave it out");
}

void check_job(const ConfigNode& node, const JobParams& job, std::vector<bool>& taken) {
    check_ranks(node.child("ranks"), job.ranks, taken);
    if (job.size->count % 4 != 0)
        node.child("size").fail("is no whole number of fp32 values; make it a multiple of 4B");
    const auto ranks = static_cast<std::uint32_t>(ranks_in(job.ranks).size());
    if (ranks < 2) node.child("ranks").fail("a job needs two ranks at least");
    const ChannelledParams* channels = channels_in(*job.collective);
    if (channels != nullptr && channels->channel_order != ChannelOrder::same)
        node.child("collective")
            .fail("its channels cannot be rotated, for a job's ranks need not fill islands; write channel_order: same");
    try {
        const Schedule schedule = make_schedule(*job.collective, ranks);
        if (schedule.aggregators > 0)
            node.child("collective").fail("switches add for one job on all ranks; choose another, or leave out jobs");
        if (const auto reason = find_channel_problem(*job.collective, schedule.chunks, values_of(*job.size), EqualParams{}))
            node.child("collective").fail(*reason);
    } catch (const std::invalid_argument& error) {
        node.child("collective").fail(error.what());
    }
}

/// A job as the machine runs it, once: participants know what they have encoded.
struct PlacedJob {
    PlacedJob(const Parameters& p, const Method& method, const JobParams& params)
        : job(params),
          ranks(ranks_in(params.ranks)),
          codec(make_codec_of(p, method, 1)),
          plan(make_schedule(*params.collective, static_cast<std::uint32_t>(ranks.size())), number_of(method),
               word_bits(number_of(method), fixed_point(p.quantiser).bits), operation_of(*params.collective)),
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

void resolve_jobs(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    if (p.jobs.empty()) return;
    check_surroundings(experiment);
    std::vector<bool> taken(p.ranks);
    std::set<std::string> names;
    for (std::size_t i = 0; i < p.jobs.size(); ++i) {
        const ConfigNode node = experiment.source.child("jobs").child(std::to_string(i));
        JobParams& job = p.jobs[i];
        if (job.name.empty()) job.name = "job" + std::to_string(i);
        if (!names.insert(job.name).second) node.fail("two jobs are named '" + job.name + "'; tell them apart");
        if (!job.size) job.size = p.size;
        if (!job.collective) job.collective = p.collective;
        check_job(node, job, taken);
    }
}

std::vector<std::pair<Rank, Rank>> flows_of(const Parameters& p, const Topology& topology) {
    std::vector<std::pair<Rank, Rank>> flows;
    if (p.jobs.empty())
        for (const Step& step : schedule_on(p.collective, topology).steps)
            if (std::max(step.from, step.to).value < p.ranks) flows.emplace_back(step.from, step.to);
    for (const JobParams& job : p.jobs) {
        const std::vector<Rank> ranks = ranks_in(job.ranks);
        for (const Step& step : make_schedule(*job.collective, static_cast<std::uint32_t>(ranks.size())).steps)
            flows.emplace_back(ranks[step.from.value], ranks[step.to.value]);
    }
    return flows;
}

JobsResult run_jobs(const Parameters& p, const Method& method, Machine& machine) {
    std::vector<PlacedJob> jobs;
    for (const JobParams& job : p.jobs) jobs.emplace_back(p, method, job);
    std::vector<PlacedCollective> placed;
    for (PlacedJob& job : jobs) placed.push_back(job.placed());
    const JointJob joint(std::move(placed), p.ranks);
    const Outcome outcome = machine.run(joint.job());
    const CriticalPath launch = slowest_kernels(nodes_of(p), jobs.front().plan, 0);   // no kernels: gradients are fp32

    JobsResult result{measure(outcome, joint.job().plan), {}};
    result.together.closed_form_ps = std::nullopt;
    result.together.gpu_kernel_ps = add_time(result.together, launch);
    const std::vector<PlacedOutcome> shares = joint.shares_of(outcome);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const JointJob single({jobs[j].placed()}, p.ranks);
        const Time alone = single.shares_of(machine.run(single.job())).front().duration();
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
