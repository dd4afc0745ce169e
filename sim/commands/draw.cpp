#include "sim/commands/families.hpp"

#include "models/network/topology/dot.hpp"
#include "sim/checks/network.hpp"
#include "sim/commands/families.hpp"
#include "sim/config/base.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar {
namespace {

ConfigNode source_of(const std::string& what, const std::vector<std::string>& assignments) {
    if (what.ends_with(".yaml")) return load_named(what, FileKind::run, assignments).root;
    if (what.empty())
        throw InputError("describe: which topology is to be drawn? write it like describe topology mesh --dot");
    describe_json("topology", what);   // throws for an unknown kind
    ConfigNode root;
    root.form = ConfigNode::Form::map;
    apply_override(root, "network.topology=" + what);
    for (const std::string& assignment : assignments)
        apply_override(root, assignment.starts_with("network.") ? assignment : "network.topology." + assignment);
    return root;
}

}   // namespace

std::string draw_topology(const std::string& what, std::optional<std::uint32_t> ranks,
                          const std::vector<std::string>& assignments) {
    const ConfigNode root = source_of(what, assignments);
    const ConfigNode network = root.child("network");
    NetworkParams params;
    read(network, params);
    std::uint32_t ranks_of_file = Parameters{}.ranks;
    read_key(root, "ranks", ranks_of_file);
    return to_dot(cabled_topology(params, ranks.value_or(ranks_of_file), network));
}

}   // namespace oscar
