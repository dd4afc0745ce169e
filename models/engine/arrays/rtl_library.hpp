// Libraries that hold an array of the engine's RTL, as Verilator compiles it for one shape.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "models/engine/arrays/array_model.hpp"
#include "models/engine/clocked_engine.hpp"

namespace oscar {

/// What a library holds.
struct RtlLibraryInfo {
    static constexpr std::uint32_t current_version = 1;   ///< counts up when ArrayModel or what it is given changes

    std::uint32_t version = current_version;
    ArrayShape shape = {};
    std::uint32_t classes = 1;   ///< the most tables of a message
};

/// The functions that it exports; the caller owns the array.
using RtlLibraryInfoFunction = const RtlLibraryInfo*();
using MakeRtlArrayFunction = ArrayModel*();

/// Makes an array for this layout of rows.
using MakeArray = std::function<std::shared_ptr<ArrayModel>(EngineArray unit, Layout layout)>;

/// The folder of the libraries of this shape: in the one that the variable OSCAR_RTL names, or in `rtl` beside this
/// program.
std::filesystem::path rtl_folder(std::uint32_t lanes, std::uint32_t streams);

/// Arrays from the libraries in a folder, each of which stays loaded as long as its arrays. Throws runtime_error, with
/// a remedy, where there is none, at once if the folder is missing; later if it is one of another shape or version.
MakeArray rtl_arrays(const std::filesystem::path& folder, std::uint32_t lanes, std::uint32_t streams);

}   // namespace oscar
