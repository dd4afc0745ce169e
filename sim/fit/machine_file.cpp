#include "sim/fit/machine_file.hpp"

#include <fmt/format.h>

#include <sstream>

#include "models/core/quantity.hpp"

namespace oscar {
namespace {

std::string remarks(const std::string& about) {
    std::istringstream stream(about);
    std::string text;
    for (std::string line; std::getline(stream, line);) text += "# " + line + "\n";
    return text;
}

std::string topology_of(const FittedMachine& machine) {
    if (machine.ranks == machine.ranks_per_node) return "{kind: star}";
    return fmt::format("{{kind: hierarchical, island: {}, rails: false}}", machine.ranks_per_node);
}

}   // namespace

std::string text_of(const FittedMachine& machine) {
    return remarks(machine.about) + fmt::format(R"(payload: synthetic
size: 25MiB
ranks: {}
methods: [fp32]
tuner: {{ranks_per_node: {}, launch: {}, bandwidth: {}}}
gpu: {{dma_latency: 0ps, dma_bandwidth: 100000Gbps}}
nic: {{latency: 0ps, adders: 64, clock: 10GHz}}
network:
  topology: {}
  link: {{buffer: 4MiB}}
  switch: {{latency: 0ps}}
  packet: 64KiB
  header: 0B
)",
                                                machine.ranks, machine.ranks_per_node, to_text(machine.figures.launch),
                                                to_text(machine.figures.bandwidth), topology_of(machine));
}

}   // namespace oscar
