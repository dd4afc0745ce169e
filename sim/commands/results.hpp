// Where the results of a command go, and what is printed of them.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/report/numbered_folder.hpp"
#include "sim/report/view.hpp"
#include "sim/terminal/progress.hpp"

namespace oscar {

/// The options of a command line for the output.
struct OutputOptions {
    std::string folder;   ///< empty: a new one below results/; "-": none, the report goes to standard output
    bool json = false;    ///< the report in place of the tables; it goes into a folder only where one is named
    bool quiet = false;   ///< neither tables nor progress
    View view;
};

/// The folder of a command's results, made before the work begins. It goes again where nothing is written into it.
class Results {
public:
    /// `name`: of the folder below results/. Throws as OutputFolder.
    Results(const OutputOptions& options, const std::string& name);

    /// False for folder "-", and for JSON without a folder: the report is then printed only.
    bool have_folder() const { return named_ || numbered_; }
    const std::filesystem::path& folder() const { return folder_; }   ///< empty unless have_folder()

    /// Prints the table, or the report as JSON, as the options want it; then calls `write`, if there is a folder, and
    /// prints where `file` lies. So a disk that is full costs the file only.
    void show(const nlohmann::ordered_json& report, const std::function<std::string()>& table,
              const std::function<void()>& write, const char* file = "report.json") const;

private:
    const OutputOptions& options_;
    std::filesystem::path folder_;
    std::optional<OutputFolder> named_;
    std::optional<NumberedFolder> numbered_;
};

/// Calls `work(progress)`; a terminal shows the progress meanwhile, and another file gets a line a minute, unless the
/// options are quiet.
template <class Work>
auto with_progress(const OutputOptions& options, Work&& work) {
    if (options.quiet) return work(Progress([](const std::string&, double) {}));
    ProgressLine line(stderr);
    if (line.on_terminal()) return work(Progress([&](const std::string& what, double done) { line(what, done); }));
    ProgressReminder reminder(stderr);
    return work(Progress([&](const std::string& what, double done) { reminder(what, done); }));
}

}   // namespace oscar
