#include "sim/checks/technology.hpp"

#include <string>

#include "sim/config/read.hpp"

namespace oscar {
namespace {

/// The map `key` of `node` has each of `keys`.
void require_in(const ConfigNode& node, const char* key, std::initializer_list<std::string_view> keys) {
    require_keys(node, {key});
    require_keys(node.child(key), keys);
}

}   // namespace

void check_technology(const Experiment& experiment) {
    const auto& technology = experiment.parameters.engine.technology;
    if (!technology) return;
    const ConfigNode node = experiment.source.child("engine").child("technology");
    require_keys(node, {"name", "node_nm", "units"});
    if (technology->units.empty()) node.child("units").fail("is empty; name the lanes of a coder at least");
    for (std::size_t i = 0; i < technology->units.size(); ++i)
        require_keys(node.child("units").child(std::to_string(i)), {"unit", "area", "energy_per_cycle", "leakage"});
    require_in(node, "sram", {"area_per_bit", "energy_per_bit", "leakage_per_bit"});
    require_keys(node, {"derating"});
    for (const char* key : {"clock", "area", "energy"}) require_in(node.child("derating"), key, {"factor", "source"});
    for (const char* key : {"link", "dma", "gpu_memory"}) require_in(node, key, {"energy", "source"});
}

}   // namespace oscar
