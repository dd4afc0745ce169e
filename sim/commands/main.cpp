// The command line of oscar-sim.
#include <fmt/format.h>
#include <fmt/ranges.h>
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
#include <string_view>
#include <systemc>
#include <vector>

#include "sim/commands/families.hpp"
#include "sim/commands/help.hpp"
#include "sim/commands/live.hpp"
#include "sim/commands/reading_commands.hpp"
#include "sim/commands/run.hpp"
#include "sim/commands/trace/commands.hpp"
#include "sim/commands/validators.hpp"
#include "sim/commands/version.hpp"
#include "sim/config/error.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
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

int verify_traces(const std::vector<std::string>& folders) {
    const oscar::Verified verified = oscar::verify_traces(folders);
    for (const auto& line : verified.lines) fmt::print("{}\n", line);
    for (const auto& error : verified.errors) fmt::print(stderr, "oscar-sim: {}\n", error);
    return verified.errors.empty() ? 0 : oscar::wrong_input;
}

/// The options of the sub-commands of `oscar-sim trace`, and the exit status of the one that ran.
struct TraceOptions {
    std::string folder;
    std::vector<std::string> folders;
    std::optional<std::uint64_t> iteration;
    bool write_hashes = false;
    oscar::ConvertOptions convert;
    oscar::SliceOptions slice;
    oscar::GenerateOptions generate;
    int status = 0;
};

/// The value by its name: CLI11 would show the number of an enumerator as a character.
void add_dtype_option(CLI::App& command, oscar::ValueType& dtype) {
    const auto set = [&dtype](const std::string& name) {
        dtype = name == "f4" ? oscar::ValueType::f4 : oscar::ValueType::f2;
    };
    command.add_option_function<std::string>("--dtype", set, "type of the values (default: f4)")
        ->check(CLI::IsMember({"f4", "f2"}));
}

