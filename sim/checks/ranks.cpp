#include "sim/checks/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sim/checks/methods.hpp"
#include "sim/checks/places.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

/// A rank's engine differs from the others' in fields marked per_rank only.
void check_engine(const ConfigNode& node, const EngineParams& own, const EngineParams& others) {
    std::vector<std::string_view> per_rank;
    for_each_field<EngineParams>([&](const auto& field) {
        if (field.per_rank) per_rank.push_back(field.key);
    });
    for_each_field<EngineParams>([&](const auto& field) {
        if (field.per_rank || own.*field.member == others.*field.member) return;
        node.child("engine").child(field.key).fail(
            fmt::format("all ranks must have the same; choose among {}", fmt::join(per_rank, ", ")));
    });
}

void check_timing(const ConfigNode& node, const NodeChange& change, bool step) {
    if (step && change.start_delay != Time{})
        node.child("start_delay")
            .fail("all ranks begin a step together; write slowdown: 1.2 for one that computes longer");
    if (!step && change.slowdown != 1)
        node.child("slowdown").fail("applies to training steps only; leave it out, or add step");
}

/// A hierarchical job whose islands are its part of the topology's has as many ranks on each: see fill_in_jobs.
void check_islands_of_job(const ConfigNode& node, const JobParams& job, const TopologyKind& topology) {
    const auto* params = std::get_if<HierarchicalParams>(&job.collective->params);
    const auto* islands = std::get_if<IslandsParams>(&topology.params);
    if (params == nullptr || params->island != 0 || islands == nullptr || islands->island < 2) return;
    node.child("ranks").fail(
        fmt::format("hierarchical needs as many ranks on each island of network.topology ({} ranks), island after "
                    "island; write ranks like [0-1, {}-{}], or name the islands of the job with collective: {{kind: "
                    "hierarchical, island: 2}}",
                    islands->island, islands->island, islands->island + 1));
}

void check_job(const ConfigNode& node, const JobParams& job, const Parameters& p, std::vector<bool>& taken) {
    check_ranks(node.child("ranks"), job.ranks, taken, "a rank takes part in one job; leave it out of this one");
    if (job.size->count % 4 != 0)
        node.child("size").fail("is no whole number of fp32 values; make it a multiple of 4B");
    const auto ranks = static_cast<std::uint32_t>(ranks_in(job.ranks).size());
    if (ranks < 2) node.child("ranks").fail("a job needs two ranks at least");
    check_islands_of_job(node, job, p.network.topology);
    const ChannelledParams* channels = channels_in(*job.collective);
    if (channels != nullptr && channels->channel_order != ChannelOrder::same)
        node.child("collective")
            .fail("its channels cannot be rotated, for a job's ranks need not fill islands; write channel_order: same");
    const auto* listed = std::get_if<ListedScheduleParams>(&job.collective->params);
    if (listed != nullptr && !listed->file.empty())
        node.child("collective").child("file").fail("a job has no file of its own; write its steps as a list");
    if (const auto* flows = std::get_if<FlowsParams>(&job.collective->params); flows && !flows->computations.empty())
        node.child("collective")
            .child("computations")
            .fail("processors compute for one job on all ranks; leave them out, or leave out jobs");
    try {
        const Schedule schedule = make_schedule(*job.collective, ranks);
        if (schedule.aggregators > 0)
            node.child("collective").fail("switches add for one job on all ranks; choose another, or leave out jobs");
        if (const auto reason =
                find_channel_problem(*job.collective, schedule.chunks, values_of(*job.size), EqualParams{}))
            node.child("collective").fail(*reason);
    } catch (const std::invalid_argument& error) {
        fail_with(node.child("collective"), error.what());
    }
}

}   // namespace

void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of,
                 std::string_view remedy) {
    if (texts.empty()) node.fail("names no rank; write it like [0, 4-7]");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ConfigNode entry = node.child(std::to_string(i));
        const auto range = range_of(texts[i]);
        if (!range) entry.fail("'" + texts[i] + "' is neither a rank nor a range of ranks; write it like 5 or 4-7");
        if (range->last >= spoken_of.size())
            entry.fail(fmt::format("there is no rank {}; choose 0 to {}", range->last, spoken_of.size() - 1));
        for (std::uint32_t rank = range->first; rank <= range->last; ++rank) {
            if (spoken_of[rank]) entry.fail(fmt::format("rank {} was named before; {}", rank, remedy));
            spoken_of[rank] = true;
        }
    }
}

void check_nodes(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    std::vector<bool> spoken_of(p.ranks);
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        const ConfigNode node = experiment.source.child("nodes").child(std::to_string(i));
        check_ranks(node.child("ranks"), p.nodes[i].ranks, spoken_of, "say all that differs of it in one place");
        check_engine(node, p.nodes[i].engine, p.engine);
        check_timing(node, p.nodes[i], p.step.has_value());
    }
}

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
    const auto in_codes = [](const NodeParams& node) { return node.gpu.gradients != GradientForm::fp32; };
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
        check_job(node, job, p, taken);
    }
}

}   // namespace oscar
