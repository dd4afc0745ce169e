#include "sim/parameters/foreign_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sim/config/suggest.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {
namespace {

/// A key that people try, and what says that here.
struct Hint {
    std::string_view key, remedy;
};

constexpr std::string_view of_trainings =
    "is of trainings; here a lossy compressor is a method, like methods: [{kind: top_k}]";

constexpr std::array hints{
    Hint{"compressor", of_trainings},
    Hint{"controller", of_trainings},
    Hint{"base", "is read before values are set; write it into the file, like base: demo"},
    Hint{"machine", "is named by base, like base: dgx-h100; oscar-sim describe machine lists them"},
    Hint{"part", "is named by base, like base: [h100-sxm, connectx-7]; oscar-sim describe part lists them"},
    Hint{"gpus", "are ranks; write ranks: 32"},
    Hint{"topology", "is of the network; write network: {topology: {kind: star}}"},
    Hint{"link", "is of the network; write network: {link: {bandwidth: 400Gbps}}"},
    Hint{"bandwidth", "is of the links; write network: {link: {bandwidth: 400Gbps}}"},
    Hint{"method", "is an entry of a list; write methods: [fp32, asc]"},
    Hint{"codec", "is a method; write methods: [fp32, asc]"},
    Hint{"codecs", "are methods; write methods: [fp32, asc]"},
};

constexpr std::string_view of_stages_1_and_2 =
    "ZeRO's stages 1 and 2 are not modelled; ddp sends as many bytes in one AllReduce as their reduce-scatter and "
    "gather "
    "together, fsdp is stage 3";
constexpr std::string_view of_other_dimensions =
    "parallelism over tensors, pipelines, sequences or experts is not modelled; a step is data-parallel: choose ddp or "
    "fsdp";

/// Words for `step.strategy` of other tools, in lower case without hyphens, underscores and spaces.
constexpr std::array strategies{
    Hint{"zero1", of_stages_1_and_2},
    Hint{"zero2", of_stages_1_and_2},
    Hint{"zero", "ZeRO's stage 3 is fsdp, and stages 1 and 2 are not modelled; choose ddp or fsdp"},
    Hint{"zero3", "ZeRO's stage 3 is called fsdp; write fsdp"},
    Hint{"fullyshard", "is called fsdp; write fsdp"},
    Hint{"fullyshardeddataparallel", "is called fsdp; write fsdp"},
    Hint{"hybridshard", "is called hsdp; write hsdp"},
    Hint{"dp", "is called ddp; write ddp"},
    Hint{"dataparallel", "is called ddp; write ddp"},
    Hint{"distributeddataparallel", "is called ddp; write ddp"},
    Hint{"tp", of_other_dimensions},
    Hint{"tensor", of_other_dimensions},
    Hint{"tensorparallel", of_other_dimensions},
    Hint{"pp", of_other_dimensions},
    Hint{"pipeline", of_other_dimensions},
    Hint{"pipelineparallel", of_other_dimensions},
    Hint{"sp", of_other_dimensions},
    Hint{"ep", of_other_dimensions},
    Hint{"expert", of_other_dimensions},
    Hint{"expertparallel", of_other_dimensions},
    Hint{"megatron", of_other_dimensions},
    Hint{"3d", of_other_dimensions},
};

/// ConfigError: a strategy by the word of another tool.
void check_strategy(const ConfigNode& source) {
    const ConfigNode* step = source.find("step");
    const ConfigNode* strategy = step != nullptr ? step->find("strategy") : nullptr;
    if (strategy == nullptr || strategy->form != ConfigNode::Form::scalar) return;
    const auto found = std::ranges::find(strategies, bare_word(strategy->text), &Hint::key);
    if (found != strategies.end()) strategy->fail(fmt::format("'{}': {}", strategy->text, found->remedy));
}

/// ConfigError: a number of nodes where a list of those that differ is due.
void check_nodes_are_no_number(const ConfigNode& source) {
    const ConfigNode* nodes = source.find("nodes");
    if (nodes != nullptr && nodes->form == ConfigNode::Form::scalar)
        nodes->fail(
            "is a list of nodes that differ from the others, like [{ranks: [5], start_delay: 1ms}]; how many there are "
            "follows from ranks: write ranks: 32 for four nodes of eight GPUs");
}

void check_keys_of_bases(const ConfigNode& source) {
    std::vector<std::string_view> known;
    for_each_field<Parameters>([&](const auto& field) { known.push_back(field.key); });
    std::ranges::sort(known);
    for (const ConfigNode& entry : source.children) {
        const Location& place = entry.key_location;
        if (place.line == 0 || place.source == source.location.source || std::ranges::binary_search(known, entry.key))
            continue;
        throw ConfigError(place.text(), "",
                          fmt::format("no such parameter of an experiment{}; known: {}", did_you_mean(entry.key, known),
                                      fmt::join(known, ", ")));
    }
}

}   // namespace

void check_foreign_keys(const ConfigNode& source) {
    for (const Hint& hint : hints)
        if (const ConfigNode* entry = source.find(hint.key)) entry->fail_at_key(hint.remedy);
    check_nodes_are_no_number(source);
    check_strategy(source);
    check_keys_of_bases(source);
}

}   // namespace oscar
