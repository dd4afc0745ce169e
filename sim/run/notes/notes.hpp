// Notes of a report: what a reader must know before using its figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/report.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The notes on an experiment: what is not simulated, which nodes differ, what the tuner chose, what background traffic
/// overloads, which buffers limit the rate of their links, which links are slower than they seem, which order or
/// timeout decides times.
std::vector<std::string> notes_on(const Parameters& parameters, const Routes& routes);

/// What a configuration loses where it stands over bases, overrides or axes (overlay): parameters of a kind that
/// another replaced, lists, parameters beside a kind's name.
std::vector<std::string> notes_on_merging(const Experiment& experiment);

/// Settings that are legal and hardly meant: islands that are not alike or that the network does not have, NICs of
/// fewer GPUs than others, a clock above 10 GHz, given buckets out of order or without a ready time.
std::vector<std::string> notes_on_settings(const Experiment& experiment, const Topology& topology);

/// Scales of tensors where there is one tensor, factors beyond the number of `values`, sums that exceed fp32.
std::vector<std::string> notes_on_replay(const Parameters& parameters, const TraceManifest& manifest,
                                         const std::vector<MethodReport>& methods, std::uint64_t values);

/// Methods that have ended before the window of timelines begins.
std::vector<std::string> notes_on_timelines(const Parameters& parameters, const Report& report);

/// "charged: ...; hidden, no time: ...", each work with the keys that decide; none where no method
/// compresses.
std::optional<std::string> note_on_costs(const Parameters& parameters);

/// Adds a note for each method whose mask of classes is larger than engine.mask_sram, with the size that would hold it.
/// Sizes are given for the machine before it was scaled down.
void add_mask_notes(const Parameters& parameters, Report& report);

/// Links inside a node that are faster than what every message passes besides: DMA, the engine or the adders of the
/// NIC; or on which a method codes. Names the keys.
std::optional<std::string> note_on_island_links(const Parameters& parameters, const Topology& topology);

/// Islands of `collective: hierarchical` that are not those of the topology, what follows from it, and the remedy.
std::optional<std::string> note_on_islands_of_collective(const Parameters& parameters, const Topology& topology);

/// A ring of a reduce-scatter or all-gather that leaves islands by fewer NICs than they have, and the remedies.
std::optional<std::string> note_on_ring_of_islands(const Parameters& parameters, const Topology& topology);

/// Cables between rails and spines on which several connections of the collective meet, and what avoids that.
/// Precondition: every connection has a path.
std::optional<std::string> note_on_rails(const Parameters& parameters, const Routes& routes);

/// Lossy methods whose sketches so many ranks overload, if their zeros are at independent places; that lose what they
/// leave out; whose controller compresses critical regimes the most.
std::vector<std::string> notes_on_lossy(const Parameters& parameters);

/// Parameters of kind pipelined that are set and that the engine's kind does not use.
std::optional<std::string> note_on_engine_kind(const Parameters& parameters);

/// Flows of one rank that begin at one instant: the order of the list is the order in which they are posted.
std::optional<std::string> note_on_order_of_flows(const Parameters& parameters);

/// What a file of MSCCL says that has no effect here: protocols, and the sizes that it is meant for.
std::optional<std::string> note_on_schedule_file(const Parameters& parameters);

/// A timeout that packets exceed by waiting for one full buffer: they are then sent again without need. Precondition:
/// every flow has a path, and one back where receivers answer.
std::optional<std::string> note_on_timeout(const Parameters& parameters, const Routes& routes);

/// What the figures of engine.technology are; parts that methods use and it lacks; clocks that it does not reach. Empty
/// without one.
std::vector<std::string> notes_on_technology(const Parameters& parameters);

}   // namespace oscar
