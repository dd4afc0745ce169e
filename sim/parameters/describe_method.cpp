#include "sim/parameters/describe_method.hpp"

#include <fmt/format.h>

#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/parameters/method_names.hpp"

namespace oscar {
namespace {

/// The parameters of the preset's codec, and those beside them that it sets, with its values as defaults.
KindDescription describe_preset(const MethodPreset& preset) {
    Method method;
    read(parse_config(preset.name, preset.name), method);
    KindDescription made{std::string(preset.name), fmt::format("{}: {}", preset.meaning, preset.keys), {}};
    std::visit([&](const auto& params) { made.parameters = describe_parameters(params); }, method.codec.params);
    if (method.split) made.parameters.push_back(beside_kind("split", "coding of classes of elements", method.split));
    if (method.chunks)
        made.parameters.push_back(beside_kind("chunks", "partition of the bucket into chunks", method.chunks));
    if (method.classes) made.parameters.push_back(beside_kind("classes", "class of an element", method.classes));
    return made;
}

}   // namespace

ValueDescription describe_value(const Method& method) {
    ValueDescription made = describe_kinds(method_kinds);
    for (const MethodPreset& preset : method_presets) made.kinds.push_back(describe_preset(preset));
    made.parameters = {
        beside_kind("name", "name in the report; default: that of the kind", method.name),
        beside_kind("chunks", "in place of the experiment's chunks", method.chunks),
        beside_kind("split", "in place of the experiment's split", method.split),
        beside_kind("classes", "in place of the experiment's classes", method.classes),
        beside_kind("delta_gather", "in place of the experiment's delta_gather", method.delta_gather),
        beside_kind("codec", "of a lossy compressor: what codes the integers of its messages",
                    std::optional<CodecChoice>{}),
        beside_kind("feedback",
                    "of a lossy compressor: what a rank did not send is added to its next gradient; null: if "
                    "the compressor takes that",
                    LossyChain{}.feedback)};
    return made;
}

}   // namespace oscar
