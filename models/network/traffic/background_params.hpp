// Traffic of other hosts that shares the network with the collective.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

struct UniformBackgroundParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct PermutationBackgroundParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct IncastBackgroundParams {
    std::uint32_t to = 0;
    static constexpr auto fields() {
        return std::tuple{field("to", &IncastBackgroundParams::to, "receiving rank", 0u, 4095u)};
    }
};
struct TornadoBackgroundParams {
    static constexpr auto fields() { return std::tuple{}; }
};

inline constexpr auto background_patterns = std::tuple{
    kind<UniformBackgroundParams>("uniform", "each message to any other rank with equal probability"),
    kind<PermutationBackgroundParams>("permutation", "each rank to another, each from another, on one random circle"),
    kind<IncastBackgroundParams>("incast", "all to one rank"),
    kind<TornadoBackgroundParams>("tornado", "rank r to r + ceil(ranks / 2) - 1, round the end"),
};
using BackgroundPattern = OneOf<background_patterns>;

/// A host behind the port of each sending rank has messages of one size, which come by a Poisson process and leave in
/// order; its packets take turns with those of the rank.
struct BackgroundParams {
    double load = 0.3;
    BackgroundPattern pattern;
    Bytes message = 64_KiB;
    std::vector<std::string> nodes = {};
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return std::tuple{
            field("load", &BackgroundParams::load,
                  "offered load as a share of the sender's fastest link, with headers; 0: no traffic", 0.0, 0.999),
            field("pattern", &BackgroundParams::pattern, "pattern of senders and receivers"),
            field("message", &BackgroundParams::message, "payload of each message", 1_B, 1_GiB),
            field("nodes", &BackgroundParams::nodes,
                  "sending ranks, as numbers and ranges like [0, 4-7]; none: all senders of the pattern"),
            field("seed", &BackgroundParams::seed, "seed of times and receivers"),
        };
    }
};

}   // namespace oscar
