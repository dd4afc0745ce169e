#include "sim/commands/trace_commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "sim/commands/results.hpp"
#include "sim/commands/validators.hpp"
#include "sim/run/exit_status.hpp"

namespace oscar {
namespace {

int print_text(const std::string& text) {
    fmt::print("{}", text);
    return 0;
}

int print_verified(const std::vector<std::string>& folders) {
    const Verified verified = verify_traces(folders);
    for (const auto& line : verified.lines) fmt::print("{}\n", line);
    for (const auto& error : verified.errors) fmt::print(stderr, "oscar-sim: {}\n", error);
    return verified.errors.empty() ? 0 : wrong_input;
}

/// The value by its name: CLI11 would show the number of an enumerator as a character.
void add_dtype_option(CLI::App& command, ValueType& dtype) {
    const auto set = [&dtype](const std::string& name) { dtype = name == "f4" ? ValueType::f4 : ValueType::f2; };
    command.add_option_function<std::string>("--dtype", set, "type of the values (default: f4)")
        ->check(CLI::IsMember({"f4", "f2"}));
}

std::string generated(const GenerateOptions& options) {
    return with_progress({}, [&](const Progress& progress) { return generate_trace(options, progress); });
}

}   // namespace

void TraceCommands::add(CLI::App& app) {
    CLI::App* trace = app.add_subcommand("trace", "look into, check and make traces (docs/trace-format.md)");
    trace->require_subcommand(1);
    add_looking(*trace);
    add_convert(*trace);
    add_slice(*trace);
    add_generate(*trace);
}

CLI::App& TraceCommands::add_command(CLI::App& trace, const char* name, const char* meaning, Run run) {
    CLI::App& command = *trace.add_subcommand(name, meaning);
    command.callback([this, run = std::move(run)] { run_ = run; });
    return command;
}

void TraceCommands::add_looking(CLI::App& trace) {
    CLI::App& info =
        add_command(trace, "info", "header, table per layer, histogram of magnitudes",
                    [this](const Screen& screen) { return print_text(trace_info(folder_, iteration_, screen)); });
    info.add_option("folder", folder_, "trace")->required();
    info.add_option("--iteration", iteration_, "position, from 0 (default: the last that follows its predecessor)")
        ->check(any_count());
    add_command(trace, "verify", "check every value of every trace",
                [this](const Screen&) { return print_verified(folders_); })
        .add_option("folders", folders_, "traces")
        ->required();
    CLI::App& hash = add_command(trace, "hash", "identity of the contents", [this](const Screen&) {
        return print_text(trace_hash(folder_, write_hashes_) + "\n");
    });
    hash.add_option("folder", folder_, "trace")->required();
    hash.add_flag("--write", write_hashes_, "first write the hash of each array into trace.yaml (format 2)");
}

void TraceCommands::add_convert(CLI::App& trace) {
    CLI::App& convert = add_command(trace, "convert", "make a trace of an .npz, .npy or .safetensors file",
                                    [this](const Screen&) { return print_text(convert_trace(convert_) + "\n"); });
    convert.add_option("input", convert_.input, "arrays of shape [ranks, elements], or <iteration>/<layer>")
        ->required();
    convert.add_option("output", convert_.output, "new folder")->required();
    convert.add_option("--name", convert_.name, "of the trace (default: of the folder)");
    convert.add_option("--model", convert_.model, "the trained model in words");
    convert.add_option("--licence", convert_.licence, "of the data set");
    convert.add_option("--source", convert_.source, "where the data come from");
    add_dtype_option(convert, convert_.dtype);
}

void TraceCommands::add_slice(CLI::App& trace) {
    CLI::App& slice = add_command(trace, "slice", "make a trace of a part of one",
                                  [this](const Screen&) { return print_text(slice_trace(slice_) + "\n"); });
    slice.add_option("input", slice_.input, "trace")->required();
    slice.add_option("output", slice_.output, "new folder")->required();
    slice.add_option("--iterations", slice_.iterations, "positions from A to B - 1")->type_name("A:B");
    slice.add_option("--ranks", slice_.ranks, "number of ranks to keep, from rank 0")->check(within(1, 1U << 20));
    slice.add_option("--layers", slice_.layers, "patterns of names, like 'conv*,fc1.*'")->type_name("PATTERNS");
}

void TraceCommands::add_generate(CLI::App& trace) {
    GenerateOptions& o = generate_;
    CLI::App& command = add_command(trace, "generate", "make a trace from a statistical model",
                                    [this](const Screen&) { return print_text(generated(generate_) + "\n"); });
    command.add_option("output", o.output, "new folder")->required();
    command.add_option("--like", o.like, "captured trace to fit the model to")->type_name("TRACE");
    command.add_option("--stage", o.stage, "stage of that trace to fit (default: its last)")->type_name("NAME");
    command.add_option("--ranks", o.ranks, "default: those of --like, else 8")->check(within(1, 1U << 20));
    command
        .add_option("--elements", o.elements,
                    "about as many per rank: layers are scaled (default: as --like, else 100000)")
        ->check(within(1, 1ULL << 40, "2^40"));
    command.add_option("--iterations", o.iterations, "default: as many as the stage has, else 4")
        ->check(within(1, 1'000'000));
    command.add_option("--seed", o.seed, "of the random numbers (default: 1)")->check(any_count());
    command.add_option("--set", o.overrides, "parameter of layers, see oscar-sim describe generator")
        ->type_name("[LAYERS:]KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    add_dtype_option(command, o.dtype);
}

}   // namespace oscar
