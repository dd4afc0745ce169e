// A small configuration with every type a parameter can have, and what the tests of sim/config share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"

namespace oscar::sample {

using namespace literals;

enum class Issue : std::uint8_t { lock_step, dependency };
constexpr auto choices(Issue) {
    return std::array{Choice{"lock_step", Issue::lock_step, "all ranks wait for the slowest"},
                      Choice{"dependency", Issue::dependency, "a step starts when its inputs are there"}};
}

struct Link {
    Bandwidth bandwidth = 400_Gbps;
    Time propagation = 500_ns;
    Bytes buffer = 64_KiB;
    friend bool operator==(const Link&, const Link&) = default;
    static constexpr auto fields() {
        return Entries{
            field("bandwidth", &Link::bandwidth, "raw rate of one direction", 1_Gbps, 10'000_Gbps),
            field("propagation", &Link::propagation, "time of flight: cable, PHY, FEC"),
            field("buffer", &Link::buffer, "receive buffer; its size is the credit pool"),
        };
    }
};

struct Network {
    Link link;
    bool trim = false;
    friend bool operator==(const Network&, const Network&) = default;
    static constexpr auto fields() {
        return Entries{field("link", &Network::link, "every link of the network"),
                       field("trim", &Network::trim, "whether switches cut payloads off instead of dropping packets")};
    }
};

struct Raw {
    friend bool operator==(const Raw&, const Raw&) = default;
    static constexpr auto fields() { return Entries{}; }
};

struct Asc {
    std::uint32_t lanes = 64;
    double decay = 0.5;
    friend bool operator==(const Asc&, const Asc&) = default;
    static constexpr auto fields() {
        return Entries{field("lanes", &Asc::lanes, "symbols coded in one cycle", 1, 1024),
                       field("decay", &Asc::decay, "weight of the last table", 0, 1)};
    }
};

inline constexpr auto codecs =
    Entries{kind<Raw>("raw", "symbols as they are; the baseline"),
            kind<Asc>("asc", "arithmetic coding by shared tables"), kind<Raw>("fixed_point", "symbols in 32 bit")};

/// A codec and what it is called: an entry of a list whose reader and echo are its own.
struct Method {
    std::string name;
    OneOf<codecs> codec;
    friend bool operator==(const Method& a, const Method& b) {
        return a.name == b.name && a.codec.params == b.codec.params;
    }
};

inline void read(const ConfigNode& node, Method& method) {
    read_kind(node, method.codec, {"name"});
    method.name = method.codec.name();
    read_key(node, "name", method.name);
}

inline nlohmann::ordered_json to_json(const Method& method) {
    nlohmann::ordered_json object = to_json(method.codec);
    object["name"] = method.name;
    return object;
}

struct Experiment {
    std::string experiment = "demo";
    std::uint32_t ranks = 8;
    std::uint64_t seed = 1;
    int offset = 0;
    Frequency clock = 1_GHz;
    Issue issue = Issue::dependency;
    Network network;
    OneOf<codecs> codec = Asc{.lanes = 16};
    std::vector<Method> methods;
    std::vector<double> weights{0.25, 0.75};
    std::vector<Link> links;
    std::optional<std::uint32_t> limit = 7;
    static constexpr auto fields() {
        using E = Experiment;
        return Entries{
            field("experiment", &E::experiment, "name of the results folder"),
            field("ranks", &E::ranks, "participants of the collective", 2, 4096),
            field("seed", &E::seed, "seed of everything random"),
            field("offset", &E::offset, "shift of the codes", -128, 127),
            field("clock", &E::clock, "clock of the engine", 1_MHz, 10_GHz),
            field("issue", &E::issue, "when a step starts"),
            field("network", &E::network, "the network"),
            field("codec", &E::codec, "lossless coding of symbols"),
            field("methods", &E::methods, "what is compared"),
            field("weights", &E::weights, "shares of the classes"),
            field("links", &E::links, "links that differ from the others"),
            field("limit", &E::limit, "most messages in flight; null: any number", 1, 100),
        };
    }
};

inline bool operator==(const Experiment& a, const Experiment& b) { return oscar::to_json(a) == oscar::to_json(b); }

/// The parameters in `yaml`, which errors call ring8.yaml.
inline Experiment parse(std::string_view yaml) { return read_params<Experiment>(parse_config(yaml, "ring8.yaml")); }

/// The text of the ConfigError that `call` throws.
template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

/// The error of reading `yaml` as an Experiment.
inline std::string error_in(std::string_view yaml) {
    return error_of([&] { parse(yaml); });
}

}   // namespace oscar::sample
