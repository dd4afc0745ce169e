#include "sim/checks/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/collective/algorithms/halves.hpp"
#include "models/predict/predictors.hpp"
#include "sim/checks/places.hpp"
#include "sim/config/find.hpp"
#include "sim/config/read.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/sharding.hpp"
#include "sim/parameters/tuner.hpp"

namespace oscar {
namespace {

const FlowsParams* flows_in(const Parameters& p) { return std::get_if<FlowsParams>(&p.collective.params); }

void check_flow_sizes(const FlowsParams& params, std::uint32_t ranks, const ConfigNode& list) {
    for (std::size_t i = 0; i < params.flows.size(); ++i) {
        const Bytes bytes = params.flows[i].bytes;
        const ConfigNode size = list.child(std::to_string(i)).child("bytes");
        if (bytes.count % 4 != 0) size.fail("is no whole number of fp32 values; make it a multiple of 4B");
        if (values_of(bytes) > std::uint64_t{params.slices} * std::numeric_limits<std::uint32_t>::max())
            size.fail("has 2^32 values in a message, one more than are possible; send 4B less, or in slices: 2");
    }
    try {
        size_of(params, ranks);
    } catch (const std::invalid_argument& error) {
        list.fail(error.what());
    }
}

bool gives_buckets(const Parameters& p) { return p.step && !p.step->given.empty(); }

/// One node: all ranks on a switch, or each cabled to the next.
void check_links_of_a_node(const Experiment& experiment) {
    const auto& topology = experiment.parameters.network.topology.params;
    if (!std::holds_alternative<StarParams>(topology) && !std::holds_alternative<CableRingParams>(topology))
        experiment.source.child("network")
            .child("topology")
            .fail("a tuner of one node knows hops of star and ring; choose one of them");
}

/// Islands are nodes.
void check_links_between_nodes(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr || islands->island != p.tuner->ranks_per_node || islands->rails)
        experiment.source.child("network")
            .child("topology")
            .fail(fmt::format(
                "a tuner of several nodes has hops of two latencies; write {{kind: hierarchical, island: {}, "
                "rails: false}}",
                p.tuner->ranks_per_node));
}

}   // namespace

void check_flows(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (flows_in(p) == nullptr) return;
    const ConfigNode list = experiment.source.child("collective").child("flows");
    if (p.payload == Payload::synthetic) return check_flow_sizes(*flows_in(p), p.ranks, list);
    if (!flows_in(p)->flows.empty())
        list.fail("a list of transfers carries no values; set payload: synthetic and leave out trace");
}

void check_keys_of_a_trace(const Experiment& experiment) {
    if (experiment.parameters.payload != Payload::synthetic) return;
    if (experiment.parameters.step && !gives_buckets(experiment.parameters))
        experiment.source.child("step").fail(
            "payload synthetic has no trace to cut into buckets; give them, like given: [{bytes: 25MiB, ready: 3ms}]");
    for (const char* key : {"trace", "iterations", "layers", "bucket"})
        if (const ConfigNode node = experiment.source.child(key); node.form != ConfigNode::Form::null)
            node.fail(
                "payload synthetic carries no values and has no trace; leave it out, and say how big a gradient is, "
                "like size: 64MiB");
}

void check_size(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode node = experiment.source.child("size");
    if (p.payload != Payload::synthetic) {
        if (p.size) node.fail("a trace has its own; leave it out, or set payload: synthetic and leave out trace");
        return;
    }
    if (gives_buckets(p)) {
        if (p.size) node.fail("buckets of a step have sizes of their own; leave it out");
        return;
    }
    if (flows_in(p) != nullptr) {
        if (p.size) node.fail("flows have sizes of their own; leave it out");
        return;
    }
    if (!p.size) node.fail("is missing; payload synthetic needs the size of a gradient, like size: 64MiB");
    if (p.size->count % 4 != 0) node.fail("is no whole number of fp32 values; make it a multiple of 4B");
}

void check_trace_is_named(const Experiment& experiment) {
    const ConfigNode trace = experiment.source.child("trace");
    if (experiment.parameters.payload == Payload::synthetic || trace.form != ConfigNode::Form::null) return;
    if (std::ranges::find(folders_of_parts, experiment.file.parent_path().filename().string()) !=
        folders_of_parts.end())
        trace.fail("is missing, for the file is a part or a machine; an experiment takes it by base: [" +
                   experiment.file.stem().string() + "] beside its trace");
    trace.fail("is missing; write trace: FOLDER, like trace: lenet-fmnist");
}

