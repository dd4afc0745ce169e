// Clocks, parameters and ends of links for tests of one module.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/machine/router/router_module.hpp"

namespace oscar::test {

using namespace literals;

/// A grid of routers of a stage a cycle, with flits of 64 bytes in 64 ns.
struct GridOfRouters {
    explicit GridOfRouters(const VcRouterParams& params = {}, Waveform* waveform = nullptr)
        : layout(RouterGrid(RouterMeshParams{3, 3}), params), of_modules{layout, clock, 64_B, waveform} {}
    RouterLayout layout;
    RouterClock clock{64_ns, 10_ns};
    RouterGridParams of_modules;
};

/// Where flits or credits of a module come out, in cycles of its clock.
struct FlitEnd : VcFlitSink {
    explicit FlitEnd(const RouterClock& of) : clock(of) {}
    void put(std::uint8_t vc, const RouterFlit& flit, Time begin, Time end) override {
        flits.emplace_back(clock.first_from(begin), vc, flit.sequence);
        whole_cycles = whole_cycles && end - begin == clock.cycle && clock.begin_of(clock.first_from(begin)) == begin;
    }
    const RouterClock& clock;
    std::vector<std::tuple<Cycles, int, int>> flits;   ///< first cycle on the link, VC, sequence
    bool whole_cycles = true;
};
struct CreditEnd : CreditSink {
    explicit CreditEnd(const RouterClock& of) : clock(of) {}
    void give_back(std::uint8_t vc, Bytes size, Time at) override {
        credits.emplace_back(clock.first_from(at), vc, size.count);
    }
    const RouterClock& clock;
    std::vector<std::tuple<Cycles, int, std::uint64_t>> credits;
};

}   // namespace oscar::test
