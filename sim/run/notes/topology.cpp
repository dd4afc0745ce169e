#include "sim/run/notes/notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/collective/schedule/connections.hpp"
#include "models/core/quantity.hpp"
#include "models/job/schedule_on.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/sharding.hpp"

namespace oscar {
namespace {

double mbps(Bandwidth rate) { return static_cast<double>(rate.mbps); }

/// Values of `bits` that `per_cycle` lanes or adders take in, in Mbit/s.
double rate_of(std::uint32_t per_cycle, Frequency clock, double bits) {
    return per_cycle * static_cast<double>(clock.khz) / 1000 * bits;
}

std::string gbps_text(double rate, const Parameters& p) { return fmt::format("{:.4g} Gbit/s", rate * p.scale / 1000); }

/// The parts of the machine that every message passes and that are slower than `link`, with their keys.
std::vector<std::string> slower_than(Bandwidth link, const Parameters& p) {
    std::vector<std::string> list;
    const auto add = [&](double rate, const std::string& keys) {
        if (rate < mbps(link)) list.push_back(fmt::format("{} ({})", keys, gbps_text(rate, p)));
    };
    const auto is_integer = [](const Method& method) { return element_type_of(method) == ElementType::integer; };
    add(mbps(p.gpu.dma_bandwidth), "gpu.dma_bandwidth");
    if (!std::ranges::all_of(p.methods, is_integer))
        add(rate_of(p.nic.adders, p.nic.clock, 32), "nic.adders x nic.clock");
    const double interval = std::max(p.engine.encode_interval, p.engine.decode_interval);
    if (std::ranges::any_of(p.methods, is_integer))
        add(rate_of(p.engine.lanes, p.engine.clock, fixed_point(p.quantiser).bits / interval),
            interval > 1 ? "engine.lanes x engine.clock / interval" : "engine.lanes x engine.clock");
    return list;
}

std::vector<std::string> coded_methods(const Parameters& p) {
    std::vector<std::string> names;
    for (const Method& method : p.methods)
        if (!make_codec(method.codec, p.engine.framing())->constant_rate()) names.push_back(method.name);
    return names;
}

/// Connections of the collective on the busiest link for which `is_one` holds, for the rate of it.
double busiest(const Parameters& p, const Routes& routes, auto&& is_one) {
    const Topology& topology = routes.topology();
    IndexedVector<EdgeId, std::uint32_t> connections(topology.edges.size());
    for (const Connection& used : connections_of(schedule_on(p.collective, topology)))
        if (std::max(used.from, used.to).value < topology.ranks)
            for (const Hop& hop : routes.path(used.from, used.to)) ++connections[hop.edge];
    double most = 0;
    for (const EdgeId e : connections.indices())
        if (is_one(topology.edges[e])) most = std::max(most, connections[e] / mbps(topology.edges[e].link.bandwidth));
    return most;
}

/// Times that the busiest cable between a rail and a spine is as busy as the busiest of a NIC.
double excess_of_spines(const Parameters& p, const Routes& routes) {
    const Topology& topology = routes.topology();
    const std::uint32_t islands = (topology.ranks + topology.island - 1) / topology.island;
    const auto is_nic = [&](const Topology::Edge& edge) {
        return !topology.is_switch(edge.from) && edge.to >= topology.switch_node(islands);
    };
    const auto is_spine = [&](const Topology::Edge& edge) {
        return topology.is_switch(edge.from) && topology.is_switch(edge.to);
    };
    const double nics = busiest(p, routes, is_nic);
    return nics > 0 ? busiest(p, routes, is_spine) / nics : 0;
}

/// The value of excess_of_spines if the topology had `spines` spines.
double excess_with(Parameters p, std::uint32_t spines) {
    std::get<IslandsParams>(p.network.topology.params).spines = spines;
    const Topology topology = make_topology(p.network.topology, simulated_ranks(p), p.network.link);
    return excess_of_spines(p, Routes(topology, p.network.routing, p.network.virtual_channels));
}

/// True for a reduce-scatter or an all-gather that is one ring of all ranks, channel by channel.
bool goes_round_a_ring(const Collective& collective) {
    const auto* gather = std::get_if<AllGatherParams>(&collective.params);
    return shards_in(collective) != nullptr && island_params_in(collective) == nullptr &&
           (gather == nullptr || gather->shape != AllGatherShape::dissemination);
}

/// True where a bucket is shared in groups that are parts of an island.
bool parts_of_islands(const Parameters& p, std::uint32_t island) {
    const ShardParams* shards = shards_in(p.collective);
    return shards != nullptr && shards->group != 0 && shards->group % island != 0;
}

/// What has a collective be made in the islands of the topology, as the end of a sentence. `best`: the islands where
/// none are named.
std::string remedy_of_islands(const Parameters& p, std::uint32_t island, std::uint32_t best, std::uint32_t there) {
    if (island != best) return fmt::format("leave collective.island out, for islands of {}", best);
    if (p.ranks % there != 0) return fmt::format("choose a multiple of {} ranks", there);
    return fmt::format("choose groups of whole islands, like {}: {}", key_of_group(p), there);
}

/// What keeps the messages of a collective on their rail, as the end of a sentence.
std::string way_by_rails(const Parameters& p, const IslandsParams& islands) {
    if (island_params_in(p.collective) == nullptr)
        return fmt::format(", or collective: {}, whose messages stay on their rail",
                           shards_in(p.collective) != nullptr
                               ? fmt::format("{{kind: {}, shape: hierarchical}}", p.collective.name())
                               : "hierarchical");
    if (parts_of_islands(p, islands.island))
        return fmt::format(", or {}: {}, with which messages stay on their rail", key_of_group(p), islands.island);
    if (p.ranks % islands.island != 0) return "";
    return fmt::format(", or collective.island: {}, with which messages stay on their rail", islands.island);
}

}   // namespace

std::optional<std::string> note_on_islands_of_collective(const Parameters& p, const Topology& topology) {
    if (topology.island < 2 || !p.jobs.empty()) return std::nullopt;
    const auto islands = islands_of(p.collective, p.ranks, topology.island);
    if (!islands || islands->ranks == topology.island) return std::nullopt;
    const ShardParams* shards = shards_in(p.collective);
    const std::uint32_t there = topology.island, island = islands->ranks,
                        best = island_of({}, shards != nullptr ? group_of(*shards, p.ranks) : p.ranks, there);
    const std::string effect =
        there % island == 0
            ? fmt::format(
                  "only {} of the {} NICs of an island of the topology carry what leaves it, each about {} "
                  "times as much",
                  island, there, there / island)
            : "messages inside an island of the collective pass NICs, where the links of an island do not lead";
    return fmt::format("islands of collective: {} have {} ranks, those of network.topology {}: {}; {}",
                       p.collective.name(), island, there, effect, remedy_of_islands(p, island, best, there));
}

std::optional<std::string> note_on_ring_of_islands(const Parameters& p, const Topology& topology) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr || !p.jobs.empty() || p.ranks <= topology.island || !goes_round_a_ring(p.collective))
        return std::nullopt;
    const ChannelledParams& channels = *channels_in(p.collective);
    const std::uint32_t nics = islands->nics_of(topology.island),
                        used = channels.channel_order == ChannelOrder::rotated ? std::min(channels.channels, nics) : 1;
    if (used == nics) return std::nullopt;
    return fmt::format(
        "collective: {} on a ring leaves an island by {} of its {} NICs; write shape: hierarchical, which takes all, "
        "or channels: {} with channel_order: rotated",
        p.collective.name(), used, nics, topology.island);
}

