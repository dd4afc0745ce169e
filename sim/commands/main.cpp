// The command line of oscar-sim.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "sim/commands/families.hpp"
#include "sim/commands/help.hpp"
#include "sim/commands/live.hpp"
#include "sim/commands/reading_commands.hpp"
#include "sim/commands/run.hpp"
#include "sim/commands/trace_commands.hpp"
#include "sim/commands/usage_error.hpp"
#include "sim/commands/validators.hpp"
#include "sim/commands/version.hpp"
#include "sim/config/error.hpp"
#include "sim/run/exit_status.hpp"
#include "sim/sweep/sweep.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "sim/terminal/terminal.hpp"
#include "sim/trace/mappings.hpp"

namespace {

using oscar::RunOptions;

oscar::Screen screen() { return {oscar::width_of(stdout), oscar::takes_colours(stdout)}; }

struct DescribeOptions {
    std::string family, kind;
    bool dot = false, json = false, schema = false;
    std::optional<std::uint32_t> ranks;
    std::vector<std::string> assignments;
};

int run_describe(const DescribeOptions& options) {
    if (options.dot && options.family != "topology")
        throw oscar::InputError("describe: --dot draws topologies; write it like describe topology mesh --dot");
    fmt::print("{}", options.dot      ? oscar::draw_topology(options.kind, options.ranks, options.assignments)
                     : options.schema ? oscar::describe_schema(options.family)
                     : options.json   ? oscar::describe_json(options.family, options.kind)
                                      : oscar::describe(options.family, options.kind, oscar::width_of(stdout)));
    return 0;
}

/// 0: every point is done, or only looked at; 1: some failed; 128 + the number of the signal that interrupted the
/// sweep.
int run_sweep(const oscar::SweepOptions& options) {
    if (options.dry_run) {
        fmt::print("{}", oscar::list_points(options));
        return 0;
    }
    if (options.array_task) {
        oscar::run_task_of_array(options, *options.array_task);
        return 0;
    }
    const oscar::SweepEnd end = oscar::run_sweep(options, stderr);
    if (!options.quiet) fmt::print("{}", oscar::to_table(end, screen()));
    if (end.signal != 0) {
        fmt::print(stderr, "oscar-sim: interrupted; the same command computes what is pending\n");
        return 128 + end.signal;
    }
    if (end.failed == 0) return 0;
    fmt::print(stderr, "oscar-sim: {} points failed, see the column error; --retry-failed computes them again\n",
               end.failed);
    return oscar::other_failure;
}

void add_threads_option(CLI::App& command, std::uint32_t& threads, const std::string& meaning) {
    command.add_option("--threads", threads, meaning + ", which share the ranks' work on values (default: 1)")
        ->check(oscar::within(1, 1024));
}

/// An option that takes one of the choices of an enumeration, by its name.
template <class Enum>
void add_choice_option(CLI::App& command, const std::string& name, Enum& value, const std::string& type,
                       const std::string& meaning) {
    std::vector<std::string> names;
    for (const auto& choice : choices(Enum{})) names.emplace_back(choice.text);
    const auto take = [&value](const std::string& chosen) {
        for (const auto& choice : choices(Enum{}))
            if (choice.text == chosen) value = choice.value;
    };
    command.add_option_function<std::string>(name, take, meaning)->check(CLI::IsMember(names))->type_name(type);
}

void add_sweep_command(CLI::App& app, oscar::SweepOptions& options) {
    CLI::App* sweep =
        app.add_subcommand("sweep", "run a grid of experiments, write DIR/points.sqlite and DIR/points.csv");
    sweep->add_option("sweep", options.file, "sweep to run (YAML), or its name among the shipped ones")->required();
    sweep->add_option("-j,--jobs", options.jobs, "processes at a time (default: the cores divided by --threads)")
        ->check(oscar::within(1, 4096));
    add_threads_option(*sweep, options.threads, "threads of each process");
    add_choice_option(*sweep, "--executor", options.executor, "EXECUTOR",
                      "where points are computed: local, or slurm, as a job array (default: local)");
    sweep->add_option("--array-task", options.array_task, "of a job array")->group("");
    sweep->add_option("-o,--output", options.output, "folder of the results (default: results/NAME)")->type_name("DIR");
    sweep->add_flag("--retry-failed", options.retry_failed, "compute points again that failed");
    sweep
        ->add_option("--best", options.best,
                     "print the ten best points by a figure, or the Pareto front of two: allreduce_ps, max:cosine, ... "
                     "(default: where each method gains most)")
        ->type_name("FIGURE[,FIGURE]");
    sweep
        ->add_option("--where", options.where,
                     "rank only methods whose figures meet a condition, like 'relative_l2_error<0.05'; may be repeated")
        ->type_name("FIGURE<NUMBER")
        ->take_all()
        ->allow_extra_args(false);
    sweep->add_flag("-q,--quiet", options.quiet,
                    "print neither the ranking nor progress, however long it takes; errors only");
    sweep->add_flag("--dry-run", options.dry_run, "check and list the points; compute and write nothing");
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
    command.add_option("--set", overrides, "value of a dotted key, over what the file says; once for each key")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
}

/// Adds a command that reads a configuration and reports, with the options that all of them take.
CLI::App* add_run_command(CLI::App& app, const char* name, const char* meaning, RunOptions& options) {
    CLI::App* command = app.add_subcommand(name, meaning);
    command
        ->add_option("config", options.config,
                     "what to run (YAML), or its name among the shipped ones; -: standard input")
        ->required();
    add_overrides(*command, options.overrides);
    command
        ->add_option("-o,--output", options.output.folder,
                     "folder of the results (default: a new one, results/NAME/001, 002, ..., and a link latest); -: "
                     "none, the report goes to standard output")
        ->type_name("DIR");
    command->add_flag("--json", options.output.json,
                      "print the report in place of tables; write it to a folder only with -o DIR");
    command->add_flag("-q,--quiet", options.output.quiet,
                      "print neither tables nor progress, however long it takes; errors only");
    return command;
}

CLI::App* add_live_command(CLI::App& app, oscar::LiveOptions& options) {
    CLI::App* live = app.add_subcommand(
        "live", "carry the gradients of a training under way, on standard input and output (docs/live.md)");
    live->add_option("config", options.config, "experiment of one method (YAML), or its name among the shipped ones")
        ->required();
    add_overrides(*live, options.overrides);
    return live;
}

void add_table_options(CLI::App& command, oscar::View& view) {
    command.add_option("--baseline", view.baseline, "method that speed-ups compare with (default: the first)")
        ->type_name("METHOD");
    command.add_flag("--wide", view.wide, "all columns, and speed-ups over each method");
    command.add_flag(
        "--explain", view.explain,
        "also means over ranks, a closed form as a check, the costs, what would be faster, and the legend");
    command.add_flag("--legend", view.legend, "also the meaning of each column");
}

void add_format_option(CLI::App& command, oscar::View& view) {
    add_choice_option(command, "--format", view.format, "FORMAT",
                      "what is printed: tables, or nccl, the table of nccl-tests");
}

CLI::App* add_describe_command(CLI::App& app, DescribeOptions& options) {
    CLI::App* describe = app.add_subcommand("describe", "parameters with unit, default, range and meaning");
    describe->add_option("family", options.family, "leave out for the list of families");
    describe->add_option("kind", options.kind, "one kind of the family");
    CLI::Option* dot =
        describe->add_flag("--dot", options.dot,
                           "draw a topology for Graphviz: `describe topology KIND --dot`, or a configuration for KIND");
    CLI::Option* json = describe->add_flag("--json", options.json, "as JSON; without a family: all of them in full");
    describe
        ->add_flag(
            "--schema", options.schema,
            "JSON schema, for editors: of experiment, sweep, traffic, prediction, training or report, or of any family")
        ->excludes(dot)
        ->excludes(json);
    json->excludes(dot);
    describe->add_option("--ranks", options.ranks, "of the drawing (default: of the configuration, or 8)")
        ->needs(dot)
        ->check(oscar::within(2, 4096));
    describe->add_option("--set", options.assignments, "parameter of the drawn topology, or network.KEY=VALUE")
        ->type_name("KEY=VALUE")
        ->needs(dot)
        ->take_all()
        ->allow_extra_args(false);
    return describe;
}

int command_line(int argc, char** argv) {
    CLI::App app{"oscar-sim: compressed AllReduce of real gradients, simulated to the picosecond"};
    app.formatter(std::make_shared<oscar::HelpFormatter>(oscar::width_of(stdout)));   // sub-commands take it over
    app.set_version_flag("--version", oscar::version_text());
    app.require_subcommand(1);

    RunOptions options;
    options.output.view.screen = screen();
    CLI::App* run = add_run_command(app, "run", "run an experiment, print its tables, write DIR/report.json", options);
    add_table_options(*run, options.output.view);
    add_format_option(*run, options.output.view);
    run->add_flag_callback(
        "--timeline", [&] { options.overrides.emplace_back("timeline=true"); },
        "also write DIR/timeline-METHOD.json for https://ui.perfetto.dev: who waited for whom, and the critical path");
    add_threads_option(*run, options.threads, "threads");
    CLI::App* traffic = add_run_command(
        app, "traffic", "latency and saturation of a grid of routers under synthetic traffic, into DIR/report.json",
        options);
    add_run_command(app, "predict",
                    "what a formula says of a collective, without simulation; writes DIR/prediction.json", options);
    oscar::ReadingCommands reading;
    reading.add(app);
    oscar::LiveOptions live_options;
    const CLI::App* live = add_live_command(app, live_options);
    oscar::SweepOptions sweep_options;
    add_sweep_command(app, sweep_options);

    DescribeOptions describe_options;
    const CLI::App* describe = add_describe_command(app, describe_options);

    oscar::TraceCommands trace;
    trace.add(app);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);   // asked for help or version
        throw oscar::InputError(oscar::usage_error(app, error));
    }
    if (trace.chosen()) return trace.run(screen());
    if (app.got_subcommand("predict")) return oscar::run_prediction(options);
    if (app.got_subcommand("sweep")) return run_sweep(sweep_options);
    if (reading.chosen()) return reading.run(screen());
    if (live->parsed()) return oscar::serve_training(live_options, std::cin, std::cout);
    if (describe->parsed()) return run_describe(describe_options);
    return traffic->parsed() ? oscar::run_traffic(options) : oscar::run_experiment(options);
}

