// Each check of the lists finds what it is for, at the place that its key names.
#include "sim/checks/checks.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "sim/checks/load_experiment.hpp"
#include "sim/checks/network.hpp"
#include "sim/config/load.hpp"

namespace oscar::checks_test {
namespace {

using ::testing::HasSubstr;

const std::string raw = "payload: synthetic\nmethods: [fp32]\n", sized = raw + "size: 32KiB\n",
                  nodes_of_8 = "network: {topology: hierarchical}\n", on_gpu = sized + "engine: {place: gpu}\n",
                  coding = "gpu: {coding: {encode: [{}], decode: [{}]}}\n";

/// A configuration for the check to refuse, and the key that the error names.
template <class Subject>
struct Wrong {
    void (*check)(const Subject&);
    std::string yaml, key;
};

const std::vector<Wrong<Experiment>> wrong_as_written{
    {check_experiment_name, "experiment: a/b\n", "experiment"},
    {check_methods, "methods: []\n", "methods"},
    {check_flows, "trace: t\ncollective: {kind: flows, flows: [{from: 0, to: 1}]}\n", "collective.flows"},
    {check_keys_of_a_trace, sized + "layers: conv*\n", "layers"},
    {check_size, raw, "size"},
    {check_trace_is_named, "ranks: 4\n", "trace"},
    {check_constant_rates, "payload: synthetic\nsize: 4B\nmethods: [fp32, asc]\n", "methods.1"},
    {check_surroundings_of_lossy, "payload: synthetic\nsize: 4B\nmethods: [fp32, top_k]\n", "methods.1"},
    {check_surroundings_of_lossy, "trace: t\nmethods: [top_k]\ncollective: all_to_all\n", "methods.0"},
    {check_bucket_of_step, "trace: t\nstep: {}\nbucket: {index: 0}\n", "bucket"},
    {check_keys_of_a_trace, sized + "step: {}\n", "step"},
    {check_size, sized + "step: {given: [{bytes: 4B}]}\n", "size"},
    {check_given_buckets, "trace: t\nstep: {given: [{bytes: 4B}]}\n", "step.given"},
    {check_given_buckets, "payload: synthetic\nstep: {given: [{bytes: 8B}, {bytes: 6B}]}\n", "step.given.1.bytes"},
    {check_given_buckets, "payload: synthetic\nstep: {backward: 1ms, given: [{ready: 2ms}]}\n", "step.backward"},
    {check_given_buckets, "payload: synthetic\ntuner: {launch: 1us}\nstep: {given: [{ready: 2ms}]}\n", "step.given"},
    {check_given_buckets, "payload: synthetic\ncollective: {kind: flows}\nstep: {given: [{ready: 2ms}]}\n",
     "step.given"},
    {check_starts_of_step, "trace: t\nstep: {}\nstart_jitter: 1us\n", "start_jitter"},
    {check_collective_of_step, "trace: t\nstep: {strategy: fsdp}\ncollective: direct\n", "collective"},
    {check_group_of_step, "trace: t\nstep: {strategy: hsdp}\n", "step.group"},   // a star has no islands
    {check_group_of_step, "trace: t\nstep: {strategy: hsdp, group: 1}\n", "step.group"},
    {check_group_of_step, "trace: t\nranks: 8\nstep: {strategy: hsdp, group: 3}\n", "step.group"},
    {check_group_of_step, "trace: t\nranks: 12\nstep: {strategy: hsdp}\nnetwork: {topology: hierarchical}\n",
     "ranks"},   // nodes of 8: no key says a group
    {check_group_of_step, "trace: t\nranks: 4\nstep: {strategy: hsdp}\nnetwork: {topology: hierarchical}\n",
     "step.group"},   // part of a node of 8
    {check_group_of_step, "trace: t\nstep: {strategy: fsdp, group: 4}\n", "step.group"},
    {check_group_of_step, "trace: t\nstep: {group: 4}\n", "step.group"},
    {check_group_of_step, "trace: t\nstep: {strategy: fsdp}\ncollective: {kind: reduce_scatter, group: 4}\n",
     "collective.group"},
    {check_group_of_step, "trace: t\nstep: {strategy: hsdp, group: 2}\ncollective: {kind: reduce_scatter, group: 4}\n",
     "collective.group"},
    {check_shards, sized + "collective: {kind: reduce_scatter, group: 3}\n", "collective.group"},
    {check_shards, sized + "collective: {kind: all_gather, island: 3}\n", "collective.island"},
    {check_shards, sized + "collective: {kind: all_gather, shape: dissemination, group: 2}\n", "collective.group"},
    {check_shards, sized + "collective: {kind: all_gather, shape: ring, island: 2}\n", "collective.island"},
    {check_shards, sized + "collective: {kind: reduce_scatter, shape: ring, inside: switch}\n", "collective.inside"},
    {check_filled_islands, sized + "ranks: 12\ncollective: hierarchical\n" + nodes_of_8, "ranks"},
    {check_filled_islands, sized + "ranks: 12\ncollective: reduce_scatter\n" + nodes_of_8, "ranks"},
    {check_filled_islands, "trace: t\nranks: 12\nstep: {strategy: fsdp}\ncollective: hierarchical\n" + nodes_of_8,
     "ranks"},
    {check_filled_islands,
     "trace: t\nranks: 20\nstep: {strategy: hsdp, group: 4}\ncollective: hierarchical\n" + nodes_of_8, "ranks"},
    {check_group_of_step, "trace: t\nranks: 16\nstep: {strategy: hsdp}\ncollective: {kind: reduce_scatter, group: 6}\n",
     "collective.group"},
    {check_groups_on_islands,
     "trace: t\nranks: 24\nstep: {strategy: hsdp}\ncollective: {kind: reduce_scatter, group: 6}\n" + nodes_of_8,
     "collective.group"},
    {check_islands_of_groups,
     "trace: t\nranks: 16\nstep: {strategy: hsdp}\ncollective: {kind: hierarchical, island: 3}\n" + nodes_of_8,
     "collective.island"},
    {check_islands_of_groups, sized + "ranks: 16\ncollective: {kind: all_gather, group: 4, island: 8}\n",
     "collective.island"},
    {check_groups_on_islands, "trace: t\nranks: 48\nstep: {strategy: hsdp, group: 12}\n" + nodes_of_8, "step.group"},
    {check_groups_on_islands, "trace: t\nranks: 24\nstep: {strategy: hsdp, group: 6}\n" + nodes_of_8, "step.group"},
    {check_groups_on_islands, sized + "ranks: 24\ncollective: {kind: all_gather, group: 12}\n" + nodes_of_8,
     "collective.group"},
    {check_channels_of_islands, sized + "ranks: 16\ncollective: {kind: ring, channels: 9}\n" + nodes_of_8,
     "collective.channels"},
    {check_channels_of_islands,
     sized + "ranks: 16\ncollective: {kind: ring, channels: 5}\n"
             "network: {topology: {kind: hierarchical, gpus_per_nic: 2}}\n",
     "collective.channels"},
    {check_overlap_of_step, "trace: t\nstep: {strategy: fsdp, overlap: false}\n", "step.overlap"},
    {check_tuner, "trace: t\ntuner: {launch: 1us}\n", "tuner"},
    {check_nccl, sized + "collective: nccl\nnetwork: {topology: mesh}\n", "network.topology"},
    {check_nccl, sized + "collective: nccl\n", "gpu.staging"},
    {check_protocol_of_direct,
     "payload: synthetic\nsize: 4B\nmethods: [fp8, fixed_point]\n"
     "collective: {kind: direct, protocol: LL}\n",
     "methods.1"},
    {check_words, "trace: t\nmethods: [asc]\ngpu: {gradients: words}\n", "methods.0"},
    {check_words, "trace: t\nmethods: [bf16, top_k]\ngpu: {gradients: words}\n", "methods.1"},
    {check_nccl, sized + "collective: nccl\ngpu: {staging: gpu}\n", "nic.message_latency"},
    {check_tuner_topology, sized + "tuner: {launch: 1us}\nnetwork: {topology: mesh}\n", "network.topology"},
    {check_waveform, sized + "waveform: {}\n", "waveform"},
    {check_waveform, sized + "fidelity: flit\nwaveform: {from: 2us, to: 2us}\n", "waveform.to"},
    {check_timeline_window, sized + "timeline_window: {}\n", "timeline_window"},
    {check_timeline_window, sized + "timeline: true\ntimeline_window: {from: 2us, to: 2us}\n", "timeline_window.to"},
    {check_technology, sized + "engine: {technology: {name: t, node_nm: 7}}\n", "engine.technology.units"},
    {check_engine_kind, "trace: t\nengine: {kind: cycles}\npayload: size_only\n", "engine.kind"},
    {check_engine_kind, "trace: t\nengine: {kind: cycles, streams: 3}\n", "engine.streams"},
    {check_engine_kind, "trace: t\nengine: {kind: cycles, packers: 2}\n", "engine.packers"},
    {check_engine_kind, "trace: t\nscale: 2\nengine: {kind: cycles}\n", "engine.packers"},
    {check_engine_kind, "trace: t\nengine: {kind: rtl}\nmethods: [fp32, rans]\n", "engine.kind"},
    {check_engine_kind, "trace: t\nengine: {kind: rtl}\nmethods: [{kind: asc, adapt: symbol}]\n", "engine.kind"},
    {check_engine_kind, "trace: t\nengine: {kind: rtl}\nmethods: [top_k]\n", "engine.kind"},
    {check_engine_kind, "trace: t\nengine: {kind: rtl, lanes: 3}\nmethods: [asc]\n", "engine.kind"},   // nobody made it
};

const std::vector<Wrong<Experiment>> wrong_as_resolved{
    {check_nodes, sized + "nodes: [{ranks: [8]}]\n", "nodes.0.ranks.0"},
    {check_island_port, sized + "gpu: {island_port: {}}\n", "gpu.island_port"},
    {check_gpus_per_nic, sized + "network: {topology: {kind: hierarchical, gpus_per_nic: 2}}\n",
     "network.topology.gpus_per_nic"},
    {check_gpus_per_nic,
     sized + "network: {topology: {kind: hierarchical, island: 2, gpus_per_nic: 4}}\ngpu: {island_port: {}}\n",
     "network.topology.gpus_per_nic"},
    {check_gpus_per_nic,
     sized + "network: {topology: {kind: hierarchical, gpus_per_nic: 2}}\ngpu: {island_port: {}}\n"
             "nodes: [{ranks: [3], nic: {latency: 1us}}]\n",
     "nodes"},
    {check_gpus_per_nic,   // NICs for 3, 3 and 2 GPUs
     sized + "network: {topology: {kind: hierarchical, gpus_per_nic: 3}}\ngpu: {island_port: {}}\n",
     "network.topology.gpus_per_nic"},
    {check_pcie_switch, sized + "gpu: {pcie_switch: {gpus: 3, uplink: 100Gbps}}\n", "gpu.pcie_switch.gpus"},
    {check_staging_memory, sized + "nic: {staging_memory: 1KiB}\n", "nic.staging_memory"},
    {check_pcie_switch, sized + "nodes: [{ranks: [1], gpu: {pcie_switch: {}}}]\n", "nodes.0.gpu.pcie_switch"},
    {check_inside_of_islands, sized + "collective: {kind: hierarchical, inside: switch}\n", "collective.inside"},
    {check_inside_of_islands,
     sized + "collective: {kind: hierarchical, inside: switch, island: 4}\nnetwork: {topology: {kind: hierarchical}}\n"
             "gpu: {island_port: {}}\n",
     "collective.island"},
    {check_inside_of_islands,
     sized + "collective: {kind: hierarchical, inside: switch, island: 5}\nnetwork: {topology: {kind: hierarchical}}\n"
             "gpu: {island_port: {}}\n",
     "collective.island"},
    {check_inside_of_islands,   // of NVLink 3, whose switches do not add
     sized + "collective: {kind: hierarchical, inside: switch}\nnetwork: {topology: {kind: hierarchical}}\n"
             "gpu: {island_port: {}}\n",
     "collective.inside"},
    {check_inside_of_islands, sized + "collective: {kind: reduce_scatter, inside: switch}\n", "collective.inside"},
    {check_engine_place, on_gpu, "gpu.coding"},
    {check_engine_place, on_gpu + "gpu: {coding: {encode: [{values: 10}]}}\n", "gpu.coding.decode"},
    {check_engine_place, on_gpu + "gpu: {coding: {encode: [{values: 9}, {values: 9}], decode: [{}]}}\n",
     "gpu.coding.encode"},
    {check_engine_place,
     on_gpu + "gpu: {coding: {encode: [{}], decode: [{values: 9}, {values: 10, values_per_ns: 9}]}}\n",
     "gpu.coding.decode"},
    {check_engine_place, on_gpu + coding, "gpu.staging"},
    {check_engine_place,
     sized + "engine: {place: gpu, kind: cycles}\ngpu: {staging: gpu, coding: {encode: [{}], decode: [{}]}}\n",
     "engine.kind"},
    {check_engine_place, on_gpu + "nodes: [{ranks: [1], gpu: {coding: null}}]\n" + coding, "nodes.0.gpu.coding"},
    {check_staging, sized + "gpu: {staging: gpu, memory_bandwidth: 900Gbps}\n", "gpu.staging"},
    {check_surroundings_of_jobs, sized + "jobs: [{ranks: [0-1]}]\nstart_jitter: 1us\n", "start_jitter"},
    {check_jobs, sized + "jobs: [{ranks: [3]}]\n", "jobs.0.ranks"},
    {check_jobs, sized + "jobs: [{ranks: [0-3]}, {ranks: [3-4]}]\n", "jobs.1.ranks.0"},
    {check_background, sized + "network: {background: {pattern: {kind: incast, to: 8}}}\n",
     "network.background.pattern"},
    {check_folding, sized + "folding: always\nranks: 7\n", "folding"},
};

const std::vector<Wrong<CabledExperiment>> wrong_as_cabled{
    {check_network_routing, sized + "network: {routing: dimension_order}\n", "network.routing"},
    {check_network_link_buffer,
     sized + "network: {topology: mesh, switch: {architecture: input_queued}, link: {buffer: 4KiB}}\n",
     "network.link.buffer"},
    {check_network_grid,
     sized + "ranks: 1000\nnetwork: {topology: {kind: mesh, rows: 1, columns: 1000}, switch: {architecture: "
             "input_queued}}\n",
     "network.topology"},
    {check_network_wait_cycles, sized + "network: {topology: {kind: torus, rows: 1, columns: 8}}\n",
     "network.topology"},
    {check_network_transport, sized + "network: {loss: {rate: 0.1}}\n", "network.loss"},
    {check_network_faults, sized + "network: {faults: {flip: 0.1, check: none}}\n", "network.faults.check"},
    {check_network_faults, sized + "network: {reliability: go_back_n, faults: {flip: 1}}\n", "network.faults.flip"},
    {check_network_faults, sized + "network: {reliability: go_back_n, faults: {drop: 1}}\n", "network.faults.drop"},
    {check_network_timeout, sized + "network: {reliability: {kind: selective, timeout: 1us}}\n",
     "network.reliability.timeout"},
    {check_memory, sized + "ranks: 4096\ncollective: {kind: direct, slices: 256}\n", "collective"},
    {check_network_flows, sized + "collective: direct\nnetwork: {topology: ring}\n", "network.topology"},
    {check_surrounding_exchanges, "trace: t\nmethods: [fp32, asc]\nchunks: leader\nnetwork: {topology: ring}\n",
     "network.topology"},
    {check_background_ways, sized + "network: {topology: ring, background: {pattern: uniform}}\n",
     "network.background.pattern"},
    {check_memory_of_background,
     raw + "size: 4GiB\nnetwork: {link: {bandwidth: 1Gbps}, background: {load: 0.999, message: 1B}}\n",
     "network.background"},
    {check_aggregator_slots,
     sized +
         "collective: {kind: in_network, issue: lock_step, slices: 9}\nnetwork: {switch: {aggregator: {slots: 8}}}\n",
     "collective"},
    {check_channels, raw + "size: 32B\ncollective: {channels: 3}\n", "collective.channels"},
};

Experiment read_yaml(const std::string& yaml) { return read_experiment(parse_config(yaml, "w.yaml"), "w.yaml"); }

template <class Subject>
std::string error_of(void (*check)(const Subject&), const Subject& subject) {
    try {
        check(subject);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

std::string error_as_cabled(const Wrong<CabledExperiment>& wrong) {
    const Experiment experiment = make_experiment(parse_config(wrong.yaml, "w.yaml"), "w.yaml");
    const Parameters& p = experiment.parameters;
    const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
    return error_of(wrong.check, CabledExperiment{experiment, topology, 0});
}

TEST(ChecksAsWritten, FindWhatTheyAreForAtTheirKey) {
    for (const auto& wrong : wrong_as_written)
        EXPECT_THAT(error_of(wrong.check, read_yaml(wrong.yaml)), HasSubstr(": " + wrong.key + ": ")) << wrong.yaml;
}

TEST(ChecksAsResolved, FindWhatTheyAreForAtTheirKey) {
    for (const auto& wrong : wrong_as_resolved) {
        Experiment experiment = read_yaml(wrong.yaml);
        resolve(experiment);
        EXPECT_THAT(error_of<Experiment>(wrong.check, experiment), HasSubstr(": " + wrong.key + ": ")) << wrong.yaml;
    }
}

TEST(ChecksAsCabled, LetChunksOfTheLeaderPassWhereItsBoundariesAreNotSentOrArrive) {
    for (const char* yaml : {"trace: t\nmethods: [fp32]\nchunks: leader\nnetwork: {topology: ring}\n",
                             "trace: t\nmethods: [asc]\nchunks: leader\n",
                             "trace: t\nmethods: [asc]\nquantiser: {agreement: exact}\nnetwork: {topology: ring}\n"})
        EXPECT_EQ(error_as_cabled({check_surrounding_exchanges, yaml, ""}), "no error") << yaml;
}

TEST(ChecksAsCabled, BeginWithMemoryForTheOthersTakeLongWhereItIsTooLittle) {
    EXPECT_EQ(checks_as_cabled.front().check, check_memory);
}

TEST(ChecksAsCabled, FindWhatTheyAreForAtTheirKey) {
    for (const auto& wrong : wrong_as_cabled)
        EXPECT_THAT(error_as_cabled(wrong), HasSubstr(": " + wrong.key + ": ")) << wrong.yaml;
}

/// Every check of the list has a configuration that it refuses, and is in the list once.
template <class Subject>
void expect_each_is_tried(const auto& list, const std::vector<Wrong<Subject>>& tried) {
    for (const Check<Subject>& check : list) {
        const auto is_tried = [&](const Wrong<Subject>& wrong) { return wrong.check == check.check; };
        const auto is_it = [&](const Check<Subject>& other) { return other.check == check.check; };
        EXPECT_TRUE(std::ranges::any_of(tried, is_tried)) << check.key;
        EXPECT_EQ(std::ranges::count_if(list, is_it), 1) << check.key;
    }
}

TEST(Checks, AreEachTriedWithAConfigurationThatTheyRefuse) {
    expect_each_is_tried(checks_as_written, wrong_as_written);
    expect_each_is_tried(checks_as_resolved, wrong_as_resolved);
    expect_each_is_tried(checks_as_cabled, wrong_as_cabled);
}

TEST(Checks, LetNodesThatDifferInOtherThingsCodeOnTheirGpus) {
    const std::string yaml = sized +
                             "engine: {place: gpu}\nnodes: [{ranks: [1], gpu: {launch: 1us}}]\n"
                             "gpu: {staging: gpu, coding: {encode: [{}], decode: [{}]}}\n";
    EXPECT_NO_THROW(make_experiment(parse_config(yaml, "w.yaml"), "w.yaml"));
}

TEST(Checks, LetTheDefaultsOfEveryKeyPass) {
    const Experiment experiment = make_experiment(parse_config(sized, "w.yaml"), "w.yaml");
    const Parameters& p = experiment.parameters;
    const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
    EXPECT_NO_THROW(run_checks(checks_as_cabled, CabledExperiment{experiment, topology, 0}));
}

}   // namespace
}   // namespace oscar::checks_test
