#include "sim/parameters/echo_parameters.hpp"

#include "models/network/params/input_queued_params.hpp"
#include "sim/describe/echo.hpp"

namespace oscar {

nlohmann::ordered_json resolved(const Parameters& p) {
    auto config = to_json(p);
    leave_out_one_channel(config["collective"]);
    leave_out_islands(config["collective"], std::holds_alternative<IslandsParams>(p.network.topology.params));
    for (auto& job : config["jobs"]) {
        leave_out_one_channel(job["collective"]);
        leave_out_islands(job["collective"], false);
    }
    for (auto& node : config["nodes"]) node["engine"].erase("technology");   // the same at all ranks
    if (!p.step) config.erase("step");
    else config["step"].erase(p.step->given.empty() ? "given" : "buckets");
    if (p.step && p.step->strategy != StepStrategy::hsdp) config["step"].erase("group");
    if (p.nodes.empty()) config.erase("nodes");
    if (p.jobs.empty()) config.erase("jobs");
    if (!p.network.background) config["network"].erase("background");
    if (!p.network.faults) config["network"].erase("faults");
    if (!p.waveform) config.erase("waveform");
    if (!p.timeline) config.erase("timeline");
    if (!p.timeline_window) config.erase("timeline_window");
    if (!p.engine.technology) config["engine"].erase("technology");
    for (const char* key : {"tuner", "scale"})
        config.erase(key);   // what they have set stands in the rest; a note names it
    if (!p.size) config.erase("size");
    else
        for (const char* key : {"trace", "iterations", "layers", "bucket"}) config.erase(key);
    if (std::holds_alternative<FlowsParams>(p.collective.params)) config.erase("size");   // the sum of theirs
    if (p.step && !p.step->given.empty()) config.erase("size");
    if (const auto* listed = std::get_if<ListedScheduleParams>(&p.collective.params))
        config["collective"].erase(listed->file.empty() ? "file" : "steps");   // which are those of the file
    if (input_queued(p.network) == nullptr) config["network"]["switch"].erase("architecture");
    else config["network"]["link"].erase("buffer");   // routers have buffers of their own, counted in flits
    return config;
}

void leave_out_one_channel(nlohmann::ordered_json& collective) {
    if (collective.is_null() || collective.value("channels", 1) > 1) return;
    for (const char* key : {"channels", "channel_order"}) collective.erase(key);
}

void leave_out_islands(nlohmann::ordered_json& collective, bool has_islands) {
    if (collective.is_null()) return;
    const bool shards = collective.contains("group"), exchanges = collective.contains("node");
    if ((shards || collective["kind"] == "broadcast") && collective["shape"] != "hierarchical")
        for (const char* key : {"island", "inside"}) collective.erase(key);
    if (shards && collective["group"] == 0) collective.erase("group");
    if (has_islands) return;
    if (exchanges && collective["node"] == 0)
        for (const char* key : {"order", "node"}) collective.erase(key);
    if (collective["kind"] == "reduce_scatter" && collective["shape"] != "hierarchical") collective.erase("shape");
}

}   // namespace oscar
