#include "sim/parameters/describe_method.hpp"

namespace oscar {
ValueDescription describe_value(const Method& method) {
    ValueDescription made = describe_kinds(method_kinds);
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
