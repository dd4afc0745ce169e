// The commands that read a configuration, compute and report: run, traffic, predict. Errors are exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/results.hpp"

namespace oscar {

struct RunOptions {
    std::string config;
    std::vector<std::string> overrides;
    OutputOptions output;
    std::uint32_t threads = 1;   ///< of `run`
};

/// Runs an experiment. Returns the exit status of the program: other_failure if a method's sums, bytes or tables differ
/// from the reference, else 0.
int run_experiment(const RunOptions& options);
/// Runs synthetic traffic on a grid of routers, and returns 0.
int run_traffic(const RunOptions& options);
/// Evaluates a predictor, writes prediction.json in place of report.json, and returns 0.
int run_prediction(const RunOptions& options);

}   // namespace oscar
