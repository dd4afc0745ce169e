// Report of a synthetic-traffic run.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/network/open_loop/saturation.hpp"
#include "models/network/open_loop/zero_load.hpp"
#include "sim/report/report.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// Bounds that follow from the parameters without simulation.
struct TrafficBounds {
    double mean_routers = 0, zero_load_latency = 0, link_load = 0, node_load = 0, link_rate = 0, throughput = 0;
    std::uint32_t credit_loop = 0;
    static constexpr auto fields() {
        using B = TrafficBounds;
        return Entries{
            field("mean_routers", &B::mean_routers, "that a packet passes, both ends' included"),
            field("zero_load_latency", &B::zero_load_latency, "cycles, mean over packets, where nothing is in the way"),
            field("link_load", &B::link_load, "flits on the busiest link for each that a node sends"),
            field("node_load", &B::node_load, "the same on the busiest link to a node"),
            field("link_rate", &B::link_rate, "flits a cycle that a link between routers can pass"),
            field("throughput", &B::throughput, "flits a cycle and node that no allocation can exceed"),
            field("credit_loop", &B::credit_loop,
                  "cycles between packets of one flit in a virtual channel that is given when empty"),
        };
    }
};

struct TrafficReport {
    std::string experiment, program_version;
    nlohmann::ordered_json config;
    std::uint64_t seed = 0;
    TrafficBounds bounds;
    std::vector<ZeroLoad> zero_load;   ///< where asked for
    std::vector<LoadPoint> points;
    std::optional<Saturation> saturation;
    HostReport host;
};

/// Schema 1. Law: a function of (program, config, seed) but for `host`.
nlohmann::ordered_json to_json(const TrafficReport& report);

/// The table for a terminal.
std::string to_table(const TrafficReport& report, const Screen& screen = {});

/// Writes folder/report.json by renaming a finished file. Throws InputError if it cannot.
void write_report(const TrafficReport& report, const std::filesystem::path& folder);

}   // namespace oscar
