// The command line of `oscar-sim trace`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/trace/commands.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// The commands below `trace`, their options, and which of them the command line names. It must live until the
/// application has parsed.
class TraceCommands {
public:
    /// Adds them to an application, whose parsing chooses one.
    void add(CLI::App& app);
    bool chosen() const { return run_ != nullptr; }
    /// Runs the chosen one: its exit status. Precondition: chosen().
    int run(const Screen& screen) const { return run_(screen); }

private:
    using Run = std::function<int(const Screen&)>;
    CLI::App& add_command(CLI::App& trace, const char* name, const char* meaning, Run run);
    void add_looking(CLI::App& trace);
    void add_convert(CLI::App& trace);
    void add_slice(CLI::App& trace);
    void add_generate(CLI::App& trace);

    std::string folder_;
    std::vector<std::string> folders_;
    std::optional<std::uint64_t> iteration_;
    bool write_hashes_ = false;
    ConvertOptions convert_;
    SliceOptions slice_;
    GenerateOptions generate_;
    Run run_;
};

}   // namespace oscar
