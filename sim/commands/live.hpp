// The command `live`: an experiment that a training program drives over standard input and output.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace oscar {

struct LiveOptions {
    std::string config;
    std::vector<std::string> overrides;
};

/// Serves steps until the input ends (docs/live.md has the protocol), and returns 0. ConfigError: see LiveRun.
/// InputError: a line that is no request, or an input that ends within one.
int serve_training(const LiveOptions& options, std::istream& in, std::ostream& out);

}   // namespace oscar
