// A sweep whose every point is known to be a sound configuration, before the first one runs.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/definition.hpp"

namespace oscar {

struct Point {
    Settings settings;   ///< beyond the base
    std::string key;     ///< see point_key
};

struct SweepPlan {
    SweepDefinition definition;
    std::string program;                     ///< see program_identity
    std::vector<Point> points;               ///< in the order of the grid; distinct keys
    std::vector<std::string> methods;        ///< names of all methods of all points, in order of appearance
    std::vector<std::string> uncompressed;   ///< of them: those that send fp32 as it is
    bool costed = false;                     ///< the report of a point has energies and areas: it has a technology
    bool tiered = false;                     ///< that of a point has figures of tiers: it has several islands
};

/// Checks all that can be checked of every point without reading a gradient. ConfigError or InputError, which ends in
/// the settings of the point: what check() throws; two points that are the same configuration.
SweepPlan plan_sweep(const std::filesystem::path& file);

}   // namespace oscar
