// Notes on settings that are legal and hardly meant.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/core/quantity.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

using namespace literals;

/// Islands that are not alike: of some ranks fewer than the others.
std::optional<std::string> note_on_islands(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr) return std::nullopt;
    const std::uint32_t whole = p.ranks / islands->island, rest = p.ranks % islands->island;
    if (rest == 0) return std::nullopt;
    if (whole == 0)
        return fmt::format("{} ranks are part of an island (node) of {}; a whole one has ranks: {}", p.ranks,
                           islands->island, islands->island);
    const std::uint32_t fewer = whole * islands->island, more = fewer + islands->island;
    return fmt::format("{} ranks on islands (nodes) of {}: {} of {} and one of {}; whole ones have ranks: {} or {}",
                       p.ranks, islands->island, whole, islands->island, rest, fewer, more);
}

/// Islands of the schedule that the network does not have.
std::optional<std::string> note_on_missing_islands(const Parameters& p, const Topology& topology) {
    if (topology.island > 1 || island_params_in(p.collective) == nullptr) return std::nullopt;
    const bool all_reduce = std::holds_alternative<HierarchicalParams>(p.collective.params);
    return fmt::format(
        "collective: {} counts on links that are faster inside islands, and network.topology {} has no islands; write "
        "{{kind: hierarchical, island: 8}} there, take base: nvlink-4, or another {}",
        all_reduce ? "hierarchical" : "{shape: hierarchical}", p.network.topology.name(),
        all_reduce ? "collective" : "shape");
}

/// nccl-tests gives the row of a rank as the size.
std::optional<std::string> note_on_matrix(const Parameters& p) {
    if (operation_of(p.collective) != Operation::all_to_all || !p.size || !p.jobs.empty()) return std::nullopt;
    const Bytes row{p.size->count / p.ranks}, matrix{p.size->count * p.ranks};
    return fmt::format(
        "size: {} are the blocks of all {} ranks, of which a rank sends a row of {}; nccl-tests calls that row the "
        "size: for its {} write size: {}",
        to_text(*p.size), p.ranks, to_text(row), to_text(*p.size), to_text(matrix));
}

std::optional<std::string> note_on_clocks(const Parameters& p) {
    Frequency fastest = p.engine.clock;
    for (const NodeChange& change : p.nodes) fastest = std::max(fastest, change.engine.clock);
    if (fastest <= 10_GHz) return std::nullopt;
    return fmt::format(
        "engine.clock: {} is an idealisation: no engine runs above 10 GHz; where the engine shall cost "
        "no time, the report says what it would cost at a clock like 1GHz",
        to_text(fastest));
}

/// Buckets that are ready earlier than one before them, or of which nothing says when they are.
std::vector<std::string> notes_on_given(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    std::vector<std::string> notes;
    if (!p.step || p.step->given.size() < 1) return notes;
    const auto& given = p.step->given;
    const auto earlier =
        std::ranges::adjacent_find(given, [](const GivenBucket& a, const GivenBucket& b) { return b.ready < a.ready; });
    if (earlier != given.end())
        notes.push_back(
            fmt::format("step.given: bucket {} is ready at {}, before bucket {} at {}; buckets are sent in the order "
                        "of the list, so "
                        "that it waits",
                        earlier - given.begin() + 1, to_text((earlier + 1)->ready), earlier - given.begin(),
                        to_text(earlier->ready)));
    const ConfigNode list = experiment.source.child("step").child("given");
    std::vector<std::string> silent;
    for (const ConfigNode& entry : list.children)
        if (entry.find("ready") == nullptr) silent.push_back(entry.key);
    if (!silent.empty())
        notes.push_back(fmt::format(
            "step.given: bucket {} has no ready, so it is ready when the backward pass begins; write it like "
            "ready: 3ms",
            fmt::join(silent, ", ")));
    return notes;
}

}   // namespace

std::vector<std::string> notes_on_settings(const Experiment& experiment, const Topology& topology) {
    const Parameters& p = experiment.parameters;
    std::vector<std::string> notes;
    for (auto& note : {note_on_islands(p), note_on_missing_islands(p, topology), note_on_matrix(p), note_on_clocks(p)})
        if (note) notes.push_back(*note);
    for (std::string& note : notes_on_given(experiment)) notes.push_back(std::move(note));
    return notes;
}

}   // namespace oscar
