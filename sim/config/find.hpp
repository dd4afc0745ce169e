// Search paths for configurations, and for the files and folders that they name.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/file_kind.hpp"

namespace oscar {

/// The folder of the shipped configs/ and traces/: OSCAR_SIM_DATA where it is set, else ../share/oscar-sim beside the
/// folder of the running program, else the checkout in whose folder build/ the program lies, if that is not the current
/// folder; nothing if none of them exists.
std::optional<std::filesystem::path> data_folder();

/// The configuration that a user calls `name`: that file, or, in the current folder or in data_folder(), the file
/// `name`, configs/`name` or configs/FOLDER/`name`, with or without .yaml; FOLDER is where files of `kind` are
/// shipped. ConfigError that says where was searched and suggests the nearest name.
std::filesystem::path find_config(const std::filesystem::path& name, FileKind kind);

/// A test that tells if a path is what is looked for. Never throws.
using Suits = bool (*)(const std::filesystem::path&);
bool is_there(const std::filesystem::path& path);       ///< also false for a path that no file can have
bool is_no_folder(const std::filesystem::path& path);   ///< there, and no folder

/// `name` if it suits as it is; else the path of that name that does in the folder of the configuration `file`, in
/// one above it, or in data_folder(); else nothing.
std::optional<std::filesystem::path> find_beside(const std::filesystem::path& name, const std::filesystem::path& file,
                                                 Suits suits = is_there);

/// The current folder, as an empty path, and data_folder() if there is one.
std::vector<std::filesystem::path> shipped_roots();

/// The file of the base that an experiment or a sweep calls `name`: the file of that name in configs/parts,
/// configs/machines or configs/experiments, with or without .yaml, in the current folder or in data_folder(); else
/// nothing.
std::optional<std::filesystem::path> find_base_named(const std::filesystem::path& name);

/// " (did you mean NAME?)" for the nearest name of such a file, or nothing.
std::string suggested_base(const std::filesystem::path& name);

/// Folders of configs/ whose files are no experiments by themselves, but bases of such.
inline constexpr std::array<std::string_view, 2> folders_of_parts{"parts", "machines"};

/// The names of the files in a folder of configs/, without .yaml, in alphabetical order.
std::vector<std::string> names_of_bases(std::string_view folder);

/// The places where find_beside searches, for its callers' errors: "here, beside the configuration or above it, or in
/// DATA".
std::string places_beside();

}   // namespace oscar
