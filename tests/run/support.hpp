// Iterations and a machine made by the tests of sim/, beside their captures.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "models/machine/machine.hpp"
#include "models/network/params/overrides.hpp"
#include "sim/replay/codes.hpp"
#include "sim/run/experiment.hpp"
#include "tests/collective/support.hpp"
#include "tests/replay/captures.hpp"

namespace oscar::test {

/// An iteration of given codes at a step of 1/4, which fp32 holds without error.
inline IterationCodes iteration_of(std::uint32_t position, bool continues, std::vector<std::vector<Symbol>> codes) {
    IterationCodes it;
    it.position = position;
    it.continues = continues;
    for (const auto& rank : codes) {
        auto& gradient = it.gradients.emplace_back();
        for (const Symbol code : rank) gradient.push_back(0.25f * static_cast<float>(code));
    }
    it.sum = exact_sum(codes);
    it.codes = std::move(codes);
    return it;
}

/// Codes of 8 bits whose first quarter is wide and whose rest is nearly always zero; [ranks][elements].
inline std::vector<std::vector<Symbol>> uneven_codes(std::uint32_t ranks, std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<Symbol>> result(ranks, std::vector<Symbol>(elements));
    for (auto& rank : result)
        for (std::uint32_t i = 0; i < elements; ++i)
            rank[i] = i < elements / 4 ? static_cast<Symbol>(random() % 201) - 100 : Symbol{random() % 50 == 0};
    return result;
}

/// `ranks` on one switch, with the defaults of an experiment. One per test, or some of different names that are all
/// made before any of them runs.
struct SmallMachine {
    explicit SmallMachine(std::uint32_t ranks = 4) : SmallMachine(of(ranks)) {}
    explicit SmallMachine(const Parameters& p, const char* name = "machine")
        : parameters(p),
          topology(make_topology(parameters.network, parameters.ranks)),
          routes(topology, parameters.network.routing),
          system(name, topology, {parameters.gpu, parameters.nic, parameters.engine}, parameters.network) {}
    static Parameters of(std::uint32_t ranks) {
        Parameters p;
        p.ranks = ranks;
        return p;
    }

    Parameters parameters;
    Topology topology;
    Routes routes;
    oscar::Machine system;
};

/// The exchange of `groups` peaks among `ranks` on a star with all defaults, out of the numbers of docs/time.md
/// alone: one packet of 4 bytes a group and 82 of header, 400 Gbit/s (20 ps a byte), 500 ns a cable, 300 ns and a flit
/// of 64 B in the switch, 100 ns in each NIC. In the first of ranks-1 timesteps DMA adds 700 ns and 4 bytes a group at
/// 461 Gbit/s; what is handed on is in the NIC, and nothing is written back.
inline Time exchange_by_hand(std::uint32_t ranks, std::uint32_t groups) {
    const std::int64_t wire = 20 * (4 * std::int64_t{groups} + 82);
    const std::int64_t step = 100'000 + wire + 500'000 + 20 * 64 + 300'000 + 500'000 + 100'000;
    const std::int64_t dma = 700'000 + (4 * std::int64_t{groups} * 8'000 + 460) / 461;   // rounded up
    return {dma + (ranks - 1) * step};
}

}   // namespace oscar::test
