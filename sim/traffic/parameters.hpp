// Parameters of a traffic file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/network/open_loop/saturation.hpp"
#include "sim/config/node.hpp"

namespace oscar {

struct TrafficParameters {
    std::string experiment;   ///< default: the name of the file
    RouterGridKind topology;
    VcRouterParams router;
    TrafficParams traffic;
    bool zero_load = false;
    std::optional<SaturationParams> saturation = SaturationParams{};
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        using T = TrafficParameters;
        return Entries{
            field("experiment", &T::experiment, "name of the results folder; default: that of the file"),
            field("topology", &T::topology, "grid of routers, with a node at each"),
            field("router", &T::router, "parameters of every router"),
            field("traffic", &T::traffic, "traffic of the nodes and its measurement"),
            field("zero_load", &T::zero_load, "measure a single packet between each two nodes first"),
            field("saturation", &T::saturation, "search for the saturation; null: none"),
            field("seed", &T::seed, "seed of the packets' times, destinations and choices among equal paths"),
        };
    }
};

/// Reads the traffic that `source` describes and checks it against itself; the default name is that of `file`. Throws
/// ConfigError.
TrafficParameters make_traffic(const ConfigNode& source, const std::filesystem::path& file);

/// Reads the traffic file that find_config finds and applies `--set` overrides in order. Throws ConfigError.
TrafficParameters load_traffic(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}   // namespace oscar
