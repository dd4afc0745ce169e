#include "sim/trace/find_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/find.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"

namespace oscar {

namespace fs = std::filesystem;

namespace {

const fs::path shipped_folder = "traces";

/// Adds the names of the traces that lie in `folder`.
void add_names(const fs::path& folder, std::vector<std::string>& names) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (holds_trace(entry.path())) names.push_back(entry.path().filename().string());
}

/// " (did you mean PATH?)" for the nearest trace beside what `name` names, or among the shipped ones; or nothing.
std::string suggested_trace(const fs::path& name) {
    const fs::path parent = name.parent_path();
    std::vector<std::string> names;
    for (const fs::path& root : shipped_roots())
        add_names(parent.empty() ? root / shipped_folder : root / parent, names);
    if (parent.empty()) add_names(".", names);
    std::ranges::sort(names);
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view nearest = nearest_name(name.filename().string(), candidates);
    return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", (parent / nearest).string());
}

}   // namespace

bool holds_trace(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return false;
    return fs::status(folder / "trace.yaml", ignored).type() !=
           fs::file_type::not_found;   // or its reader says why not
}

std::optional<fs::path> find_trace_beside(const fs::path& name, const fs::path& file) {
    if (auto found = find_beside(name, file, holds_trace)) return found;
    return name.is_absolute() ? std::nullopt : find_beside(shipped_folder / name, file, holds_trace);
}

std::optional<fs::path> find_trace_named(const fs::path& name) {
    for (const fs::path& path : {name, shipped_folder / name})
        for (const fs::path& root : shipped_roots())
            if (holds_trace(root / path)) return root / path;
    return std::nullopt;
}

fs::path file_of_folder(const fs::path& folder, const std::string& name) {
    fs::path file = folder / name;
    std::error_code error;
    if (!fs::is_symlink(file, error)) return file;
    const fs::path target = fs::canonical(file, error);
    if (error) return file;   // its reader says why not
    const fs::path inside = target.lexically_relative(fs::canonical(folder, error));
    if (inside.empty() || *inside.begin() == "..")
        throw TraceError(fmt::format("{}: is a link out of the folder, to {}; put the file itself there", file.string(),
                                     target.string()));
    return file;
}

std::string why_no_trace(const fs::path& name, const std::string& places) {
    const std::string subject = places.empty() ? "" : in_quotes(name.string()) + " ";   // else it stands before
    if (is_no_folder(name))
        return subject +
               "is no folder; name one with a trace.yaml, which oscar-sim trace convert makes of an .npz, .npy or "
               ".safetensors file";
    if (is_there(name))
        return subject +
               "holds no trace.yaml; name the folder of a trace, which oscar-sim trace convert makes of arrays";
    const std::string searched = places.empty() ? "" : ", " + places;
    return fmt::format("no such folder{}{}{}; name the folder of a trace, or a shipped one, like lenet-fmnist",
                       places.empty() ? "" : " " + in_quotes(name.string()), suggested_trace(name), searched);
}

}   // namespace oscar
