#include "sim/parameters/parameters.hpp"

#include <fmt/format.h>

#include "models/compressor/compressors.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"

namespace oscar {

namespace {

constexpr std::string_view remedy_of_lossy = "scripts/train trains with it, run and sweep take codecs, like asc";

bool is_one_of(const auto& kinds, std::string_view name) {
    bool found = false;
    for_each_kind(kinds, [&](const auto& kind) { found = found || kind.name == name; });
    return found;
}

/// ConfigError if a method is of a kind that only trainings know.
void check_not_lossy(const ConfigNode& node) {
    const ConfigNode kind = node.form == ConfigNode::Form::map ? node.child("kind") : node;
    if (kind.form == ConfigNode::Form::scalar && is_one_of(lossy_kinds, kind.text) && !is_one_of(codecs, kind.text))
        kind.fail(fmt::format("{} is a lossy compressor; {}", in_quotes(kind.text), remedy_of_lossy));
}

/// ConfigError for keys of a tree that are not read from it, but that a user may take for parameters.
void check_foreign_keys(const ConfigNode& source) {
    for (const char* key : {"compressor", "controller"})
        if (const ConfigNode* entry = source.find(key))
            entry->fail_at_key(fmt::format("is of trainings: a lossy compressor; {} under methods", remedy_of_lossy));
    if (const ConfigNode* base = source.find("base"))
        base->fail_at_key("is read before values are set; write it into the file, like base: demo");
}

}   // namespace

void read(const ConfigNode& node, Method& method) {
    check_not_lossy(node);
    read_kind(node, method.codec, {"name", "chunks", "split", "classes", "delta_gather"});
    method.name = method.codec.name();
    if (node.form == ConfigNode::Form::map) {
        read_key(node, "name", method.name);
        read_key(node, "chunks", method.chunks);
        read_key(node, "split", method.split);
        read_key(node, "classes", method.classes);
        read_key(node, "delta_gather", method.delta_gather);
    }
    if (method.name.empty()) node.fail("a method's name is empty; leave it out or give it one");
}

nlohmann::ordered_json to_json(const Method& method) {
    nlohmann::ordered_json object = to_json(method.codec);
    object["name"] = method.name;
    if (method.chunks) object["chunks"] = to_json(*method.chunks);
    if (method.split) object["split"] = to_json(*method.split);
    if (method.classes) object["classes"] = to_json(*method.classes);
    if (method.delta_gather) object["delta_gather"] = *method.delta_gather;
    return object;
}

bool has_background(const Parameters& p) { return p.network.background && p.network.background->load > 0; }

std::uint64_t values_of(Bytes size) { return size.count / 4; }

Experiment read_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment;
    experiment.file = file;
    experiment.source = std::move(source);
    check_foreign_keys(experiment.source);
    read_detail::read_fields(experiment.source, experiment.parameters, {"base"});
    if (experiment.parameters.experiment.empty()) experiment.parameters.experiment = file.stem().string();
    return experiment;
}

}   // namespace oscar