void add_generate_options(CLI::App& command, oscar::GenerateOptions& o) {
    command.add_option("output", o.output, "new folder")->required();
    command.add_option("--like", o.like, "captured trace to fit the model to")->type_name("TRACE");
    command.add_option("--stage", o.stage, "stage of that trace to fit (default: its last)")->type_name("NAME");
    command.add_option("--ranks", o.ranks, "default: those of --like, else 8")->check(oscar::within(1, 1U << 20));
    command
        .add_option("--elements", o.elements,
                    "about as many per rank: layers are scaled (default: as --like, else 100000)")
        ->check(oscar::within(1, 1ULL << 40, "2^40"));
    command.add_option("--iterations", o.iterations, "default: as many as the stage has, else 4")
        ->check(oscar::within(1, 1'000'000));
    command.add_option("--seed", o.seed, "of the random numbers (default: 1)")->check(oscar::any_count());
    command.add_option("--set", o.overrides, "parameter of layers, see oscar-sim describe generator")
        ->type_name("[LAYERS:]KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    add_dtype_option(command, o.dtype);
}

std::string generated(const oscar::GenerateOptions& options) {
    return oscar::with_progress(
        {}, [&](const oscar::Progress& progress) { return oscar::generate_trace(options, progress); });
}

void add_trace_commands(CLI::App& app, TraceOptions& o) {
    CLI::App* trace = app.add_subcommand("trace", "look into, check and make traces (docs/trace-format.md)");
    trace->require_subcommand(1);
    const auto add = [&](const char* name, const char* meaning, auto action) {
        CLI::App* command = trace->add_subcommand(name, meaning);
        command->callback([&o, action] { o.status = action(o); });
        return command;
    };
    const auto print = [](const std::string& text) { return fmt::print("{}", text), 0; };

    CLI::App* info = add("info", "header, table per layer, histogram of magnitudes",
                         [=](auto& x) { return print(oscar::trace_info(x.folder, x.iteration, screen())); });
    info->add_option("folder", o.folder, "trace")->required();
    info->add_option("--iteration", o.iteration, "position, from 0 (default: the last that follows its predecessor)")
        ->check(oscar::any_count());
    add("verify", "check every value of every trace", [](auto& x) { return verify_traces(x.folders); })
        ->add_option("folders", o.folders, "traces")
        ->required();
    CLI::App* hash = add("hash", "identity of the contents",
                         [=](auto& x) { return print(oscar::trace_hash(x.folder, x.write_hashes) + "\n"); });
    hash->add_option("folder", o.folder, "trace")->required();
    hash->add_flag("--write", o.write_hashes, "first write the hash of each array into trace.yaml (format 2)");

    CLI::App* convert = add("convert", "make a trace of an .npz, .npy or .safetensors file",
                            [=](auto& x) { return print(oscar::convert_trace(x.convert) + "\n"); });
    convert->add_option("input", o.convert.input, "arrays of shape [ranks, elements], or <iteration>/<layer>")
        ->required();
    convert->add_option("output", o.convert.output, "new folder")->required();
    convert->add_option("--name", o.convert.name, "of the trace (default: of the folder)");
    convert->add_option("--model", o.convert.model, "the trained model in words");
    convert->add_option("--licence", o.convert.licence, "of the data set");
    convert->add_option("--source", o.convert.source, "where the data come from");
    add_dtype_option(*convert, o.convert.dtype);

    CLI::App* slice = add("slice", "make a trace of a part of one",
                          [=](auto& x) { return print(oscar::slice_trace(x.slice) + "\n"); });
    slice->add_option("input", o.slice.input, "trace")->required();
    slice->add_option("output", o.slice.output, "new folder")->required();
    slice->add_option("--iterations", o.slice.iterations, "positions from A to B - 1")->type_name("A:B");
    slice->add_option("--ranks", o.slice.ranks, "number of ranks to keep, from rank 0")
        ->check(oscar::within(1, 1U << 20));
    slice->add_option("--layers", o.slice.layers, "patterns of names, like 'conv*,fc1.*'")->type_name("PATTERNS");

    add_generate_options(*add("generate", "make a trace from a statistical model",
                              [=](auto& x) { return print(generated(x.generate) + "\n"); }),
                         o.generate);
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
    sweep->add_flag("-q,--quiet", options.quiet, "print neither the ranking nor progress");
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
    command->add_flag("-q,--quiet", options.output.quiet, "print neither tables nor progress");
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

/// The innermost command that was named on the command line.
const CLI::App& named_command(const CLI::App& app) {
    const auto named = app.get_subcommands();
    return named.empty() ? app : named_command(*named.front());
}

/// The words by which it was named, like "oscar-sim trace info".
std::string full_name(const CLI::App& app) {
    const auto named = app.get_subcommands();
    const std::string name = app.get_parent() == nullptr ? "oscar-sim" : app.get_name();
    return named.empty() ? name : name + " " + full_name(*named.front());
}

/// The error about the first unknown word; nothing if all are known or no names are due there.
std::optional<std::string> unknown_word(const CLI::App& app) {
    const CLI::App& command = named_command(app);
    const std::vector<std::string> rest = command.remaining();
    if (rest.empty()) return std::nullopt;
    const bool is_option = rest.front().starts_with('-');
    std::vector<std::string> names;
    if (is_option)
        for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name(false, false));
    else
        for (const CLI::App* subcommand : command.get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(subcommand->get_name());
    std::erase_if(names, [&](const std::string& name) { return is_option && !name.starts_with("--"); });
    if (names.empty()) return std::nullopt;
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    return fmt::format("'{}': no such {}{}; known: {}", rest.front(), is_option ? "option" : "command",
                       oscar::did_you_mean(rest.front(), candidates), fmt::join(candidates, ", "));
}

/// The missing argument of the named command, with its meaning; nothing for other errors.
std::optional<std::string> missing_argument(const CLI::App& app, const CLI::ParseError& error) {
    for (const CLI::Option* option : named_command(app).get_options())
        if (option->get_positional() && error.what() == option->get_name() + " is required")
            return fmt::format("missing {}: {}", option->get_name(), option->get_description());
    return std::nullopt;
}

/// The exit status for a command line that CLI11 does not take, after telling what is wrong with it.
int refuse(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);   // asked for help or version
    if (const auto wrong = unknown_word(app)) throw oscar::InputError(*wrong);
    throw oscar::InputError(
        fmt::format("{}; see {} --help", missing_argument(app, error).value_or(error.what()), full_name(app)));
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

    TraceOptions trace;
    add_trace_commands(app, trace);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return refuse(app, error);
    }
    if (app.got_subcommand("trace")) return trace.status;
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
