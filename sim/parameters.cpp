#include "sim/parameters.hpp"

#include <set>

#include "sim/config/echo.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

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
    require_keys(experiment.source, {"trace"});
    if (experiment.parameters.experiment.empty()) experiment.parameters.experiment = file.stem().string();
    check_methods(experiment);
    check_step(experiment);
    return experiment;
}

Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    ConfigNode source = load_config(file);
    for (const std::string& assignment : overrides) apply_override(source, assignment);
    return make_experiment(std::move(source), file);
}

}   // namespace oscar
