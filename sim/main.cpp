// The command line of oscar-sim.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <systemc>
#include <vector>

#include "sim/experiment.hpp"
#include "sim/families.hpp"

namespace {

constexpr int wrong_input = 2, cannot_finish = 3;

struct RunOptions {
    std::string config, output;
    std::vector<std::string> overrides;
};

/// One line on standard error that is written over and over; nothing when that is no terminal.
class ProgressLine {
public:
    void operator()(const std::string& what, double done) const {
        if (terminal_) fmt::print(stderr, "\r\033[K{:3.0f} %  {}", 100 * done, what);
    }
    ~ProgressLine() {
        if (terminal_) fmt::print(stderr, "\r\033[K");
    }

private:
    bool terminal_ = isatty(fileno(stderr)) != 0;
};

int run_experiment(const RunOptions& options) {
    const oscar::Experiment experiment = oscar::load_experiment(options.config, options.overrides);
    const std::string folder = options.output.empty() ? "results/" + experiment.parameters.experiment : options.output;
    oscar::check_writable(folder);
    oscar::Report report;
    {
        const ProgressLine line;
        report = oscar::run(experiment, [&line](const std::string& what, double done) { line(what, done); });
    }
    oscar::write_report(report, folder);
    fmt::print("{}\n{}/report.json\n", oscar::to_table(report), folder);
    for (const auto& method : report.methods)
        if (!method.sums_match_reference) {
            fmt::print(stderr,
                       "oscar-sim: {}: a rank's sum, bytes or tables differ from the reference; this is a defect of "
                       "the program\n",
                       method.name);
            return 1;
        }
    return 0;
}

int command_line(int argc, char** argv) {
    CLI::App app{"oscar-sim: compressed AllReduce of real gradients, simulated cycle by cycle"};
    app.set_version_flag("--version", OSCAR_VERSION);
    app.require_subcommand(1);

    RunOptions options;
    CLI::App* run = app.add_subcommand("run", "run an experiment, print its table, write DIR/report.json");
    run->add_option("config", options.config, "experiment file (YAML)")->required();
    run->add_option("--set", options.overrides, "path.to.key=VALUE, over what the file says")
        ->take_all()
        ->allow_extra_args(false);
    run->add_option("-o,--output", options.output, "folder of the results (default results/<experiment>)");

    std::string family, kind;
    CLI::App* describe = app.add_subcommand("describe", "parameters with unit, default, range and meaning");
    describe->add_option("family", family, "leave out for the list of families");
    describe->add_option("kind", kind, "one kind of the family");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : wrong_input;
    }
    if (describe->parsed()) {
        fmt::print("{}", oscar::describe(family, kind));
        return 0;
    }
    return run_experiment(options);
}

}   // namespace

extern "C" int sc_main(int argc, char** argv) {
    try {
        return command_line(argc, argv);
    } catch (const oscar::InputError& error) {
        fmt::print(stderr, "oscar-sim: {}\n", error.what());
        return wrong_input;
    } catch (const oscar::Deadlock& error) {
        fmt::print(stderr, "oscar-sim: {}\n", error.what());
        return cannot_finish;
    } catch (const std::exception& error) {
        fmt::print(stderr, "oscar-sim: {}\n", error.what());
        return 1;
    }
}

int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);   // the output is for scripts, too
    return sc_core::sc_elab_and_sim(argc, argv);
}