void check_bucket_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.step && p.bucket)
        experiment.source.child("bucket").fail(
            "one bucket is no training step, which replays all of them; leave out bucket or step");
}

void check_given_buckets(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!gives_buckets(p)) return;
    const ConfigNode step = experiment.source.child("step"), given = step.child("given");
    if (p.payload != Payload::synthetic)
        given.fail("a trace has buckets of its own; leave it out, or set payload: synthetic and leave out trace");
    Time last;
    for (std::size_t i = 0; i < p.step->given.size(); ++i) {
        last = std::max(last, p.step->given[i].ready);
        if (p.step->given[i].bytes.count % 4 != 0)
            given.child(std::to_string(i))
                .child("bytes")
                .fail("is no whole number of fp32 values; make it a multiple of 4B");
    }
    if (p.step->backward && *p.step->backward < last)
        step.child("backward")
            .fail("ends before the last bucket is ready; make it no shorter than that, or leave it out");
    if (!p.jobs.empty() || p.tuner || flows_in(p) != nullptr)   // flows may be those of a file of GOAL
        given.fail(
            "buckets of a step are one collective on all ranks each, as configured; leave out jobs, tuner, flows and "
            "files of GOAL");
}

void check_starts_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.step && p.start_jitter != Time{})
        experiment.source.child("start_jitter")
            .fail("all ranks compute in step where there is a step; leave out start_jitter or step");
}

void check_collective_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const NcclCollectiveParams* nccl = nccl_in(p);
    const bool chosen = nccl != nullptr && is_sharded(p) && p.step->strategy == StepStrategy::fsdp;
    if (is_sharded(p) && !chosen && !reduce_scatter_of(p.collective))
        experiment.source.child("collective")
            .fail(fmt::format("strategy {} reduce-scatters gradients, and gathers parameters itself; write collective: "
                              "{{kind: reduce_scatter}}, or ring or hierarchical, of which it takes the halves{}",
                              to_text(p.step->strategy), nccl != nullptr ? "; nccl chooses for strategy: fsdp" : ""));
    if (chosen && nccl->operation == Operation::all_gather)
        experiment.source.child("collective")
            .child("operation")
            .fail("strategy fsdp reduce-scatters gradients, and gathers parameters itself; leave it out");
}

namespace {

/// The largest group of at most `most` ranks that divides all, and is an island (node), several, or a part of one; all
/// ranks where there is none of two at least.
std::uint32_t fitting_group(const Parameters& p, std::uint32_t most) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    const std::uint32_t island = islands != nullptr && p.ranks > islands->island ? islands->island : p.ranks;
    const auto fits = [&](std::uint32_t group) {
        return p.ranks % group == 0 && (group % island == 0 || island % group == 0);
    };
    for (std::uint32_t group = std::min(most, p.ranks); group > 1; --group)
        if (fits(group)) return group;
    return p.ranks;
}

/// The group of an hsdp step divides the ranks: of one that no key says the ranks are the cause.
void check_divisor(const Experiment& experiment, std::uint32_t group) {
    const Parameters& p = experiment.parameters;
    if (p.ranks % group == 0) return;
    const ConfigNode node = at_path(experiment.source, key_of_group(p));
    if (node.form == ConfigNode::Form::null && p.ranks > group)
        experiment.source.child("ranks").fail(
            fmt::format("{} ranks do not fill islands (nodes) of {}, each of which shares the parameters; write {} or "
                        "{}",
                        p.ranks, group, p.ranks / group * group, (p.ranks / group + 1) * group));
    node.fail(fmt::format("groups of {} do not divide {} ranks; choose a divisor, like {}", group, p.ranks,
                          fitting_group(p, group)));
}

/// Of an hsdp step: how many ranks share the parameters.
void check_sharing_ranks(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode node = at_path(experiment.source, key_of_group(p));
    const ShardParams* shards = shards_in(p.collective);
    const std::uint32_t group = sharing_ranks(p);
    if (group == 0)
        node.fail(
            fmt::format("network.topology {} has no islands; write how many neighbouring ranks share the "
                        "parameters, like group: {}",
                        p.network.topology.name(), p.ranks % 2 == 0 ? p.ranks / 2 : p.ranks));
    if (group == 1) node.fail("one rank alone shares nothing; write two at least, or strategy: ddp");
    check_divisor(experiment, group);
    if (shards != nullptr && shards->group != 0 && shards->group != group)
        experiment.source.child("collective")
            .child("group")
            .fail(fmt::format("step.group says {}; leave one of them out", group));
}

}   // namespace

