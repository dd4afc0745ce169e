#include "sim/experiment/parameters.hpp"

#include <limits>
#include <set>
#include <stdexcept>

#include "sim/experiment/background.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/file_kind.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/experiment/jobs.hpp"
#include "sim/experiment/nodes.hpp"
#include "sim/experiment/tuner.hpp"

namespace oscar {
namespace {

void check_methods(const Experiment& experiment) {
    const ConfigNode node = experiment.source.child("methods");
    if (experiment.parameters.methods.empty()) node.fail("no method to run; write it like [fp32, asc]");
    std::set<std::string> names;
    for (const Method& method : experiment.parameters.methods)
        if (!names.insert(method.name).second)
            node.fail("two methods are named '" + method.name + "'; tell them apart with name:, like {kind: " +
                      std::string(method.codec.name()) + ", name: " + method.name + "-2}");
}

/// The codecs whose messages have one size whatever the values are.
std::string constant_rate_kinds(const Framing& framing) {
    std::string names;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        if (make_codec(CodecChoice{P{}}, framing)->constant_rate())
            names += (names.empty() ? "" : ", ") + std::string(kind.name);
    });
    return names;
}

/// What the timeline of a step has no place for.
void check_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.step) return;
    if (p.bucket)
        experiment.source.child("bucket").fail(
            "one bucket is no training step, which replays all of them; leave out bucket or step");
    if (p.start_skew != Time{})
        experiment.source.child("start_skew")
            .fail("all ranks compute in step where there is a step; leave out start_skew or step");
    if (p.step->strategy != StepStrategy::fsdp) return;
    if (!std::holds_alternative<ReduceScatterParams>(p.collective.params))
        experiment.source.child("collective")
            .fail(
                "strategy fsdp reduce-scatters gradients, and gathers parameters itself; write collective: {kind: "
                "reduce_scatter}");
    if (!p.step->overlap)
        experiment.source.child("step").child("overlap").fail(
            "strategy fsdp overlaps as its prefetch lets it; leave it out, and write prefetch: 0 for no overlap");
}

/// Transfers from a list have sizes of their own, and no values that a trace could have.
void take_size_of_flows(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    const auto* params = std::get_if<FlowsParams>(&p.collective.params);
    if (params == nullptr || p.payload != Payload::raw) return;
    const ConfigNode collective = experiment.source.child("collective"), list = collective.child("flows");
    if (p.size) experiment.source.child("size").fail("flows have sizes of their own; leave it out");
    for (std::size_t i = 0; i < params->flows.size(); ++i)
        if (params->flows[i].bytes.count % 4 != 0)
            list.child(std::to_string(i))
                .child("bytes")
                .fail("is no whole number of fp32 values; make it a multiple of 4B");
    try {
        p.size = size_of(*params, p.ranks);
    } catch (const std::invalid_argument& error) {
        list.fail(error.what());
    }
    if (p.size->count / 4 > std::numeric_limits<std::uint32_t>::max())
        list.fail("all flows together have more than 2^32 values; send fewer bytes");
}

/// Without a trace there is a gradient of a size, and nothing that depends on its values.
void check_raw(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode& root = experiment.source;
    if (p.payload != Payload::raw) {
        if (const auto* flows = std::get_if<FlowsParams>(&p.collective.params); flows && !flows->flows.empty())
            root.child("collective")
                .child("flows")
                .fail("a list of transfers carries no values; set payload: raw and leave out trace");
        if (p.size)
            root.child("size").fail("a trace has its own; leave it out, or set payload: raw and leave out trace");
        return require_keys(root, {"trace"});
    }
    for (const char* key : {"trace", "iterations", "layers", "bucket", "step"})
        if (const ConfigNode node = root.child(key); node.form != ConfigNode::Form::null)
            node.fail(
                "payload raw carries no values and has no trace; leave it out, and say how big a gradient is, "
                "like size: 64MiB");
    if (!p.size) root.child("size").fail("is missing; payload raw needs the size of a gradient, like size: 64MiB");
    if (p.size->count % 4 != 0) root.child("size").fail("is no whole number of fp32 values; make it a multiple of 4B");
    for (std::size_t m = 0; m < p.methods.size(); ++m)
        if (!make_codec(p.methods[m].codec, p.engine.framing())->constant_rate())
            root.child("methods")
                .child(std::to_string(m))
                .fail(p.methods[m].name +
                      " makes messages whose size depends on their values, of which payload raw has "
                      "none; choose among " +
                      constant_rate_kinds(p.engine.framing()) + ", or payload: sized with a trace");
}

}   // namespace

void read(const ConfigNode& node, Method& method) {
    read_kind(node, method.codec, {"name", "chunks", "split", "classes", "remainders"});
    method.name = method.codec.name();
    if (node.form == ConfigNode::Form::map) {
        read_key(node, "name", method.name);
        read_key(node, "chunks", method.chunks);
        read_key(node, "split", method.split);
        read_key(node, "classes", method.classes);
        read_key(node, "remainders", method.remainders);
    }
    if (method.name.empty()) node.fail("a method's name is empty; leave it out or give it one");
}

nlohmann::ordered_json to_json(const Method& method) {
    nlohmann::ordered_json object = to_json(method.codec);
    object["name"] = method.name;
    if (method.chunks) object["chunks"] = to_json(*method.chunks);
    if (method.split) object["split"] = to_json(*method.split);
    if (method.classes) object["classes"] = to_json(*method.classes);
    if (method.remainders) object["remainders"] = *method.remainders;
    return object;
}

Experiment make_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment;
    experiment.file = file;
    experiment.source = std::move(source);
    read(experiment.source, experiment.parameters);
    if (experiment.parameters.experiment.empty()) experiment.parameters.experiment = file.stem().string();
    require_folder_name(experiment.source.child("experiment"), experiment.parameters.experiment);
    check_methods(experiment);
    take_size_of_flows(experiment);
    check_raw(experiment);
    check_step(experiment);
    tune(experiment);
    resolve_nodes(experiment);
    resolve_jobs(experiment);
    check_background(experiment);
    return experiment;
}

Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    ConfigNode source = load_config(file);
    require_file_kind(source, FileKind::run);
    for (const std::string& assignment : overrides) apply_override(source, assignment);
    return make_experiment(std::move(source), file);
}

}   // namespace oscar
