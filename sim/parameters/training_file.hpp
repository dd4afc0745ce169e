// Training files: what scripts/train trains, on which machine, and with which methods.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/node.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/parameters/training_params.hpp"

namespace oscar {

/// A method of a training, as an experiment has them. Its records carry `name`; `source` is what the file says,
/// with the keys of a preset in place of its name, for errors that are found later.
struct TrainingMethod {
    std::string name, kind;
    ConfigNode source;
};

struct TrainingFile {
    TrainingParams params;
    Parameters machine;
    std::vector<TrainingMethod> methods;   ///< at least one, of different names
    ConfigNode source;
};

/// Reads a training file, and the files of methods that its list names (they lie beside the file that names them).
/// ConfigError: see load_config; an unknown key or kind, a value out of its range; no workload, machine or methods; no
/// methods; two of one name; a name that cannot be that of a file of results; equal seeds, or none; a machine that
/// names what the training gives it (ranks, seed, trace, methods).
TrainingFile read_training(const std::filesystem::path& file);

}   // namespace oscar
