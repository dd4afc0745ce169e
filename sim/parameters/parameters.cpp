#include "sim/parameters/parameters.hpp"

#include <fmt/format.h>

#include "sim/config/read.hpp"
#include "sim/config/technology_file.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/foreign_keys.hpp"
#include "sim/parameters/method_names.hpp"
#include "sim/parameters/schedule_file.hpp"

namespace oscar {

namespace {

constexpr const char* no_name = "a method's name is empty; leave it out or give it one";

bool is_one_of(const auto& kinds, std::string_view name) {
    bool found = false;
    for_each_kind(kinds, [&](const auto& kind) { found = found || kind.name == name; });
    return found;
}

/// ConfigError for a word of other tools.
void refuse_synonym(const ConfigNode& kind) {
    const std::string_view meant = method_meant_by(kind.text);
    if (!meant.empty())
        kind.fail(fmt::format("{} is not known (did you mean {}?); oscar-sim describe method lists all",
                              in_quotes(kind.text), meant));
}

/// ConfigError for a kind that is neither a codec nor a lossy compressor.
bool is_lossy(const ConfigNode& node) {
    const ConfigNode* kind = read_detail::kind_node(node);
    if (kind == nullptr) return false;
    std::vector<std::string_view> names;
    for_each_kind(method_kinds, [&](const auto& known) { names.push_back(known.name); });
    for (const MethodPreset& preset : method_presets) names.push_back(preset.name);
    refuse_synonym(*kind);
    return is_one_of(lossy_kinds, names[read_detail::choose(*kind, names)]);
}

void read_lossy(const ConfigNode& node, Method& method) {
    LossyChain& chain = method.lossy.emplace();
    read_kind(node, chain.compressor, {"name", "codec", "feedback"});
    method.name = chain.compressor.name();
    method.codec = Fp32Params{};
    if (node.form != ConfigNode::Form::map) return;
    read_key(node, "name", method.name);
    read_key(node, "feedback", chain.feedback);
    if (const ConfigNode* codec = node.find("codec"); codec != nullptr && codec->form != ConfigNode::Form::null) {
        read(*codec, method.codec);
        chain.coded = true;
        send_integers(chain.compressor);
    }
}

}   // namespace

void read(const ConfigNode& written, Method& method) {
    method = {};
    const ConfigNode node = with_preset(written);
    if (is_lossy(node)) {
        read_lossy(node, method);
        if (method.name.empty()) node.fail(no_name);
        return;
    }
    read_kind(node, method.codec, {"name", "chunks", "split", "classes", "delta_gather"});
    method.name = method.codec.name();
    if (node.form == ConfigNode::Form::map) {
        read_key(node, "name", method.name);
        read_key(node, "chunks", method.chunks);
        read_key(node, "split", method.split);
        read_key(node, "classes", method.classes);
        read_key(node, "delta_gather", method.delta_gather);
    }
    if (method.name.empty()) node.fail(no_name);
}

std::string_view kind_name(const Method& method) {
    return method.lossy ? method.lossy->compressor.name() : method.codec.name();
}

nlohmann::ordered_json to_json(const Method& method) {
    if (method.lossy) {
        nlohmann::ordered_json object = to_json(method.lossy->compressor);
        object["name"] = method.name;
        if (method.lossy->feedback) object["feedback"] = *method.lossy->feedback;
        if (method.lossy->coded) object["codec"] = to_json(method.codec);
        return object;
    }
    nlohmann::ordered_json object = to_json(method.codec);
    object["name"] = method.name;
    if (method.chunks) object["chunks"] = to_json(*method.chunks);
    if (method.split) object["split"] = to_json(*method.split);
    if (method.classes) object["classes"] = to_json(*method.classes);
    if (method.delta_gather) object["delta_gather"] = *method.delta_gather;
    return object;
}

bool has_background(const Parameters& p) { return p.network.background && p.network.background->load > 0; }

Bytes size_of(const StepParams& step) {
    Bytes all;
    for (const GivenBucket& bucket : step.given) all += bucket.bytes;
    return all;
}

std::uint64_t values_of(Bytes size) { return size.count / 4; }

Experiment read_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment;
    experiment.file = file;
    experiment.source = std::move(source);
    check_foreign_keys(experiment.source);
    expand_technology(experiment.source);
    read_detail::read_fields(experiment.source, experiment.parameters, {"base"});
    if (experiment.parameters.experiment.empty()) experiment.parameters.experiment = file.stem().string();
    read_goal_file(experiment);
    return experiment;
}

}   // namespace oscar