/// One line on standard error; where there is none, the exit status alone has to tell.
void say(const std::string& what) { std::fputs(("oscar-sim: " + what + "\n").c_str(), stderr); }

/// `status`, unless what was printed has not reached standard output.
int after_output(int status) {
    const bool has_failed = std::ferror(stdout) != 0;
    if (has_failed) std::fputc('\n', stdout);   // fails again, which tells why
    errno = 0;
    if (std::fflush(stdout) == 0 && !has_failed) return status;
    say(fmt::format("standard output cannot be written{}; direct it elsewhere",
                    errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))));
    return status == 0 ? oscar::other_failure : status;
}

}   // namespace

extern "C" int sc_main(int argc, char** argv) {
    try {
        return after_output(command_line(argc, argv));
    } catch (...) {
        const oscar::Failure failure = oscar::failure_in_flight();
        if (std::ferror(stdout) != 0) return after_output(oscar::other_failure);
        say(failure.what);
        return after_output(failure.status);
    }
}

int main(int argc, char** argv) {
    // Messages and gradients are made and freed all the time: memory is kept instead of given back and cleared anew.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);                               // by any thread: what one has freed, another takes
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);   // the output is for scripts, too
    std::signal(SIGXFSZ, SIG_IGN);                         // writing beyond the limit of a file's size is an error
    oscar::end_if_a_mapped_file_shrinks(oscar::wrong_input);
    return sc_core::sc_elab_and_sim(argc, argv);
}
