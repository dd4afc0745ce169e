// Random background traffic.
#pragma once

#include "tests/machine/support.hpp"

namespace oscar::test {

/// The same machine, its ranks behind switches, with other hosts behind their ports.
inline MachineSpec beside_random_background(MachineSpec spec, std::uint64_t seed) {
    Draws draw(seed + 1000);
    if (draw.coin()) spec.topology = StarParams{};
    else spec.topology = LeafSpineParams{};
    BackgroundParams& params = spec.network.background.emplace();
    params.load = static_cast<double>(draw.number(1, 999)) / 1000;
    params.message = {draw.between(1, draw.coin() ? 2'000 : 40'000)};
    params.seed = seed;
    std::vector<TrafficPattern> possible;
    for_each_kind(traffic_patterns, [&]<class P>(const Kind<P>&) {
        params.pattern = P{};
        if (!find_problem(params, spec.ranks)) possible.push_back(P{});
    });
    params.pattern = possible[draw.between(0, possible.size() - 1)];
    if (draw.coin()) params.nodes = {"1-" + std::to_string(spec.ranks - 1)};
    return spec;
}

}   // namespace oscar::test
