#include "sim/commands/reading_commands.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/commands/validators.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/files/write_file.hpp"
#include "sim/files/write_place.hpp"
#include "sim/page/page.hpp"

namespace oscar {
namespace {

int fit_machine(const FitOptions& options, const Screen& screen) {
    fmt::print("{}", fit_logs(options, screen));
    return 0;
}

/// Where a page goes that is not told: into the folder of its run, sweep or training; one of several results into the
/// current folder, under their names.
std::string page_of(const std::vector<std::string>& places) {
    const auto folder_of = [](const std::filesystem::path& place) {
        const auto found = std::filesystem::is_directory(place) ? place / "." : place;
        return found.parent_path();
    };
    if (places.size() == 1) return (folder_of(places.front()) / "report.html").string();
    std::string name;
    for (const std::string& place : places)
        name += (name.empty() ? "" : "-") + std::filesystem::weakly_canonical(folder_of(place)).filename().string();
    return name + ".html";
}

int write_page(const PageOptions& options) {
    std::vector<PageContent> results;
    for (const std::string& place : options.runs) results.push_back(read_results(place));
    const auto library = chart_library();
    const std::string page = options.output.empty() ? page_of(options.runs) : options.output;
    replace_file(page, html_page(results, library), "choose another file with -o FILE.html");
    if (!library) fmt::print(stderr, "oscar-sim: the page has tables, but no charts: {}\n", how_to_get_charts);
    if (!is_standard_output(page)) fmt::print("{}\n", page);
    return 0;
}

int print_comparison(const CompareOptions& options, const Screen& screen) {
    const auto comparison = compare(read_report(options.a), read_report(options.b));
    fmt::print("{}", options.json ? comparison.dump(2) + "\n" : to_text(comparison, options.all, screen));
    return 0;
}

}   // namespace

void ReadingCommands::add(CLI::App& app) {
    add_fit(app);
    add_report(app);
    add_compare(app);
}

void ReadingCommands::add_fit(CLI::App& app) {
    CLI::App* fit = app.add_subcommand("fit", "fit a machine to logs of nccl-tests, for run and predict");
    fit->add_option("logs", fit_.logs, "what all_reduce_perf printed, one file or several of one machine")->required();
    fit->add_option("-o,--output", fit_.output, "file of the machine (YAML); -: standard output")
        ->type_name("FILE")
        ->required();
    fit->add_option("--from", fit_.from, "least size that is fitted (default: 32KiB)")->type_name("SIZE");
    fit->add_option("--ranks", fit_.ranks, "GPUs, where the log does not list them")->check(within(2, 65536));
    fit->add_option("--ranks-per-node", fit_.ranks_per_node, "GPUs of one NVLink (default: of a host in the log)")
        ->check(within(1, 65536));
    fit->callback([this] { run_ = [this](const Screen& screen) { return fit_machine(fit_, screen); }; });
}

void ReadingCommands::add_report(CLI::App& app) {
    CLI::App* report = app.add_subcommand("report", "write one self-contained HTML page of runs, sweeps and trainings");
    report
        ->add_option("folders", page_.runs,
                     "folders of runs, sweeps or trainings; from the second run on each is compared with the first")
        ->required();
    report
        ->add_option("-o,--output", page_.output,
                     "the page (default: report.html in the folder; of several, NAME-NAME.html here)")
        ->type_name("FILE.html");
    report->callback([this] { run_ = [this](const Screen&) { return write_page(page_); }; });
}

void ReadingCommands::add_compare(CLI::App& app) {
    CLI::App* command = app.add_subcommand("compare", "two runs: configuration, times, causes, and why they differ");
    command->add_option("first", compare_.a, "folder of a run, or its report.json")->required();
    command->add_option("second", compare_.b, "folder of another run, or its report.json")->required();
    command->add_flag("--all", compare_.all, "also each value of the reports that differs");
    command->add_flag("--json", compare_.json, "as JSON");
    command->callback([this] { run_ = [this](const Screen& screen) { return print_comparison(compare_, screen); }; });
}

}   // namespace oscar
