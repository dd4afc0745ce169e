// The commands that read a configuration, compute and report: run, traffic, predict. Errors are exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/results.hpp"

namespace oscar::inline commands {

struct RunOptions {
    std::string config;
    std::vector<std::string> overrides;
    OutputOptions output;
    std::uint32_t threads = 1;   ///< of `run`
};

/// Each gives the exit status of the program.
int run_experiment(const RunOptions& options);
int run_traffic(const RunOptions& options);
int run_prediction(const RunOptions& options);

}   // namespace oscar::inline commands
