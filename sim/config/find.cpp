#include "sim/config/find.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace oscar {

namespace fs = std::filesystem;

namespace {

/// Folder of configs/ with the files of a kind.
std::string_view folder_of(FileKind kind) {
    switch (kind) {
        case FileKind::run:
            return "experiments";
        case FileKind::sweep:
            return "sweeps";
        case FileKind::traffic:
            return "traffic";
        case FileKind::predict:
            return "validation";
    }
    return "";
}

std::vector<fs::path> candidates(const fs::path& name, FileKind kind) {
    std::vector<fs::path> files{name};
    for (const fs::path& root : shipped_roots())
        for (const fs::path& file : {root / name, root / "configs" / name, root / "configs" / folder_of(kind) / name}) {
            files.push_back(file);
            files.emplace_back(file.string() + ".yaml");
        }
    return files;
}

/// The names of the files of a kind in the folders that are searched.
std::vector<std::string> names_in(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const fs::path& folder : folders)
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

/// The folders of configs/ that have these names, wherever they are searched.
std::vector<fs::path> folders_named(std::initializer_list<std::string_view> names) {
    std::vector<fs::path> folders;
    for (const fs::path& root : shipped_roots())
        for (const std::string_view name : names) folders.push_back(root / "configs" / name);
    return folders;
}

/// Parts of machines, whole ones, and whole experiments.
std::vector<fs::path> folders_of_bases() {
    return folders_named({folders_of_parts[0], folders_of_parts[1], folder_of(FileKind::run)});
}

/// " (did you mean NAME?)" for the nearest name of a file in the folders, or nothing.
std::string suggested(const fs::path& name, const std::vector<fs::path>& folders) {
    const std::vector<std::string> names = names_in(folders);
    return did_you_mean(name.stem().string(), std::vector<std::string_view>(names.begin(), names.end()));
}

constexpr std::array commands_of_files{std::pair{FileKind::run, "run"}, std::pair{FileKind::sweep, "sweep"},
                                       std::pair{FileKind::traffic, "traffic"},
                                       std::pair{FileKind::predict, "predict"}};

/// ConfigError for the name of a shipped file of another kind: it names the command that reads it.
void refuse_of_other_kind(const fs::path& name, FileKind kind) {
    for (const auto& [other, command] : commands_of_files) {
        const std::vector<fs::path> files = candidates(name, other);
        const auto found = std::ranges::find_if(files, is_no_folder);
        if (other == kind || found == files.end()) continue;
        throw ConfigError(fmt::format("{0}: is one of configs/{1}; write oscar-sim {2} {0}", name.string(),
                                      folder_of(other), command));
    }
}

/// The checkout in whose folder build/ `program` lies; nothing for a program that was copied elsewhere.
std::optional<fs::path> checkout_with(const fs::path& program) {
    std::error_code ignored;
    for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (folder.filename() == "build" && fs::is_directory(folder.parent_path() / "configs/machines", ignored))
            return folder.parent_path();
    return std::nullopt;
}

[[noreturn]] void refuse(const fs::path& name, FileKind kind) {
    refuse_of_other_kind(name, kind);
    const std::vector<fs::path> folders = folders_named({folder_of(kind)});
    if (kind == FileKind::run && find_base_named(name))
        throw ConfigError(fmt::format(
            "{0}: is a part or a machine, for the key base of an experiment; write a file with base: [{0}] and "
            "a trace, and run that",
            name.string()));
    std::vector<std::string> searched(folders.size());
    std::ranges::transform(folders, searched.begin(), [](const fs::path& folder) { return folder.string(); });
    throw ConfigError(fmt::format("{}: no such file{}; name a YAML file, or one of {} without its ending",
                                  shortened(name.string(), 200), suggested(name, folders),
                                  fmt::join(searched, " and ")));
}

}   // namespace

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool is_no_folder(const fs::path& path) {
    std::error_code ignored;
    return is_there(path) && !fs::is_directory(path, ignored);
}

std::vector<fs::path> shipped_roots() {
    std::vector<fs::path> result{""};
    if (auto data = data_folder()) result.push_back(*std::move(data));
    return result;
}

std::optional<fs::path> data_folder() {
    if (const char* named = std::getenv("OSCAR_SIM_DATA"); named != nullptr && *named != '\0') return named;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return std::nullopt;
    fs::path data = program.parent_path().parent_path() / "share/oscar-sim";
    if (fs::is_directory(data, error)) return data;
    std::optional<fs::path> checkout = checkout_with(program);
    if (checkout && fs::equivalent(*checkout, fs::current_path(error), error))
        return std::nullopt;   // searched as it is
    return checkout;
}

fs::path find_config(const fs::path& name, FileKind kind) {
    const std::vector<fs::path> files = candidates(name, kind);
    const auto found = std::ranges::find_if(files, is_no_folder);
    if (found != files.end()) return *found;
    if (is_there(name)) return name;   // a folder: its reader refuses it
    refuse(name, kind);
}

std::optional<fs::path> find_beside(const fs::path& name, const fs::path& file, Suits suits) {
    if (suits(name)) return name;
    if (name.is_absolute()) return std::nullopt;
    for (fs::path folder = fs::absolute(file).parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (suits(folder / name)) return folder / name;
    const auto data = data_folder();
    return data && suits(*data / name) ? std::optional(*data / name) : std::nullopt;
}

std::optional<fs::path> find_base_named(const fs::path& name) {
    for (const fs::path& folder : folders_of_bases())
        for (const fs::path& file : {folder / name, folder / (name.string() + ".yaml")})
            if (is_no_folder(file)) return file;
    return std::nullopt;
}

std::string suggested_base(const fs::path& name) { return suggested(name, folders_of_bases()); }

std::vector<std::string> names_of_bases(std::string_view folder) {
    std::vector<std::string> names = names_in(folders_named({folder}));
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::string places_beside() {
    const auto data = data_folder();
    return "here, beside the configuration or above it" + (data ? ", or in " + data->string() : "");
}

}   // namespace oscar
