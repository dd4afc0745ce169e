// The commands that read what was measured or written before: fit, report, compare.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "sim/commands/fit.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

struct CompareOptions {
    std::string a, b;
    bool json = false, all = false;
};

struct PageOptions {
    std::vector<std::string> runs;
    std::string output;
};

/// Their options, and which of them the command line names. It must live until the application has parsed.
class ReadingCommands {
public:
    /// Adds them to an application, whose parsing chooses one.
    void add(CLI::App& app);
    bool chosen() const { return run_ != nullptr; }
    /// Runs the chosen one: its exit status. Precondition: chosen().
    int run(const Screen& screen) const { return run_(screen); }

private:
    void add_fit(CLI::App& app);
    void add_report(CLI::App& app);
    void add_compare(CLI::App& app);

    FitOptions fit_;
    PageOptions page_;
    CompareOptions compare_;
    std::function<int(const Screen&)> run_;
};

}   // namespace oscar
