#include "sim/parameters/training_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/folder_name.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/config/technology_file.hpp"
#include "sim/parameters/method_names.hpp"

namespace oscar {

namespace {

using Paths = std::vector<std::filesystem::path>;

/// ConfigError unless the name can be that of a file of results, to which a seed and a suffix are added.
void require_record_name(const ConfigNode& node, const std::string& name) {
    require_folder_name(node, name);
    if (name.front() == '.' || name.size() > 200)
        node.fail(fmt::format("{} names files of results; write it without a leading dot, in at most 200 bytes",
                              in_quotes(name)));
}

TrainingMethod read_training_method(const ConfigNode& entry) {
    read_detail::require_value(entry);
    if (read_detail::kind_node(entry) == nullptr)
        entry.fail("has no kind; write {name: tenth, kind: top_k, factor: 10}");
    Method method;
    read(entry, method);
    require_record_name(entry.child("name"), method.name);
    return {method.name, std::string(kind_name(method)), with_preset(entry)};
}

/// Appends the methods of a list in the last of `files`, each of which names the next.
void append_methods(const ConfigNode& list, const Paths& files, std::vector<TrainingMethod>& methods);

void append_methods_of_file(const ConfigNode& entry, Paths files, std::vector<TrainingMethod>& methods) {
    const std::filesystem::path file = files.back().parent_path() / entry.text;
    if (!std::filesystem::is_regular_file(file))
        entry.fail(
            fmt::format("no file {}; name one beside {}", in_quotes(file.string()), in_quotes(files.back().string())));
    const auto is_file = [&](const auto& before) { return std::filesystem::equivalent(before, file); };
    if (std::any_of(files.begin(), files.end(), is_file))
        entry.fail(fmt::format("{} is a file that leads back to itself; remove it here", in_quotes(entry.text)));
    files.push_back(file);
    append_methods(load_config(file), files, methods);
}

void append_methods(const ConfigNode& list, const Paths& files, std::vector<TrainingMethod>& methods) {
    if (list.form != ConfigNode::Form::list || list.children.empty())
        list.fail("a list of methods is due; write it like [dense, {name: tenth, kind: top_k, factor: 10}]");
    for (const ConfigNode& entry : list.children) {
        if (entry.form == ConfigNode::Form::scalar && entry.text.ends_with(".yaml")) {
            append_methods_of_file(entry, files, methods);
            continue;
        }
        TrainingMethod method = read_training_method(entry);
        const auto has_name = [&](const TrainingMethod& other) { return other.name == method.name; };
        if (std::any_of(methods.begin(), methods.end(), has_name))
            entry.fail(fmt::format("two are named {}; give one another name", in_quotes(method.name)));
        methods.push_back(std::move(method));
    }
}

/// ConfigError: keys of an experiment that follow from the training.
void check_machine(const ConfigNode& machine) {
    for (const char* key : {"ranks", "seed", "methods", "trace", "iterations", "layers", "bucket"})
        if (const ConfigNode* entry = machine.find(key))
            entry->fail_at_key(
                "follows from the training, whose own keys say ranks, seeds and methods; leave it out here");
}

void check_seeds(const ConfigNode& node, std::vector<std::uint32_t> seeds) {
    std::sort(seeds.begin(), seeds.end());
    if (seeds.empty()) node.fail("no seed; write at least one, like [1, 2, 3]");
    if (std::adjacent_find(seeds.begin(), seeds.end()) != seeds.end())
        node.fail("a seed is there twice; each makes one training");
}

}   // namespace

TrainingFile read_training(const std::filesystem::path& file) {
    TrainingFile training;
    ConfigNode& root = training.source = load_config(file);
    read_detail::read_fields(root, training.params, {"machine", "methods"});
    require_keys(root, {"workload", "machine", "methods"});
    for (ConfigNode& entry : root.children)
        if (entry.key == "machine") expand_technology(entry);
    read_key(root, "machine", training.machine);
    check_machine(root.child("machine"));
    append_methods(root.child("methods"), {file}, training.methods);
    if (training.params.name.empty()) training.params.name = file.stem().string();
    require_record_name(root.child("name"), training.params.name);
    check_seeds(root.child("seeds"), training.params.seeds);
    return training;
}

}   // namespace oscar
