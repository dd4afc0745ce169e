#include "sim/checks/islands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/collective/algorithms/halves.hpp"
#include "sim/checks/places.hpp"
#include "sim/parameters/sharding.hpp"

namespace oscar {
namespace {

/// The topology's islands where the ranks are on several; null where they are on one, or on none.
const IslandsParams* several_islands(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    return islands != nullptr && p.ranks > islands->island ? islands : nullptr;
}

/// The island that a collective is told; 0 where it is told none.
std::uint32_t named_island(const Collective& collective) {
    return std::visit(
        [](const auto& params) -> std::uint32_t {
            if constexpr (requires { params.island; }) return params.island;
            else return 0;
        },
        collective.params);
}

/// The ranks of the groups in which a bucket is shared; 0: it is shared by all, or not.
std::uint32_t sharing_group(const Parameters& p) {
    if (is_sharded(p)) return sharing_ranks(p);
    const ShardParams* shards = shards_in(p.collective);
    return shards != nullptr ? shards->group : 0;
}

}   // namespace

void check_islands_of_groups(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const std::uint32_t island = named_island(p.collective), group = sharing_group(p);
    if (island == 0 || group == 0 || group % island == 0 || p.ranks % group != 0) return;
    experiment.source.child("collective")
        .child("island")
        .fail(
            fmt::format("islands of {} do not divide the groups of {} ranks ({}); choose a divisor of {}, or leave it "
                        "out",
                        island, group, key_of_group(p), group));
}

void check_filled_islands(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const IslandsParams* islands = several_islands(p);
    if (islands == nullptr || p.ranks % islands->island == 0 || !p.jobs.empty() || named_island(p.collective) != 0)
        return;
    Parameters placed = p;
    place_shards(placed);
    const auto made_in = islands_of(placed.collective, p.ranks, islands->island);
    if (!made_in) return;
    const std::uint32_t unit = std::max(islands->island, sharing_group(p)), fewer = p.ranks / unit * unit;
    const std::string smaller = made_in->ranks == 1
                                    ? ""
                                    : fmt::format(
                                          ", or network.topology.island: {}; or name smaller islands, like "
                                          "collective.island: {}",
                                          made_in->ranks, made_in->ranks);
    experiment.source.child("ranks").fail(fmt::format(
        "{} ranks do not fill islands (nodes) of {}: the last has {}, and {} needs as many on each; write {} or {}{}, "
        "or "
        "take a ring",
        p.ranks, islands->island, p.ranks % islands->island, placed.collective.name(), fewer, fewer + unit, smaller));
}

void check_groups_on_islands(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const IslandsParams* islands = several_islands(p);
    if (islands == nullptr || !p.jobs.empty()) return;
    const std::uint32_t group = sharing_group(p), island = islands->island;
    if (group == 0 || group % island == 0 || island % group == 0) return;
    at_path(experiment.source, key_of_group(p))
        .fail(fmt::format("groups of {} are no whole islands (nodes) of {}, nor equal parts of one; choose a divisor "
                          "or a multiple of {}",
                          group, island, island));
}

void check_channels_of_islands(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const IslandsParams* islands = several_islands(p);
    if (islands == nullptr || !p.jobs.empty()) return;
    const std::uint32_t nics = islands->nics_of(islands->island);
    if (channels_of(p.collective) <= nics) return;
    experiment.source.child("collective")
        .child("channels")
        .fail(fmt::format("{} channels leave an island (node) by its {} NICs; choose {} or fewer, and slices for more "
                          "messages under way",
                          channels_of(p.collective), nics, nics));
}

}   // namespace oscar
