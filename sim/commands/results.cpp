#include "sim/commands/results.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "sim/describe/json_text.hpp"

namespace oscar {

Results::Results(const OutputOptions& options, const std::string& name) : options_(options) {
    if (options.folder == "-" || (options.folder.empty() && options.json)) return;
    if (options.folder.empty()) folder_ = numbered_.emplace(std::filesystem::path("results") / name).path();
    else named_.emplace(folder_ = options.folder);
}

void Results::show(const nlohmann::ordered_json& report, const std::function<std::string()>& table,
                   const std::function<void()>& write, const char* file) const {
    const bool prints_table = !options_.json && !options_.quiet && options_.folder != "-";
    if (prints_table) fmt::print("{}\n", table());
    else if (options_.json || options_.folder == "-") fmt::print("{}\n", json_text(report));
    std::fflush(stdout);   // main tells of errors, once the file is written
    if (!have_folder()) return;
    if (named_) remove_link_to_latest(folder_);   // else the report of another run would be replaced
    write();
    if (numbered_) numbered_->link_as_latest();
    if (prints_table) fmt::print("{}\n", (folder_ / file).string());
}

}   // namespace oscar