std::optional<std::string> note_on_island_links(const Parameters& p, const Topology& topology) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr || topology.island < 2 || p.gpu.island_port) return std::nullopt;
    const Bandwidth link = islands->island_link.of(p.network.link).bandwidth;
    const std::vector<std::string> slower = slower_than(link, p), coded = coded_methods(p);
    if (slower.empty() && coded.empty()) return std::nullopt;
    std::vector<std::string> reasons;
    if (!slower.empty())
        reasons.push_back(fmt::format("{} {} slower than network.topology.island_link ({})", fmt::join(slower, ", "),
                                      slower.size() == 1 ? "is" : "are", gbps_text(mbps(link), p)));
    if (!coded.empty()) reasons.push_back(fmt::format("{} is coded on it", fmt::join(coded, ", ")));
    return fmt::format(
        "links inside an island (NVLink) are reached through the NIC: what crosses them passes its DMA, engine and "
        "adders, as between islands: {}; where GPUs have a path of their own to their neighbours, write "
        "gpu.island_port: "
        "{{}}",
        fmt::join(reasons, ", and "));
}

std::optional<std::string> note_on_rails(const Parameters& p, const Routes& routes) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    constexpr double noticeable = 1.05;
    if (islands == nullptr || !islands->rails || islands->spines == 0 || !p.jobs.empty() ||
        std::holds_alternative<InNetworkParams>(p.collective.params))
        return std::nullopt;
    const double excess = excess_of_spines(p, routes);
    if (excess < noticeable) return std::nullopt;
    const std::uint32_t count = (routes.topology().ranks + islands->island - 1) / islands->island;
    std::string more;
    if (islands->spines < count)
        if (const double left = excess_with(p, count); left < excess)
            more = fmt::format(", or network.topology.spines: {}, {}", count,
                               left < noticeable ? "which carry all" : fmt::format("1/{:.2g}", left));
    return fmt::format(
        "cables between rails and spines limit {} to 1/{:.2g} of the rate of the NICs: its connections leave an island "
        "by one rail and enter the next by another, and meet on the cable of a rail; write network.topology.rails: "
        "false, one switch for all NICs{}{}",
        p.collective.name(), excess, way_by_rails(p, *islands), more);
}

}   // namespace oscar
