// All checks of a configuration, in the order in which they run. Each finds an unsupported or contradictory value at
// one key path, and throws ConfigError with its place. No gradient is read and no machine is built before the last.
#pragma once

#include <array>
#include <string_view>

#include "sim/checks/engine_kind.hpp"
#include "sim/checks/experiment.hpp"
#include "sim/checks/folding.hpp"
#include "sim/checks/island_port.hpp"
#include "sim/checks/islands.hpp"
#include "sim/checks/kernel_sums.hpp"
#include "sim/checks/lossy.hpp"
#include "sim/checks/memory.hpp"
#include "sim/checks/methods.hpp"
#include "sim/checks/nccl.hpp"
#include "sim/checks/network.hpp"
#include "sim/checks/node/pcie_switch.hpp"
#include "sim/checks/node/staging_memory.hpp"
#include "sim/checks/ranks.hpp"
#include "sim/checks/staging.hpp"
#include "sim/checks/surroundings.hpp"
#include "sim/checks/technology.hpp"
#include "sim/checks/trace.hpp"

namespace oscar {

template <class Subject>
struct Check {
    std::string_view key;   ///< that its errors name, or begin with
    void (*check)(const Subject&);
};

/// Checks of the parameters as they are written, before resolve() fills in the ones that follow from others.
inline constexpr std::array checks_as_written{
    Check<Experiment>{"experiment", check_experiment_name},
    Check<Experiment>{"methods", check_methods},
    Check<Experiment>{"collective.flows", check_flows},
    Check<Experiment>{"trace", check_keys_of_a_trace},
    Check<Experiment>{"size", check_size},
    Check<Experiment>{"trace", check_trace_is_named},
    Check<Experiment>{"methods", check_constant_rates},
    Check<Experiment>{"methods", check_surroundings_of_lossy},
    Check<Experiment>{"bucket", check_bucket_of_step},
    Check<Experiment>{"step.given", check_given_buckets},
    Check<Experiment>{"start_jitter", check_starts_of_step},
    Check<Experiment>{"collective", check_collective_of_step},
    Check<Experiment>{"step.group", check_group_of_step},
    Check<Experiment>{"step.group", check_groups_on_islands},
    Check<Experiment>{"collective.island", check_islands_of_groups},
    Check<Experiment>{"collective", check_shards},
    Check<Experiment>{"ranks", check_filled_islands},
    Check<Experiment>{"collective.channels", check_channels_of_islands},
    Check<Experiment>{"step.overlap", check_overlap_of_step},
    Check<Experiment>{"tuner", check_tuner},
    Check<Experiment>{"network.topology", check_tuner_topology},
    Check<Experiment>{"collective", check_nccl},
    Check<Experiment>{"collective.protocol", check_protocol_of_direct},
    Check<Experiment>{"gpu.gradients", check_words},
    Check<Experiment>{"waveform", check_waveform},
    Check<Experiment>{"timeline_window", check_timeline_window},
    Check<Experiment>{"engine.technology", check_technology},
    Check<Experiment>{"engine", check_engine_kind},
};

/// Checks of all parameters, with the ones that resolve() has filled in.
inline constexpr std::array checks_as_resolved{
    Check<Experiment>{"nodes", check_nodes},
    Check<Experiment>{"gpu.island_port", check_island_port},
    Check<Experiment>{"network.topology.gpus_per_nic", check_gpus_per_nic},
    Check<Experiment>{"collective.inside", check_inside_of_islands},
    Check<Experiment>{"gpu.pcie_switch", check_pcie_switch},
    Check<Experiment>{"nic.staging_memory", check_staging_memory},
    Check<Experiment>{"gpu.staging", check_staging},
    Check<Experiment>{"engine.place", check_engine_place},
    Check<Experiment>{"jobs", check_surroundings_of_jobs},
    Check<Experiment>{"jobs", check_jobs},
    Check<Experiment>{"network.background", check_background},
    Check<Experiment>{"folding", check_folding},
};

/// Checks that need the topology.
inline constexpr std::array checks_as_cabled{
    Check<CabledExperiment>{"ranks", check_memory},   // first, for the others take long where it is too little
    Check<CabledExperiment>{"network.routing", check_network_routing},
    Check<CabledExperiment>{"network.link.buffer", check_network_link_buffer},
    Check<CabledExperiment>{"network.topology", check_network_grid},
    Check<CabledExperiment>{"network.topology", check_network_wait_cycles},
    Check<CabledExperiment>{"network", check_network_transport},
    Check<CabledExperiment>{"network.faults", check_network_faults},
    Check<CabledExperiment>{"network.topology", check_network_flows},
    Check<CabledExperiment>{"network.topology", check_surrounding_exchanges},
    Check<CabledExperiment>{"network.background.pattern", check_background_ways},
    Check<CabledExperiment>{"network.reliability.timeout", check_network_timeout},
    Check<CabledExperiment>{"network.background", check_memory_of_background},
    Check<CabledExperiment>{"collective", check_aggregator_slots},
    Check<CabledExperiment>{"collective.channels", check_channels},
};

/// Checks that need the layers that are replayed.
inline constexpr std::array checks_as_captured{
    Check<CapturedExperiment>{"methods", check_methods_on_buckets},
};

/// Runs the checks of a list in its order. Throws ConfigError.
template <class Subject>
void run_checks(const auto& list, const Subject& subject) {
    for (const Check<Subject>& check : list) check.check(subject);
}

}   // namespace oscar
