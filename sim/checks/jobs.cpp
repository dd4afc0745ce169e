#include "sim/checks/jobs.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/checks/collective.hpp"
#include "sim/checks/ranks.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

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
        if (const auto reason =
                find_channel_problem(*job.collective, schedule.chunks, values_of(*job.size), EqualParams{}))
            node.child("collective").fail(*reason);
    } catch (const std::invalid_argument& error) {
        node.child("collective").fail(error.what());
    }
}

}   // namespace

void check_surroundings_of_jobs(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.jobs.empty()) return;
    const ConfigNode& root = experiment.source;
    if (p.payload != Payload::synthetic)
        root.child("jobs").fail("jobs carry no values; leave them out, or set payload: synthetic and a size");
    if (p.tuner) root.child("tuner").fail("chooses for one job on all ranks; leave out tuner or jobs");
    if (p.start_jitter != Time{}) root.child("start_jitter").fail("each job has its own start; leave out start_jitter");
    if (fixed_point(p.quantiser).agreement == ScaleAgreement::exact)
        root.child("quantiser").fail("jobs exchange no scales; write agreement: delayed");
    const auto in_codes = [](const NodeParams& node) { return node.gpu.gradients == GradientForm::codes; };
    if (std::ranges::any_of(nodes_of(p), in_codes))
        root.child("gpu").fail("the width of codes depends on the ranks of a job; write gradients: fp32");
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].start_delay != Time{})
            root.child("nodes")
                .child(std::to_string(i))
                .child("start_delay")
                .fail("each job has its own start; leave it out");
}

void check_jobs(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    std::vector<bool> taken(p.ranks);
    std::set<std::string> names;
    for (std::size_t i = 0; i < p.jobs.size(); ++i) {
        const ConfigNode node = experiment.source.child("jobs").child(std::to_string(i));
        const JobParams& job = p.jobs[i];
        if (!names.insert(job.name).second) node.fail("two jobs are named '" + job.name + "'; tell them apart");
        check_job(node, job, taken);
    }
}

}   // namespace oscar