void check_group_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.step) return;
    if (p.step->strategy == StepStrategy::hsdp) return check_sharing_ranks(experiment);
    if (p.step->group != 0)
        experiment.source.child("step").child("group").fail(
            "ranks share parameters in groups with strategy: hsdp alone; write that, or leave it out");
    if (const ShardParams* shards = shards_in(p.collective); is_sharded(p) && shards != nullptr && shards->group != 0)
        experiment.source.child("collective")
            .child("group")
            .fail("with strategy fsdp all ranks share the parameters; write strategy: hsdp, or leave it out");
}

void check_shards(const Experiment& experiment) {
    Parameters placed = experiment.parameters;
    const ConfigNode collective = experiment.source.child("collective");
    try {
        place_shards(placed);
        if (const ShardParams* shards = shards_in(placed.collective)) group_of(*shards, placed.ranks);
    } catch (const std::invalid_argument& error) {
        fail_with(collective, error.what());
    }
    const ShardParams* shards = shards_in(placed.collective);
    if (shards == nullptr || island_params_in(placed.collective) != nullptr) return;
    if (shards->island != 0) collective.child("island").fail("is of shape: hierarchical; write that, or leave it out");
    if (shards->inside != InsideIsland::ranks)
        collective.child("inside").fail("switches take part in shape: hierarchical alone; write that, or ranks");
}

void check_overlap_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (is_sharded(p) && !p.step->overlap)
        experiment.source.child("step").child("overlap").fail(
            "strategy fsdp overlaps as its prefetch lets it; leave it out, and write prefetch: 0 for no overlap");
}

/// Without ready times a backward pass can be had if it is given, and overlapped if it takes no time.
void check_ready_times(const Experiment& experiment, const TraceManifest& manifest) {
    if (!experiment.parameters.step) return;
    const StepParams& step = *experiment.parameters.step;
    const auto is_told = [](const TraceLayer& layer) { return layer.ready != Time{}; };
    if (std::ranges::any_of(manifest.layers, is_told)) return;
    if (!step.backward)
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready; say how long the backward pass takes, like {backward: "
            "5ms, overlap: false}");
    if (step.overlap && *step.backward != Time{})
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready, so nothing can overlap; give each layer of its "
            "trace.yaml a ready:, or set overlap: false with strategy: ddp");
}

void check_tuner(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    if (p.payload != Payload::synthetic)
        experiment.source.child("tuner").fail(
            "NCCL chooses by size, which payload synthetic has; set payload: synthetic");
    if (experiment.source.find("collective") != nullptr)
        experiment.source.child("collective").fail("the tuner chooses; leave it out, or leave out tuner");
    const ConfigNode tuner = experiment.source.child("tuner");
    if (p.tuner->operation != Operation::all_reduce)
        tuner.child("operation").fail("a tuned machine performs an AllReduce; leave it out, or write collective: nccl");
    if (p.tuner->nvls)
        tuner.child("nvls").fail("a tuned machine has rings and trees; leave it out, or write collective: nccl");
    try {
        fastest_choice(*p.tuner, p.ranks, *p.size);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("tuner").fail(error.what());
    }
}

void check_tuner_topology(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    if (has_several_nodes(*p.tuner, p.ranks)) check_links_between_nodes(experiment);
    else check_links_of_a_node(experiment);
}

namespace {

void check_window(const ConfigNode& node, Time from, std::optional<Time> to) {
    if (to && *to <= from) node.child("to").fail("ends no later than from; write a later end, or leave it out");
}

}   // namespace

void check_waveform(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.waveform) return;
    const ConfigNode node = experiment.source.child("waveform");
    if (p.fidelity != TimingFidelity::flit)
        node.fail("signals are those of the modules of fidelity flit; write fidelity: flit");
    check_window(node, p.waveform->from, p.waveform->to);
}

void check_timeline_window(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.timeline_window) return;
    const ConfigNode node = experiment.source.child("timeline_window");
    if (!p.timeline) node.fail("is of a timeline, which is not asked for; write timeline: true beside it");
    check_window(node, p.timeline_window->from, p.timeline_window->to);
}

}   // namespace oscar
