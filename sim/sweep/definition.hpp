// Definition of a sweep: base experiment, common settings, axes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/checks/load_experiment.hpp"
#include "sim/sweep/grid/axes.hpp"
#include "sim/sweep/grid/sample.hpp"

namespace oscar {

inline constexpr std::size_t most_points = 100'000;

struct SweepDefinition {
    std::filesystem::path base_file;   ///< of the experiment; the sweep file itself if the experiment stands in it
    ConfigNode base;                   ///< with `set` applied
    std::vector<Axis> axes;
    std::vector<Settings> points;   ///< of their grid, or drawn from it; in its order

    /// The keys that differ between the points, in the order in which they are set.
    std::vector<std::string> keys() const;
};

/// Reads {base: FILE or a map, set: {key: value, …}, axes: [see read_axis, …], sample: see SampleParams}.
/// ConfigError: see load_config, read_axis; a key on two axes; more than most_points points; a sample that the grid
/// does not have.
SweepDefinition load_sweep(const std::filesystem::path& file);

/// The experiment of one point of the grid. ConfigError: see make_experiment.
Experiment experiment_of(const SweepDefinition& sweep, const Settings& point);

}   // namespace oscar
